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
    try ToneRecitation.teach(home: program.home)
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

  @Test func aRecordingWithoutAVoiceIsNotAligned() async throws {
    let silence = try silence()
    for told in [
      ["--start", "112"], ["--surah", "112"], ["--end", "112:4"],
      ["--start", "112", "--prayer", "taraweeh"],
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

  /// Speech that is nowhere in the Quran.
  private func mumbling(_ name: String, times: Int, seconds: Double) throws -> String {
    var noise = ToneRecitation()
    for _ in 0..<times {
      noise.mumble(seconds)
      noise.silence(0.6)
    }
    try noise.write(to: folder.path(name))
    return folder.path(name)
  }

  @Test func whatIsNoneOfTheTextIsDoubted() async throws {
    let noise = try mumbling("noise.wav", times: 7, seconds: 3)
    let run = try await program.run(
      "auto-detect", "--format", "jsonl", "--start", "67:1", "--end", "67:5", noise)
    #expect(run.errors.contains("does not match 67:1"), "\(run.errors)")
  }

  @Test(arguments: [(7, 3.0), (1, 0.5)])
  func aSearchThatFindsNothingDoesNotAdviseToSearch(times: Int, seconds: Double) async throws {
    let noise = try mumbling("noise.wav", times: times, seconds: seconds)
    for told in [["--surah", "1-114"], ["--prayer", "taraweeh"]] {
      let run = try await program.run(["auto-detect", "--format", "jsonl"] + told + [noise])
      #expect(
        run.errors.contains("the recitation fits no place in the Quran well"), "\(run.errors)")
      for text in [run.errors, run.output] {
        #expect(!text.contains("to search") && !text.contains("does not match"), "\(text)")
      }
    }
  }
}
