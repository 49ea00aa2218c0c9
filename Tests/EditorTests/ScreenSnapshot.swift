// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI
import TestSupport
import Testing

/// Compares a screen, its styles included, with the one kept in `Snapshots/`.
func expectSnapshot(
  _ surface: Surface, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  if let problem = try SnapshotFile(name).problem(with: surface.snapshot) {
    Issue.record("\(problem)", sourceLocation: sourceLocation)
  }
}
