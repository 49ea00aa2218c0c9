// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// The player in a window of tmux, on a card that keeps what it has played.
@Suite(.serialized, .enabled(if: EditorTerminal.isPossible, "no tmux"))
struct PlayerTests {
  let program: Program
  let folder: TemporaryFolder
  let noise = NoiseRecording()

  /// Where each ayah of al-Fatiha begins, in frames, and where the last ends.
  private static let edges = [0, 16_000, 41_000, 56_000, 80_000]
  /// Frames that a fade in may change: 5 ms.
  private static let fade = 40

  init() async throws {
    program = try Program()
    folder = try TemporaryFolder()
    let recording = try folder.write(noise.wav, to: "noise.wav")
    let labels = "0\t2\t1:1\n2\t5.125\t1:2\n5.125\t7\t1:3\n7\t10\t1:4\n"
    try await program.publishing(recording, as: "Noise", labels: labels)
  }

  private func opened(
    _ arguments: String..., on card: ListeningCard, columns: Int = 80, rows: Int = 24
  ) async throws -> EditorTerminal {
    // It does not end by itself, however late somebody looks.
    let terminal = try await EditorTerminal(
      program, ["play", "--repeat-range", "forever"] + arguments, on: card,
      .init(columns: columns, rows: rows))
    try await terminal.wait("the player") { $0.transport.contains("playing") }
    return terminal
  }

  /// The frame of the recording that some of what was heard is of.
  private func frame(of heard: ArraySlice<Float>) -> Int? {
    let all = noise.decoded(0..<80_000)
    guard let first = heard.first else { return nil }
    return all.indices.first { index in
      all[index] == first && all[index...].starts(with: heard)
    }
  }

  private func ayah(of frame: Int) -> Int { Self.edges.lastIndex { $0 <= frame } ?? 0 }

  @Test(arguments: [(80, 24), (200, 50)])
  func showsAndPlaysWhatIsAskedFor(columns: Int, rows: Int) async throws {
    let card = try ListeningCard()
    // It stays in its ayah, however late a key comes.
    let terminal = try await opened(
      "1", "--repeat-ayah", "forever", on: card, columns: columns, rows: rows)
    let screen = try await terminal.wait("what is missing and the waveform") {
      $0.text.contains("3 missing") && $0.text.contains("█")
    }
    #expect(screen.title.contains("Al-Fatihah"), "\(screen.text)")
    #expect(screen.text.contains("1:1") && screen.text.contains("Noise"))
    let heard = try await card.wait(forSamples: 8000)
    let first = try #require(heard.firstIndex { $0 != 0 })
    let sound = heard[(first + Self.fade)...].prefix(4000)
    #expect(sound.elementsEqual(noise.decoded(Self.fade..<(Self.fade + sound.count))))
    try terminal.press("Space")
    try await terminal.wait("the pause") { $0.transport.contains("paused") }
    try terminal.press("Right")
    let stepped = try await terminal.wait("the next ayah") { $0.text.contains("ayah 2 of 7") }
    #expect(stepped.transport.contains("paused"))
    try terminal.press("/")
    try terminal.type("4")
    try terminal.press("Enter")
    try await terminal.wait("the ayah gone to") { $0.text.contains("ayah 4 of 7") }
    try terminal.press("a")
    try terminal.type("112")
    try terminal.press("Enter")
    try await terminal.wait("the item") { $0.text.contains("112 Al-Ikhlas") }
    try terminal.press("?")
    try await terminal.wait(for: "play or pause")
    try terminal.press("q", "q")
    #expect(try await terminal.waitForEnd() == 0)
    #expect(terminal.modesAfter == terminal.modesBefore)
    let stats = try await program.run("stats", "--format", "json")
    #expect(stats.output.contains(#""by_surah":[{"surah":1,"#), "\(stats.output)")
  }

  @Test func nothingIsPlayedWhereNothingMayBeMissing() async throws {
    let refused = try await EditorTerminal(
      program, ["play", "1", "--missing", "cancel"], on: ListeningCard())
    #expect(try await refused.waitForEnd() == 66)
    // Where all is there the player opens.
    let whole = try await opened("1:1-1:4", "--missing", "cancel", on: ListeningCard())
    try await whole.wait("the queue") { $0.text.contains("nothing missing") }
    try whole.press("q")
    #expect(try await whole.waitForEnd() == 0)
  }

  @Test func thatNothingCanBeFilledInIsTold() async throws {
    let terminal = try await opened(
      "1:3-1:5", "--repeat-ayah", "forever", "--missing", "fill", on: ListeningCard())
    try await terminal.wait("what cannot be filled in") {
      $0.text.contains("1:5: every reciter was asked already, so nothing is filled in")
    }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    // Where the first ayah is missing as well.
    let missing = try await EditorTerminal(
      program, ["play", "1:5", "1:6", "--missing", "fill"], on: ListeningCard())
    try await missing.wait("what cannot be filled in") {
      $0.text.contains("so nothing is filled in")
    }
    try await missing.wait("that it is missing") {
      $0.text.contains("nothing of 1:5 can be played")
    }
    try missing.press("q")
    #expect(try await missing.waitForEnd() == 0)
  }

  @Test func whatCouldNotBeFetchedIsMissingBeforeItsTurn() async throws {
    let server = ScriptedServer { _, _ in .status("404 Not Found") }
    _ = try await program.run(
      "source", "add", "Net", "--url", server.url("{surah:3}{ayah:3}.wav"), "--allow-private",
      "--insecure-http")
    // The first item is played again and again.
    let terminal = try await opened("1:1-1:4", "1:5-1:7", "--fetch", on: ListeningCard())
    try await terminal.wait("what is missing") { $0.text.contains("3 missing: 1:5-7") }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test(arguments: [["play", "1:1", "--repeat-ayah", "forever"], []])
  func aTextThatIsGoneIsToldAndDoneWithout(_ arguments: [String]) async throws {
    var setting = EditorTerminal.Setting()
    setting.environment = ["TILAWA_EDITOR_TEXT": "/nonexistent"]
    let terminal = try await EditorTerminal(program, arguments, on: ListeningCard(), setting)
    try await terminal.wait("the notice") { $0.text.contains("The setting editor.text names") }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    let wrong = try await EditorTerminal(
      program, arguments + ["--text", "/nonexistent"], on: ListeningCard())
    #expect(try await wrong.waitForEnd() == 66)
  }

  @Test func aShuffledListThatIsAddedShowsItsSeed() async throws {
    let made = try await program.run(
      "playlist", "new", "mixed", "1:1-1:4", "--shuffle", "ayah")
    #expect(made.code == 0, "\(made.errors)")
    let playing = try await opened("1:1", "--repeat-ayah", "forever", on: ListeningCard())
    try playing.press("a")
    try playing.type("@mixed")
    try playing.press("Enter")
    try await playing.wait("its seed") { $0.text.contains("ayat  nothing missing  seed") }
    try playing.press("q")
    #expect(try await playing.waitForEnd() == 0)
  }

  @Test func theStartScreenGoesOnWhereListeningWasLeft() async throws {
    // However long a busy machine takes, it stays in its ayah.
    let playing = try await opened("1:1-1:4", "--repeat-ayah", "forever", on: ListeningCard())
    try playing.press("/")
    try playing.type("3")
    try playing.press("Enter")
    try await playing.wait("the ayah") { $0.text.contains("ayah 3 of 4") }
    try playing.press("q")
    #expect(try await playing.waitForEnd() == 0)

    let start = try await EditorTerminal(program, [], on: ListeningCard())
    try await start.wait(for: "4 Resume 1:3")
    try start.press("4")
    try await start.wait("the player") {
      $0.transport.contains("playing") && $0.text.contains("ayah 3 of 4")
    }
    try start.press("q")
    try await start.wait(for: "4 Resume 1:3")
    try start.press("q")
    #expect(try await start.waitForEnd() == 0)
    #expect(start.modesAfter == start.modesBefore)
  }

  @Test(.serialized, arguments: [true, false])
  func inTheBackgroundItPausesAndSaysSoWhileItDoes(resumes: Bool) async throws {
    var setting = EditorTerminal.Setting()
    setting.environment = ["TILAWA_PLAYBACK_RESUME": "\(resumes)"]
    let terminal = try await EditorTerminal(
      program, ["play", "1:1", "--repeat-ayah", "forever"], on: ListeningCard(), setting)
    try await terminal.wait("the player") { $0.transport.contains("playing") }
    try terminal.press("C-z")
    _ = try await terminal.waitForStop()
    try terminal.press("Enter")
    if resumes {
      // The notice of the pause may come first, and is soon no more.
      try await Task.sleep(for: .seconds(2))
      try await terminal.wait("going on without it") {
        $0.transport.contains("playing") && !$0.text.contains("the program was stopped")
      }
    } else {
      try await terminal.wait("the pause") {
        $0.transport.contains("paused") && $0.text.contains("the program was stopped")
      }
    }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  /// After a gap of which some has passed, an ayah that was heard is not heard again.
  @Test(arguments: [true, false])
  func goesOnAfterTheAyahInWhoseGapItWasLeft(isKilled: Bool) async throws {
    let left = try await opened("1:1-1:4", "--gap", "30s", on: ListeningCard())
    try await left.wait("the gap") { $0.transport.contains("▷ gap") }
    if isKilled {
      // Until it is written.
      try await Task.sleep(for: .seconds(1))
      try left.signal(SIGKILL)
      _ = try await left.waitForEnd()
    } else {
      try left.press("q")
      #expect(try await left.waitForEnd() == 0)
    }
    let resumed = try await opened("--resume", on: ListeningCard())
    try await resumed.wait("the next ayah") { $0.text.contains("ayah 2 of 4") }
    try resumed.press("q")
    #expect(try await resumed.waitForEnd() == 0)
  }

  @Test func aListIsResumedWithItsRepetitionsAndItsSeed() async throws {
    let made = try await program.run(
      "playlist", "new", "drill", "1:1-1:2", "1:3-1:4", "--repeat-ayah", "3", "--gap", "0.5x")
    #expect(made.code == 0, "\(made.errors)")
    let playing = try await opened(
      "@drill", "--shuffle", "range", "--seed", "77", on: ListeningCard())
    try playing.press("q")
    #expect(try await playing.waitForEnd() == 0)
    let resumed = try await opened("--resume", on: ListeningCard())
    try await resumed.wait("its repetitions, gap and seed") {
      $0.text.contains(" of 3") && $0.transport.contains("gap 0.5x")
        && $0.text.contains("seed 77")
    }
    try resumed.press("q")
    #expect(try await resumed.waitForEnd() == 0)
  }

  /// Frames that are heard before the kill: three moments, or 200 at random when the thorough run is asked for.
  private static let moments: [Int] = {
    guard ProcessInfo.processInfo.environment["TILAWA_THOROUGH"] != nil else {
      return [3000, 19_000, 45_000]
    }
    var random = SplitMix64(state: 17)
    return (0..<200).map { _ in Int.random(in: 500...70_000, using: &random) }
  }()

  /// At most five seconds are lost, and never is another ayah heard.
  @Test(arguments: moments)
  func goesOnAfterItWasKilled(frames: Int) async throws {
    let before = try ListeningCard()
    let killed = try await opened("1:1-1:4", "--repeat-ayah", "2", on: before)
    _ = try await before.wait("some of it") { heard in
      heard.count - (heard.firstIndex { $0 != 0 } ?? heard.count) >= frames
    }
    try killed.signal(SIGKILL)
    _ = try await killed.waitForEnd()
    let heard = before.played
    let last = try #require(heard.lastIndex { $0 != 0 })
    // Where an ayah is heard again the recording does not go on: then a little before that.
    let end = try #require(
      [400, 800].lazy.compactMap { frame(of: heard[(last - $0)...(last - $0 + 200)]) }.first)

    let after = try ListeningCard()
    let terminal = try await opened("--resume", on: after)
    let resumed = try await after.wait("the sound") { heard in
      heard.count - (heard.firstIndex { $0 != 0 } ?? heard.count) >= 2000
    }
    let first = try #require(resumed.firstIndex { $0 != 0 })
    let place = try #require(
      [100, 500].lazy.compactMap { offset in
        frame(of: resumed[(first + offset)..<(first + offset + 200)]).map { $0 - offset }
      }.first)
    // Half a second at the edge of two ayat may be in either.
    #expect(ayah(of: place) == ayah(of: end) || abs(place - end) < NoiseRecording.rate / 2)
    #expect(end - place <= 5 * NoiseRecording.rate)
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }
}
