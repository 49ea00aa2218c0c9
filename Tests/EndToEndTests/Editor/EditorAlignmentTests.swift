// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Quran
import TestSupport
import Testing

/// Ayat are found in the editor, from a start that is not known to remarks that are read again later.
@Suite(.serialized, .enabled(if: EditorTerminal.isPossible, "no tmux"))
struct EditorAlignmentTests {
  let program: Program
  let folder: TemporaryFolder
  private let recitation: ToneRecitation

  init() async throws {
    program = try Program()
    folder = try TemporaryFolder()
    try ToneRecitation.teach(home: program.home)
    var recitation = ToneRecitation(pace: 0.12)
    // As long as a breath, and no segment of its own.
    recitation.silence(0.3)
    recitation.recite(try AyahRange(parsing: "72:1-28"))
    self.recitation = recitation
    try recitation.write(to: folder.path("jinn.wav"))
    try await program.importing(folder.path("jinn.wav"), detecting: false)
  }

  private func opened() async throws -> EditorTerminal {
    let terminal = try await EditorTerminal(program, ["edit", "jinn"], on: ListeningCard())
    try await terminal.wait("the sound") { $0.text.contains("█") }
    return terminal
  }

  @Test func aStartThatIsNotKnownIsProposed() async throws {
    let terminal = try await opened()
    try terminal.press("A")
    try await terminal.wait(for: "Find each ayah in the whole recording")
    try terminal.type("72")
    try await terminal.wait(for: "searches for the start in Al-Jinn")
    try terminal.press("Enter")
    let places = try await terminal.wait(for: "From the sound")
    #expect(places.text.contains("72:1 "), "\(places.text)")
    try terminal.press("Enter")
    let preview = try await terminal.wait(for: "segments with ayat found")
    #expect(preview.text.contains("You chose the proposed start 72:1"), "\(preview.text)")
    try terminal.press("Enter")
    let taken = try await terminal.wait(for: "I 1 remark")
    let count = try #require(taken.text.firstMatch(of: /assigned of (\d+)/)).1
    // The first confirmation, in the middle, cuts nothing off the beginning.
    try terminal.press("j", "j", "j", "j", "j", "Enter")
    try await terminal.wait(for: "1 confirmed, \(count) assigned of \(count)")
    try terminal.press("g")
    let first = try await terminal.wait("the first segment") {
      $0.segment(1)?.hasPrefix("▶") == true
    }
    #expect(first.segment(1)?.contains("72:1") == true, "\(first.text)")
    try await terminal.waitUntilKept()
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func whatTheCommandLineRemarkedIsReadInTheEditor() async throws {
    let saved = try await program.run(
      "auto-detect", "--surah", "72", "--save", folder.path("jinn.wav"))
    try #require(saved.code == 0, "\(saved.errors)")
    let terminal = try await opened()
    // A key takes the hint for newcomers away.
    try terminal.press("j")
    try await terminal.wait(for: "I 1 remark")
    try terminal.press("I")
    try await terminal.wait(for: "Assumed start: 72:1")
    try terminal.press("C-g", "q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  /// Confirms the first ayat, each from the middle of the pause before it.
  private func confirm(first count: Int) async throws {
    let starts = recitation.starts.map { max($0.seconds - ToneRecitation.pause / 2, 0) }
    let labels = (0..<count).map {
      "\(starts[$0])\t\(starts[$0 + 1])\t\(recitation.starts[$0].ayah)\n"
    }
    let path = try folder.write(Array(labels.joined().utf8), to: "labels.txt")
    let outcome = try await program.run("import-labels", "--confirm", "jinn", path)
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  private var hasLearnt: Bool {
    let files = try? FileManager.default.contentsOfDirectory(
      atPath: program.home + "/library/Learnt")
    return files?.isEmpty == false
  }

  @Test func whatIsConfirmedTeachesWhereEdgesArePut() async throws {
    try await confirm(first: 20)
    let terminal = try await opened()
    try terminal.press("G", "A")
    try await terminal.wait(for: "Find each ayah")
    try terminal.press("Enter")
    // The message goes with the next key, which may come after it.
    for _ in 0..<15_000 where !hasLearnt { try await Task.sleep(for: .milliseconds(20)) }
    #expect(hasLearnt)
    try await terminal.wait("the ayat") { $0.text.contains("28 assigned of 28") }
    try await terminal.waitUntilKept()
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    let listed = try await program.run("learn", "--list")
    #expect(listed.output.contains("jinn"), "\(listed.output)")
    let undone = try await program.run("learn", "--undo")
    #expect(undone.code == 0 && !hasLearnt, "\(undone.errors)")
  }

  @Test func theCommandFindsWhatTheEditorFinds() async throws {
    let terminal = try await opened()
    try terminal.press("A")
    try await terminal.wait(for: "Find each ayah")
    try terminal.type("72:1")
    try await terminal.wait(for: "segments with ayat found")
    try terminal.press("Enter")
    try await terminal.waitUntilKept()
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    let saved = try await program.run(
      "auto-detect", "--start", "72:1", "--save", folder.path("jinn.wav"))
    #expect(saved.code == 0)
    #expect(saved.errors.contains("unchanged"), "\(saved.errors)")
  }
}
