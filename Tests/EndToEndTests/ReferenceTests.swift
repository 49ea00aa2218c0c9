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
    #expect(nothing.code == 66)
    #expect(nothing.errors.contains("no library"))

    try await annotate(try recitation("first.wav", ayat: [4, 5], pace: 1), [4, 5])
    let empty = try await run("auto")
    #expect(empty.code == 66)
    #expect(empty.errors.contains("has published none"))
    let other = try await run("first night")
    #expect(other.code == 66)
    #expect(other.errors.contains("annotate"))
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
