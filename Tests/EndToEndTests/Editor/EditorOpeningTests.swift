// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// What the editor is opened with, and what it looks like then.
@Suite(.serialized, .enabled(if: EditorTerminal.isPossible, "no tmux"))
struct EditorOpeningTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  /// Six hours of recitation, so that there is time to look on however busy the machine is: MP3 may simply
  /// be strung together.
  private func long() throws -> String {
    let halfMinute = try Data(
      contentsOf: URL(fileURLWithPath: FixtureFolder.path("mp3-22k-mono.mp3")))
    var file = Data(capacity: halfMinute.count * 720)
    for _ in 0..<720 { file += halfMinute }
    return try folder.write(Array(file), to: "long.mp3")
  }

  // Beside all other tests there would be nobody to look before it is over.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["TILAWA_REAL_TIME"] != nil,
      "runs by itself, as in make test-long: TILAWA_REAL_TIME=1 swift test --filter aFileThatNobody"
    ))
  func aFileThatNobodyKnowsIsSeenWhileItIsAnalysed() async throws {
    let terminal = try await EditorTerminal(program, [try long()], on: ListeningCard())
    let first = try await terminal.wait(for: "Analysing the recording")
    #expect(first.title.contains("long") && first.title.hasSuffix("being added"), "\(first.title)")
    #expect(first.transport.contains("/ 6:01:"), "\(first.transport)")
    // The waveform grows from the left while it can already be looked at.
    try await terminal.wait("the beginning of the waveform") {
      $0.rows[2].contains(#/[▁▂▃▄▅▆▇█▌▐▖▗▘▙▚▛▜▝▞▟]/#) && $0.notice.contains("Analysing")
    }
    try terminal.press("C-x")
    try await terminal.wait(for: "stopped; open the file again to continue")
    #expect(try terminal.screen.segments.count == 1)
    try terminal.press("!")
    try await terminal.wait(for: "Read-only: the analysis was stopped")
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    #expect(try await program.run("list", "--format", "jsonl").output.isEmpty)
  }

  @Test func keysThatArePressedAtOnceAreTaken() async throws {
    let night = try folder.copy(of: Recitation.fixture, as: "night.flac")
    try await program.importing(night)
    let terminal = try TestSupport.PseudoTerminal(
      [Program.path, "night"], type: "xterm-256color",
      environment: ["LANG=C.UTF-8", "TILAWA_HOME=\(program.home)", "ALSA_CONFIG_PATH=/dev/null"])
    terminal.send("j!q")
    #expect(try terminal.waitForEnd() == 0)
    let segments = try await program.shown("night").segments
    #expect(segments.map(\.flagged) == segments.indices.map { $0 == 1 })
  }

  @Test func whatHasBeenAnalysedIsThereAtOnceAndWhereItWasLeft() async throws {
    let night = try folder.copy(of: Recitation.fixture, as: "night.flac")
    let first = try await EditorTerminal(program, [night], on: ListeningCard())
    try await first.wait("segments and their sound") {
      $0.segments.count == 6 && $0.text.contains("███")
        && $0.rows[2].contains(#/[▁▂▃▄▅▆▇█▌▐▖▗▘▙▚▛▜▝▞▟]/#)
    }
    try first.press("Down", "Down", "L")
    let left = try await first.wait("the third segment") { $0.transport.contains("0:15.907") }
    try first.press("q")
    #expect(try await first.waitForEnd() == 0)

    // The file is the library's recording now; there is nothing to analyse.
    let second = try await EditorTerminal(program, [night], on: ListeningCard())
    let again = try await second.wait("segments and their sound") {
      $0.segments.count == 6 && $0.text.contains("███")
        && $0.rows[2].contains(#/[▁▂▃▄▅▆▇█▌▐▖▗▘▙▚▛▜▝▞▟]/#)
    }
    #expect(again.transport == left.transport)
    try second.press("q")
    #expect(try await second.waitForEnd() == 0)
  }

  @Test func aRecordingWhoseSidecarIsGoneIsAnalysedAgain() async throws {
    let night = try folder.copy(of: Recitation.fixture, as: "night.flac")
    try await program.importing(night)
    try FileManager.default.removeItem(atPath: program.home + "/cache")
    let terminal = try await EditorTerminal(program, ["night"], on: ListeningCard())
    try await terminal.wait("segments and their sound") {
      $0.segments.count == 6 && $0.text.contains("███")
        && $0.rows[2].contains(#/[▁▂▃▄▅▆▇█▌▐▖▗▘▙▚▛▜▝▞▟]/#)
    }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func aRecordingWhoseFileIsGoneCanStillBeAssigned() async throws {
    let night = try folder.copy(of: Recitation.fixture, as: "night.flac")
    let imported = try await program.run("import", "--in-place", night)
    #expect(imported.code == 0)
    unlink(night)
    let terminal = try await EditorTerminal(program, ["night"], on: ListeningCard())
    let screen = try await terminal.wait("segments, and why they have no sound") {
      $0.segments.count == 6 && $0.text.contains("its file is missing")
    }
    #expect(screen.text.contains("'relink'"), "\(screen.text)")
    #expect(screen.isKept)
    try terminal.press("!")
    try await terminal.wait("the flag") { $0.isFlagged(1) }
    try terminal.press("r")
    try await terminal.wait(for: "the audio file is missing")
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func aFileThatGrowsIsReadOnAndKeepsItsAnnotation() async throws {
    let part = try Data(contentsOf: URL(fileURLWithPath: FixtureFolder.path("mp3-22k-mono.mp3")))
    let night = try folder.write(Array(part), to: "night.mp3")
    let imported = try await program.run("import", "--in-place", "--no-detect", night)
    #expect(imported.code == 0, "\(imported.errors)")
    let terminal = try await EditorTerminal(program, ["night"], on: nil)
    try await terminal.wait("the segment") { $0.segments.count == 1 && $0.text.contains("███") }
    try terminal.press("M-g")
    try await terminal.wait(for: "Nothing has been added to the file since it was read")
    try terminal.press("L", "m", "!")
    try await terminal.wait("the marker and the flag") { $0.segments.count == 2 && $0.isFlagged(1) }
    // MP3 may be strung together.
    _ = try folder.write(Array(part + part), to: "night.mp3")
    try await terminal.wait("that there is more") {
      $0.notice.contains("alt-g reads what is new") && $0.transport.contains("/ 0:30.")
    }
    try terminal.press("M-g")
    try await terminal.wait("all of the file with its annotation") {
      $0.transport.contains("/ 1:00.") && $0.segments.count == 2 && $0.isFlagged(1) && $0.isKept
        && !$0.title.contains("read-only")
    }
    try terminal.press("u")
    try await terminal.wait("no flag") { !$0.isFlagged(1) }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    let check = try await program.run("check", "--thorough")
    #expect(check.code == 0, "\(check.output)")
  }

  @Test func aFileThatWasMovedIsTheSameRecordingWhereItIsGivenByItsNewPath() async throws {
    let night = try folder.copy(of: Recitation.fixture, as: "night.flac")
    let imported = try await program.run("import", "--in-place", night)
    #expect(imported.code == 0)
    let moved = folder.path("moved.flac")
    #expect(rename(night, moved) == 0)
    let terminal = try await EditorTerminal(program, [moved], on: ListeningCard())
    try await terminal.wait("the recording and its sound") {
      $0.title.contains("night") && $0.segments.count == 6 && $0.text.contains("███")
    }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    let check = try await program.run("check")
    #expect(check.code == 0, "\(check.output)")
  }

  @Test func aNameThatOpensNothingIsSaidBeforeTheScreenIsTaken() async throws {
    let terminal = try await EditorTerminal(program, [folder.path("nothing.mp3")])
    #expect(try await terminal.waitForEnd() == 66)
    #expect(terminal.errors.contains("nothing.mp3"), "\(terminal.errors)")
    #expect(terminal.modesAfter == terminal.modesBefore)
  }

  @Test(arguments: [
    ("malformed/text_renamed.m4a", "is no"), ("malformed/truncated_head.flac", "is"),
    ("malformed/png_renamed.m4a", "is no"), ("malformed/empty.wav", "is empty"),
  ])
  func aFileThatIsNoRecordingIsRefusedInWords(fixture: String, reason: String) async throws {
    let path = try folder.copy(of: fixture)
    let terminal = try await EditorTerminal(program, [path])
    #expect(try await terminal.waitForEnd() == 65)
    #expect(terminal.errors.contains(URL(filePath: path).lastPathComponent), "\(terminal.errors)")
    #expect(terminal.errors.contains(reason), "\(terminal.errors)")
    #expect(terminal.modesAfter == terminal.modesBefore)
  }

  @Test func aTruncatedFileIsOpenedWithWhatIsThere() async throws {
    let path = try folder.copy(of: "malformed/truncated_middle.flac")
    let terminal = try await EditorTerminal(program, [path], on: ListeningCard())
    let screen = try await terminal.wait("what is there") {
      !$0.segments.isEmpty && $0.isKept
    }
    #expect(screen.title.contains("truncated_middle"))
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func whatIsRecordedNowIsOpenedAndKept() async throws {
    // A device that plays a file of samples as fast as it is read.
    let samples = (0..<480_000).flatMap { index -> [UInt8] in
      let value = UInt16(bitPattern: Int16((index % 200 - 100) * 150))
      return [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
    }
    let sound = try folder.write(samples, to: "sound.raw")
    let configuration = try folder.write(
      Array(
        """
        pcm.nothing { type null }
        pcm.!default {
          type file
          slave.pcm nothing
          file "/dev/null"
          infile "\(sound)"
          format "raw"
        }
        """.utf8), to: "asound.conf")
    let terminal = try await EditorTerminal(
      program, ["edit"], on: nil, .init(environment: ["ALSA_CONFIG_PATH": configuration]))
    try await terminal.wait(for: "The library is empty")
    try terminal.press("3")
    try await terminal.wait("the level meter") {
      $0.text.contains("● recording") && $0.text.contains(#/Peak +[█▏▎▍▌▋▊▉]+/#)
    }
    try terminal.press("Enter")
    try await terminal.wait("the recording to be open") {
      $0.isKept && $0.segments.count >= 1
    }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    let listed = try await program.run("list", "--format", "jsonl")
    #expect(listed.output.split(separator: "\n").count == 1, "\(listed.output)")
  }

  @Test func withoutAMicrophoneItSaysSoInFull() async throws {
    let terminal = try await EditorTerminal(program, ["edit"])
    try await terminal.wait(for: "The library is empty")
    try terminal.press("3")
    let screen = try await terminal.wait(for: "no such capture device")
    #expect(screen.text.contains("arecord -L"), "\(screen.text)")
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func aTerminalThatCannotDrawIsRefusedInWords() async throws {
    let terminal = try await EditorTerminal(program, ["edit"], on: nil, .init(type: "dumb"))
    #expect(try await terminal.waitForEnd() == 69)
    #expect(terminal.errors.contains("'dumb' cannot be used"), "\(terminal.errors)")
    #expect(terminal.modesAfter == terminal.modesBefore)
  }

  @Test func withoutATerminalItSaysWhatItNeeds() async throws {
    let outcome = try await program.run("edit")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("needs a terminal"), "\(outcome.errors)")
  }
}
