// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import TestSupport
import Testing

/// Recording, from a device that plays a file of samples as fast as it is read.
struct RecordTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  /// Ten seconds of a triangle at 48 kHz, and the environment in which ALSA knows it as `tape`.
  private func tape() throws -> [String: String] {
    let samples = (0..<480_000).flatMap { index -> [UInt8] in
      let value = Int16(clamping: (index % 200 - 100) * 150)
      return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    let sound = try folder.write(samples, to: "sound.raw")
    let configuration = """
      pcm.nothing { type null }
      pcm.tape {
        type file
        slave.pcm nothing
        file "/dev/null"
        infile "\(sound)"
        format "raw"
      }
      """
    let path = try folder.write(Array(configuration.utf8), to: "asound.conf")
    return ["ALSA_CONFIG_PATH": path]
  }

  @Test func recordsIntoTheLibrary() async throws {
    let environment = try tape()
    let outcome = try await program.run(
      [
        "record", "--device", "tape", "--rate", "48000", "--channels", "1", "--duration", "3",
        "--title", "Tonight",
      ], environment: environment)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let shown = try await program.run("show", "Tonight", "--brief", "--format", "jsonl")
    let recording = try #require(
      try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any])
    let seconds = try #require(recording["duration_seconds"] as? Double)
    #expect(seconds >= 3 && seconds < 3.5)
    #expect(recording["channels"] as? Int == 1)
    #expect(recording["availability"] as? String == "available")
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: program.home + "/library/Recording"
      ).isEmpty)
  }

  @Test(.enabled(if: MessageBus.isPossible && LoginManager.isPossible, "no python3-dbusmock"))
  func keepsTheComputerAwakeAndLetsItSleepAfterwards() async throws {
    let bus = try MessageBus()
    let logins = try LoginManager(bus)
    try await logins.wait("the login manager") { _ in true }
    let environment = try tape().merging(bus.environment) { $1 }
    // It records until it is told to end: the tape is over sooner than a busy machine asks for the inhibitor.
    let recorder = Process()
    recorder.executableURL = URL(filePath: Program.path)
    recorder.arguments = [
      "record", "--device", "tape", "--rate", "48000", "--channels", "1", "--title", "Tonight",
      "--no-detect",
    ]
    recorder.environment = ProcessInfo.processInfo.environment
      .merging(["TILAWA_HOME": program.home]) { $1 }.merging(environment) { $1 }
    recorder.standardInput = FileHandle.nullDevice
    recorder.standardOutput = FileHandle.nullDevice
    recorder.standardError = FileHandle.nullDevice
    try recorder.run()
    defer { if recorder.isRunning { kill(recorder.processIdentifier, SIGKILL) } }
    try await logins.wait("the inhibitor") { $0.contains("'sleep:idle'") && $0.contains("'block'") }
    kill(recorder.processIdentifier, SIGINT)
    while recorder.isRunning { try await Task.sleep(for: .milliseconds(10)) }
    #expect(recorder.terminationStatus == 0)
    try await logins.wait("sleep to be let") { !$0.contains("'sleep:idle'") }
  }

  @Test func saysWhatToDoWhereThereIsNoDevice() async throws {
    let configuration = try folder.write(Array("pcm.nothing { type null }\n".utf8), to: "none.conf")
    let outcome = try await program.run(
      ["record"], environment: ["ALSA_CONFIG_PATH": configuration])
    #expect(outcome.code == 69)
    #expect(outcome.errors.contains("arecord -L"))
    #expect(!outcome.errors.contains("ALSA lib"), "its own messages stay away")
    #expect(try await program.run("list", "--format", "jsonl").output.isEmpty)
  }

  @Test func entersWhatWasCutOff() async throws {
    // What a killed recorder leaves: a FLAC in the library's Recording folder, and a lock of nobody.
    _ = try await program.run("import", FixtureFolder.path("mosque.flac"))
    let captures = program.home + "/library/Recording"
    try FileManager.default.createDirectory(
      atPath: captures, withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      atPath: FixtureFolder.path("flac-44k-stereo.flac"), toPath: captures + "/2026-01-02.flac")
    try Data().write(to: URL(filePath: captures + "/2026-01-02.flac.lock"))

    let outcome = try await program.run("record", "--recover")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let listed = try await program.run("list", "--format", "jsonl")
    #expect(listed.output.split(separator: "\n").count == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: captures).isEmpty)
    #expect(try await program.run("check", "--thorough").code == 0)
  }
}
