// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import TestSupport
import Testing

@testable import Library

/// A process of `EditHarness` at work on a library.
///
/// Unchecked because `Process` is not Sendable: a test hands it to the thread it awaits and back.
final class Harness: @unchecked Sendable {
  let process = Process()
  private let outputPath: String

  /// - Parameter environment: added to this process's own.
  init(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:]
  ) throws {
    outputPath = folder.path("output-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: outputPath, contents: nil)
    process.executableURL = URL(filePath: Self.buildFolder + "/EditHarness")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = FileHandle(forWritingAtPath: outputPath)
    try process.run()
  }

  /// Where the test runner and everything else that was built lies.
  static var buildFolder: String {
    let runner = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    return (bundle.map { URL(filePath: $0) } ?? runner).deletingLastPathComponent().path
  }

  /// The lines written so far.
  var lines: [String] {
    let text = (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// The revisions whose edits have returned.
  var revisions: [Int64] { lines.compactMap { Int64($0) } }

  /// The kind and wording of the error that ended it.
  var error: String? { lines.first { $0.hasPrefix("error ") } }

  /// Waits until it has written so many lines, or has ended.
  func wait(forLines count: Int) {
    while process.isRunning, lines.count < count { usleep(1000) }
  }

  func kill() {
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// - Returns: its status; nil when a signal ended it.
  func finish() -> Int32? {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }

  /// Whether the long runs are asked for too.
  static let isThorough = ProcessInfo.processInfo.environment["TILAWA_THOROUGH"] != nil
}
