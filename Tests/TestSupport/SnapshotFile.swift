// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A screen kept as text in the folder `Snapshots` beside a test.
///
/// One that is missing is recorded, and so are all with `RECORD_SNAPSHOTS` in the environment; either
/// is a problem, for somebody has to look at what was recorded.
public struct SnapshotFile {
  private let url: URL
  private let name: String

  /// - Parameter test: the path of the test's source file.
  public init(_ name: String, beside test: String = #filePath) {
    self.name = name
    url = URL(filePath: test).deletingLastPathComponent().appending(path: "Snapshots/\(name).txt")
  }

  /// What is wrong with a screen; nil where it is as it was kept.
  public func problem(with screen: String) throws -> String? {
    let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil
    guard !isRecording, let kept = try? String(contentsOf: url, encoding: .utf8) else {
      try screen.write(to: url, atomically: true, encoding: .utf8)
      return "recorded \(name): look at it and run again"
    }
    guard kept != screen else { return nil }
    let differences = zip(
      kept.split(separator: "\n", omittingEmptySubsequences: false),
      screen.split(separator: "\n", omittingEmptySubsequences: false)
    )
    .enumerated().filter { $1.0 != $1.1 }.prefix(6)
    .map { "line \($0 + 1)\n- \($1.0)\n+ \($1.1)" }.joined(separator: "\n")
    return "\(name) differs:\n\(differences)"
  }
}
