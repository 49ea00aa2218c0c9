// SPDX-License-Identifier: GPL-3.0-or-later

public import TerminalUI

/// How a ``TerminalScreen`` is to use its terminal.
public struct TerminalOptions: Sendable {
  /// The name in the terminfo database.
  public var type: String
  /// Whose description is used where that database has neither the type nor its family.
  public var standIn = plainType
  /// Fewer colours are used where the terminal has fewer.
  public var depth: ColorDepth
  public var repertoire: Repertoire
  public var theme: Theme
  public var usesMouse: Bool
  public var pixels: Pixels
  /// What stands between the program and the terminal.
  public var multiplexer: Multiplexer?

  public enum Multiplexer: Hashable, Sendable {
    case tmux(Tmux)
    /// GNU screen, or one within another.
    case other
  }

  /// What is known of a tmux.
  public struct Tmux: Hashable, Sendable {
    /// False where it is known to keep what is meant for its terminal.
    public var passesOn: Bool
    /// False where another pane is known to get the keys, and with them the terminal's answers.
    public var hasKeys: Bool
    /// The type of its terminal, where it is known.
    public var terminal: String?

    public init(passesOn: Bool = true, hasKeys: Bool = true, terminal: String? = nil) {
      self.passesOn = passesOn
      self.hasKeys = hasKeys
      self.terminal = terminal
    }

    /// Types of terminals that are known to show images in the place of text (kitty's Unicode placeholders).
    private static let able = ["xterm-kitty", "xterm-ghostty"]

    fileprivate var couldShowImages: Bool { terminal.map(Self.able.contains) ?? false }
  }

  /// Why images are not shown although they are asked for, or the terminal could.
  public enum PixelObstacle: Hashable, Sendable {
    /// tmux does not pass them on.
    case notPassedOn
    /// The protocol that is set loses the places of images there.
    case unusable(GraphicsProtocol)
  }

  public var pixelObstacle: PixelObstacle? {
    switch (multiplexer, pixels) {
    case (nil, _), (_, .off): nil
    case (_, .sixel): .unusable(.sixel)
    case (.tmux(let tmux), .kitty): tmux.passesOn ? nil : .notPassedOn
    case (.tmux(let tmux), .auto):
      tmux.passesOn || !tmux.couldShowImages ? nil : .notPassedOn
    case (.other, .kitty): .unusable(.kitty)
    case (.other, .auto): nil
    }
  }

  /// What every terminal understands that is in use: they all descend from DEC's VT100.
  static let plainType = "vt100"
  /// What terminals of this century understand: they imitate xterm.
  static let modernType = "xterm-256color"

  /// Names that such terminals give themselves, and of which the descriptions come with the terminal, or with
  /// `ncurses-term` in Debian, but not with `ncurses-base`.
  private static let modernFamilies: Set<String> = [
    "alacritty", "contour", "foot", "ghostty", "iterm", "iterm2", "kitty", "konsole", "mintty",
    "mlterm", "rio", "st", "vte", "wezterm",
  ]

  /// Whether a type is known to have many colours, or to belong to a terminal that has.
  private static func isModern(_ type: String) -> Bool {
    let family = type.prefix { $0 != "-" }
    return modernFamilies.contains(String(family))
      || ["-256color", "-direct"].contains { type.hasSuffix($0) }
  }

  /// How images in true pixels are shown.
  public enum Pixels: String, Hashable, Sendable, CaseIterable {
    /// As the terminal says that it can.
    case auto
    case off
    /// By this protocol, without asking.
    case kitty, sixel
  }

  public init(
    type: String, depth: ColorDepth = .palette, repertoire: Repertoire = .unicode,
    theme: Theme = .standard, usesMouse: Bool = true, pixels: Pixels = .off
  ) {
    self.type = type
    self.depth = depth
    self.repertoire = repertoire
    self.theme = theme
    self.usesMouse = usesMouse
    self.pixels = pixels
  }

  /// What the environment asks for: `TERM`, `COLORTERM`, `NO_COLOR`, `TMUX`, `STY`, and the locale's
  /// character set.
  public init(environment: [String: String]) {
    self.init(type: environment["TERM"] ?? "")
    func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
    if isSet("STY") {
      multiplexer = .other
    } else if isSet("TMUX") || type.hasPrefix("tmux") {
      multiplexer = .tmux(Tmux())
    } else if type.hasPrefix("screen") {
      multiplexer = .other
    }
    let colors = environment["COLORTERM"] ?? ""
    if ["truecolor", "24bit"].contains(colors) { depth = .direct }
    if !colors.isEmpty || Self.isModern(type) { standIn = Self.modernType }
    if let noColor = environment["NO_COLOR"], !noColor.isEmpty { depth = .mono }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
      .first { !$0.isEmpty }
    let name = (locale ?? "").lowercased()
    repertoire = name.hasSuffix("utf-8") || name.hasSuffix("utf8") ? .unicode : .ascii
  }
}
