// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI
import Testing

@testable import Editor

@Suite struct KeymapTests {
  @Test func everyActionIsDescribedOnce() {
    #expect(Set(Action.table.map(\.action)) == Set(Action.allCases))
    #expect(Action.table.count == Action.allCases.count)
    for action in Action.allCases {
      #expect(!action.summary.isEmpty && !action.label.isEmpty && !action.contexts.isEmpty)
    }
  }

  @Test func everyUsualKeyIsReadableAndWorksWhereverItsActionDoes() {
    for row in Action.table {
      for name in row.keys {
        guard let key = KeyEvent(named: name) else {
          Issue.record("\(row.action.rawValue): no key is named \(name)")
          continue
        }
        for context in row.contexts where key.typed == nil || !context.takesText {
          #expect(
            Keymap.usual.action(for: key, in: context) == row.action,
            "\(name) in \(context.title)")
        }
      }
    }
    #expect(Keymap.usual.problems.isEmpty)
  }

  @Test func aKeyThatAPersonBindsIsTakenFromTheActionThatHadIt() {
    let keymap = Keymap(rebinding: [("marker.add", ["x"])])
    #expect(keymap.problems.isEmpty)
    #expect(keymap.action(for: KeyEvent("x"), in: .normal) == .markerAdd)
    #expect(keymap.action(for: KeyEvent("m"), in: .normal) == nil)
    #expect(keymap.keys(for: .markerDelete, in: .normal) == [KeyEvent(.delete)])
  }

  @Test func twoBindingsOfOneKeyAreAConflict() {
    let keymap = Keymap(rebinding: [("marker.add", ["t"]), ("play.loop", ["t"])])
    #expect(keymap.problems.first == .conflict("t", .markerAdd, .playLoop, in: .normal))
    #expect(keymap.action(for: KeyEvent("t"), in: .normal) == .markerAdd)
  }

  @Test func oneKeyMayServeTwoActionsInDifferentPlaces() {
    let keymap = Keymap(rebinding: [("marker.add", ["t"]), ("equaliser.toggle", ["t"])])
    #expect(keymap.problems.isEmpty)
  }

  @Test func wrongNamesAreReported() {
    let keymap = Keymap(rebinding: [("marker.ad", ["t"]), ("marker.add", ["ctrl-nothing"])])
    let problems: [Keymap.Problem] = [
      .unknownAction("marker.ad"), .unreadableKey("ctrl-nothing", for: .markerAdd),
    ]
    #expect(keymap.problems == problems)
  }

  @Test func lettersCannotBeBoundWhereTheyAreText() {
    let keymap = Keymap(rebinding: [("assign.part", ["p"])])
    #expect(keymap.problems == [.typedAsText("p", .assignPart)])
  }

  @Test func anActionCanBeLeftWithoutKeys() {
    let keymap = Keymap(rebinding: [("marker.delete", [])])
    #expect(keymap.keys(for: .markerDelete).isEmpty)
    #expect(keymap.action(for: KeyEvent("x"), in: .normal) == nil)
  }

  @Test func problemsAreShownWhenTheEditorStarts() {
    let keymap = Keymap(rebinding: [("marker.ad", [])])
    let state = State(size: Size(columns: 80, rows: 24), keymap: keymap)
    #expect(
      view(state).textRows.joined().contains("there is no action 'marker.ad'"))
  }

  @Test func theHelpPageAndTheMarkdownTableNameEveryAction() {
    let markdown = Keymap.usual.markdown
    let help = HelpText(.usual, width: 75).lines
    for action in Action.allCases {
      #expect(markdown.contains("`\(action.rawValue)`"))
      #expect(
        help.contains {
          if case .key(_, let name, _) = $0 { name == action.rawValue } else { false }
        })
    }
    #expect(markdown.contains("| `enter` | `segment.commit` |"))
  }

  @Test func aKeyOfTheListOfWorkLeftIsNoneOfTheStartScreen() {
    let section = Keymap.usual.sections.first { section in
      section.rows.contains { $0.action == .publishUnconfirmed }
    }
    #expect(section?.title == "Work left")
  }

  @Test func reboundKeysShowEverywhere() throws {
    var desk = Desk(try document(10_000), rebinding: [("segment.commit", ["ctrl-n"])])
    #expect(desk.screen.contains("ctrl-n confirm, next"))
    #expect(desk.state.keymap.markdown.contains("| `ctrl-n` | `segment.commit` |"))
    desk.press("?")
    #expect(desk.screen.contains("3. ctrl-n confirms the segment"))
  }
}
