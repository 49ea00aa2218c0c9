// SPDX-License-Identifier: GPL-3.0-or-later

/// How many colours a terminal has, or is allowed.
public enum ColorDepth: Int, Comparable, Sendable {
  /// Attributes only: `NO_COLOR`, or a terminal without colours.
  case mono
  /// The eight of the Linux console; the bright ones are made by bold.
  case eight
  case sixteen
  case palette
  /// Any colour; those of the theme are from the palette all the same.
  case direct

  public static func < (left: ColorDepth, right: ColorDepth) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What each role looks like, for every depth of colour.
///
/// The colours are of middle lightness, so that they can be read on dark and on light terminals;
/// roles that serve as backgrounds bring the colour of plain text before them.
public struct Theme: Sendable {
  public struct Appearance: Hashable, Sendable {
    /// Of xterm's 256.
    public var palette: UInt8
    /// Of the 16.
    public var ansi: UInt8
    /// Instead of the colour, as a foreground, where there is none.
    public var mono: Style.Attributes
    /// Instead of the colour, as a background, where there is none.
    public var monoBackground: Style.Attributes
    /// Of xterm's 256: text of the standard colour before this as a background.
    public var contrast: UInt8
    /// Of xterm's 256: the same as text in a selection, where no colour of middle lightness can be read; nil for what is no text.
    public var selected: UInt8?

    public init(
      palette: UInt8, ansi: UInt8, mono: Style.Attributes = [],
      monoBackground: Style.Attributes = [], contrast: UInt8 = 255, selected: UInt8? = nil
    ) {
      self.palette = palette
      self.ansi = ansi
      self.mono = mono
      self.monoBackground = monoBackground
      self.contrast = contrast
      self.selected = selected
    }
  }

  private var appearances: [Appearance]

  /// Suggested amber, confirmed blue.
  public static let standard = Theme()

  public init() { appearances = Role.allCases.map(Self.standardAppearance) }

  public subscript(role: Role) -> Appearance {
    get { appearances[Int(role.rawValue)] }
    set { appearances[Int(role.rawValue)] = newValue }
  }

  /// The same for a terminal with a light background, where what lies behind the sound had better be light too.
  public var onLight: Theme {
    var theme = self
    theme[.silence].palette = 253
    theme[.silence].ansi = 7
    theme[.silence].contrast = 235
    return theme
  }

  private static func standardAppearance(_ role: Role) -> Appearance {
    switch role {
    case .dim: Appearance(palette: 244, ansi: 8, mono: .dim, selected: 255)
    case .title: Appearance(palette: 37, ansi: 6, mono: .bold, selected: 255)
    case .accent: Appearance(palette: 133, ansi: 5, mono: .bold, selected: 255)
    case .border: Appearance(palette: 242, ansi: 8, mono: .dim)
    case .focusedBorder: Appearance(palette: 37, ansi: 6, mono: .bold)
    case .selection: Appearance(palette: 24, ansi: 4, monoBackground: .reverse)
    case .cursorLine: Appearance(palette: 237, ansi: 0, monoBackground: .underline)
    case .bar: Appearance(palette: 236, ansi: 0, monoBackground: .reverse, contrast: 252)
    case .key: Appearance(palette: 37, ansi: 6, mono: .bold, selected: 255)
    case .error: Appearance(palette: 167, ansi: 1, mono: [.bold, .reverse], selected: 224)
    case .warning: Appearance(palette: 172, ansi: 3, mono: .bold, selected: 222)
    case .success: Appearance(palette: 71, ansi: 2, selected: 157)
    case .suggested: Appearance(palette: 172, ansi: 3, selected: 222)
    case .unsure: Appearance(palette: 203, ansi: 9, mono: .bold, selected: 224)
    case .confirmed: Appearance(palette: 33, ansi: 12, mono: .bold, selected: 255)
    case .unassigned: Appearance(palette: 167, ansi: 1, selected: 224)
    case .unused: Appearance(palette: 244, ansi: 8, mono: .dim, selected: 252)
    case .waveformPeak: Appearance(palette: 23, ansi: 6, mono: .dim)
    case .waveformRMS: Appearance(palette: 73, ansi: 14)
    case .silence: Appearance(palette: 238, ansi: 8, monoBackground: .underline)
    case .noiseFloor: Appearance(palette: 65, ansi: 2, mono: .dim)
    case .threshold: Appearance(palette: 131, ansi: 1)
    case .playhead: Appearance(palette: 197, ansi: 9, mono: .bold, monoBackground: .reverse)
    case .empty: Appearance(palette: 240, ansi: 8, mono: .dim)
    }
  }
}

/// A colour as one terminal is told of it.
public enum ResolvedColor: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// Below the number of colours of the depth.
  case number(UInt8)
  case rgb(UInt8, UInt8, UInt8)

  public init(integerLiteral value: UInt8) { self = .number(value) }
}

/// A style in the numbers of one terminal.
public struct ResolvedStyle: Hashable, Sendable {
  /// Nil is the terminal's own.
  public var foreground: ResolvedColor?
  public var background: ResolvedColor?
  public var attributes: Style.Attributes

  public static let plain = ResolvedStyle()

  public init(
    foreground: ResolvedColor? = nil, background: ResolvedColor? = nil,
    attributes: Style.Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}

extension Theme {
  /// The style as a terminal of this depth draws it.
  public func resolve(_ style: Style, depth: ColorDepth) -> ResolvedStyle {
    guard depth > .mono else {
      // Reversing what is reversed already shows it upright.
      let background = attributes(ofBackground: style.background)
      var attributes = self.attributes(ofForeground: style.foreground)
      attributes = attributes.union(background.subtracting(.reverse)).union(
        style.attributes.subtracting(.reverse))
      let reversals = [attributes, background, style.attributes].count { $0.contains(.reverse) }
      attributes.remove(.reverse)
      return ResolvedStyle(
        attributes: reversals % 2 == 1 ? attributes.union(.reverse) : attributes)
    }
    var resolved = ResolvedStyle(
      foreground: resolve(style.foreground, depth: depth),
      background: resolve(style.background, depth: depth), attributes: style.attributes)
    if let number = contrasting(style) {
      resolved.foreground = .number(depth >= .palette ? number : 15)
    }
    if depth == .eight {
      if resolved.foreground == 8 {
        // Bold black is grey on some terminals and black on the others.
        resolved.foreground = nil
      } else if case .number(let bright) = resolved.foreground, bright > 7 {
        resolved.foreground = .number(bright - 8)
        resolved.attributes.insert(.bold)
      }
      if case .number(let number) = resolved.background {
        resolved.background = .number(number % 8)
      }
    }
    return resolved
  }

  /// The colour of text that goes with its background; nil where it keeps its own.
  private func contrasting(_ style: Style) -> UInt8? {
    switch (style.foreground, style.background) {
    case (.standard, .role(let background)): self[background].contrast
    case (.role(let foreground), .role(.selection)): self[foreground].selected
    default: nil
    }
  }

  private func attributes(ofForeground color: Color) -> Style.Attributes {
    if case .role(let role) = color { self[role].mono } else { [] }
  }

  private func attributes(ofBackground color: Color) -> Style.Attributes {
    if case .role(let role) = color { self[role].monoBackground } else { [] }
  }

  private func resolve(_ color: Color, depth: ColorDepth) -> ResolvedColor? {
    switch color {
    case .standard: nil
    case .ansi(let number): .number(number % 16)
    case .palette(let number): .number(depth >= .palette ? number : Self.nearestOf16(number))
    case .role(let role): .number(depth >= .palette ? self[role].palette : self[role].ansi)
    case .rgb(let red, let green, let blue):
      switch depth {
      case .direct: .rgb(red, green, blue)
      case .palette: .number(Self.nearestOf256(Int(red), Int(green), Int(blue)))
      default: .number(Self.nearestOf16(Int(red), Int(green), Int(blue)))
      }
    }
  }

  /// The nearest of the 16, as xterm has them, to one of the 256.
  static func nearestOf16(_ number: UInt8) -> UInt8 {
    if number < 16 { return number }
    let wanted = rgb(number)
    return nearestOf16(wanted.0, wanted.1, wanted.2)
  }

  private static func nearestOf16(_ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
    var (best, least) = (0, Int.max)
    for (index, color) in xterm16.enumerated() {
      let distance = distance(color, (red, green, blue))
      if distance < least { (best, least) = (index, distance) }
    }
    return UInt8(best)
  }

  /// The nearest of the cube and of the greys.
  static func nearestOf256(_ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
    // The first step of the cube is 95, the others are 40.
    func level(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
    let cube = UInt8(16 + 36 * level(red) + 6 * level(green) + level(blue))
    let average = (red + green + blue) / 3
    let grey = UInt8(232 + min(max((average - 3) / 10, 0), 23))
    let wanted = (red, green, blue)
    return distance(rgb(grey), wanted) < distance(rgb(cube), wanted) ? grey : cube
  }

  private static func distance(_ one: (Int, Int, Int), _ other: (Int, Int, Int)) -> Int {
    let (red, green, blue) = (one.0 - other.0, one.1 - other.1, one.2 - other.2)
    return red * red + green * green + blue * blue
  }

  /// xterm's defaults (`XTerm-col.ad`).
  private static let xterm16: [(Int, Int, Int)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0),
    (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
    (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ]

  /// xterm's 16, the cube of 6x6x6 and the 24 greys (`256colres.h`).
  static func rgb(_ number: UInt8) -> (Int, Int, Int) {
    if number < 16 { return xterm16[Int(number)] }
    if number >= 232 {
      let grey = 8 + 10 * (Int(number) - 232)
      return (grey, grey, grey)
    }
    func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
    let index = Int(number) - 16
    return (level(index / 36), level(index / 6 % 6), level(index % 6))
  }
}
