// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Subprocess
import SystemPackage
import Testing

/// Signals, crashes and terminals, with a recording that takes a while.
@Suite(.serialized) struct InterruptionTests {
  let program: Program
  let folder: Folder.Temporary
  let long: String

  init() throws {
    program = try Program()
    folder = try Folder.temporary()
    long = folder.path("long.mp3")
    // MP3 may simply be strung together: three hours, decoded in seconds.
    let halfMinute = try Data(
      contentsOf: URL(fileURLWithPath: Folder.fixture("mp3-22k-mono.mp3")))
    var file = Data(capacity: halfMinute.count * 360)
    for _ in 0..<360 { file += halfMinute }
    try file.write(to: URL(fileURLWithPath: long))
  }

  private func remove() { try? FileManager.default.removeItem(atPath: folder.path) }

  @Test func interruptedRunKeepsFinishedResultsAndExitsWith130() async throws {
    defer { remove() }
    let quick = Folder.fixture("wav-s16-8k-mono.wav")
    let run = try await start(["--format", "jsonl", "--jobs", "1", quick, long]) { execution in
      // The first result shows that the second file has begun.
      var seen = 0
      var text = ""
      for try await buffer in execution.standardOutput {
        buffer.withUnsafeBytes { text += String(decoding: $0, as: UTF8.self) }
        if seen == 0, text.contains("\n") {
          seen = 1
          try execution.send(signal: .interrupt)
        }
      }
      return text
    }
    #expect(run.status == .exited(130))
    let reports = try JSONReport.lines(run.text)
    #expect(reports.map { $0.file } == [quick])
    let leftovers = try? FileManager.default.contentsOfDirectory(atPath: program.home + "/cache")
    #expect(leftovers?.contains { $0.hasSuffix(".part") } != true)
  }

  @Test func aCrashedWorkerCostsOneFile() async throws {
    defer { remove() }
    let quick = Folder.fixture("wav-s16-44k-mono.wav")
    let run = try await start(["--format", "jsonl", "--jobs", "1", long, quick]) { execution in
      try await killWorker(of: execution.processIdentifier.value)
      var text = ""
      for try await buffer in execution.standardOutput {
        buffer.withUnsafeBytes { text += String(decoding: $0, as: UTF8.self) }
      }
      return text
    }
    #expect(run.status == .exited(1))
    let reports = try JSONReport.lines(run.text)
    #expect(reports.first { $0.file == long }?.error?.code == "crashed")
    #expect(reports.first { $0.file == quick }?.boundaries != nil)
  }

  @Test func progressIsDrawnOnATerminalAndTakenAwayAgain() async throws {
    defer { remove() }
    let terminal = try PseudoTerminal()
    let reader = Task.detached { terminal.readAll() }
    let result = try await Subprocess.run(
      .path(FilePath(Program.path)),
      arguments: Arguments(["auto-detect", "--format", "jsonl", "--jobs", "1", long]),
      environment: .inherit.updating(["TILAWA_HOME": program.home, "LANG": "C.UTF-8"]),
      output: .discarded,
      error: .fileDescriptor(
        FileDescriptor(rawValue: terminal.slave), closeAfterSpawningProcess: true)
    )
    #expect(result.terminationStatus == .exited(0))
    let drawn = await reader.value
    #expect(drawn.contains("long.mp3"))
    #expect(drawn.contains("%"))
    #expect(drawn.hasSuffix("\r\u{1B}[K"))
  }

  /// Runs `auto-detect` and hands the running process to `body`.
  private func start(
    _ arguments: [String],
    _ body: @escaping (Execution<NoInput, SequenceOutput, DiscardedOutput>) async throws -> String
  ) async throws -> (status: TerminationStatus, text: String) {
    let result = try await Subprocess.run(
      .path(FilePath(Program.path)), arguments: Arguments(["auto-detect"] + arguments),
      environment: .inherit.updating(["TILAWA_HOME": program.home]),
      input: .none, output: .sequence, error: .discarded
    ) { try await body($0) }
    return (result.terminationStatus, result.closureResult)
  }

  /// Waits until the process has a worker and brings that down.
  private func killWorker(of parent: pid_t) async throws {
    for _ in 0..<500 {
      let children = try? String(
        contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
      let tasks =
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(parent)/task")) ?? []
      let all = tasks.compactMap {
        try? String(contentsOfFile: "/proc/\(parent)/task/\($0)/children", encoding: .utf8)
      }
      if let child = ([children ?? ""] + all).joined(separator: " ").split(separator: " ").first,
        let process = pid_t(child)
      {
        kill(process, SIGSEGV)
        return
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("no worker was started")
  }
}

/// Both ends of a terminal without a screen.
struct PseudoTerminal: Sendable {
  let master: Int32
  let slave: Int32

  init() throws {
    // `posix_openpt` and its companions are hidden from Swift; this is what they do on Linux, with
    // the requests TIOCSPTLCK and TIOCGPTN.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var unlocked: Int32 = 0
    var number: Int32 = 0
    try #require(master >= 0)
    try #require(ioctl(master, 0x4004_5431, &unlocked) == 0)
    try #require(ioctl(master, 0x8004_5430, &number) == 0)
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(slave >= 0)
  }

  /// Everything written to the terminal until its last writer is gone.
  func readAll() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(master, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    close(master)
    return String(decoding: bytes, as: UTF8.self)
  }
}
