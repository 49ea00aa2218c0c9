// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

/// What a person is told before playing begins, one after another, and then what was told meanwhile.
struct FirstNotices: Hashable, Sendable {
  /// What comes after the one that is shown.
  private var rest: [Notice]
  /// When that is due; nil until the first look.
  private var due: Duration?
  /// What was told last meanwhile.
  var later: Notice?
  private(set) var isOver = false

  /// How long each is shown.
  private static let stay = Duration.seconds(2)

  init(_ rest: some Sequence<Notice>) { self.rest = Array(rest) }

  /// What is to be shown from now on; nil where the one that is shown stays.
  mutating func next(at clock: Duration) -> Notice? {
    if let due, clock < due { return nil }
    defer { due = clock + Self.stay }
    guard due != nil else { return nil }
    isOver = rest.isEmpty
    return isOver ? later : rest.removeFirst()
  }
}
