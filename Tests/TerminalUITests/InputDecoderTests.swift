// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TerminalUI

@Suite struct InputDecoderTests {
  private func decode(_ text: String) -> [InputEvent] { decode(Array(text.utf8)) }

  /// Everything at once, and what is left when no more comes.
  private func decode(_ bytes: [UInt8]) -> [InputEvent] {
    var decoder = InputDecoder()
    return decoder.decode(bytes, at: .zero) + decoder.expire()
  }

  private func keys(_ text: String) -> String {
    decode(text).map { if case .key(let event) = $0 { event.name } else { "\($0)" } }
      .joined(separator: " ")
  }

  @Test(arguments: [
    ("aZ 5é", "a Z space 5 é"), ("بّ中🕋", "ب ّ 中 🕋"),
    ("\r\t\u{7F}\u{8}\u{0}\n", "enter tab backspace backspace ctrl-space ctrl-j"),
    ("\u{1}\u{1A}\u{1C}\u{1D}\u{1E}\u{1F}", "ctrl-a ctrl-z ctrl-\\ ctrl-] ctrl-^ ctrl-_"),
    (
      "\u{1B}a\u{1B}é\u{1B}\r\u{1B}\u{7F}\u{1B}\u{1}",
      "alt-a alt-é alt-enter alt-backspace ctrl-alt-a"
    ),
  ])
  func plainKeys(bytes: String, expected: String) {
    #expect(keys(bytes) == expected)
  }

  @Test(arguments: [
    // xterm, tmux and screen
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D\u{1B}[H\u{1B}[F", "up down right left home end"),
    ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD\u{1B}OH\u{1B}OF", "up down right left home end"),
    (
      "\u{1B}[1;2A\u{1B}[1;3B\u{1B}[1;5C\u{1B}[1;8D",
      "shift-up alt-down ctrl-right ctrl-alt-shift-left"
    ),
    (
      "\u{1B}[2~\u{1B}[3~\u{1B}[5~\u{1B}[6~\u{1B}[3;5~", "insert delete pageup pagedown ctrl-delete"
    ),
    ("\u{1B}OP\u{1B}OQ\u{1B}OR\u{1B}OS\u{1B}[15~\u{1B}[17~\u{1B}[24~", "F1 F2 F3 F4 F5 F6 F12"),
    ("\u{1B}[1;2P\u{1B}[24;6~", "shift-F1 ctrl-shift-F12"), ("\u{1B}[Z", "shift-tab"),
    ("\u{1B}[1~\u{1B}[4~", "home end"),
    // the Linux console
    ("\u{1B}[[A\u{1B}[[E\u{1B}[25~\u{1B}[34~", "F1 F5 F13 F20"),
    // rxvt
    (
      "\u{1B}[a\u{1B}[d\u{1B}Oa\u{1B}Od\u{1B}[7~\u{1B}[8~",
      "shift-up shift-left ctrl-up ctrl-left home end"
    ),
    (
      "\u{1B}[3$\u{1B}[3^\u{1B}[3@\u{1B}\u{1B}[A\u{1B}\u{1B}OC",
      "shift-delete ctrl-delete ctrl-shift-delete alt-up alt-right"
    ),
    // the keypad in application mode
    ("\u{1B}OM\u{1B}Oj\u{1B}Ok\u{1B}Op\u{1B}Oy", "enter * + 0 9"),
    // kitty, and xterm's modifyOtherKeys
    ("\u{1B}[97;5u\u{1B}[13;2u\u{1B}[27u\u{1B}[97;2u\u{1B}[57399u", "ctrl-a shift-enter esc A 0"),
    ("\u{1B}[97:65;2u\u{1B}[49:33;2u\u{1B}[97;6u\u{1B}[97;4u", "A ! ctrl-shift-a alt-A"),
    ("\u{1B}[97;1:3u\u{1B}[1;1:3A\u{1B}[1;5:2A\u{1B}[57376u", "ctrl-up F13"),
    ("\u{1B}[27;5;9~\u{1B}[27;6;65~", "ctrl-tab ctrl-shift-A"),
  ])
  func sequences(bytes: String, expected: String) {
    #expect(keys(bytes) == expected)
  }

  @Test func mouseReports() {
    #expect(
      decode("\u{1B}[<0;5;3M\u{1B}[<32;6;3M\u{1B}[<0;6;3m") == [
        .mouse(MouseEvent(.press(.left), at: Point(column: 4, row: 2))),
        .mouse(MouseEvent(.drag(.left), at: Point(column: 5, row: 2))),
        .mouse(MouseEvent(.release(.left), at: Point(column: 5, row: 2))),
      ])
    #expect(
      decode("\u{1B}[<64;1;1M\u{1B}[<81;300;200M\u{1B}[<10;1;1M\u{1B}[<33;2;2M") == [
        .mouse(MouseEvent(.wheel(.up), at: .zero)),
        .mouse(MouseEvent(.wheel(.down), at: Point(column: 299, row: 199), .control)),
        .mouse(MouseEvent(.press(.right), at: .zero, .alt)),
        .mouse(MouseEvent(.drag(.middle), at: Point(column: 1, row: 1))),
      ])
  }

  @Test func mouseReportsOfThreeBytesAreReadTooAndTellWhichButtonWasLetGo() {
    let report: (UInt8, UInt8, UInt8) -> [UInt8] = {
      [0x1B, 0x5B, 0x4D, $0 + 32, $1 + 32, $2 + 32]
    }
    #expect(
      decode(report(2, 3, 4) + report(34, 200, 4) + report(3, 200, 4)) == [
        .mouse(MouseEvent(.press(.right), at: Point(column: 2, row: 3))),
        .mouse(MouseEvent(.drag(.right), at: Point(column: 199, row: 3))),
        .mouse(MouseEvent(.release(.right), at: Point(column: 199, row: 3))),
      ])
  }

  @Test(arguments: [
    "\u{1B}[<0;0;1M", "\u{1B}[<0;1M", "\u{1B}[<0;99999999999;1M", "\u{1B}[<35;1;1M",
    "\u{1B}[<128;1;1M", "\u{1B}[<999;1;1M", "\u{1B}[<0;10000;1M", "\u{1B}[<a;1;1M",
  ])
  func mouseReportsThatCannotBeAreDropped(bytes: String) {
    #expect(!decode(bytes + "x").contains { if case .mouse = $0 { true } else { false } })
    #expect(decode(bytes + "x").last == .key(KeyEvent("x")))
  }

  @Test func pasteIsTextWhateverIsInIt() {
    #expect(
      decode("\u{1B}[200~rm\r\nq\r\u{1B}[A\u{1B}[201\u{1B}[201~x") == [
        .paste("rm\nq\n\u{1B}[A\u{1B}[201"), .key(KeyEvent("x")),
      ])
  }

  @Test func pasteIsBoundedAndEndsWithoutItsEnd() {
    var decoder = InputDecoder()
    var events = decoder.decode(Array("\u{1B}[200~".utf8), at: .zero)
    let block = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 16)
    for _ in 0..<17 { events += decoder.decode(block, at: .zero) }
    #expect(events.isEmpty)
    #expect(decoder.deadline == InputDecoder.pasteWait)
    let text = String(repeating: "a", count: InputDecoder.longestPaste)
    #expect(decoder.expire() == [.paste(text)])
    #expect(decoder.decode(Array("k".utf8), at: .zero) == [.key(KeyEvent("k"))])
  }

  @Test func focus() {
    #expect(decode("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
  }

  @Test func anEscapeIsAKeyWhenNothingFollowsInTime() {
    var decoder = InputDecoder()
    #expect(decoder.decode([0x1B], at: .milliseconds(100)).isEmpty)
    #expect(decoder.deadline == .milliseconds(125))
    #expect(decoder.expire() == [.key(KeyEvent(.escape))])
    #expect(decoder.deadline == nil)
    #expect(
      decoder.decode(Array("[A".utf8), at: .zero) == [
        .key(KeyEvent("[")), .key(KeyEvent("A")),
      ])
  }

  @Test func twoEscapesAreTwoKeys() {
    #expect(keys("\u{1B}\u{1B}") == "esc esc")
    #expect(keys("\u{1B}\u{1B}x") == "esc alt-x")
    #expect(keys("\u{1B}\u{1B}é") == "esc alt-é")
    #expect(keys("\u{1B}\u{1B}\u{1B}") == "esc esc esc")
  }

  /// Receipts come all the time while a picture moves.
  @Test func anEscapeBeforeAnAnswerIsAKey() {
    for answer in ["\u{1B}[0n", "\u{1B}[?62;c", "\u{1B}[6;20;10t", "\u{1B}_Gi=31;OK\u{1B}\\"] {
      #expect(keys("\u{1B}" + answer + "x") == "esc x")
    }
  }

  @Test func altWithABracketIsAKeyWhenNothingFollows() {
    #expect(keys("\u{1B}[") == "alt-[")
    #expect(keys("\u{1B}O") == "alt-O")
    #expect(keys("\u{1B}]") == "alt-]")
  }

  @Test(arguments: [
    "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}[?1;2c", "\u{1B}[>0;276;0c",
    "\u{1B}[?2026;0$y", "\u{1B}[12;", "\u{1B}[12;40\u{18}", "\u{1B}[1;2;3;4A",
    "\u{1B}[999999999999~",
    "\u{1B}[[z", "\u{1B}Oz", "\u{1B}[55296u", "\u{1B}[1114112u", "\u{85}",
  ])
  func answersAndUnknownSequencesAreDropped(bytes: String) {
    let events = decode(bytes)
    // CAN, which ends a sequence, is a key by itself.
    #expect(events.isEmpty || events == [.key(KeyEvent("x", .control))])
  }

  @Test func whatIsNotUTF8IsDropped() {
    #expect(
      decode([0x80, 0xFF, 0xC0, 0x61, 0xC3, 0x62]) == [
        .key(KeyEvent("a")), .key(KeyEvent("b")),
      ])
    #expect(decode([0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80, 0xE2, 0x82]).isEmpty)
    #expect(decode([0xE2, 0x82, 0x1B, 0x5B, 0x41]) == [.key(KeyEvent(.up))])
  }

  @Test func theAnswerAboutSynchronizedOutputIsKept() {
    for (answer, expected) in [("1", true), ("2", true), ("0", false), ("4", false)] {
      var decoder = InputDecoder()
      #expect(decoder.decode(Array("\u{1B}[?2026;\(answer)$y".utf8), at: .zero).isEmpty)
      #expect(decoder.hasSynchronizedOutput == expected)
    }
  }

  @Test func answersAboutImagesAreKeptAndNeverTyped() {
    var decoder = InputDecoder()
    let answers = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;4;22c"
    // However late its parts come, an answer is none of what is typed.
    for byte in answers.utf8 {
      #expect(decoder.decode([byte], at: .zero).isEmpty)
      if case let wait? = decoder.deadline, wait < .seconds(1) { continue }
    }
    #expect(decoder.graphics.hasKitty && decoder.graphics.hasSixel && decoder.graphics.isComplete)
    #expect(decoder.graphics.cell == CellPixels(width: 10, height: 20))
    #expect(decoder.decode(Array("k".utf8), at: .zero) == [.key(KeyEvent("k"))])
    var slow = InputDecoder()
    _ = slow.decode(Array("\u{1B}_Gi=3".utf8), at: .zero)
    #expect(slow.deadline == InputDecoder.pasteWait)
  }

  @Test(arguments: [
    ("rgb:ffff/ffff/dddd\u{1B}\\", true), ("rgb:ff/f0/ff\u{7}", true), ("rgb:f/f/f\u{7}", true),
    ("rgb:1111/1111/2222\u{1B}\\", false), ("rgb:0000/0000/ffff\u{7}", false),
    ("rgb:ffff/ffff\u{7}", nil), ("rgb:fffff/0/0\u{7}", nil), ("rgb:-f/f/f\u{7}", nil),
    ("?\u{7}", nil), ("rgb:ff/ff/ff\u{18}", nil),
  ])
  func theColourOfTheBackgroundIsKeptAndNeverTyped(_ answer: String, _ isLight: Bool?) {
    var decoder = InputDecoder()
    for byte in "\u{1B}]11;\(answer)".utf8 { #expect(decoder.decode([byte], at: .zero).isEmpty) }
    #expect(decoder.graphics.hasLightBackground == isLight)
    #expect(decoder.decode(Array("k".utf8), at: .zero) == [.key(KeyEvent("k"))])
    var other = InputDecoder()
    _ = other.decode(Array("\u{1B}]10;\(answer)".utf8), at: .zero)
    #expect(other.graphics.hasLightBackground == nil)
  }

  @Test(arguments: [
    "\u{1B}_Gi=31;EINVAL:no\u{1B}\\", "\u{1B}_Gi=30;OK\u{1B}\\", "\u{1B}_Gi=31\u{1B}\\",
    "\u{1B}_G;OK\u{1B}\\", "\u{1B}_Hi=31;OK\u{1B}\\", "\u{1B}]Gi=31;OK\u{1B}\\", "\u{1B}_G\u{1B}\\",
    "\u{1B}[?4c", "\u{1B}[?64;1;2c", "\u{1B}[6;1;1t", "\u{1B}[6;20t", "\u{1B}[6;9999;9999t",
    "\u{1B}[8;24;80t", "\u{1B}[6;20;;t",
  ])
  func otherAnswersPromiseNothing(bytes: String) {
    var decoder = InputDecoder()
    let events = decoder.decode(Array(bytes.utf8), at: .zero) + decoder.expire()
    #expect(events.isEmpty)
    #expect(
      !decoder.graphics.hasKitty && !decoder.graphics.hasSixel && decoder.graphics.cell == nil)
  }

  @Test func overlongSequencesAndStringsEnd() {
    let digits = String(repeating: "1;", count: 5000)
    #expect(keys("\u{1B}[\(digits)Ax") == "x")
    var decoder = InputDecoder()
    let string = Array(("\u{1B}]" + String(repeating: "s", count: 100_000)).utf8)
    #expect(decoder.decode(string, at: .zero).count > 90_000)
  }

  private static let pieces: [String] = [
    "a", "é", "中", "🕋", "\u{1B}[A", "\u{1B}OP", "\u{1B}[1;5C", "\u{1B}[<0;5;3M", "\u{1B}[<32;7;9M",
    "\u{1B}[<0;7;9m", "\u{1B}[200~pasted\r\u{1B}[20", "\u{1B}[201~", "\u{1B}x", "\u{1B}\u{1B}[B",
    "\u{1B}[I", "\u{1B}[[C", "\u{1B}[3$", "\u{1B}[?2026;2$y", "\u{1B}]0;t\u{7}", "\u{1B}[M !!",
    "\r",
    "\u{1B}", "\u{1B}[97;5u", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[?62;4c", "\u{1B}[6;20;10t",
    "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", "\u{1B}]11;rgb:0/0/0\u{7}",
  ]

  @Test func cutAnywhereTheEventsAreTheSame() {
    var random = SplitMix64(state: 11)
    for _ in 0..<120 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        bytes += Array((Self.pieces.randomElement(using: &random) ?? "").utf8)
      }
      let whole = decode(bytes)
      for cut in bytes.indices {
        var decoder = InputDecoder()
        let first = decoder.decode(bytes[..<cut], at: .zero)
        let second = decoder.decode(bytes[cut...], at: .seconds(1))
        #expect(first + second + decoder.expire() == whole)
      }
      var decoder = InputDecoder()
      #expect(bytes.flatMap { decoder.decode([$0], at: .zero) } + decoder.expire() == whole)
    }
  }

  @Test func garbageNeverTrapsAndLeavesTheDecoderUsable() {
    var random = SplitMix64(state: 12)
    var decoder = InputDecoder()
    for round in 0..<6000 {
      var bytes = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if round % 2 == 0 {
        var piece = Array((Self.pieces.randomElement(using: &random) ?? "").utf8)
        piece[.random(in: piece.indices, using: &random)] = .random(in: 0...255, using: &random)
        bytes += piece
      }
      _ = decoder.decode(bytes, at: .milliseconds(round))
      if round % 100 == 99 {
        _ = decoder.expire()
        #expect(decoder.deadline == nil)
        #expect(decoder.decode(Array("k".utf8), at: .zero) == [.key(KeyEvent("k"))])
      }
    }
  }
}

@Suite struct KeyNameTests {
  @Test(arguments: [
    "a", "G", "-", "+", "space", "ctrl-s", "ctrl--", "alt-left", "shift-tab", "ctrl-alt-shift-F12",
    "esc", "pagedown", "م", "f",
  ])
  func namesAreReadBack(name: String) {
    #expect(KeyEvent(named: name)?.name == name)
  }

  @Test(arguments: [
    ("C-s", "ctrl-s"), ("Alt-X", "alt-X"), ("shift-ctrl-Up", "ctrl-shift-up"), ("Escape", "esc"),
    ("return", "enter"), ("SPACE", "space"), ("f5", "F5"), ("pgdn", "pagedown"),
  ])
  func otherSpellings(spelling: String, name: String) {
    #expect(KeyEvent(named: spelling)?.name == name)
  }

  @Test(arguments: ["", "ctrl-", "hyper-x", "ab", "F0", "F36", "-a", "ctrl", "ctrl-nothing"])
  func whatNamesNoKeyIsRefused(name: String) {
    #expect(KeyEvent(named: name) == nil)
  }
}
