// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser

/// A duration on the command line: `400ms`, `0.4s`, `1:23.5`, or bare seconds.
struct DurationArgument: ExpressibleByArgument, Hashable, CustomStringConvertible {
  let seconds: Double
  /// As it was typed, if without a unit.
  private let bareNumber: String?

  /// A silence longer than this is no pause: somebody meant milliseconds.
  static let longestSilence = 60.0

  init(milliseconds: Int) {
    seconds = Double(milliseconds) / 1000
    bareNumber = nil
  }

  init?(argument: String) {
    let text = argument.lowercased()
    var value: Double?
    if text.hasSuffix("ms") {
      value = Double(text.dropLast(2)).map { $0 / 1000 }
    } else if text.hasSuffix("s") {
      value = Double(text.dropLast())
    } else {
      value = Self.clock(text)
    }
    guard let value, value >= 0, value.isFinite, value < 1e6 else { return nil }
    seconds = value
    bareNumber = Double(text) == nil ? nil : text
  }

  /// What to say of a silence that has no unit and is too long for seconds; nil of others.
  var missingUnit: String? {
    guard let bareNumber, seconds > Self.longestSilence else { return nil }
    return "has no unit; write \(bareNumber)ms or \(bareNumber)s"
  }

  /// How to write a length that is too long, if milliseconds may have been meant.
  var unitAdvice: String {
    bareNumber.map { "; write \($0) milliseconds as \($0)ms" } ?? ""
  }

  /// `83.5`, `1:23.5` or `0:01:23.500` in seconds.
  private static func clock(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      guard let value = Double(part), value >= 0, part.first?.isNumber ?? false,
        index == 0 || value < 60, index == parts.count - 1 || value == value.rounded()
      else { return nil }
      seconds = seconds * 60 + value
    }
    return seconds
  }

  /// Whole hops of 10 ms.
  var hops: Int { Int((seconds * Double(HopGrid.hopsPerSecond)).rounded()) }

  var description: String { "\(seconds)s" }
  var defaultValueDescription: String { "\(Int((seconds * 1000).rounded()))ms" }
}
