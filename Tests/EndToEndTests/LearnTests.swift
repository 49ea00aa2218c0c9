// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Quran
import TestSupport
import Testing

/// `learn`, on a library of synthetic recitations of somebody who puts edges in the middle of pauses.
@Suite struct LearnTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
    try ToneRecitation.teach(home: program.home)
  }

  private struct Trial: Decodable {
    let learnt: String
    let accepted: Bool
    let wrong_before: Int?
    let wrong_after: Int?
    let distance_before_ms: Int?
    let distance_after_ms: Int?
  }

  private struct Report: Decodable {
    struct Segment: Decodable {
      let start: Double
    }
    let segments: [Segment]
    let learnt: String?
  }

  /// Imports a recitation and confirms its first ayat, each from the middle of the pause before it.
  private func confirm(_ range: String, first count: Int) async throws -> ToneRecitation {
    var recitation = ToneRecitation(pace: 0.12)
    recitation.recite(try AyahRange(parsing: range))
    let path = folder.path("night.wav")
    try recitation.write(to: path)
    _ = try await program.run("reciter", "add", "Somebody")
    let imported = try await program.run(
      "import", "--in-place", "--no-detect", "--reciter", "Somebody", path)
    #expect(imported.code == 0, "\(imported.errors)")
    let starts = recitation.starts.map { max($0.seconds - ToneRecitation.pause / 2, 0) }
    try await label(recitation, from: starts, first: count)
    return recitation
  }

  private func label(
    _ recitation: ToneRecitation, from starts: [Double], first count: Int
  ) async throws {
    let labels = (0..<count).map {
      "\(starts[$0])\t\(starts[$0 + 1])\t\(recitation.starts[$0].ayah)\n"
    }
    try labels.joined().write(
      toFile: folder.path("labels.txt"), atomically: true, encoding: .utf8)
    let labelled = try await program.run(
      "import-labels", "--confirm", "--force", folder.path("night.wav"),
      folder.path("labels.txt"))
    #expect(labelled.code == 0, "\(labelled.errors)")
  }

  private func report() async throws -> Report {
    let outcome = try await program.run(
      "auto-detect", "--format", "jsonl", "--start", "78:1", "--end", "78:40", "--quiet",
      folder.path("night.wav"))
    return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
  }

  private var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: program.home + "/library/Learnt")) ?? []
  }

  @Test func edgesArePutWhereThePersonPutsThem() async throws {
    let recitation = try await confirm("78", first: 30)
    let before = try await report()
    #expect(before.learnt == nil)

    let tried = try await program.run("learn", "--dry-run", "--format", "jsonl")
    #expect(tried.code == 0, "\(tried.errors)")
    #expect(files.isEmpty)

    let learnt = try await program.run("learn", "--format", "jsonl")
    #expect(learnt.code == 0, "\(learnt.errors)")
    #expect(learnt.output == tried.output)
    let trials = try learnt.output.split(separator: "\n").map {
      try JSONDecoder().decode(Trial.self, from: Data($0.utf8))
    }
    let edges = try #require(trials.first { $0.learnt == "its edges" })
    #expect(edges.accepted)
    #expect((edges.distance_after_ms ?? 1000) < (edges.distance_before_ms ?? 0) / 2)
    // What every sound is heard as already is no voice to learn.
    #expect(trials.first { $0.learnt == "voice" }?.accepted == false)
    for file in files {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: program.home + "/library/Learnt/" + file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    let after = try await report()
    #expect(after.learnt != nil)
    let unconfirmed = recitation.starts.dropFirst(31)
    func distance(_ report: Report) -> Double {
      unconfirmed.reduce(0) { sum, start in
        let middle = start.seconds - ToneRecitation.pause / 2
        return sum + (report.segments.map { abs($0.start - middle) }.min() ?? 1)
      }
    }
    #expect(distance(after) < distance(before) / 2)
    let listed = try await program.run("learn", "--list")
    #expect(listed.output.contains("edges"))

    // Undone, there is nothing; the same learnt twice is undone at once.
    _ = try await program.run("learn", "--undo")
    #expect(try await report().learnt == nil)
    _ = try await program.run("learn")
    _ = try await program.run("learn")
    #expect(try await report().learnt == after.learnt)
    _ = try await program.run("learn", "--undo")
    #expect(try await report().learnt == nil)
    _ = try await program.run("learn")
    let count = files.count
    let forgotten = try await program.run("learn", "--forget")
    #expect(forgotten.code == 0 && files.isEmpty)
    #expect(count > 0 && forgotten.errors.contains("deleted \(count) file"), "\(forgotten.errors)")
    #expect(try await report().learnt == nil)
  }

  @Test func whatNoLongerHelpsIsDroppedWithAWordAndCanBeRestored() async throws {
    let recitation = try await confirm("78", first: 30)
    let first = try await program.run("learn")
    #expect(!first.errors.contains("no longer helps"), "\(first.errors)")
    let before = try await report()
    #expect(before.learnt != nil)
    // Confirmed now where alignment puts edges by itself.
    _ = try await program.run("learn", "--forget")
    let usual = try await report().segments.map(\.start)
    _ = try await program.run("learn")
    let starts = recitation.starts.map { start in
      usual.min { abs($0 - start.seconds) < abs($1 - start.seconds) } ?? start.seconds
    }
    try await label(recitation, from: starts, first: 30)
    for isFirst in [true, false] {
      let learnt = try await program.run("learn")
      #expect(
        learnt.errors.contains("night: the earlier adaptation no longer helps and is not used")
          == isFirst, "\(learnt.output)\(learnt.errors)")
    }
    #expect(try await report().learnt == nil)
    let listed = try await program.run("learn", "--list").output
    #expect(listed.contains("none; --undo restores the previous one"), "\(listed)")
    // However often there was nothing to learn since.
    #expect(
      try await program.run("learn", "--undo").errors.contains(
        "night: the previous adaptation (edges) is used again"))
    #expect(try await report().learnt == before.learnt)
  }

  @Test func aDamagedFileIsNamedAndNotUsed() async throws {
    _ = try await confirm("78", first: 30)
    _ = try await program.run("learn")
    let file = try #require(files.first { $0.hasPrefix("recording-") })
    try Data("TILAWALT and no more".utf8).write(
      to: URL(fileURLWithPath: program.home + "/library/Learnt/" + file))
    let outcome = try await program.run(
      "auto-detect", "--format", "jsonl", "--start", "78:1", folder.path("night.wav"))
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("run 'learn' again"))
    #expect(!outcome.output.contains("\"learnt\""))
    let check = try await program.run("check")
    #expect(check.code == 65)
    #expect(check.output.contains("is not used; run 'learn' again, or 'learn --forget'"))
    #expect(try await program.run("doctor").output.contains("'learn --list'"))
  }

  @Test func whereNothingIsConfirmedNothingIsLearnt() async throws {
    _ = try await program.run("reciter", "add", "Somebody")
    let outcome = try await program.run("learn")
    #expect(outcome.code == 0 && outcome.errors.contains("nothing to learn from yet"))
    #expect(files.isEmpty)
    #expect(try await program.run("learn", "--list", "--forget").code == 64)
  }
}
