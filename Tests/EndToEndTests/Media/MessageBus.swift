// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport

/// A message bus of a test's own, with nobody on it but those whom the test puts there.
final class MessageBus: Sendable {
  private static let daemon = "/usr/bin/dbus-daemon"

  /// Whether there are the programs that it takes.
  static let isPossible = [daemon, "/usr/bin/playerctl", "/usr/bin/gdbus"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  let address: String
  private let folder: TemporaryFolder
  private let process: pid_t

  init() throws {
    folder = try TemporaryFolder()
    address = "unix:path=\(folder.path("bus"))"
    let process = Process()
    process.executableURL = URL(filePath: Self.daemon)
    process.arguments = [
      "--session", "--nofork", "--nopidfile", "--nosyslog", "--address=\(address)",
      "--print-address=1",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process.processIdentifier
    // It says its address once it can be reached.
    _ = output.fileHandleForReading.availableData
  }

  deinit { kill(process, SIGKILL) }

  var environment: [String: String] {
    ["DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": address]
  }

  /// What a client on the bus writes, without the line's end; nil where it fails.
  func ask(_ program: String, _ arguments: [String]) async throws -> String? {
    try await onAThread { [self] in try answer(of: program, arguments) }
  }

  private func answer(of program: String, _ arguments: [String]) throws -> String? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/\(program)")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  func playerctl(_ arguments: String...) async throws -> String? {
    try await ask("playerctl", arguments)
  }

  /// Asks until the answer is what it should become.
  @discardableResult
  func wait(
    for what: String, _ arguments: String..., until isSo: (String) -> Bool
  ) async throws -> String {
    for _ in 0..<6000 {
      if let answer = try await ask("playerctl", arguments), isSo(answer) { return answer }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw EditorTerminal.Problem(description: "\(what) never came")
  }
}

/// A `play` that is steered while it goes on.
final class PlayingProgram {
  let process = Process()
  private let folder: TemporaryFolder

  init(
    _ program: Program, _ arguments: [String], on card: ListeningCard, _ bus: MessageBus,
    _ environment: [String: String] = [:]
  ) throws {
    folder = try TemporaryFolder()
    let errors = folder.path("errors")
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    process.executableURL = URL(filePath: Program.path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TILAWA_HOME": program.home, "LANG": "C.UTF-8", "LC_ALL": ""]) { $1 }
      .merging(["ALSA_CONFIG_PATH": card.configuration]) { $1 }
      .merging(bus.environment) { $1 }
      .merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  var errors: String {
    (try? String(contentsOfFile: folder.path("errors"), encoding: .utf8)) ?? ""
  }

  /// Its name on the bus.
  var busName: String {
    "org.mpris.MediaPlayer2.tilawa_annotate.instance\(process.processIdentifier)"
  }

  func end() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func waitForEnd() async throws -> Int32 {
    while process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
    return process.terminationStatus
  }
}
