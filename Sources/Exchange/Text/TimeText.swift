// SPDX-License-Identifier: GPL-3.0-or-later

package import AudioCore

/// Times as the formats write them, all reckoned in integers.
package enum TimeText {
  /// Seconds with the fewest decimals that give back the frame: `5.231`, `0`.
  ///
  /// A reader that takes the text for a double `t` finds the frame as `(t * rate).rounded()`. Six
  /// decimals are always enough, since the error is then at most half a microsecond and a frame
  /// lasts at least 1.3 (768 kHz); for the double's own error to matter a recording would have to
  /// last longer than half a day at that rate.
  package static func seconds(_ position: FramePosition, at rate: SampleRate) -> String {
    let hertz = Int128(rate.hertz)
    var unit: Int128 = 1
    for decimals in 0..<6 {
      let exact = Int128(position.frames) * unit
      let written = rounded(exact, by: hertz)
      if (written * hertz - exact).magnitude * 2 < unit.magnitude {
        return decimalText(written, decimals: decimals)
      }
      unit *= 10
    }
    return seconds(position, at: rate, decimals: 6)
  }

  package static func seconds(_ count: FrameCount, at rate: SampleRate) -> String {
    seconds(FramePosition.zero + count, at: rate)
  }

  /// Seconds with exactly `decimals` decimals.
  package static func seconds(
    _ position: FramePosition, at rate: SampleRate, decimals: Int
  ) -> String {
    decimalText(ticks(position, at: rate, decimals: decimals), decimals: decimals)
  }

  /// Whole milliseconds.
  package static func milliseconds(_ position: FramePosition, at rate: SampleRate) -> Int128 {
    ticks(position, at: rate, decimals: 3)
  }

  /// Whole microseconds.
  static func microseconds(_ position: FramePosition, at rate: SampleRate) -> Int128 {
    ticks(position, at: rate, decimals: 6)
  }

  /// Seconds with six decimals.
  static func seconds(microseconds: Int128) -> String { decimalText(microseconds, decimals: 6) }

  /// CD frames, 75 to the second.
  static func compactDiscFrames(_ position: FramePosition, at rate: SampleRate) -> Int128 {
    rounded(Int128(position.frames) * 75, by: Int128(rate.hertz))
  }

  /// Minutes, seconds and CD frames: `62:03:74`, with at least two digits of minutes.
  static func clock(compactDiscFrames frames: Int128) -> String {
    "\(padded(frames / 75 / 60, to: 2)):\(padded(frames / 75 % 60, to: 2)):\(padded(frames % 75, to: 2))"
  }

  /// Hours, minutes, seconds and milliseconds: `01:02:03.456`, with at least two digits of hours.
  package static func clock(milliseconds: Int128, decimalSign: String) -> String {
    let total = milliseconds / 1000
    let fraction = padded(milliseconds % 1000, to: 3)
    let hours = padded(total / 3600, to: 2)
    let minutes = padded(total / 60 % 60, to: 2)
    return "\(hours):\(minutes):\(padded(total % 60, to: 2))\(decimalSign)\(fraction)"
  }

  /// For people: `1:23.500`, `1:02:03.500`.
  package static func short(_ position: FramePosition, at rate: SampleRate) -> String {
    let milliseconds = milliseconds(position, at: rate)
    let fraction = padded(milliseconds % 1000, to: 3)
    return short(seconds: milliseconds / 1000) + "." + fraction
  }

  /// For people, in whole seconds: `1:23`, `1:02:03`.
  package static func short(seconds: Int128) -> String {
    let tail = padded(seconds % 60, to: 2)
    if seconds < 3600 { return "\(seconds / 60):\(tail)" }
    return "\(seconds / 3600):\(padded(seconds / 60 % 60, to: 2)):\(tail)"
  }

  private static func ticks(
    _ position: FramePosition, at rate: SampleRate, decimals: Int
  ) -> Int128 {
    let unit = (0..<decimals).reduce(Int128(1)) { unit, _ in unit * 10 }
    return rounded(Int128(position.frames) * unit, by: Int128(rate.hertz))
  }

  /// The nearest quotient, halves away from zero.
  private static func rounded(_ dividend: Int128, by divisor: Int128) -> Int128 {
    let half = divisor / 2
    return (dividend + (dividend < 0 ? -half : half)) / divisor
  }
}

/// A measured number with at most `decimals` decimals, without trailing zeros; nil when not finite.
func measureText(_ value: Double, decimals: Int) -> String? {
  guard value.isFinite, abs(value) < 1e12 else { return nil }
  let unit = (0..<decimals).reduce(1.0) { unit, _ in unit * 10 }
  var text = decimalText(Int128((value * unit).rounded()), decimals: decimals)
  guard decimals > 0 else { return text }
  while text.last == "0" { text.removeLast() }
  if text.last == "." { text.removeLast() }
  return text
}

/// A whole number of units, `decimals` of whose digits stand after the point.
private func decimalText(_ value: Int128, decimals: Int) -> String {
  let digits = padded(Int128(value.magnitude), to: decimals + 1)
  let sign = value < 0 ? "-" : ""
  if decimals == 0 { return sign + digits }
  return "\(sign)\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
}

private func padded(_ value: Int128, to count: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, count - digits.count)) + digits
}
