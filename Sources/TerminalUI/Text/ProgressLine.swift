// SPDX-License-Identifier: GPL-3.0-or-later

/// How far a piece of work has come, as one line: `night.m4a  ━━━━━╸────  54%  1:07 left`.
public struct ProgressLine: Hashable, Sendable {
  public enum Style: Sendable {
    /// Box-drawing characters.
    case drawn
    /// For terminals that are not in UTF-8.
    case ascii
  }

  public var label: TerminalText

  /// Done so far, 0...1; nil while the whole is not known. Values outside are taken as the nearest.
  public var fraction: Double?

  /// Seconds until the end; nil while there is no estimate.
  public var secondsLeft: Double?

  public init(label: TerminalText, fraction: Double? = nil, secondsLeft: Double? = nil) {
    self.label = label
    self.fraction = fraction
    self.secondsLeft = secondsLeft
  }

  /// The line in at most `width` columns.
  ///
  /// What does not fit is given up in this order: the bar's length, the bar, the end of the label,
  /// the time left, the label.
  public func text(width: Int, style: Style = .drawn) -> TerminalText {
    let percent = self.percent
    let time = secondsLeft.flatMap(Self.clock).map {
      TerminalText(safe: "\($0) left", width: $0.count + 5)
    }
    var line = Self.joined([label, percent, time])
    let room = width - line.width - Self.gap.width
    if let known = knownFraction, room >= Self.shortestBar {
      let bar = Self.bar(known, columns: min(room, Self.longestBar), style: style)
      line = Self.joined([label, bar, percent, time])
    }
    if line.width <= width { return line }
    let tail = Self.joined([percent, time])
    let labelRoom = width - tail.width - Self.gap.width
    if labelRoom >= Self.shortestLabel {
      return Self.joined([label.truncated(to: labelRoom, omitting: .middle), percent, time])
    }
    return (percent ?? time ?? label).truncated(to: width)
  }

  private static let gap: TerminalText = "  "
  private static let shortestBar = 8
  private static let longestBar = 40
  private static let shortestLabel = 6

  private var knownFraction: Double? {
    guard let fraction, !fraction.isNaN else { return nil }
    return min(max(fraction, 0), 1)
  }

  /// Rounded down, so that 100% means done.
  private var percent: TerminalText? {
    knownFraction.map { fraction in
      TerminalText("\(Int(fraction * 100))%").padded(to: 4, alignment: .right)
    }
  }

  private static func joined(_ parts: [TerminalText?]) -> TerminalText {
    parts.compactMap(\.self).filter { $0.width > 0 }.reduce(.empty) { line, part in
      line.width == 0 ? part : line + gap + part
    }
  }

  private static func bar(_ fraction: Double, columns: Int, style: Style) -> TerminalText {
    let halves = Int(fraction * Double(columns * 2))
    let (full, half) = style == .drawn ? ("━", "╸") : ("#", "-")
    let empty = style == .drawn ? "─" : "-"
    let filled = halves / 2
    let tip = halves % 2
    let rest = columns - filled - tip
    let bar =
      String(repeating: full, count: filled) + String(repeating: half, count: tip)
      + String(repeating: empty, count: rest)
    return TerminalText(safe: bar, width: columns)
  }

  /// `0:07`, `12:34`, `1:02:03`; nil for what is no duration.
  private static func clock(_ seconds: Double) -> String? {
    guard seconds >= 0, seconds < 360_000 else { return nil }
    let total = Int(seconds.rounded(.up))
    let (hours, minutes) = (total / 3600, total / 60 % 60)
    let tail = twoDigits(total % 60)
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(tail)" : "\(minutes):\(tail)"
  }

  private static func twoDigits(_ value: Int) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }
}
