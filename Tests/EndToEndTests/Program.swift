// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Subprocess
import SystemPackage
import TestSupport

/// The built program, run as a user would run it, with a home of its own.
struct Program {
  /// Everything the program may write lies in here.
  var home: String { folder.path }
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Outcome {
    let status: TerminationStatus
    let output: String
    let errors: String

    var code: Int32? {
      if case .exited(let code) = status { code } else { nil }
    }
  }

  /// The executable beside the test runner.
  static var path: String {
    let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    let folder = (bundle.map { URL(fileURLWithPath: $0) } ?? runner).deletingLastPathComponent()
    return folder.appendingPathComponent("tilawa-annotate").path
  }

  /// - Parameter program: what is run; the built program if nil.
  func run(
    _ arguments: [String], as program: String? = nil, in folder: String? = nil,
    environment: [String: String] = [:]
  ) async throws -> Outcome {
    let result = try await Subprocess.run(
      .path(FilePath(program ?? Self.path)), arguments: Arguments(arguments),
      environment: .inherit.updating(
        Dictionary(
          uniqueKeysWithValues: (["TILAWA_HOME": home, "LANG": "C.UTF-8", "LC_ALL": ""].merging(
            environment
          ) { $1 }).map { (Subprocess.Environment.Key(rawValue: $0.key)!, $0.value) })),
      workingDirectory: folder.map { FilePath($0) },
      output: .string(limit: 64 << 20), error: .string(limit: 1 << 20))
    return Outcome(
      status: result.terminationStatus, output: result.standardOutput,
      errors: result.standardError)
  }

  func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }
}

/// A recording's result as a program would read it.
struct JSONReport: Decodable {
  struct Pause: Decodable { let start: Double, end: Double, depth_db: Double, confidence: Double }
  struct Boundary: Decodable { let time: Double, confidence: Double }
  struct Segment: Decodable { let start: Double, end: Double, confidence: Double? }
  struct Problem: Decodable { let code: String, message: String }

  let schema: String
  let file: String
  let duration_seconds: Double?
  let sample_rate: Int?
  let frames: Int?
  let detector: String?
  let pauses: [Pause]?
  let boundaries: [Boundary]?
  let segments: [Segment]?
  let warnings: [String]?
  let error: Problem?

  static func lines(_ text: String) throws -> [JSONReport] {
    try text.split(separator: "\n").map {
      try JSONDecoder().decode(JSONReport.self, from: Data($0.utf8))
    }
  }
}
