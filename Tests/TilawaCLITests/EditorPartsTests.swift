// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Editor
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import TilawaCLI

@Suite struct EditorPartsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: Keys

  private func configuration(_ text: String) throws -> Configuration {
    let path = try folder.write(Array(text.utf8), to: "config.toml")
    return try Configuration(file: path, environment: { _ in nil })
  }

  @Test func keysAreReadHoweverTheyAreWritten() throws {
    let bindings = try configuration(
      """
      [keys]
      "play.toggle" = "f5"
      segment.next = ["n", "ctrl-n"]
      view.floor = []
      """
    ).keyBindings
    let map = Dictionary(uniqueKeysWithValues: bindings.map { ($0.action, $0.keys) })
    #expect(
      map == ["play.toggle": ["f5"], "segment.next": ["n", "ctrl-n"], "view.floor": []])
    let keymap = Keymap(rebinding: bindings)
    #expect(keymap.problems.isEmpty)
    #expect(keymap.keys(for: .playToggle).map(\.name) == ["F5"])
    #expect(keymap.keys(for: .viewFloor).isEmpty)
  }

  @Test(arguments: ["[keys]\nplay.toggle = 3", "[keys]\nplay.toggle = [\"a\", 3]"])
  func whatIsNoKeyIsRefusedByName(text: String) throws {
    let failure = #expect(throws: Failure.self) { try configuration(text) }
    #expect(failure?.message.contains("keys.play.toggle") == true)
  }

  // MARK: Text

  private func text(_ lines: [String]) throws -> QuranText {
    let path = try folder.write(Array(lines.joined(separator: "\n").utf8), to: "quran.txt")
    return try QuranTextFile.read(path)
  }

  private static let ayat = Array(AyahRange.wholeQuran)

  @Test func aLineForEachAyahIsRead() throws {
    let text = try text(Self.ayat.map { "words of \($0)" })
    #expect(text[try AyahReference(parsing: "2:255")] == "words of 2:255")
  }

  @Test func linesWithNumbersAndRemarksAreRead() throws {
    let lines = ["\u{FEFF}# a text", ""] + Self.ayat.map { "\($0.surah.number)|\($0.ayah)|a|b" }
    let text = try text(lines + ["", "# end"])
    #expect(text[try AyahReference(parsing: "114:6")] == "a|b")
  }

  @Test func aTextThatLacksAnAyahIsRefused() throws {
    var lines = Self.ayat.map { "\($0.surah.number)|\($0.ayah)|words" }
    lines.remove(at: 7)
    let misplaced = #expect(throws: Failure.self) { try text(lines) }
    #expect(misplaced?.message.contains("line 8: 2:2") == true)
    let short = #expect(throws: Failure.self) { try text(["only one"]) }
    #expect(short?.message.contains("1 ayat and should have 6236") == true)
  }

  // MARK: A recording that is being analysed

  @Test func whatIsMeasuredIsShownAsFarAsItGoes() throws {
    let rate = try #require(SampleRate(hertz: 8000))
    let growth = GrowingSound(rate: rate, length: FrameCount(seconds: 20, at: rate))
    let hop = Hop(meanSquare: 0.25, minimum: -100, maximum: 100, fine: 0)
    let piece = try #require(growth.take([Hop](repeating: hop, count: 500)))
    #expect(piece.firstHop == 0)
    #expect(piece.codes.count == 500)
    #expect(abs(piece.fraction - 0.25) < 0.001)
    #expect(piece.envelope.hopCount == 500)
    let points = piece.overview.count
    #expect(piece.overview[..<(points / 4 - 1)].allSatisfy { $0 == 1 })
    #expect(piece.overview[(points / 4 + 1)...].allSatisfy { $0 == 0 })
    #expect(growth.take([hop]) == nil, "it is not shown more often than a few times a second")
  }

  // MARK: A library that is only read

  @Test(
    arguments: [
      ("disk_full", "the disk is full; free some space and start the editor again"),
      ("read_only", "the library is read-only"),
      ("io_error", "the library cannot be written: disk I/O error"),
    ])
  func saysWhyNothingCanBeEdited(code: String, reason: String) {
    #expect(Failure(code: code, message: "disk I/O error").readOnlyReason == reason)
  }
}
