// SPDX-License-Identifier: GPL-3.0-or-later

import Editor
import Foundation
import Subprocess
import SystemPackage
import TerminalUI
import TestSupport
import Testing

/// What `Documentation/editor.md` shows of the editor is what the program shows.
struct EditorPageTests {
  let folder: TemporaryFolder
  private static let root = FixtureFolder.url.deletingLastPathComponent()

  init() throws { folder = try TemporaryFolder() }

  private static func page() throws -> String {
    try String(contentsOf: root.appending(path: "Documentation/editor.md"), encoding: .utf8)
  }

  @Test func theTableOfKeysIsTheProgramsOwn() throws {
    let page = try Self.page()
    let begin = try #require(page.range(of: "<!-- keys:begin -->\n"))
    let end = try #require(page.range(of: "<!-- keys:end -->"))
    let table = page[begin.upperBound..<end.lowerBound].trimmingCharacters(in: .newlines)
    #expect(table + "\n" == Keymap.usual.markdown, "'make walkthrough' brings it up to date")
  }

  @Test(.enabled(if: EditorTerminal.isPossible, "no tmux"))
  func theScreensOfTheWalkthroughAreTheProgramsOwn() async throws {
    let before = try Self.page()
    let copy = try folder.write(Array(before.utf8), to: "editor.md")
    let script = Self.root.appending(path: "Scripts/capture-walkthrough.sh").path
    let result = try await Subprocess.run(
      .path("/bin/bash"), arguments: [script, Program.path, copy],
      output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
    #expect(result.terminationStatus == .exited(0), "\(result.standardError)")
    let after = try String(contentsOfFile: copy, encoding: .utf8)
    let differences = zip(before.split(separator: "\n"), after.split(separator: "\n"))
      .filter { $0 != $1 }
    #expect(before == after, "'make walkthrough' brings it up to date: \(differences)")
  }
}
