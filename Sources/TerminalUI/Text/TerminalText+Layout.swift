// SPDX-License-Identifier: GPL-3.0-or-later

extension TerminalText {
  /// Which side of a column text is set against.
  public enum Alignment: Sendable {
    case left
    case right
  }

  /// What is left out of a text too long for its place.
  public enum Omission: Sendable {
    case end
    /// Keeps both ends: the folder and the extension of a path stay readable.
    case middle
  }

  /// Shortens to at most `limit` columns, with `…` where something was left out.
  ///
  /// Cuts between grapheme clusters, so no base letter loses its marks. A limit below 1 gives the
  /// empty text.
  public func truncated(to limit: Int, omitting omission: Omission = .end) -> TerminalText {
    guard width > limit else { return self }
    guard limit > 0 else { return .empty }
    let room = limit - 1
    let ellipsis = TerminalText(safe: "…", width: 1)
    switch omission {
    case .end:
      return Self.taken(from: string, upTo: room) + ellipsis
    case .middle:
      let tail = Self.taken(fromEndOf: string, upTo: room / 2)
      return Self.taken(from: string, upTo: room - tail.width) + ellipsis + tail
    }
  }

  /// Adds spaces up to `columns`; longer text is returned as it is.
  public func padded(to columns: Int, alignment: Alignment = .left) -> TerminalText {
    guard columns > width else { return self }
    let spaces = TerminalText(spaces: columns - width)
    return alignment == .left ? self + spaces : spaces + self
  }

  private static func taken(from string: String, upTo limit: Int) -> TerminalText {
    var end = string.startIndex
    var width = 0
    while end < string.endIndex {
      let wider = width + string[end].terminalWidth
      if wider > limit { break }
      width = wider
      end = string.index(after: end)
    }
    return TerminalText(safe: String(string[..<end]), width: width)
  }

  private static func taken(fromEndOf string: String, upTo limit: Int) -> TerminalText {
    var start = string.endIndex
    var width = 0
    while start > string.startIndex {
      let before = string.index(before: start)
      let wider = width + string[before].terminalWidth
      if wider > limit { break }
      width = wider
      start = before
    }
    return TerminalText(safe: String(string[start...]), width: width)
  }
}

extension Character {
  fileprivate var terminalWidth: Int {
    unicodeScalars.reduce(0) { $0 + $1.terminalWidth }
  }
}
