// SPDX-License-Identifier: GPL-3.0-or-later

public import TerminalUI

/// Which keys ask for what while one recites by heart.
public typealias RecallKeymap = KeyBindings<RecallAction>

/// There is one place, and no text to type.
public enum RecallContext: KeyContext {
  case recall

  public static var main: RecallContext { .recall }
  public var takesText: Bool { false }
  public var title: String { "Review" }
}

/// Everything that can be asked for while one recites by heart; named as in `config.toml`.
public enum RecallAction: String, Hashable, Sendable, CaseIterable {
  case again = "hifz.again"
  case hard = "hifz.hard"
  case good = "hifz.good"
  case easy = "hifz.easy"
  case listen = "hifz.listen"
  case cue = "hifz.cue"
  case words = "hifz.words"
  case later = "hifz.later"
  case undo = "hifz.undo"
  case playToggle = "play.toggle"
  case playSlower = "play.slower"
  case playFaster = "play.faster"
  case help = "open.help"
  case quit = "app.quit"
  case suspend = "app.suspend"
  case redraw = "app.redraw"

  var grade: RecallGrade? {
    switch self {
    case .again: .again
    case .hard: .hard
    case .good: .good
    case .easy: .easy
    default: nil
    }
  }
}

extension RecallAction: KeyAction {
  public typealias Place = RecallContext
  public typealias Row = KeyRow<RecallAction>

  public static let table = [
    Row(.listen, ["enter", "right", "l"], "listen", "play the unit"),
    Row(.cue, ["c", "left", "h"], "cue", "play the beginning again"),
    Row(.words, ["s"], "words", "show or hide the words"),
    Row(.again, ["1"], "again", "grade it: not known, or only with help"),
    Row(.hard, ["2"], "hard", "grade it: known, with effort"),
    Row(.good, ["3"], "good", "grade it: known"),
    Row(.easy, ["4"], "easy", "grade it: known without hesitation"),
    Row(.later, ["n"], "later", "move the unit to the end of the review"),
    Row(.undo, ["u", "ctrl-u"], "undo", "undo the last grade"),
    Row(.playToggle, ["space", "ctrl-p"], "pause", "pause or resume"),
    Row(.playSlower, ["["], "slower", "play slower, down to 0.25x"),
    Row(.playFaster, ["]"], "faster", "play faster, up to 3x"),
    Row(.help, ["?", "f1"], "keys", "show all keys; any key goes on"),
    Row(.quit, ["q", "ctrl-q", "esc"], "quit", "quit; grades are saved"),
    Row(.suspend, ["ctrl-z"], "suspend", "pause and go to the background"),
    Row(.redraw, ["ctrl-l"], "redraw", "redraw the screen"),
  ]

  private static let rows: [RecallAction: Row] = Dictionary(
    table.map { ($0.action, $0) }, uniquingKeysWith: { first, _ in first })

  public var row: Row? { Self.rows[self] }

  public var group: String { "Review by heart" }
}
