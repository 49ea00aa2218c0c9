// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Quran
import TestSupport
import Testing

/// `auto-detect --reference` with recordings of the library.
struct ReferenceTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  /// Ayat of 79 that all last alike, so that their lengths mislead.
  private func recitation(_ name: String, ayat: [Int], pace: Double) throws -> (
    path: String, times: [Double]
  ) {
    var recitation = ToneRecitation()
    for number in ayat {
      let ayah = try #require(AyahReference(surah: 79, ayah: number))
      recitation.recite(ayah, seconds: 3.2 * pace, syllables: 16)
    }
    let path = folder.path(name)
    try recitation.write(to: path)
    return (path, recitation.starts.map(\.seconds) + [recitation.seconds])
  }

  private func annotate(_ recording: (path: String, times: [Double]), _ ayat: [Int]) async throws {
    let imported = try await program.run("import", recording.path, "--title", "first night")
    #expect(imported.code == 0, "\(imported.errors)")
    let labels = folder.path("labels.txt")
    let lines = ayat.enumerated().map {
      "\(recording.times[$0])\t\(recording.times[$0 + 1])\t79:\($1)\n"
    }
    try lines.joined().write(toFile: labels, atomically: true, encoding: .utf8)
    let taken = try await program.run("import-labels", "first night", labels, "--confirm")
    #expect(taken.code == 0, "\(taken.errors)")
  }

  private func starts(_ report: String) throws -> [Int: Double] {
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any])
    let segments = try #require(object["segments"] as? [[String: Any]])
    var starts: [Int: Double] = [:]
    for segment in segments {
      guard let assignment = segment["assignment"] as? [String: Any],
        let ayah = assignment["ayah"] as? Int
      else { continue }
      starts[ayah] = segment["start"] as? Double
    }
    return starts
  }

  @Test func anAnnotatedRecordingGuidesTheNext() async throws {
    let ayat = Array(1...8)
    try await annotate(try recitation("first.wav", ayat: ayat, pace: 1), ayat)
    #expect(try await program.run("publish", "first night").code == 0)
    let second = try recitation("second.wav", ayat: ayat, pace: 1.3)
    for reference in ["first night", folder.path("first.wav"), "auto"] {
      let outcome = try await program.run(
        "auto-detect", "--start", "79:1", "--end", "79:8", "--reference", reference, "--format",
        "jsonl", second.path)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let found = try starts(outcome.output)
      for (index, ayah) in ayat.enumerated() {
        let start = try #require(found[ayah])
        #expect(abs(start - second.times[index]) < 0.7, "\(reference): 79:\(ayah)")
      }
    }
  }

  @Test func saysWhyThereIsNoReference() async throws {
    let recording = try recitation("night.wav", ayat: [1, 2, 3], pace: 1)
    func run(_ reference: String) async throws -> Program.Outcome {
      try await program.run(
        "auto-detect", "--start", "79:1", "--end", "79:3", "--reference", reference, recording.path)
    }
    let nothing = try await run("auto")
    #expect(nothing.code == 0)
    #expect(
      nothing.errors.contains("night.wav: there is no library yet; no comparison was made"),
      "\(nothing.errors)")
    #expect(nothing.output.contains("79:3"))
    let nowhere = try await program.run("auto-detect", "--reference", "auto", recording.path)
    #expect(nowhere.code == 66)
    #expect(nowhere.errors.contains("use --start or --surah"), "\(nowhere.errors)")
    for (name, message) in [
      ("nobody", "the reference nobody is neither a folder nor a recording of the library"),
      ("./nobody", "the reference ./nobody: no such file or folder"),
      (recording.path, "is not in the library; 'import' and annotate it"),
    ] {
      let unknown = try await run(name)
      #expect(unknown.code == 66)
      #expect(unknown.errors.contains(message), "\(unknown.errors)")
    }

    try await annotate(try recitation("first.wav", ayat: [4, 5], pace: 1), [4, 5])
    let empty = try await run("auto")
    #expect(empty.code == 0)
    #expect(
      empty.errors.contains("the library has published none of 79:1-3; no comparison was made"),
      "\(empty.errors)")
    let other = try await run("first night")
    #expect(other.code == 66)
    #expect(other.errors.contains("the reference first night has none of 79:1-3 annotated"))
    let guessed = try await program.run(
      "auto-detect", "--surah", "63", "--reference", "first night", recording.path)
    #expect(guessed.code == 66)
    #expect(guessed.errors.contains("none of 63:1-11 and what follows"), "\(guessed.errors)")
    let unknown = try await run(recording.path)
    #expect(unknown.code == 66)
    #expect(unknown.errors.contains("not in the library"))
    let nobody = try await run("nobody at all")
    #expect(nobody.code == 66)
    try FileManager.default.createDirectory(
      atPath: folder.path("empty"), withIntermediateDirectories: true)
    let folderless = try await run(folder.path("empty"))
    #expect(folderless.code == 66)
    #expect(folderless.errors.contains("002255"))
  }

  @Test func theReferenceIsNamedOnlyIfItHasSomeOfTheAyat() async throws {
    let ayat = Array(1...5)
    try await annotate(try recitation("first.wav", ayat: ayat, pace: 1), ayat)
    #expect(try await program.run("publish", "first night").code == 0)
    let second = try recitation("second.wav", ayat: ayat, pace: 1.3)
    func run(_ start: String, _ path: String, _ reference: String = "auto") async throws
      -> Program.Outcome
    {
      try await program.run(
        "auto-detect", "--start", start, "--reference", reference, "--format", "jsonl", path)
    }
    let named = try await run("79:1", second.path)
    #expect(named.errors.contains("compared with first night"), "\(named.errors)")
    #expect(named.output.contains(#""reference":"first night""#), "\(named.output)")
    let unrelated = try await run("63:1", second.path)
    #expect(unrelated.code == 0)
    #expect(unrelated.errors.contains("none of 63:1 and what follows; no comparison was made"))
    #expect(!unrelated.errors.contains("lacks"), "\(unrelated.errors)")
    #expect(!unrelated.output.contains(#""reference""#))
    // A copy of it elsewhere is the same recording.
    let copy = folder.path("copy.wav")
    try FileManager.default.copyItem(atPath: folder.path("first.wav"), toPath: copy)
    let itself = try await run("79:1", copy)
    #expect(itself.errors.contains("none of 79:1 and what follows"), "\(itself.errors)")
    let told = try await run("79:1", copy, "first night")
    #expect(told.code == 66)
    #expect(told.errors.contains("first night is this recording itself"), "\(told.errors)")
  }

  @Test func aReferenceWhoseFileIsGoneIsNamed() async throws {
    let first = try recitation("first.wav", ayat: [1, 2, 3], pace: 1)
    let imported = try await program.run(
      "import", "--in-place", first.path, "--title", "first night")
    #expect(imported.code == 0, "\(imported.errors)")
    let labels = folder.path("labels.txt")
    try "0\t3.7\t79:1\n".write(toFile: labels, atomically: true, encoding: .utf8)
    _ = try await program.run("import-labels", "first night", labels, "--confirm")
    try FileManager.default.removeItem(atPath: first.path)
    let night = try recitation("night.wav", ayat: [1, 2, 3], pace: 1)
    let outcome = try await program.run(
      "auto-detect", "--start", "79:1", "--end", "79:3", "--reference", "first night", night.path)
    #expect(outcome.code == 66)
    #expect(outcome.errors.contains("first night"))
  }
}
