// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct TerminalEventTests {
  @Test(arguments: [
    "xterm-256color", "tmux-256color", "screen-256color", "linux", "vt100", "xterm",
  ])
  func keysAndMouseArriveAsEvents(type: String) throws {
    let terminal = try PseudoTerminal.probe(type: type)
    try terminal.waitUntilReady()
    terminal.send("a\u{1}\u{1B}[A\u{1B}OP\u{1B}xم\r")
    terminal.send("\u{1B}[<0;5;3M\u{1B}[<32;6;3M\u{1B}[<8;1;1M\u{1B}[<0;6;3m\u{1B}[<80;2;2M")
    terminal.send("\u{1B}[I\u{1B}[200~two\rlines\u{1B}[201~")
    try terminal.wait(forLine: "lines")
    #expect(
      terminal.events == [
        "key a", "key ctrl-a", "key up", "key F1", "key alt-x", "key م", "key enter",
        "mouse press(\(left)) 4,2 0", "mouse drag(\(left)) 5,2 0", "mouse press(\(left)) 0,0 2",
        "mouse release(\(left)) 5,2 0", "mouse wheel(\(wheel).up) 1,1 4", "focus true", "paste two",
        "lines",
      ])
    terminal.order("quit")
    #expect(try terminal.waitForEnd() == 0)
  }

  private let left = "TerminalUI.MouseEvent.Button.left"
  private let wheel = "TerminalUI.MouseEvent.WheelDirection"

  /// Nothing else wakes the probe once the time is up. That sequences may come in parts is a promise of the decoder's,
  /// tested there without a clock.
  @Test func anEscapeAloneIsAKey() throws {
    let terminal = try PseudoTerminal.probe()
    try terminal.waitUntilReady()
    terminal.send("\u{1B}")
    try terminal.wait(forLine: "key esc")
    #expect(terminal.events == ["key esc"])
  }

  @Test func whatIsTypedBeforeTheScreenIsUpIsKeptAndNotShown() throws {
    let terminal = try PseudoTerminal.probe(environment: ["PROBE_HOLDS=1"])
    try terminal.wait(forLine: "held")
    terminal.send("abc\r\u{1B}[A")
    try terminal.wait("the keys") { $0.unreadBytes == 7 }
    terminal.signal(SIGUSR1)
    try terminal.wait(forLine: "key up")
    #expect(terminal.events.dropFirst() == ["key a", "key b", "key c", "key enter", "key up"])
    #expect(!terminal.text.contains("abc"))
    terminal.order("quit")
    #expect(try terminal.waitForEnd() == 0)
    #expect(terminal.modes == terminal.modesBefore)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalBeforeTheScreenIsUpEndsItAtOnce(number: Int32) throws {
    let terminal = try PseudoTerminal.probe(environment: ["PROBE_HOLDS=1"])
    try terminal.wait(forLine: "held")
    #expect(terminal.modes != terminal.modesBefore)
    terminal.signal(number)
    #expect(try terminal.waitForEnd() & 0x7F == number)
    #expect(terminal.modes == terminal.modesBefore)
    #expect(terminal.output.isEmpty)
  }

  @Test func sizeIsToldAtFirstAndWhenItChanges() throws {
    let terminal = try PseudoTerminal.probe()
    try terminal.waitUntilReady()
    #expect(terminal.log[0].hasSuffix(" 80x24"))
    terminal.resize(columns: 132, rows: 43)
    try terminal.wait(forLine: "resize 132x43")
    try terminal.wait(forOutput: "probe 132x43")
  }

  @Test func anotherThreadEndsTheWait() throws {
    let terminal = try PseudoTerminal.probe()
    try terminal.waitUntilReady()
    terminal.order("wake")
    try terminal.wait(forLine: "woken")
    #expect(terminal.events == ["paste run wake", "woken"])
  }

  @Test func drawsOnlyWhatChanged() throws {
    let terminal = try PseudoTerminal.probe()
    try terminal.waitUntilReady()
    try terminal.wait("a whole frame") {
      $0.text.contains("ready") && $0.text.hasSuffix("\u{1B}[?25h")
    }
    let before = terminal.output.count
    terminal.send("a")
    try terminal.wait(forOutput: "key")
    try terminal.wait(forLine: "key a")
    #expect(terminal.output.count - before < 60)
  }

  @Test func aTypeThatIsNotKnownHereIsTakenForThatOfItsFamily() throws {
    let terminal = try PseudoTerminal.probe(type: "xterm-of-tomorrow")
    try terminal.waitUntilReady()
    terminal.send("a")
    try terminal.wait(forLine: "key a")
  }

  /// Types that no package describes, whose families are known or not, and one that the family's does for.
  @Test(arguments: [
    ("foot-of-tomorrow", "", "xterm-256color"), ("alacritty-of-tomorrow", "", "xterm-256color"),
    ("xterm-kitty", "", nil), ("no-such-type", "truecolor", "xterm-256color"),
    ("new-256color", "", "xterm-256color"), ("no-such-type", "", "vt100"),
    ("xterm-17color", "", "xterm-256color"), ("new-direct", "", "xterm-256color"),
  ])
  func aTypeOfWhichNothingIsKnownIsTakenForOneThatItResembles(
    type: String, colors: String, standIn: String?
  ) throws {
    let terminal = try PseudoTerminal.probe(type: type, environment: ["COLORTERM=\(colors)"])
    try terminal.waitUntilReady()
    terminal.send("a")
    try terminal.wait(forLine: "key a")
    // What is said of the type comes before the key.
    #expect(terminal.log.contains("type \(type) like \(standIn ?? "")") == (standIn != nil))
    // The frame comes after what opens the screen.
    try terminal.wait(forOutput: "ready")
    #expect(terminal.text.contains("\u{1B}[?1049h") == (standIn != "vt100"))
  }

  @Test(arguments: [("xterm-16color", false), ("xterm-kitty", true)])
  func aTypeHasNoMoreColoursThanItsNameSays(type: String, hasMany: Bool) throws {
    let terminal = try PseudoTerminal.probe(type: type, environment: ["COLORTERM="])
    try terminal.waitUntilReady()
    try terminal.wait(forOutput: "ready")
    #expect(terminal.text.contains("38;5;") == hasMany)
  }

  @Test(arguments: [
    ("dumb", "'dumb' cannot be used (it lacks 'cup')"),
    ("", "TERM is not set"),
  ])
  func refusesATypeThatCannotDraw(type: String, reason: String) throws {
    let terminal = try PseudoTerminal.probe(type: type)
    let before = terminal.modesBefore
    #expect(try terminal.waitForEnd() == 69 << 8)
    #expect(terminal.log.count == 1)
    #expect(terminal.log[0].hasPrefix("refused: "))
    #expect(terminal.log[0].contains(reason))
    #expect(terminal.output.isEmpty)
    #expect(terminal.modes == before)
  }

  @Test func refusesWhatIsNoTerminal() throws {
    let terminal = try PseudoTerminal(
      ["/bin/sh", "-c", "\(PseudoTerminal.probePath) {log} </dev/null"], type: "xterm")
    #expect(try terminal.waitForEnd() == 69 << 8)
    #expect(terminal.log == ["refused: standard input is not a terminal"])
  }
}
