// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// No edit is lost that was said to be kept, and none is kept by halves.
@Suite(.serialized, .enabled(if: EditorTerminal.isPossible, "no tmux"))
struct EditorKeepingTests {
  let program: Program
  let folder: TemporaryFolder

  init() async throws {
    program = try Program()
    folder = try TemporaryFolder()
    let recording = try folder.write(NoiseRecording().wav, to: "noise.wav")
    try await program.importing(
      recording, detecting: false, labels: "0\t2\ta\n2\t6\tb\n6\t10\tc\n")
  }

  private func opened(
    _ arguments: [String] = [], _ environment: [String: String] = [:]
  ) async throws -> EditorTerminal {
    let terminal = try await EditorTerminal(
      program, ["edit", "noise"] + arguments, on: ListeningCard(),
      .init(environment: environment))
    try await terminal.wait("segments and their sound") {
      $0.segments.count == 3 && $0.text.contains("█")
    }
    return terminal
  }

  @Test func whatWasKeptOutlivesAKillInTheMiddleOfADrag() async throws {
    for round in 0..<4 {
      let terminal = try await opened()
      let screen = try terminal.screen
      let row = try #require(screen.handlesRow)
      let before = try await program.shown("noise")
      // Edits that are kept, one after the other, and then a drag that is not over.
      try terminal.press("g")
      for _ in 0...round { try terminal.press("!") }
      try terminal.press("j", ">", "j")
      try await terminal.waitUntilKept()
      let kept = try await terminal.wait("the marker where it was moved to") {
        $0.segment(2)?.contains(String(format: "0:02.%d00", round + 1)) == true
          && $0.isKept
      }
      let handle = try #require(kept.handles.last)
      try terminal.pressButton(.left, at: .init(column: handle, row: row))
      try terminal.drag(to: .init(column: handle + 6, row: row))
      try await terminal.wait(for: "Marker at")
      try terminal.signal(SIGKILL)
      #expect(try await terminal.waitForEnd() == 128 + 9)
      let after = try await program.shown("noise")
      #expect(after.boundaries == [2 + Double(round + 1) / 10, 6])
      #expect(after.segments[0].flagged == (before.segments[0].flagged != (round % 2 == 0)))
      let check = try await program.run("check")
      #expect(check.code == 0, "\(check.output)\(check.errors)")
    }
    // What is opened again is what was kept, and can be taken back.
    let terminal = try await opened()
    try await terminal.wait("what was kept") { $0.segment(2)?.contains("0:02.400") == true }
    try terminal.press("u")
    try await terminal.wait("the edit before") { $0.segment(2)?.contains("0:02.300") == true }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    #expect(try await program.shown("noise").boundaries == [2.3, 6])
  }

  @Test func theSecondEditorOfARecordingIsToldWhoHasIt() async throws {
    let first = try await opened()
    let second = try await opened()
    let told = try second.screen
    #expect(told.title.hasSuffix("read-only"), "\(told.title)")
    let holder = try first.process
    #expect(told.notice.contains("process \(holder) on"), "\(told.notice)")
    try second.press("!")
    try await second.wait(for: "Read-only: process \(holder)")
    try first.press("!")
    try await first.wait("the flag") { $0.isFlagged(1) }
    try first.press("q")
    #expect(try await first.waitForEnd() == 0)

    // Left to itself, the second takes over.
    try await second.wait("it to be opened for editing") {
      $0.isKept && $0.isFlagged(1)
    }
    try second.press("!")
    try await second.wait("no flag") { !$0.isFlagged(1) }
    try second.press("q")
    #expect(try await second.waitForEnd() == 0)
    #expect(try await program.shown("noise").segments[0].flagged == false)
  }

  @Test func whoOnlyLooksSeesWhatAnotherEditorKeeps() async throws {
    let first = try await opened()
    let second = try await opened(["--read-only"])
    try first.press("!")
    let seen = try await second.wait("the flag") { $0.isFlagged(1) }
    #expect(seen.title.hasSuffix("read-only"))
    for editor in [first, second] {
      try editor.press("q")
      #expect(try await editor.waitForEnd() == 0)
    }
  }

  @Test func whatIsFoundMeanwhileIsPrintedAndNotSaved() async throws {
    let terminal = try await opened()
    let path = folder.path("noise.wav")
    let other = try folder.write(NoiseRecording().wav + [0, 0], to: "other.wav")
    for (files, code) in [([path], Int32(69)), ([path, other], 1)] {
      let run = try await program.run(
        ["auto-detect", "--save", "--detector", "fixed", "--format", "jsonl"] + files)
      #expect(run.code == code)
      #expect(run.errors.contains("noise.wav: not saved: "), "\(run.errors)")
      #expect(run.errors.contains("process \(try terminal.process) on"), "\(run.errors)")
      let reports = try JSONReport.lines(run.output)
      #expect(reports.count == files.count)
      #expect(reports.allSatisfy { $0.error == nil && $0.segments != nil })
    }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    #expect(try await program.shown("noise").boundaries == [2, 6])
  }

  // EROFS: what a medium that has turned read-only says.
  @Test(
    arguments: [
      (ENOSPC, "the disk is full"), (EIO, "disk I/O error"), (EROFS, "disk I/O error"),
    ])
  func editsThatTheDiskRefusesAreTakenBackWithTheReason(
    code: Int32, reason: String
  ) async throws {
    let library = URL(filePath: Program.path).deletingLastPathComponent().path
    let terminal = try await opened(
      [],
      [
        "LD_PRELOAD": library + "/libDiskFaults.so", "DISK_FAULT_FOLDER": program.home,
        "DISK_FAULT_AT": "1", "DISK_FAULT_STAYS": "1", "DISK_FAULT_ERRNO": "\(code)",
        "DISK_FAULT_WHEN": folder.path("broken"),
      ])
    try terminal.press("j", "!")
    try await terminal.wait("the flag") { $0.isFlagged(2) }
    try await terminal.waitUntilKept()
    try folder.write([], to: "broken")
    try terminal.press("G", "!")
    let refused = try await terminal.wait(for: "undone, because saving failed")
    #expect(refused.text.contains(reason), "\(refused.text)")
    #expect(refused.isFlagged(2))
    #expect(!refused.isFlagged(3))
    #expect(refused.isKept)
    // When there is room again, work goes on.
    unlink(folder.path("broken"))
    try terminal.press("g", "!")
    try await terminal.wait("the flag") { $0.isFlagged(1) }
    try await terminal.waitUntilKept()
    try terminal.press("q")
    let status = try await terminal.waitForEnd()
    #expect(status == 74, "an edit was lost, and the shell is told")
    #expect(terminal.errors.contains("could not be saved and were undone"), "\(terminal.errors)")
    #expect(try await program.shown("noise").segments.map(\.flagged) == [true, true, false])
  }

  @Test(
    arguments: [
      (["DISK_FAULT_READONLY": "1"], "the library is read-only"),
      (
        ["DISK_FAULT_AT": "1", "DISK_FAULT_STAYS": "1", "DISK_FAULT_ERRNO": "\(ENOSPC)"],
        "Read-only: the library cannot be written:"
      ),
    ])
  func aLibraryThatCannotBeWrittenIsLookedAt(
    fault: [String: String], reason: String
  ) async throws {
    let library = URL(filePath: Program.path).deletingLastPathComponent().path
    let terminal = try await opened(
      [],
      fault.merging([
        "LD_PRELOAD": library + "/libDiskFaults.so", "DISK_FAULT_FOLDER": program.home,
      ]) { fault, _ in fault })
    let screen = try await terminal.wait(for: reason)
    #expect(screen.title.hasSuffix("read-only"))
    try terminal.press("!")
    try await terminal.wait("the refusal again") { !$0.isFlagged(1) }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func openedToLookAtItChangesNothing() async throws {
    let before = try await program.shown("noise")
    let terminal = try await opened(["--read-only"])
    #expect(try terminal.screen.title.hasSuffix("read-only"))
    try terminal.press("j", "x")
    try await terminal.wait(for: "Read-only: opened with --read-only")
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    #expect(try await program.shown("noise").boundaries == before.boundaries)
  }
}
