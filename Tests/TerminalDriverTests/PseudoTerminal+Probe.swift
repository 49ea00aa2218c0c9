// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport

extension PseudoTerminal {
  /// The probe on a terminal of a type.
  static func probe(
    type: String? = "xterm-256color", cell: (width: UInt16, height: UInt16) = (0, 0),
    environment: [String] = []
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      [probePath, "{log}"], type: type, cell: cell,
      environment: ["LANG=C.UTF-8"] + environment)
  }

  /// The executable beside the test runner.
  static var probePath: String {
    let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    let folder = (bundle.map { URL(fileURLWithPath: $0) } ?? runner).deletingLastPathComponent()
    return folder.appendingPathComponent("terminal-probe").path
  }
}
