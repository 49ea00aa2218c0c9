// SPDX-License-Identifier: GPL-3.0-or-later

public import TerminalUI

/// How a ``TerminalScreen`` is to use its terminal.
public struct TerminalOptions: Sendable {
  /// The name in the terminfo database.
  public var type: String
  /// Fewer colours are used where the terminal has fewer.
  public var depth: ColorDepth
  public var repertoire: Repertoire
  public var theme: Theme
  public var usesMouse: Bool

  public init(
    type: String, depth: ColorDepth = .palette, repertoire: Repertoire = .unicode,
    theme: Theme = .standard, usesMouse: Bool = true
  ) {
    self.type = type
    self.depth = depth
    self.repertoire = repertoire
    self.theme = theme
    self.usesMouse = usesMouse
  }

  /// What the environment asks for: `TERM`, `COLORTERM`, `NO_COLOR`, and the locale's character set.
  public init(environment: [String: String]) {
    self.init(type: environment["TERM"] ?? "")
    if ["truecolor", "24bit"].contains(environment["COLORTERM"]) { depth = .direct }
    if let noColor = environment["NO_COLOR"], !noColor.isEmpty { depth = .mono }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
      .first { !$0.isEmpty }
    let name = (locale ?? "").lowercased()
    repertoire = name.hasSuffix("utf-8") || name.hasSuffix("utf8") ? .unicode : .ascii
  }
}
