// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Quran
import TestSupport
import Testing

/// What `auto-detect` says and does where a recording cannot hold what it is told.
struct AlignmentFailureTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  /// Silence in which nothing falls or rises.
  private func silence(_ name: String = "silence.wav") throws -> String {
    var recording = ToneRecitation()
    recording.silence(4)
    try recording.write(to: folder.path(name))
    return folder.path(name)
  }

  private func recitation(_ range: String, _ name: String = "night.wav") throws -> String {
    var recording = ToneRecitation()
    recording.recite(try AyahRange(parsing: range))
    try recording.write(to: folder.path(name))
    return folder.path(name)
  }

  /// A folder with a file for each ayah.
  private func reference(_ range: String, _ name: String = "reference") throws -> String {
    let path = folder.path(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for ayah in try AyahRange(parsing: range) {
      var clip = ToneRecitation(pace: 0.1)
      clip.recite(AyahRange(ayah))
      try clip.write(to: path + "/" + Self.name(ayah))
    }
    return path
  }

  private static func name(_ ayah: AyahReference) -> String {
    String(format: "%03d%03d.wav", ayah.surah.number, ayah.ayah)
  }

  @Test func aRecordingWithoutAVoiceIsNotAligned() async throws {
    let silence = try silence()
    let reference = try reference("112")
    for told in [
      ["--start", "112"], ["--surah", "112"], ["--end", "112:4"], ["--reference", reference],
      ["--start", "112", "--reference", reference], ["--start", "112", "--prayer", "taraweeh"],
    ] {
      let run = try await program.run(["auto-detect", "--format", "jsonl"] + told + [silence])
      #expect(run.code == 65, "\(told)")
      #expect(run.errors.contains("silence.wav: no speech detected"), "\(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
      #expect(try JSONReport.lines(run.output).first?.error?.code == "not_aligned")
    }
    let plain = try await program.run("auto-detect", silence)
    #expect(plain.code == 0, "nothing was told that could be wrong")
  }

  @Test func whatNobodyHeardIsNotSaved() async throws {
    let files = [try silence(), try recitation("112")]
    let run = try await program.run(["auto-detect", "--start", "112", "--save"] + files)
    #expect(run.code == 1)
    #expect(run.errors.contains("; not saved"), "\(run.errors)")
    let alone = try await program.run("auto-detect", "--start", "112", "--save", files[0])
    #expect(alone.code == 65)
    #expect(alone.errors.contains("; not saved"), "\(alone.errors)")
    let listed = try await program.run("list", "--format", "jsonl")
    #expect(listed.output.split(separator: "\n").count == 1, "\(listed.output)")
    #expect(listed.output.contains("night"))
  }

  @Test func ayatThatCannotBeLaidOverTheRecordingAreAFailure() async throws {
    let run = try await program.run(
      "auto-detect", "--start", "2", "--end", "2", try recitation("112"))
    #expect(run.code == 65)
    #expect(run.errors.contains("2:1-286 cannot be laid over this recording"), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func filesOfAReferenceThatCannotBeReadAreNamed() async throws {
    let recording = try recitation("93")
    let clips = try reference("93")
    let ayat = Array(try AyahRange(parsing: "93"))
    func spoil(_ ayah: AyahReference) throws {
      try Data("text".utf8).write(to: URL(filePath: clips + "/" + Self.name(ayah)))
    }
    func run(_ told: String...) async throws -> Program.Outcome {
      try await program.run(["auto-detect"] + told + ["--reference", clips, recording])
    }
    try spoil(ayat[1])
    let one = try await run("--start", "93:1", "--end", "93:11")
    #expect(one.code == 0)
    #expect(one.errors.contains("the reference lacks 93:2, which was placed"), "\(one.errors)")
    #expect(one.errors.contains("1 file of the reference cannot be read: "), "\(one.errors)")
    #expect(one.errors.contains("093002.wav: is"), "\(one.errors)")
    for ayah in ayat { try spoil(ayah) }
    for told in [["--start", "93:1"], ["--surah", "93"], []] {
      let all = try await program.run(["auto-detect"] + told + ["--reference", clips, recording])
      #expect(all.code == 66)
      #expect(all.errors.contains("11 files of the reference cannot be read, first"))
      #expect(all.errors.contains("093001.wav: is"), "\(all.errors)")
    }
  }

  @Test func aReferenceOfWhatComesLaterIsNotHeldAgainstTheRecording() async throws {
    let recording = try recitation("92:5-21")
    let clips = try reference("93:9-94:3")
    let run = try await program.run(
      "auto-detect", "--start", "92:5", "--reference", clips, "--format", "jsonl", recording)
    #expect(run.code == 0)
    #expect(
      run.errors.contains("has none of these ayat; it was not used"), "\(run.errors)")
    #expect(!run.errors.contains("check the start"), "\(run.errors)")
    #expect(!run.output.contains(#""reference""#), "\(run.output)")
    let without = try await program.run(
      "auto-detect", "--start", "92:5", "--format", "jsonl", recording)
    let both = try [run, without].map { try #require(try JSONReport.lines($0.output).first) }
    #expect(both[0].segments?.map(\.confidence) == both[1].segments?.map(\.confidence))
  }

  @Test func whatAReferenceLacksIsCounted() async throws {
    let recording = try recitation("93")
    let clips = try reference("93:1-4")
    let run = try await program.run(
      "auto-detect", "--start", "93:1", "--end", "93:11", "--reference", clips, recording)
    #expect(run.errors.contains("lacks 7 of the 11 ayat (93:5-11), which"), "\(run.errors)")
  }
}
