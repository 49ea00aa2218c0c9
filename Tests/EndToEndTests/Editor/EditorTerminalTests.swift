// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// What becomes of the terminal, and of work under way, whatever happens around the editor.
@Suite(.serialized, .enabled(if: EditorTerminal.isPossible, "no tmux"))
struct EditorTerminalTests {
  let program: Program
  let folder: TemporaryFolder
  let recording: String

  init() async throws {
    program = try Program()
    folder = try TemporaryFolder()
    recording = try folder.write(NoiseRecording().wav, to: "noise.wav")
  }

  /// The editor with three segments, the second of them selected.
  private func opened(_ setting: EditorTerminal.Setting = .init()) async throws -> EditorTerminal {
    try await program.importing(recording, detecting: false, labels: "0\t2\ta\n2\t6\tb\n6\t10\tc\n")
    let terminal = try await EditorTerminal(program, ["noise"], on: ListeningCard(), setting)
    try await terminal.wait("three segments and their sound") {
      $0.segments.count == 3 && $0.isKept && $0.text.contains("█")
    }
    try terminal.press("j")
    return terminal
  }

  /// The terminal is a shell's again.
  private func expectRestored(_ terminal: EditorTerminal) throws {
    #expect(terminal.modesAfter == terminal.modesBefore)
    #expect(try terminal.flag("alternate_on") == "0")
    #expect(try terminal.flag("mouse_any_flag") == "0")
    #expect(try terminal.flag("mouse_sgr_flag") == "0")
    #expect(try terminal.flag("cursor_flag") == "1")
  }

  @Test(arguments: [SIGHUP, SIGTERM, SIGINT, SIGQUIT])
  func aSignalEndsItWithEverythingKept(signal: Int32) async throws {
    let terminal = try await opened()
    #expect(try terminal.flag("alternate_on") == "1")
    // A marker on its way by keys is an edit even if they have not come to rest.
    try terminal.type("!..")
    try await terminal.wait("the marker on its way") { $0.segment(2)?.contains("0:02.020") == true }
    try terminal.signal(signal)
    #expect(try await terminal.waitForEnd() == 128 + Int(signal))
    try expectRestored(terminal)
    let segments = try await program.shown("noise").segments
    #expect(segments[1].start == 2.02)
    #expect(segments[1].flagged)
  }

  @Test func aWindowThatIsClosedLosesNothing() async throws {
    let terminal = try await opened()
    try terminal.type("!..")
    try await terminal.wait("the marker on its way") { $0.segment(2)?.contains("0:02.020") == true }
    let process = try terminal.process
    try terminal.closeWindow()
    while kill(process, 0) == 0 { try await Task.sleep(for: .milliseconds(20)) }
    let segments = try await program.shown("noise").segments
    #expect(segments[1].start == 2.02)
    #expect(segments[1].flagged)
  }

  @Test func itIsPutIntoTheBackgroundAndComesBack() async throws {
    let terminal = try await opened()
    try terminal.press("C-z")
    let modes = try await terminal.waitForStop()
    #expect(modes == terminal.modesBefore)
    #expect(try terminal.flag("alternate_on") == "0")
    #expect(try terminal.flag("mouse_any_flag") == "0")
    // In the background it takes no key, and its window may change meanwhile.
    try terminal.resize(columns: 120, rows: 40)
    try terminal.press("Enter")
    try await terminal.wait("the editor in the new size") {
      $0.segments.count == 3 && $0.fills(columns: 120, rows: 40)
    }
    #expect(try terminal.flag("alternate_on") == "1")
    #expect(try terminal.flag("mouse_sgr_flag") == "1")
    try terminal.press("!")
    try await terminal.wait("the flag") { $0.isFlagged(2) }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    try expectRestored(terminal)
    #expect(try await program.shown("noise").segments[1].flagged)
  }

  @Test func itIsStoppedByASignalToo() async throws {
    let terminal = try await opened()
    try terminal.signal(SIGTSTP)
    #expect(try await terminal.waitForStop() == terminal.modesBefore)
    try terminal.press("Enter")
    try await terminal.wait("the editor") { $0.segments.count == 3 }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    try expectRestored(terminal)
  }

  @Test func aStormOfSizesAndKeysLeavesTheScreenOfAFreshDrawing() async throws {
    let terminal = try await opened()
    var random = SplitMix64(state: 11)
    for step in 0..<60 {
      let columns = Int.random(in: 40...220, using: &random)
      let rows = Int.random(in: 10...60, using: &random)
      try terminal.resize(columns: columns, rows: rows)
      // Down and up, in and out, panels open and closed; nothing that edits.
      let keys = ["j", "k", "+", "-", "Z", "X", "z", "?", "i", "e", "p", "d", "b", "t", "F"]
      try terminal.press(keys[Int.random(in: 0..<keys.count, using: &random)])
      if step.isMultiple(of: 4) { try terminal.press("C-g") }
    }
    try terminal.resize(columns: 120, rows: 40)
    // Keys do nothing while the window is too small to show what they do.
    try await terminal.wait("the last size") { $0.fills(columns: 120, rows: 40) }
    // Out of whatever is open, and quiet.
    for _ in 0..<12 { try terminal.press("C-g") }
    try terminal.press("Z", "g")
    try await terminal.wait("three segments") {
      $0.segments.count == 3 && $0.fills(columns: 120, rows: 40) && $0.isKept
        && !$0.transport.contains("playing")
    }
    let storm = try await settled(terminal)
    try terminal.press("C-l")
    let fresh = try await settled(terminal)
    // The characters: how tmux tells the style of cells that show nothing depends on how they came about.
    func rows(_ screen: String) -> [String] {
      screen.replacing(#/\x1B\[[0-9;]*m/#, with: "")
        .split(separator: "\n", omittingEmptySubsequences: false).map { row in
          String(row.reversed().drop { $0 == " " }.reversed())
        }
    }
    let pairs = zip(rows(storm), rows(fresh))
    #expect(pairs.filter { $0 != $1 }.map { [$0, $1] } == [])
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    try expectRestored(terminal)
  }

  /// The screen with its styles, when a key that changes nothing has been answered and nothing is left to do.
  private func settled(_ terminal: EditorTerminal) async throws -> String {
    try await terminal.waitUntilAnswered()
    try terminal.press("Z", "Z")
    try await terminal.wait(for: "The whole recording is in view")
    return try await terminal.waitUntilIdle()
  }

  @Test func belowTheLeastSizeItSaysWhatItNeeds() async throws {
    let terminal = try await opened()
    try terminal.resize(columns: 60, rows: 15)
    let small = try await terminal.wait(for: "This terminal is 60x15")
    #expect(small.text.contains("needs 60x16"))
    #expect(small.segments.isEmpty)
    try terminal.resize(columns: 80, rows: 24)
    try await terminal.wait("three segments") { $0.segments.count == 3 }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }
}
