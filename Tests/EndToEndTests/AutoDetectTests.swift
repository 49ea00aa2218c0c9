// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Quran
import TestSupport
import Testing

@Suite struct AutoDetectTests {
  let program: Program
  // Held by the suite: a local one would be gone after its last mention, which is before its last use.
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  @Test func findsTheEndsOfAyatInEveryFormatOfTheSameRecitation() async throws {
    let truth = try Truth()
    let names = [
      "flac-44k-stereo.flac", "mp3-vbr-xing.mp3", "m4a-aac.m4a", "m4a-voice-memo.m4a",
      "ogg-vorbis.ogg", "ogg-opus.opus", "mp3-22k-mono.mp3",
    ]
    let run = try await program.run(
      ["auto-detect", "--format", "jsonl"] + names.map { FixtureFolder.path($0) })
    #expect(run.code == 0, "\(run.errors)")
    let reports = try JSONReport.lines(run.output)
    #expect(Set(reports.map { $0.file }) == Set(names.map { FixtureFolder.path($0) }))
    for report in reports {
      let times = (report.boundaries ?? []).map(\.time)
      // One of the five is a close call, which the loss of a codec may tip.
      #expect(times.count >= 4, "\(report.file): \(times)")
      for time in times {
        #expect(
          truth.ayahPauses.contains { $0.contains(time) },
          "\(report.file): \(time) is not in the pause after an ayah")
      }
    }
  }

  @Test func segmentsTileTheRecordingAndBoundariesAreTheirInnerEdges() async throws {
    let run = try await program.run(
      "auto-detect", "--format", "json", FixtureFolder.path("flac-44k-stereo.flac"))
    let reports = try JSONDecoder().decode([JSONReport].self, from: Data(run.output.utf8))
    let report = try #require(reports.first)
    #expect(report.schema == "tilawa.auto-detect/1")
    #expect(report.frames == 1_323_211)
    let segments = try #require(report.segments)
    let boundaries = try #require(report.boundaries).map(\.time)
    #expect(segments.first?.start == 0)
    #expect(segments.last?.end == report.duration_seconds)
    #expect(segments.dropFirst().map(\.start) == boundaries)
    #expect(segments.dropLast().map(\.end) == boundaries)
  }

  @Test func secondRunGivesTheSameFromItsSidecar() async throws {
    let arguments = ["auto-detect", "--format", "jsonl", FixtureFolder.path("mosque.flac")]
    let first = try await program.run(arguments)
    let kept = try FileManager.default.contentsOfDirectory(atPath: program.home + "/cache")
    #expect(kept.count == 1 && kept[0].hasSuffix("-waveform.bin"))
    let second = try await program.run(arguments)
    #expect(first.output == second.output)
    let without = try await program.run(arguments + ["--no-cache"])
    #expect(first.output == without.output)
  }

  @Test func aRecordingOfTheLibraryIsNamedByItsTitle() async throws {
    let file = FixtureFolder.path("flac-44k-stereo.flac")
    let entered = try await program.run("import", file, "--title", "Night 3")
    #expect(entered.code == 0, "\(entered.errors)")
    let byTitle = try await program.run("auto-detect", "--format", "csv", "night 3")
    let byPath = try await program.run("auto-detect", "--format", "csv", file)
    #expect(byTitle.code == 0, "\(byTitle.errors)")
    #expect(byTitle.output == byPath.output)
    let unknown = try await program.run("auto-detect", "night 4")
    #expect(unknown.code == 66)
    #expect(unknown.errors.contains("night 4: no such file"))
  }

  @Test func fixedDetectorFollowsItsOptions() async throws {
    let file = FixtureFolder.path("flac-44k-stereo.flac")
    func count(_ options: String...) async throws -> Int {
      let run = try await program.run(
        ["auto-detect", "--detector", "fixed", "--format", "jsonl", file] + options)
      return try #require(try JSONReport.lines(run.output).first?.pauses).count
    }
    let usual = try await count()
    let shorter = try await count("--min-silence", "200ms")
    let never = try await count("--min-silence", "20s")
    #expect(usual > 0)
    #expect(shorter > usual)
    #expect(never == 0)
  }

  @Test(arguments: [
    ("audacity", "\t"), ("csv", "start,end"), ("srt", " --> "), ("table", "confidence"),
  ])
  func writesFormat(_ format: String, _ mark: String) async throws {
    let run = try await program.run(
      "auto-detect", "--format", format, FixtureFolder.path("wav-s16-44k-mono.wav"))
    #expect(run.code == 0)
    #expect(run.output.contains(mark))
    #expect(run.errors == "")
  }

  @Test func aFileNameIsNoFormulaInASafeTable() async throws {
    try folder.copy(of: "wav-s16-8k-mono.wav", as: "=1+1.wav")
    try folder.copy(of: "mp3-tags.mp3", as: "other.mp3")
    let arguments = ["auto-detect", "--format", "csv", "=1+1.wav", "other.mp3"]
    let plain = try await program.run(arguments, in: folder.path)
    #expect(plain.output.contains("\r\n=1+1.wav,"), "\(plain.output)")
    let safe = try await program.run(arguments + ["--spreadsheet-safe"], in: folder.path)
    #expect(safe.code == 0, "\(safe.errors)")
    #expect(safe.output.contains("\r\n'=1+1.wav,"), "\(safe.output)")
    let one = try await program.run(
      ["auto-detect", "--format", "tsv", "--spreadsheet-safe", "=1+1.wav"], in: folder.path)
    #expect(one.code == 0, "\(one.errors)")
    let refused = try await program.run(
      ["auto-detect", "--format", "vtt", "--spreadsheet-safe", "other.mp3"], in: folder.path)
    #expect(refused.code == 64)
  }

  @Test func writesOneFileForEachRecordingIntoAFolder() async throws {
    let run = try await program.run(
      "auto-detect", "--format", "audacity", "--output", folder.path + "/labels/",
      FixtureFolder.path("mp3-tags.mp3"), FixtureFolder.path("exact/mono.mp3"),
      FixtureFolder.path("exact/mono.m4a"))
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output == "")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("labels")).sorted()
    #expect(names == ["mono-2.txt", "mono.txt", "mp3-tags.txt"])
  }

  @Test func neverReplacesAFileUnlessForced() async throws {
    let target = folder.path("out.csv")
    try "precious".write(toFile: target, atomically: true, encoding: .utf8)
    let file = FixtureFolder.path("wav-s16-8k-mono.wav")
    let refused = try await program.run("auto-detect", "--format", "csv", "-o", target, file)
    #expect(refused.code == 64)
    #expect(refused.errors.contains("--force"))
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
    let forced = try await program.run(
      "auto-detect", "--format", "csv", "-o", target, "--force", file)
    #expect(forced.code == 0)
    #expect(try String(contentsOfFile: target, encoding: .utf8).hasPrefix("start,"))
    #expect(try folder.contents == ["out.csv"])
  }

  @Test func aRecordingIsNeverReplacedByItsOwnResult() async throws {
    let file = try folder.copy(of: "wav-s16-8k-mono.wav")
    let before = try Data(contentsOf: URL(filePath: file))
    for arguments in [["auto-detect", file], ["waveform", file]] {
      let link = folder.path("link.json")
      try? FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
      let run = try await program.run(arguments + ["--force", "--output", link])
      #expect(run.code == 64)
      #expect(run.errors.contains("is the recording"))
    }
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
  }

  @Test(arguments: ["json", "table"])
  func aFailedRunKeepsTheOldResult(_ format: String) async throws {
    let target = try folder.write(Array("old".utf8), to: "old")
    let run = try await program.run(
      "auto-detect", "--format", format, "-o", target, "--force",
      FixtureFolder.path("malformed/empty.wav"))
    #expect(run.code == 65)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "old")
    let fresh = try await program.run(
      "auto-detect", "--format", format, "-o", folder.path("new"), folder.path("missing.wav"))
    #expect(fresh.code == 66)
    #expect(try folder.contents == ["old"])
  }

  @Test func aLinkStaysALinkAndADeviceADevice() async throws {
    let file = FixtureFolder.path("wav-s16-8k-mono.wav")
    let target = try folder.write(Array("old".utf8), to: "target.json")
    let link = folder.path("link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target.json")
    #expect(try await program.run("auto-detect", file, "-o", link, "--force").code == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target.json")
    #expect(try String(contentsOfFile: target, encoding: .utf8).hasPrefix("["))
    #expect(try await program.run("auto-detect", file, "-o", "/dev/null").code == 0)
    #expect(try await program.run("auto-detect", file, "-o", "/dev/full").code == 74)
  }

  @Test func tablesInAFolderHaveAsManyColumnsAsTheirHeader() async throws {
    let names = ["mp3-tags.mp3", "wav-s16-8k-mono.wav"].map { FixtureFolder.path($0) }
    for format in ["csv", "tsv"] {
      let run = try await program.run(
        ["auto-detect", "--format", format, "-o", folder.path + "/"] + names)
      #expect(run.code == 0, "\(run.errors)")
      let text = try String(contentsOfFile: folder.path("mp3-tags." + format), encoding: .utf8)
      let separator: Character = format == "csv" ? "," : "\t"
      let counts = text.split(whereSeparator: \.isNewline).map { line in
        line.count { $0 == separator }
      }
      #expect(counts.count > 1 && Set(counts).count == 1, "\(text)")
    }
  }

  @Test func aResultThatCannotBeWrittenCostsOnlyItself() async throws {
    let good = try folder.copy(of: "wav-s16-8k-mono.wav")
    // Its own name fits, and the longer ending of the result no longer does.
    let long = try folder.copy(
      of: "wav-s16-44k-mono.wav", as: String(repeating: "x", count: 251) + ".wav")
    let run = try await program.run(
      "auto-detect", "--format", "textgrid", "-o", folder.path("grids/"), long, good)
    #expect(run.code == 1, "\(run.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("grids"))
    #expect(names == ["wav-s16-8k-mono.TextGrid"])
  }

  @Test func theEndingOfTheOutputChoosesTheFormat() async throws {
    let file = FixtureFolder.path("wav-s16-8k-mono.wav")
    for (name, mark) in [("a.vtt", "WEBVTT"), ("a.TextGrid", "ooTextFile"), ("a.jsonl", "{")] {
      #expect(try await program.run("auto-detect", file, "-o", folder.path(name)).code == 0)
      #expect(try String(contentsOfFile: folder.path(name), encoding: .utf8).contains(mark))
    }
  }

  @Test func nothingFoundIsNotCalledSure() async throws {
    let run = try await program.run(
      "auto-detect", "--format", "jsonl", "--detector", "fixed", "--min-silence", "20s",
      FixtureFolder.path("flac-44k-stereo.flac"))
    let report = try #require(try JSONReport.lines(run.output).first)
    #expect(report.boundaries?.isEmpty == true)
    #expect(report.segments?.map(\.confidence) == [nil])
  }

  @Test func theSameFileTwiceIsOneRecording() async throws {
    let file = FixtureFolder.path("wav-s16-8k-mono.wav")
    let link = folder.path("again.wav")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    let run = try await program.run("auto-detect", "--format", "jsonl", file, file, link)
    #expect(try JSONReport.lines(run.output).count == 1)
  }

  @Test func brokenFilesCostOnlyThemselves() async throws {
    try folder.copy(of: "wav-s16-8k-mono.wav", as: "good.wav")
    try folder.copy(of: "malformed/empty.wav", as: "empty.wav")
    try folder.copy(of: "malformed/text_renamed.m4a", as: "text.m4a")
    try folder.copy(of: "malformed/truncated_middle.mp3", as: "cut.mp3")
    try folder.copy(of: "README.md", as: "notes.md")
    let run = try await program.run("auto-detect", "--format", "jsonl", folder.path)
    #expect(run.code == 1)
    let reports = try JSONReport.lines(run.output)
    #expect(reports.count == 4)
    let codes = Dictionary(
      uniqueKeysWithValues: reports.map { ($0.file.split(separator: "/").last!, $0.error?.code) })
    #expect(codes["good.wav"] == .some(nil))
    #expect(codes["cut.mp3"] == .some(nil))
    #expect(codes["empty.wav"] == "empty")
    #expect(codes["text.m4a"] == "not_audio")
    #expect(reports.first { $0.file.hasSuffix("cut.mp3") }?.warnings?.isEmpty == false)
    #expect(run.errors.contains("text.m4a: is not audio"))
  }

  @Test(arguments: [
    ("missing.wav", Int32(66)), ("malformed/empty.wav", 65), ("malformed/truncated_moov.m4a", 65),
    ("malformed", 65), ("malformed/video_without_audio.mp4", 65),
  ])
  func exitCodeSaysWhatFailed(_ name: String, _ code: Int32) async throws {
    var path = FixtureFolder.path(name)
    if name == "malformed" {
      try folder.copy(of: "malformed/empty.wav", as: "a.wav")
      try folder.copy(of: "malformed/empty.mp3", as: "b.mp3")
      path = folder.path
    }
    let run = try await program.run("auto-detect", "--format", "csv", path)
    #expect(run.code == code, "\(run.errors)")
    #expect(!run.errors.isEmpty)
  }

  @Test func usageErrorsExitWith64() async throws {
    // More that is refused: `AlignmentOptionsTests`.
    for arguments in [["auto-detect"], ["auto-detect", "x.wav", "--format", "nonsense"]] {
      let run = try await program.run(arguments)
      #expect(run.code == 64, "\(arguments): \(run.status)")
    }
  }

  @Test func whatIsNoCommandIsTakenForARecordingThatIsNotThere() async throws {
    let run = try await program.run("frobnicate")
    #expect(run.code == 66)
    #expect(run.errors.contains("no such file, recording or command"))
  }

  @Test func keepsWhatItFoundInTheLibrary() async throws {
    let path = FixtureFolder.path("flac-44k-stereo.flac")
    let first = try await program.run("auto-detect", "--save", path)
    #expect(first.code == 0)
    #expect(first.errors.contains("saved in the library as"))
    // Another program that opens the database would bring a log that was left into it, without checksums.
    let library = program.home + "/library"
    #expect(access(library + "/library.sqlite", F_OK) == 0)
    #expect(access(library + "/library.sqlite-wal", F_OK) != 0)
    let again = try await program.run(
      "auto-detect", "--save", path, FixtureFolder.path("mosque.flac"))
    #expect(again.code == 0)
    #expect(again.errors.contains(", unchanged"))
    let listed = try await program.run("list", "--format", "jsonl")
    #expect(listed.output.split(separator: "\n").count == 2)
    #expect(listed.output.contains("\"in_place\":true"))
    #expect(listed.output.contains("\"segments\":6"))
  }

  @Test func namesEachAyahWhenToldWhereItStarts() async throws {
    try ToneRecitation.teach(home: program.home)
    let names = ["one.wav", "two.wav"]
    for name in names {
      var recitation = ToneRecitation()
      recitation.recite(try AyahRange(parsing: "112"))
      try recitation.write(to: folder.path(name))
    }
    let run = try await program.run(
      ["auto-detect", "--start", "112:1", "--end", "112:4", "--format", "csv"]
        + names.map { folder.path($0) })
    #expect(run.code == 0, "\(run.errors)")
    let rows = run.output.split(whereSeparator: \.isNewline)
    for (ayah, name) in (1...4).flatMap({ ayah in names.map { (ayah, $0) } }) {
      #expect(
        rows.contains { $0.contains(name) && $0.contains(",112:\(ayah),") }, "\(run.output)")
    }
  }

  @Test func hostileNamesAreShownHarmlessly() async throws {
    let name = "a\n\u{1B}]0;owned\u{7}\u{202E}\u{9B}31m.wav"
    try folder.copy(of: "wav-s16-8k-mono.wav", as: name)
    for format in ["table", "csv", "jsonl"] {
      let run = try await program.run("auto-detect", "--format", format, folder.path(name))
      #expect(run.code == 0)
      let controls = (run.output + run.errors).unicodeScalars.filter {
        $0.value < 0x20 && $0 != "\n" && $0 != "\t" && $0 != "\r"
          || (0x7F...0x9F).contains($0.value)
      }
      #expect(controls.isEmpty, "\(format): \(controls)")
    }
    try folder.copy(of: "malformed/empty.wav", as: "b" + name)
    let failed = try await program.run("auto-detect", folder.path("b" + name))
    #expect(!failed.errors.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }

  @Test func aPipeGetsPlainText() async throws {
    let run = try await program.run("auto-detect", FixtureFolder.path("wav-s16-44k-mono.wav"))
    #expect(!(run.output + run.errors).contains("\u{1B}"))
    #expect(!(run.output + run.errors).contains("\r"))
  }
}

/// The pauses that `Fixtures/generate.py` put into the recitation.
struct Truth {
  let ayahPauses: [ClosedRange<Double>]

  init() throws {
    struct File: Decodable {
      struct Pause: Decodable {
        let start: Double
        let end: Double
        let kind: String
      }
      let pauses: [Pause]
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: FixtureFolder.path("recitation.json")))
    let file = try JSONDecoder().decode(File.self, from: data)
    ayahPauses = file.pauses.filter { $0.kind == "ayah" }.map { $0.start...$0.end }
  }
}
