// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TerminalUI
import Testing

/// Compares a screen, its styles included, with the one kept in `Snapshots/`.
///
/// One that is missing is recorded, and so are all with `RECORD_SNAPSHOTS` in the environment; either
/// fails the run, for somebody has to look at what was recorded.
func expectSnapshot(
  _ surface: Surface, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snapshots")
  let file = folder.appending(path: name + ".txt")
  let screen = surface.snapshot
  let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil
  guard !isRecording, let kept = try? String(contentsOf: file, encoding: .utf8) else {
    try screen.write(to: file, atomically: true, encoding: .utf8)
    Issue.record("recorded \(name): look at it and run again", sourceLocation: sourceLocation)
    return
  }
  guard kept != screen else { return }
  let differences = zip(
    kept.split(separator: "\n", omittingEmptySubsequences: false),
    screen.split(separator: "\n", omittingEmptySubsequences: false)
  )
  .enumerated().filter { $1.0 != $1.1 }.prefix(6)
  .map { "line \($0 + 1)\n- \($1.0)\n+ \($1.1)" }.joined(separator: "\n")
  Issue.record("\(name) differs:\n\(differences)", sourceLocation: sourceLocation)
}
