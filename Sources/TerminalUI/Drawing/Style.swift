// SPDX-License-Identifier: GPL-3.0-or-later

/// What something is, for a ``Theme`` to decide how it looks.
public enum Role: UInt8, CaseIterable, Hashable, Sendable {
  /// Less important than its surroundings.
  case dim
  /// Headings, the name of what is open.
  case title
  /// What the eye should find first.
  case accent
  case border
  /// The border of the panel that has the keys.
  case focusedBorder
  /// What is chosen; as a background.
  case selection
  /// Where the keys go within the selection; as a background.
  case cursorLine
  /// Whole bars such as the title and the footer; as a background.
  case bar
  /// The name of a key in a hint.
  case key
  case error
  case warning
  case success

  /// Markers and segments: detected, not yet looked at.
  case suggested
  /// Markers and segments: detected, and likelier wrong than others.
  case unsure
  /// Markers and segments: confirmed by a person.
  case confirmed
  /// Segments without an assignment.
  case unassigned
  /// Segments that hold nothing to keep.
  case unused

  case waveformPeak
  case waveformRMS
  /// Where the recording is silent; as a background.
  case silence
  case noiseFloor
  case threshold
  case playhead

  /// What a text field or a bar has left empty.
  case empty
}

/// A colour of text or of what lies behind it.
public enum Color: Hashable, Sendable {
  /// The terminal's own.
  case standard
  /// One of the 16 that people choose in their terminal's settings; 0...15, others modulo 16.
  case ansi(UInt8)
  /// One of xterm's 256.
  case palette(UInt8)
  /// What a theme makes of a role.
  case role(Role)
  /// Red, green and blue, as of a picture; the nearest that the terminal has.
  case rgb(UInt8, UInt8, UInt8)
}

/// How a cell is drawn.
public struct Style: Hashable, Sendable {
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bold = Attributes(rawValue: 1)
    public static let dim = Attributes(rawValue: 2)
    public static let underline = Attributes(rawValue: 4)
    public static let reverse = Attributes(rawValue: 8)
  }

  public var foreground: Color
  public var background: Color
  public var attributes: Attributes

  public static let plain = Style()

  public init(
    _ foreground: Color = .standard, on background: Color = .standard,
    attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  public init(_ foreground: Role, on background: Role? = nil, attributes: Attributes = []) {
    self.init(
      .role(foreground), on: background.map { .role($0) } ?? .standard, attributes: attributes)
  }

  /// The same before another background.
  public func on(_ background: Role) -> Style {
    var style = self
    style.background = .role(background)
    return style
  }

  /// The same with more attributes.
  public func with(_ attributes: Attributes) -> Style {
    var style = self
    style.attributes.formUnion(attributes)
    return style
  }

  /// Whether it has the colours of a picture.
  var isOfPicture: Bool {
    if case .rgb = background { return true }
    if case .rgb = foreground { return true }
    return false
  }

  public var bold: Style { with(.bold) }
  public var dim: Style { with(.dim) }
  public var underlined: Style { with(.underline) }
  public var reversed: Style { with(.reverse) }
}

extension Color: CustomStringConvertible {
  public var description: String {
    switch self {
    case .standard: "standard"
    case .ansi(let number): "ansi \(number % 16)"
    case .palette(let number): "palette \(number)"
    case .role(let role): "\(role)"
    case .rgb(let red, let green, let blue): "rgb \(red) \(green) \(blue)"
    }
  }
}

extension Style: CustomStringConvertible {
  /// `suggested on selection, bold`; `plain`.
  public var description: String {
    var parts: [String] = []
    if background != .standard {
      parts.append("\(foreground) on \(background)")
    } else if foreground != .standard {
      parts.append("\(foreground)")
    }
    if attributes.contains(.bold) { parts.append("bold") }
    if attributes.contains(.dim) { parts.append("dim") }
    if attributes.contains(.underline) { parts.append("underline") }
    if attributes.contains(.reverse) { parts.append("reverse") }
    return parts.isEmpty ? "plain" : parts.joined(separator: ", ")
  }
}
