// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// Signals, crashes and terminals, with a recording that takes a while.
@Suite(.serialized) struct InterruptionTests {
  let program: Program
  let folder: TemporaryFolder
  let long: String

  init() throws {
    program = try Program()
    folder = try TemporaryFolder()
    // As long as a WAV can be, 74 hours: decoded in most of a minute.
    long = try folder.copy(of: "wav-s16-8k-mono.wav", as: "long.wav")
    let length = UInt32.max / 2 * 2
    let header = try FileHandle(forUpdating: URL(fileURLWithPath: long))
    for (offset, size) in [(4, length - 8), (40, length - 44)] {
      try header.seek(toOffset: UInt64(offset))
      try header.write(contentsOf: withUnsafeBytes(of: size.littleEndian) { Data($0) })
    }
    try header.truncate(atOffset: UInt64(length))
    try header.close()
  }

  // These tests block on purpose: once they have their thread they keep it, so that what they do in the
  // middle of a run is done then, however busy the other tests are.

  /// Of a window that is closed, the shell and the system may each tell.
  @Test(arguments: [[SIGINT], [SIGHUP, SIGHUP]])
  func interruptedRunKeepsFinishedResultsAndExitsWithTheSignal(_ signals: [Int32]) throws {
    let quick = FixtureFolder.path("wav-s16-8k-mono.wav")
    let run = try Run(program, folder, ["--format", "jsonl", "--jobs", "1", quick, long])
    // The first result shows that the second file has begun.
    run.wait { $0.output.contains("\n") }
    for number in signals { kill(run.process.processIdentifier, number) }
    run.process.waitUntilExit()
    #expect(run.process.terminationReason == .exit)
    #expect(run.process.terminationStatus == 128 + signals[0])
    let reports = try JSONReport.lines(run.output)
    #expect(reports.map { $0.file } == [quick])
    let leftovers = try? FileManager.default.contentsOfDirectory(atPath: program.home + "/cache")
    #expect(leftovers?.contains { $0.hasSuffix(".part") } != true)
  }

  @Test func interruptedSingleRunLeavesNothing() throws {
    let run = try Run(program, folder, ["--format", "jsonl", long])
    let cache = program.home + "/cache"
    // A half-written sidecar shows that the analysis is under way.
    run.wait { _ in
      let names = try? FileManager.default.contentsOfDirectory(atPath: cache)
      return names?.isEmpty == false
    }
    kill(run.process.processIdentifier, SIGTERM)
    run.process.waitUntilExit()
    #expect(run.process.terminationStatus == 128 + SIGTERM)
    #expect(run.output == "")
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache) == [])
  }

  @Test(.timeLimit(.minutes(5)), arguments: [SIGINT, SIGTERM])
  func interruptionIsHeededWhileAFileIsOpened(_ number: Int32) throws {
    let huge = try endless("huge.mp3")
    for others in [[], [FixtureFolder.path("wav-s16-8k-mono.wav")]] {
      let run = try Run(program, folder, ["--format", "jsonl", huge] + others)
      run.wait { run in
        let processes = [run.process.processIdentifier, run.worker].compactMap { $0 }
        return processes.contains { Self.bytesRead(by: $0) > 16 << 20 }
      }
      kill(run.process.processIdentifier, number)
      run.process.waitUntilExit()
      #expect(run.process.terminationStatus == 128 + number)
    }
  }

  @Test(.timeLimit(.minutes(5))) func anInterruptedImportSaysHowManyAreDone() throws {
    let quick = FixtureFolder.path("wav-s16-8k-mono.wav")
    let errors = Pipe()
    let run = try Run(
      program, folder, ["--in-place", quick, endless("huge.mp3")], command: "import",
      errors: errors.fileHandleForWriting)
    run.wait { Self.bytesRead(by: $0.process.processIdentifier) > 16 << 20 }
    kill(run.process.processIdentifier, SIGINT)
    run.process.waitUntilExit()
    try errors.fileHandleForWriting.close()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(run.process.terminationStatus == 128 + SIGINT)
    #expect(text == "interrupted; 1 of 2 done\n")
  }

  private static func bytesRead(by process: pid_t) -> Int {
    let text = try? String(contentsOfFile: "/proc/\(process)/io", encoding: .utf8)
    return text?.split(separator: "\n").first.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  @Test func aCrashedWorkerCostsOneFile() throws {
    let huge = try endless("huge.mp3")
    let quick = FixtureFolder.path("wav-s16-44k-mono.wav")
    let run = try Run(program, folder, ["--format", "jsonl", "--jobs", "1", huge, quick])
    var worker: pid_t?
    run.wait { run in
      worker = run.worker
      return worker != nil
    }
    kill(try #require(worker), SIGKILL)
    run.process.waitUntilExit()
    #expect(run.process.terminationStatus == 1)
    let reports = try JSONReport.lines(run.output)
    let error = reports.first { $0.file == huge }?.error
    #expect(error?.code == "crashed")
    #expect(error?.message.hasPrefix("the analysis crashed") == true)
    #expect(reports.first { $0.file == quick }?.boundaries != nil)
  }

  @Test func whereEveryWorkerCrashesTheProgramIsAtFault() throws {
    let run = try Run(
      program, folder,
      ["--format", "jsonl", "--jobs", "1"] + ["one.mp3", "other.mp3"].map(endless))
    var last: pid_t?
    for _ in 0..<2 {
      var worker: pid_t?
      run.wait { run in
        worker = run.worker.flatMap { $0 == last ? nil : $0 }
        return worker != nil
      }
      let crashing = try #require(worker)
      kill(crashing, SIGKILL)
      last = crashing
    }
    run.process.waitUntilExit()
    #expect(run.process.terminationStatus == 70)
  }

  /// A recording with a terabyte of nothing behind it, through which the search for more of it goes.
  private func endless(_ name: String) throws -> String {
    let path = try folder.copy(of: "mp3-cbr-lame.mp3", as: name)
    try #require(truncate(path, 1 << 40) == 0)
    return path
  }

  @Test func progressIsDrawnOnATerminalAndTakenAwayAgain() throws {
    let quarter = folder.path("quarter.mp3")
    // MP3 may simply be strung together.
    let halfMinute = try Data(
      contentsOf: URL(fileURLWithPath: FixtureFolder.path("mp3-22k-mono.mp3")))
    let file = (0..<30).reduce(into: Data()) { file, _ in file += halfMinute }
    try file.write(to: URL(fileURLWithPath: quarter))
    let terminal = try PseudoTerminal()
    let run = try Run(
      program, folder, ["--format", "jsonl", "--jobs", "1", quarter],
      errors: FileHandle(fileDescriptor: terminal.slave, closeOnDealloc: false))
    close(terminal.slave)
    let drawn = terminal.readAll()
    run.process.waitUntilExit()
    #expect(run.process.terminationStatus == 0)
    #expect(drawn.contains("quarter.mp3"))
    #expect(drawn.contains("%"))
    #expect(drawn.hasSuffix("\r\u{1B}[K"))
  }
}

/// A run of `auto-detect`, or another command, that is watched while it goes on.
private struct Run {
  let process = Process()
  private let outputPath: String

  init(
    _ program: Program, _ folder: TemporaryFolder, _ arguments: [String],
    command: String = "auto-detect", errors: FileHandle = .nullDevice
  ) throws {
    outputPath = folder.path("output")
    _ = FileManager.default.createFile(atPath: outputPath, contents: nil)
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = [command] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TILAWA_HOME": program.home, "LANG": "C.UTF-8", "LC_ALL": ""]) { $1 }
    process.standardOutput = FileHandle(forWritingAtPath: outputPath)
    process.standardError = errors
    try process.run()
  }

  /// What has been written so far.
  var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }

  /// Looks every few milliseconds until something has come about or the process has ended.
  func wait(until isSo: (Run) -> Bool) {
    while process.isRunning, !isSo(self) { usleep(2000) }
  }

  /// The worker process, once it is one and no longer a copy of its parent.
  var worker: pid_t? {
    let parent = "/proc/\(process.processIdentifier)/task"
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    let children = tasks.flatMap { task in
      let list = try? String(contentsOfFile: "\(parent)/\(task)/children", encoding: .utf8)
      return (list ?? "").split(separator: " ").compactMap { pid_t($0) }
    }
    return children.first { child in
      let line = FileManager.default.contents(atPath: "/proc/\(child)/cmdline") ?? Data()
      return String(decoding: line, as: UTF8.self).contains("auto-detect-worker")
    }
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
