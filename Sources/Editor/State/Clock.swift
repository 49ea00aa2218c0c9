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

  /// The time that a person has typed: `1:02`, `0:36.87`, `1:02:03.4`; nil where it is none. A comma, or the sign of
  /// an Arabic keyboard, is a decimal point as well.
  static func seconds(in text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let last = parts.last else { return nil }
    let whole = last.prefix { !".,٫".contains($0) }
    let fraction = last.dropFirst(whole.count).dropFirst()
    let wholes = parts.dropLast() + [whole]
    guard whole.count == 2, (wholes + [fraction]).allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
      wholes.dropFirst().allSatisfy({ $0.count == 2 }), !parts[0].isEmpty, parts[0].count < 4,
      let rest = Double("0.\(fraction)0")
    else { return nil }
    let numbers = wholes.compactMap { Double($0) }
    guard numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    return numbers.reduce(0) { $0 * 60 + $1 } + rest
  }

  /// A duration in seconds with one decimal, `12.3`; two below ten, `9.87`.
  static func seconds(_ seconds: Double) -> String {
    let whole = seconds.magnitude < 1e9 ? Int(seconds.magnitude.rounded()) : 0
    // A length of many minutes is read as such.
    if whole >= 1000 {
      let rest = whole % 60
      return "\(seconds < 0 ? "-" : "")\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
    return decimal(seconds, places: seconds.magnitude < 9.995 ? 2 : 1)
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

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
