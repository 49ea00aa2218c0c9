// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// Output that cannot be written, and what must not be.
@Suite struct StandardStreamTests {
  let program: Program
  let folder: TemporaryFolder

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
  }

  /// Runs the program in a shell that redirects its streams.
  private func run(_ arguments: String, _ redirection: String) async throws -> Program.Outcome {
    try await program.run(
      ["-c", "exec \"$0\" \(arguments) \(redirection)", Program.path], as: "/bin/sh",
      in: folder.path)
  }

  @Test(arguments: [
    "--help", "--version", "help auto-detect", "auto-detect --help",
    "--generate-completion-script bash", "doctor", "settings", "edit --keys",
  ])
  func resultsThatCannotBeWrittenAreAFailure(_ arguments: String) async throws {
    let full = try await run(arguments, ">/dev/full")
    #expect(full.code == 74)
    #expect(full.errors.contains("cannot write the results: No space left on device\n"))
    let closed = try await run(arguments, ">&-")
    #expect(closed.code == 74)
    #expect(closed.errors.contains("cannot write the results: Bad file descriptor\n"))
    let unread = try await run(arguments, "| true")
    #expect(unread.errors == "")
  }

  @Test func closedReaderOfHelpIsNoFailureToSpeakOf() async throws {
    let outcome = try await program.run(
      ["-c", "(sleep 0; \"$0\" --help; echo $? >&2) | :", Program.path], as: "/bin/sh")
    #expect(["0\n", "141\n"].contains(outcome.errors))
  }

  @Test func resultsOfAClosedOutputDoNotGoIntoAFile() async throws {
    let recording = try folder.copy(of: "wav-s16-8k-mono.wav", as: "sound.wav")
    let before = try Data(contentsOf: URL(filePath: recording))
    let outcome = try await run("auto-detect --format json sound.wav", "<&- >&- 2>errors")
    #expect(outcome.code == 74)
    #expect(try Data(contentsOf: URL(filePath: recording)) == before)
    let errors = try String(contentsOfFile: folder.path("errors"), encoding: .utf8)
    #expect(errors.contains("cannot write the results"))
    let silent = try await run("auto-detect sound.wav", ">out 2>&-")
    #expect(silent.code == 0)
    #expect(try String(contentsOfFile: folder.path("out"), encoding: .utf8).contains("boundar"))
  }

  @Test func helpAndUsageGoWhereTheyBelong() async throws {
    let help = try await program.run("--help")
    #expect(help.code == 0 && help.errors == "" && help.output.contains("USAGE"))
    let wrong = try await program.run("auto-detect", "--no-such-\u{1B}[31moption")
    #expect(wrong.code == 64 && wrong.output == "" && wrong.errors.contains("Usage"))
    #expect(!wrong.errors.contains("\u{1B}"))
  }

  /// libmpg123 says of such frames that it truncates something, however quiet it is told to be.
  @Test func librariesPrintNothing() async throws {
    // MPEG-1 layer II, 48 kHz, 64 kbit/s, joint stereo from the last bands on.
    let header: [UInt8] = [0xFF, 0xFD, 0x44, 0x70]
    let frame = header + [UInt8](repeating: 0, count: 188)
    let path = try folder.write(Array((0..<200).map { _ in frame }.joined()), to: "joint.mp2")
    let outcome = try await program.run("auto-detect", "--quiet", path)
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
  }
}
