// SPDX-License-Identifier: GPL-3.0-or-later

import Editor
import Foundation
import Quran
import TerminalUI
import TestSupport
import Testing

/// Settings, terminals of other kinds, and other scripts.
@Suite(.serialized, .enabled(if: EditorTerminal.isPossible, "no tmux"))
struct EditorLookTests {
  let program: Program
  let folder: TemporaryFolder

  init() async throws {
    program = try Program()
    folder = try TemporaryFolder()
    try await program.importing(folder.copy(of: Recitation.fixture, as: "night.flac"))
  }

  private func opened(
    _ arguments: [String] = [], _ setting: EditorTerminal.Setting = .init()
  ) async throws -> EditorTerminal {
    let terminal = try await EditorTerminal(
      program, ["edit", "night"] + arguments, on: ListeningCard(), setting)
    try await terminal.wait("segments and their sound") {
      $0.segments.count == 6 && $0.rows[2].contains(#/[▁▂▃▄▅▆▇█▌▐▖▗▘▙▚▛▜▝▞▟:#=*+|]/#)
    }
    return terminal
  }

  private func leave(_ terminal: EditorTerminal) async throws {
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    #expect(terminal.errors == "")
  }

  // MARK: Keys

  private func configure(_ text: String) throws {
    let path = program.home + "/config"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try text.write(toFile: path + "/config.toml", atomically: true, encoding: .utf8)
  }

  @Test func keysOfTheSettingsHoldAndAConflictIsReported() async throws {
    try configure(
      """
      [keys]
      "segment.flag" = "ctrl-n"
      "segment.note" = ["W", "ctrl-n"]
      "no.such" = "b"
      """)
    let listed = try await program.run("edit", "--keys")
    #expect(listed.code == 0)
    #expect(listed.output.contains(#/\nctrl-n +segment.flag /#), "\(listed.output)")
    #expect(listed.output.contains(#/\nW +segment.note /#))
    let conflict = "ctrl-n is bound to segment.flag and to segment.note"
    #expect(listed.errors.contains(conflict), "\(listed.errors)")
    #expect(listed.errors.contains("no.such"))

    let terminal = try await opened([], .init(columns: 200, rows: 50))
    try await terminal.wait(for: conflict)
    try terminal.press("C-n")
    try await terminal.wait("the flag") { $0.isFlagged(1) }
    try terminal.press("!")
    try await terminal.wait(for: "! does nothing here")
    try terminal.press("W")
    try await terminal.wait(for: "Note on segment 1")
    try terminal.type("cough")
    try terminal.press("Enter")
    try await terminal.wait("the note") { $0.segment(1)?.contains("cough") == true }
    try await leave(terminal)
    let segment = try await program.shown("night").segments[0]
    #expect(segment.note == "cough" && segment.flagged)
  }

  @Test func theListOfKeysIsATableOfEveryAction() async throws {
    let listed = try await program.run("edit", "--keys", "--markdown")
    #expect(listed.code == 0 && listed.errors == "")
    #expect(listed.output == Keymap.usual.markdown)
  }

  // MARK: Terminals

  /// tmux passes nothing on unless it is told to, and has no place for sixels of its terminal.
  @Test(arguments: [
    ("kitty", "to see them: tmux set -g allow-passthrough on"),
    ("sixel", "editor.pixels = \"sixel\" has no effect under tmux and screen"),
  ]) func aProtocolForImagesWithoutEffectIsSaidToHaveNone(name: String, hint: String) async throws {
    try configure("[editor]\npixels = \"\(name)\"\n")
    let terminal = try await opened()
    try await terminal.wait(for: hint)
    try await leave(terminal)
  }

  @Test func plainASCIIIsEnough() async throws {
    let terminal = try await opened(["--ascii"])
    #expect(try terminal.screen.text.utf8.allSatisfy { $0 < 0x80 })
    for key in ["e", "C-g", "?", "C-g", "i", "C-g", "E", "C-g", "p", "b", "0", "C-g", "a", "C-g"] {
      try terminal.press(key)
      let screen = try terminal.screen
      #expect(screen.text.utf8.allSatisfy { $0 < 0x80 }, "\(key): \(screen.text)")
    }
    try await terminal.wait("segments") { $0.segments.count == 6 }
    try await leave(terminal)
  }

  /// The colours in a styled screen: `38;5;n`, `48;5;n` or `30...37`, `90...97` and so on.
  private func colours(in screen: String) -> Set<String> {
    var colours: Set<String> = []
    for match in screen.matches(of: /\u{1B}\[([0-9;]*)m/) {
      let numbers = match.1.split(separator: ";").map(String.init)
      var index = 0
      while index < numbers.count {
        let number = Int(numbers[index]) ?? 0
        if number == 38 || number == 48 {
          colours.insert(numbers[index...].prefix(3).joined(separator: ";"))
          index += 3
          continue
        }
        if (30...37).contains(number) || (40...47).contains(number)
          || (90...97).contains(number) || (100...107).contains(number)
        {
          colours.insert("\(number)")
        }
        index += 1
      }
    }
    return colours
  }

  @Test func coloursAreThoseThatTheTerminalHas() async throws {
    let palette = try await opened()
    #expect(colours(in: try palette.styledScreen).contains { $0.hasPrefix("38;5;") })
    try await leave(palette)

    let sixteen = try await opened(["--colors", "16"])
    let few = colours(in: try sixteen.styledScreen)
    #expect(!few.isEmpty && few.allSatisfy { !$0.contains(";") }, "\(few)")
    try await leave(sixteen)

    for type in ["linux", "screen"] {
      let terminal = try await opened([], .init(type: type))
      let few = colours(in: try terminal.styledScreen)
      #expect(!few.isEmpty && few.allSatisfy { !$0.contains(";") }, "\(type): \(few)")
      try await leave(terminal)
    }

    let none = try await opened([], .init(environment: ["NO_COLOR": "1"]))
    let screen = try none.styledScreen
    #expect(colours(in: screen).isEmpty)
    // What matters is told apart all the same.
    #expect(screen.contains("\u{1B}[7m") || screen.contains(";7m"))
    try await leave(none)
  }

  @Test func theMouseIsLeftToTheTerminalWhenAsked() async throws {
    let terminal = try await opened(["--no-mouse"])
    #expect(try terminal.flag("mouse_any_flag") == "0")
    try terminal.press(":")
    try await terminal.wait(for: "Commands")
    try terminal.type("toggle.mouse")
    try await terminal.wait(for: "switch the mouse")
    try terminal.press("Enter")
    try await terminal.wait(for: "Mouse on")
    #expect(try terminal.flag("mouse_any_flag") == "1")
    try await leave(terminal)
    #expect(try terminal.flag("mouse_any_flag") == "0")
  }

  // MARK: Arabic

  /// A text with Arabic for 112 and a number for every other ayah.
  private func text() throws -> String {
    let ikhlas = [
      "قُلْ هُوَ اللَّهُ أَحَدٌ", "اللَّهُ الصَّمَدُ", "لَمْ يَلِدْ وَلَمْ يُولَدْ",
      "وَلَمْ يَكُن لَّهُ كُفُوًا أَحَدٌ",
    ]
    let lines = (1...AyahReference.count).map { index -> String in
      guard let ayah = AyahReference(absoluteIndex: index), ayah.surah.number == 112 else {
        return "\(index)"
      }
      return ikhlas[ayah.ayah - 1]
    }
    return try folder.write(Array(lines.joined(separator: "\n").utf8), to: "quran.txt")
  }

  private func hasArabic(_ line: String) -> Bool {
    line.unicodeScalars.contains { 0x620...0x6FF ~= $0.value || 0xFB50...0xFEFC ~= $0.value }
  }

  /// Without what stands above and below letters, and without the spaces at its end.
  private func letters(_ line: String) -> String {
    String(
      String.UnicodeScalarView(
        line.unicodeScalars.filter { !(0x64B...0x65F).contains($0.value) && $0.value != 0x670 }))
  }

  @Test(arguments: [false, true])
  func theTextOfTheAyahStandsBesideIt(isOrdered: Bool) async throws {
    let terminal = try await opened(
      ["--text", try text()] + (isOrdered ? ["--order-arabic"] : []))
    try terminal.press("e")
    try await terminal.wait(for: "Which surah?")
    try terminal.type("112:1")
    let panel = try await terminal.wait(for: "╰─ 112:1 ─")
    // Each row is as wide as the frame that ends it, whatever stands in it.
    let framed = panel.rows.filter { $0.hasPrefix("│") }
    #expect(framed.count > 5 && framed.allSatisfy { $0.hasSuffix("│") }, "\(panel.text)")
    try terminal.press("Enter")
    let shown = try await terminal.wait("the text of the ayah") {
      $0.segment(1)?.contains("112:1") == true
        && $0.rows.contains(where: hasArabic)
    }
    let line = try #require(shown.rows.last(where: hasArabic))
    if isOrdered {
      // In the order of cells from the left, in forms that are joined already.
      #expect(line.unicodeScalars.contains { (0xFE80...0xFEFC).contains($0.value) }, "\(line)")
    } else {
      #expect(letters(line).contains("قل هو الله أحد"), "\(line)")
    }
    try await leave(terminal)
  }

  @Test func aTextThatIsNotWholeIsRefused() async throws {
    let path = try folder.write(Array("1\n2\n".utf8), to: "quran.txt")
    let terminal = try await EditorTerminal(program, ["edit", "night", "--text", path])
    #expect(try await terminal.waitForEnd() == 65)
    #expect(terminal.errors.contains("6236"), "\(terminal.errors)")
  }
}
