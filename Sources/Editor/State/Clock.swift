// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Times as the screen shows them.
enum Clock {
  /// `1:02.345`, `1:02:03.456`; to the nearest millisecond; fewer decimals if asked, cut off.
  static func text(_ position: FramePosition, _ rate: SampleRate, decimals: Int = 3) -> String {
    let thousandths = position.frames.multipliedReportingOverflow(by: 1000)
    let rounded = thousandths.partialValue.addingReportingOverflow(Int64(rate.hertz) / 2)
    let isTooLarge = thousandths.overflow || rounded.overflow
    let milliseconds =
      (isTooLarge ? Int64.max : max(rounded.partialValue, 0)) / Int64(rate.hertz)
    let (whole, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    var text = whole >= 3600 ? "\(whole / 3600):\(two(whole / 60 % 60))" : "\(whole / 60)"
    text += ":" + two(whole % 60)
    if decimals > 0 { text += "." + String(String(1000 + fraction).dropFirst().prefix(decimals)) }
    return text
  }

  /// A duration in seconds with one decimal, `12.3`; two below ten, `9.87`.
  static func seconds(_ seconds: Double) -> String {
    decimal(seconds, places: seconds.magnitude < 9.995 ? 2 : 1)
  }

  static func decimal(_ value: Double, places: Int) -> String {
    let unit = (0..<places).reduce(1.0) { unit, _ in unit * 10 }
    let scaled = (value.magnitude * unit).rounded()
    guard scaled < 1e15 else { return "-" }
    let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: Int(unit))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    if places == 0 { return "\(sign)\(whole)" }
    let digits = String(rest)
    return "\(sign)\(whole)." + String(repeating: "0", count: places - digits.count) + digits
  }

  private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
