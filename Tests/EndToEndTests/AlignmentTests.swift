// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Quran
import TestSupport
import Testing

/// `auto-detect` told what is recited.
@Suite struct AlignmentTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
    try ToneRecitation.teach(home: program.home)
  }

  private struct Report: Decodable {
    struct Assignment: Decodable, Equatable {
      let kind: String
      let surah: Int?
      let ayah: Int?
      let reason: String?
    }
    struct Remark: Decodable, Equatable {
      let code: String
      let text: String
    }
    struct Segment: Decodable, Equatable {
      let start: Double
      let end: Double
      let assignment: Assignment?
    }
    let file: String
    let segments: [Segment]
    let acoustic_weights: UInt32?
    let verdict: String?
    let remarks: [Remark]?
    let warnings: [String]?

    /// How many ayat of a recitation begin where they should.
    func found(_ recitation: ToneRecitation) -> Int {
      recitation.starts.count { start in
        segments.contains {
          $0.assignment?.surah == start.ayah.surah.number && $0.assignment?.ayah == start.ayah.ayah
            && abs($0.start - start.seconds) < 0.3
        }
      }
    }
  }

  private func record(_ range: String, _ name: String = "night.wav", pace: Double = 0.12) throws
    -> ToneRecitation
  {
    var recitation = ToneRecitation(pace: pace)
    recitation.recite(try AyahRange(parsing: range))
    try recitation.write(to: folder.path(name))
    return recitation
  }

  private func detect(_ options: String..., files: [String] = ["night.wav"]) async throws -> (
    reports: [Report], errors: String
  ) {
    let run = try await program.run(
      ["auto-detect", "--format", "jsonl"] + options + files.map { folder.path($0) })
    #expect(run.code == 0, "\(run.errors)")
    let reports = try run.output.split(separator: "\n").map {
      try JSONDecoder().decode(Report.self, from: Data($0.utf8))
    }
    #expect(reports.count == files.count)
    return (reports, run.errors)
  }

  @Test func aRangeIsLaidOverTheRecording() async throws {
    let recitation = try record("78:1-30")
    let report = try #require(try await detect("--start", "78:1", "--end", "78:30").reports.first)
    #expect(report.found(recitation) >= 29)
    #expect(report.segments.first?.start == 0)
    for (one, next) in zip(report.segments, report.segments.dropFirst()) {
      #expect(one.end == next.start)
    }
  }

  @Test func theEndIsFoundWhereOnlyTheStartIsTold() async throws {
    let recitation = try record("88:1-26")
    let report = try #require(try await detect("--start", "88").reports.first)
    #expect(report.found(recitation) >= 25)
    let last = report.segments.last { $0.assignment?.kind == "ayah" }
    #expect(last?.assignment?.surah == 88)
    #expect(last?.assignment?.ayah == 26)
  }

  @Test func theStartIsProposedWhereOnlyTheEndOrTheSurahIsTold() async throws {
    let recitation = try record("72:1-28")
    for options in [["--end", "72:28"], ["--surah", "72"]] {
      let found = try await detect(options[0], options[1])
      let report = try #require(found.reports.first)
      #expect(report.found(recitation) >= 26, "\(options)")
      #expect(found.errors.contains("assumed start: 72:1"), "\(found.errors)")
      #expect(report.warnings?.contains { $0.contains("assumed start: 72:1") } == true)
    }
  }

  @Test func whatWasAskedForIsKeptEvenWhereNoSegmentChanges() async throws {
    _ = try record("78:1-12")
    for (end, doubt) in [("78:9", true), ("78:12", false), ("78:9", true)] {
      _ = try await detect("--start", "78:1", "--end", end, "--save")
      let shown = try await program.run("show", "night", "--brief")
      #expect(shown.output.contains("alignment  doubtful: ") == doubt, "\(end): \(shown.output)")
    }
  }

  private struct Shown: Decodable {
    struct Alignment: Decodable, Equatable {
      let first_ayah: String?
      let last_ayah: String?
      let verdict: String
      let remarks: [Report.Remark]
      let acoustic_weights: Int?
    }
    let alignment: Alignment?
  }

  private func shown(_ options: String...) async throws -> Shown.Alignment? {
    let outcome = try await program.run(["show", "night", "--format", "jsonl"] + options)
    return try JSONDecoder().decode(Shown.self, from: Data(outcome.output.utf8)).alignment
  }

  @Test func whatAnAlignmentSaysOfItselfIsShownAgain() async throws {
    var recitation = ToneRecitation()
    for range in ["78:1-4", "78:3-12"] { recitation.recite(try AyahRange(parsing: range)) }
    try recitation.write(to: folder.path("night.wav"))
    #expect(
      try await program.run("import", "--no-detect", "--in-place", folder.path("night.wav")).code
        == 0)
    #expect(try await shown() == nil)
    for (end, verdict) in [("78:9", "doubtful"), ("78:12", "plausible")] {
      _ = try await detect("--start", "78:1", "--end", end, "--save")
      for alignment in [try await shown(), try await shown("--brief")] {
        let alignment = try #require(alignment)
        #expect(alignment.verdict == verdict)
        #expect((alignment.remarks.first?.code == "ends_with") == (verdict == "doubtful"))
        #expect(alignment.first_ayah == "78:1" && alignment.last_ayah == end)
        let again = try #require(alignment.remarks.first { $0.code == "heard_again" })
        #expect(again.text.hasPrefix("78:3-4 are repeated at"))
        #expect(alignment.acoustic_weights == 77)
      }
      let table = try await program.run("show", "night", "--brief").output
      #expect(table.contains(" 78:3-4 are repeated at"), "\(table)")
    }
  }

  @Test func aWrongStartIsSaidToBeOne() async throws {
    _ = try record("78:1-12")
    let near = try await detect("--start", "78:3", "--end", "78:12")
    #expect(near.errors.contains("begins with 78:1, not 78:3"), "\(near.errors)")
    #expect(near.reports.first?.verdict == "doubtful")
    #expect(near.reports.first?.remarks?.first?.code == "begins_with")
    let far = try await program.run(
      "auto-detect", "--start", "2:40", "--end", "2:60", folder.path("night.wav"))
    #expect(far.errors.contains("this sounds like 78:1, not like 2:40"), "\(far.errors)")
    let right = try await detect("--start", "78:1", "--end", "78:12")
    #expect(right.reports.first?.verdict == "plausible", "\(right.errors)")
    #expect(right.reports.first?.remarks?.isEmpty == true)
  }

  @Test func theReadingIsThatOfTheLibraryOrTheOneThatIsTold() async throws {
    _ = try record("78:1-5")
    let told = try await detect("--start", "78:1", "--end", "78:5", "--riwayah", "qalun")
    #expect(told.reports.first?.remarks?.map(\.code) == ["other_reading"], "\(told.errors)")
    #expect(told.errors.contains("the sounds of Qalun an Nafi are not available"), "\(told.errors)")
    #expect(told.reports.first?.verdict == "plausible")
    let imported = try await program.run(
      "import", folder.path("night.wav"), "--no-detect", "--riwayah", "douri")
    #expect(imported.code == 0, "\(imported.errors)")
    let known = try await detect("--start", "78:1", "--end", "78:5")
    #expect(known.errors.contains("the sounds of ad-Douri"), "\(known.errors)")
    let refused = try await program.run(
      "auto-detect", "--riwayah", "warsh", folder.path("night.wav"))
    #expect(refused.code != 0 && refused.errors.contains("--riwayah needs --start"))
  }

  @Test func aRecordingThatIsSavedHasTheRiwayahThatIsTold() async throws {
    _ = try record("78:1-5")
    func save(_ riwayah: String) async throws -> String {
      try await detect(
        "--start", "78:1", "--end", "78:5", "--riwayah", riwayah, "--save"
      ).errors
    }
    #expect(!(try await save("qalun")).contains("retag"))
    #expect(try await program.run("show", "night").output.contains("unknown, Qalun an Nafi"))
    // One that the library knows stays what a person has said of it.
    let errors = try await save("warsh")
    #expect(errors.contains("is Qalun an Nafi in the library, not Warsh an Nafi"), "\(errors)")
    #expect(errors.contains("--riwayah warsh'"), "\(errors)")
    #expect(try await program.run("show", "night").output.contains("unknown, Qalun an Nafi"))
  }

  @Test func whatIsSaidAgainOrLeftOutIsNamed() async throws {
    var recitation = ToneRecitation()
    for range in ["78:1-4", "78:3-6", "78:8-9"] { recitation.recite(try AyahRange(parsing: range)) }
    try recitation.write(to: folder.path("night.wav"))
    let found = try await detect("--start", "78:1", "--end", "78:9")
    let report = try #require(found.reports.first)
    #expect(report.found(recitation) == 10)
    #expect(report.remarks?.map(\.code) == ["heard_again", "left_out"], "\(found.errors)")
    #expect(found.errors.contains("78:3-4 are repeated at"), "\(found.errors)")
    #expect(found.errors.contains("78:7 is missing at"), "\(found.errors)")
  }

  @Test func aPrayerHasFatihaAndCalls() async throws {
    var recitation = ToneRecitation()
    recitation.say(.takbir)
    recitation.silence(3)
    for portion in ["78:1-6", "78:7-12"] {
      recitation.recite(try AyahRange(parsing: "1"))
      recitation.silence(0.4)
      recitation.mumble(2)
      recitation.silence(1.5)
      recitation.recite(try AyahRange(parsing: portion))
      recitation.silence(0.7)
      recitation.say(.takbir)
      recitation.silence(4)
      recitation.say(.tasmee)
      recitation.silence(3)
      for _ in 0..<3 {
        recitation.say(.takbir)
        recitation.silence(4)
      }
      recitation.say(.takbir)
      recitation.silence(3)
    }
    try recitation.write(to: folder.path("night.wav"))
    let found = try await detect("--start", "78:1", "--prayer", "taraweeh")
    let report = try #require(found.reports.first)
    #expect(report.found(recitation) >= 25, "\(report.segments)")
    #expect(report.segments.count { $0.assignment?.surah == 1 } == 14)
    let reasons = Set(report.segments.compactMap { $0.assignment?.reason })
    #expect(reasons.isSuperset(of: ["takbir", "tasmee", "ruku", "sujud", "ameen"]), "\(reasons)")
    // Searching the whole Quran takes seconds; the ordinary run does it without the sound, in `PrayerTests`.
    guard isThoroughRun else { return }
    let straight = try await detect("--start", "78:1")
    #expect(straight.errors.contains("al-Fatiha occurs 2 times"), "\(straight.errors)")
    let untold = try await detect("--prayer", "taraweeh")
    #expect(untold.reports.first?.segments == report.segments)
    #expect(untold.errors.contains("assumed start: 78:1"), "\(untold.errors)")
  }

  @Test func severalFilesAreAlignedAtOnceAndAlike() async throws {
    let recitation = try record("93:1-11")
    let other = try record("93:1-11", "other.wav", pace: 0.15)
    let both = try await detect(
      "--start", "93:1", "--end", "93:11", "--jobs", "2", files: ["night.wav", "other.wav"])
    for report in both.reports {
      #expect(report.found(report.file.hasSuffix("night.wav") ? recitation : other) >= 10)
    }
  }

  @Test func whatWasAlignedIsKept() async throws {
    _ = try record("93:1-11")
    let run = try await program.run(
      "auto-detect", "--start", "93:1", "--end", "93:11", "--save", folder.path("night.wav"))
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("saved in the library as"))
    #expect(run.output.contains("93:11"), "\(run.output)")
    let shown = try await program.run("show", "night")
    #expect(shown.code == 0, "\(shown.errors)")
    for ayah in 1...11 { #expect(shown.output.contains("93:\(ayah)"), "\(shown.output)") }
    #expect(shown.output.contains("confidence") && shown.output.contains("%"), "\(shown.output)")
    let covered = try await program.run("coverage", "93")
    #expect(!covered.output.contains("11 of 11"), "suggestions are nobody's word yet")
  }

  private func segments(of recording: String) async throws -> [(by: String, label: String)] {
    let shown = try await program.run("show", recording, "--format", "jsonl")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any])
    return try #require(object["segments"] as? [[String: Any]]).map {
      ($0["confirmed"] as? Bool == true ? "C" : "", $0["label"] as? String ?? "")
    }
  }

  @Test func whatAPersonHasSaidIsKeptAndAContradictionNamed() async throws {
    let recitation = try record("93:1-11")
    let file = folder.path("night.wav")
    #expect(try await program.run("import", file).code == 0)
    let times = recitation.starts.map(\.seconds)
    let labels = folder.path("labels.txt")
    // 93:4 said to be 93:9, confirmed or not; and none of what follows.
    try "\(times[2])\t\(times[3])\t93:3\n\(times[3])\t\(times[4])\t93:9\n"
      .write(toFile: labels, atomically: true, encoding: .utf8)
    for isConfirmed in [true, false] {
      let taken = try await program.run(
        ["import-labels", "night", labels, "--force"] + (isConfirmed ? ["--confirm"] : []))
      #expect(taken.code == 0, "\(taken.errors)")
      let before = try await segments(of: "night")
      let run = try await program.run(
        "auto-detect", "--start", "93:1", "--end", "93:11", "--save", file)
      #expect(run.code == 0, "\(run.errors)")
      let kept = isConfirmed ? "kept 2 confirmed segments" : "kept 2 segments assigned by hand"
      #expect(run.errors.contains(kept), "\(run.errors)")
      #expect(run.errors.contains("contradicts them: segment 3 at"), "\(run.errors)")
      #expect(run.errors.contains("is 93:9, but 93:4 was found"), "\(run.errors)")
      let after = try await segments(of: "night")
      #expect(after.map(\.label).contains("93:9"))
      #expect(after.count { $0.by == "C" } == (isConfirmed ? 2 : 0))
      for label in ["93:1", "93:2", "93:3", "93:5", "93:11"] {
        #expect(after.map(\.label).contains(label), "\(label)")
      }
      #expect(!after.map(\.label).contains("93:4"), "what was said to be there is not cut")
      #expect(try await program.run("undo", "night").code == 0)
      #expect(try await segments(of: "night").map(\.label) == before.map(\.label))
    }
  }

  @Test func nothingIsSaidToNobody() async throws {
    _ = try record("93:1-3")
    _ = try await program.run("import", folder.path("night.wav"))
    for command in ["show night", "list --format json", "auto-detect \(folder.path("night.wav"))"] {
      // The reader has gone before there is something to read.
      let script = "exec 3> >(true); wait $!; ('\(Program.path)' \(command) >&3)"
      let outcome = try await program.run(["-c", script], as: "/bin/bash")
      #expect(outcome.code == 141, "\(command)")
      #expect(!outcome.errors.contains("write"), "\(outcome.errors)")
    }
  }

  /// A file of one layer that says the same of every frame.
  private func network(sounds: Int, version: UInt32 = 9) -> Data {
    var data = Data("TILAWAAW".utf8)
    for number in [1, version, 1, 26, UInt32(sounds), 1, 1] {
      withUnsafeBytes(of: number.littleEndian) { data += $0 }
    }
    data += Data(repeating: 1, count: 26 * sounds)
    for number in [Float(0.001), 0, -3] {
      for _ in 0..<sounds { withUnsafeBytes(of: number.bitPattern.littleEndian) { data += $0 } }
    }
    return data
  }

  @Test func weightsOfTheNetworkAreReadOrRefused() async throws {
    _ = try record("93:1-11")
    _ = try record("93:1-11", "other.wav")
    let weights = folder.path("weights.bin")
    let whole = network(sounds: 39)
    try whole.write(to: URL(filePath: weights))
    for files in [["night.wav"], ["night.wav", "other.wav"]] {
      let run = try await program.run(
        ["auto-detect", "--start", "93:1", "--acoustic-weights", weights]
          + files.map { folder.path($0) })
      #expect(run.code == 65 || run.code == 1 || run.code == 0, "\(run.errors)")
    }
    for (data, reason) in [
      (nil, "does not exist"), (whole.dropLast(), "truncated"),
      (network(sounds: 38), "made for other features or sounds"),
    ] as [(Data?, String)] {
      if let data {
        try data.write(to: URL(filePath: weights))
      } else {
        try FileManager.default.removeItem(atPath: weights)
      }
      let refused = try await program.run(
        "auto-detect", "--start", "93:1", "--acoustic-weights", weights, folder.path("night.wav"))
      #expect(refused.code == 64)
      #expect(refused.errors.contains(reason), "\(refused.errors)")
      #expect(refused.errors.contains("weights.bin"), "\(refused.errors)")
    }
  }

  @Test func weightsOfTheUsersOwnThatAreNoneAreNamed() async throws {
    _ = try record("93:1-3")
    let own = program.home + "/config/acoustic-weights.bin"
    try Data("{}".utf8).write(to: URL(filePath: own))
    let refused = try await program.run("auto-detect", "--start", "93:1", folder.path("night.wav"))
    #expect(refused.code != 0)
    #expect(refused.errors.contains("acoustic-weights.bin: the file is"), "\(refused.errors)")
    #expect(refused.errors.contains("without this file"), "\(refused.errors)")
  }

  @Test(arguments: [false, true])
  func resultsNameTheWeightsThatHeardTheWords(inWorkers: Bool) async throws {
    _ = try record("109")
    let weights = folder.path("weights.bin")
    try ToneRecitation.weights(version: .max).write(to: URL(filePath: weights))
    let files = [String](repeating: folder.path("night.wav"), count: inWorkers ? 2 : 1)
    for (options, version) in [([], 77), (["--acoustic-weights", weights], UInt32.max)] {
      let run = try await program.run(
        ["auto-detect", "--format", "jsonl", "--start", "109"] + options + files)
      #expect(run.code == 0, "\(run.errors)")
      for line in run.output.split(separator: "\n") {
        let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
        #expect(report.acoustic_weights == version)
      }
    }
  }
}
