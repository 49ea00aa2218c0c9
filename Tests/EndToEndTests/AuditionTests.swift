// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import TestSupport
import Testing

/// `audition`, into files whose samples are compared with those of the recording.
struct AuditionTests {
  let program: Program
  let folder: TemporaryFolder
  let noise = NoiseRecording()
  let recording: String

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
    recording = try folder.write(noise.wav, to: "noise.wav")
  }

  private func auditioned(_ arguments: String...) async throws -> [Float] {
    let output = folder.path("out.wav")
    let outcome = try await program.run(["audition"] + arguments + ["--output", output, "--force"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try WaveFile.samples(ofFloats: output)
  }

  private func annotate() async throws {
    let imported = try await program.run("import", recording, "--title", "Noise", "--no-detect")
    #expect(imported.code == 0, "\(imported.errors)")
    let labels = try folder.write(
      Array("0\t2\t1:1\n2\t5.125\t1:2\n5.125\t10\t1:3-4\n7\t7\t1:4\n".utf8), to: "labels.txt")
    let taken = try await program.run("import-labels", "Noise", labels, "--confirm")
    #expect(taken.code == 0, "\(taken.errors)")
  }

  @Test func aSegmentIsWrittenToTheFrame() async throws {
    try await annotate()
    #expect(try await auditioned("Noise", "--segment", "2") == noise.decoded(16_000..<41_000))
  }

  @Test func anAyahWithinABreathIsCutAtItsJoin() async throws {
    try await annotate()
    #expect(try await auditioned("Noise", "--ayah", "1:4") == noise.decoded(56_000..<80_000))
  }

  @Test func aPipeIsNamedAsOne() async throws {
    try await annotate()
    mkfifo(folder.path("pipe"), 0o600)
    let outcome = try await program.run("audition", folder.path("pipe"))
    #expect(outcome.code == 66 && outcome.errors.contains("is a pipe"), "\(outcome.errors)")
  }

  @Test func anExactLoopIsTheSegmentRepeated() async throws {
    let once = noise.decoded(8000..<8800)
    let looped = try await auditioned(
      recording, "--from", "1", "--until", "1.1", "--loop", "7", "--exact")
    #expect(looped == Array(repeatElement(once, count: 7).joined()))
  }

  @Test func aLoopsGapIsSilenceOfItsLength() async throws {
    let heard = try await auditioned(
      recording, "--from", "0:01", "--until", "0:01.1", "--loop", "2", "--gap", "250ms", "--exact")
    let once = noise.decoded(8000..<8800)
    #expect(heard == once + [Float](repeating: 0, count: 2000) + once)
  }

  @Test func aLoopIsSmoothedAtItsJoinAndNowhereElse() async throws {
    let heard = try await auditioned(recording, "--from", "1", "--until", "1.1", "--loop", "2")
    let exact = noise.decoded(8000..<8800) + noise.decoded(8000..<8800)
    #expect(heard.count == exact.count)
    #expect(heard.prefix(760) == exact.prefix(760))
    #expect(heard.suffix(760) == exact.suffix(760))
    #expect(heard[800] == 0 && exact[800] != 0)
  }

  @Test func anEdgeIsHalfASecondOfIt() async throws {
    try await annotate()
    #expect(
      try await auditioned("Noise", "--segment", "2", "--edge", "start")
        == noise.decoded(16_000..<20_000))
    #expect(
      try await auditioned("Noise", "--segment", "2", "--edge", "end")
        == noise.decoded(37_000..<41_000))
  }

  @Test func gainIsInDecibels() async throws {
    let heard = try await auditioned(recording, "--from", "1", "--until", "1.5", "--gain", "-20")
    let quiet = noise.decoded(8000..<12_000).map { $0 / 10 }
    #expect(heard.count == quiet.count)
    #expect(zip(heard, quiet).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test func halfTheSpeedTakesTwiceTheTime() async throws {
    let heard = try await auditioned(recording, "--from", "1", "--until", "3", "--speed", "0.5")
    #expect(abs(heard.count - 32_000) < 80, "\(heard.count)")
  }

  @Test func replacesNothingUnlessTold() async throws {
    let output = try folder.write([1, 2, 3], to: "mine.wav")
    let refused = try await program.run(
      "audition", recording, "--until", "1", "--output", output)
    #expect(refused.code == 64)
    #expect(refused.errors.contains("--force"))
    #expect(try Data(contentsOf: URL(filePath: output)) == Data([1, 2, 3]))
    let spared = try await program.run(
      "audition", recording, "--until", "1", "--output", recording, "--force")
    #expect(spared.code == 64)
    #expect(try folder.contents == ["mine.wav", "noise.wav"])
  }

  @Test func saysWhatIsNotThere() async throws {
    try await annotate()
    let segment = try await program.run("audition", "Noise", "--segment", "4")
    #expect(segment.code == 64 && segment.errors.contains("has 3 segments"), "\(segment.errors)")
    let ayah = try await program.run("audition", "Noise", "--ayah", "2:5")
    #expect(ayah.code == 64 && ayah.errors.contains("2:5"), "\(ayah.errors)")
    let late = try await program.run("audition", recording, "--from", "11")
    #expect(late.code == 64 && late.errors.contains("0:10"), "\(late.errors)")
    let nobody = try await program.run("audition", "nobody's")
    #expect(nobody.code == 66)
    #expect(nobody.errors.contains("no such file"), "\(nobody.errors)")
    let other = try folder.copy(of: "mosque.flac")
    let unknown = try await program.run("audition", other, "--segment", "1")
    #expect(unknown.code == 66 && unknown.errors.contains("import"), "\(unknown.errors)")
  }

  @Test func saysWhatToDoWhereThereIsNoDevice() async throws {
    let outcome = try await program.run(
      "audition", recording, "--until", "1", "--device", "hw:CARD=nothing")
    #expect(outcome.code == 69)
    #expect(outcome.errors.contains("--output"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("ALSA lib"), "its own messages stay away")
  }

  @Test func playsWithoutATerminalUntilItsEnd() async throws {
    let played = folder.path("played.raw")
    let configuration = """
      pcm.nothing { type null }
      pcm.tape {
        type file
        slave.pcm nothing
        file "\(played)"
        format "raw"
      }
      """
    let path = try folder.write(Array(configuration.utf8), to: "asound.conf")
    let outcome = try await program.run(
      [
        "audition", recording, "--from", "1", "--until", "1.5", "--exact", "--device", "tape",
      ], environment: ["ALSA_CONFIG_PATH": path])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(try Data(contentsOf: URL(filePath: played)).count >= 4000)
  }
}
