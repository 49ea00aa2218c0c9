// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct TerminalRestoreTests {
  private static let ownModes: Set<String> = ["1002", "1004", "1006", "1049", "2004"]

  /// What `waitpid` says: an exit code, or the signal.
  private static func exited(_ code: Int32) -> Int32 { code << 8 }

  @Test(arguments: [
    ("quit", exited(0)), ("exit", exited(3)), ("abort", SIGABRT), ("overflow", SIGSEGV),
  ])
  func restoresWhateverTheProgramDoes(command: String, expected: Int32) throws {
    let terminal = try PseudoTerminal.probe()
    let before = terminal.modesBefore
    try terminal.waitUntilReady()
    #expect(terminal.modes != before)
    terminal.order(command)
    #expect(try terminal.waitForEnd() & ~0x80 == expected)
    expectRestored(terminal, before)
  }

  @Test(arguments: ["trap", "throw"])
  func restoresAfterTraps(command: String) throws {
    let terminal = try PseudoTerminal.probe()
    let before = terminal.modesBefore
    try terminal.wait("its own modes") { Self.ownModes.isSubset(of: $0.privateModes) }
    terminal.order(command)
    // The instruction of a trap is one of the processor's.
    #expect([SIGILL, SIGTRAP].contains(try terminal.waitForEnd() & 0x7F))
    expectRestored(terminal, before)
  }

  @Test(arguments: [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT])
  func restoresAfterFaults(number: Int32) throws {
    let terminal = try PseudoTerminal.probe()
    let before = terminal.modesBefore
    try terminal.waitUntilReady()
    terminal.signal(number)
    #expect(try terminal.waitForEnd() & 0x7F == number)
    expectRestored(terminal, before)
  }

  @Test(arguments: [
    (SIGTERM, "stop terminate"), (SIGHUP, "stop hangUp"), (SIGINT, "stop interrupt"),
    (SIGQUIT, "stop quit"),
  ])
  func asksTheProgramToEnd(number: Int32, event: String) throws {
    let willing = try PseudoTerminal.probe()
    let before = willing.modesBefore
    try willing.waitUntilReady()
    willing.signal(number)
    #expect(try willing.waitForEnd() == 0)
    #expect(willing.events == [event])
    expectRestored(willing, before)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGQUIT])
  func endsTheProgramThatDoesNotAnswerWhenAskedTwice(number: Int32) throws {
    let stuck = try PseudoTerminal.probe()
    try stuck.waitUntilReady()
    stuck.order("sleep")
    try stuck.wait(forLine: "paste run sleep")
    stuck.signal(number)
    // Signals of one kind that come together are one.
    try stuck.wait("the first signal's arrival") { !$0.isPending(number) }
    stuck.signal(number)
    #expect(try stuck.waitForEnd() & 0x7F == number)
    expectRestored(stuck, stuck.modesBefore)
  }

  /// The shell and the system may each send one when a window closes.
  @Test func hangUpsThatFollowTheFirstChangeNothing() throws {
    let terminal = try PseudoTerminal.probe()
    try terminal.waitUntilReady()
    terminal.order("pause")
    try terminal.wait(forLine: "paste run pause")
    for _ in 0..<3 {
      terminal.signal(SIGHUP)
      try terminal.wait("the signal's arrival") { !$0.isPending(SIGHUP) }
    }
    terminal.signal(SIGUSR1)
    #expect(try terminal.waitForEnd() == 0)
    #expect(terminal.events == ["paste run pause", "stop hangUp"])
  }

  @Test func endsWhenTheTerminalHasGone() throws {
    let terminal = try PseudoTerminal.probe()
    try terminal.waitUntilReady()
    terminal.hangUp()
    #expect(try terminal.waitForEnd() == 0)
    #expect(terminal.events == ["stop hangUp"])
  }

  /// The system sends SIGHUP and SIGCONT then. Whoever was stopped finds both at once.
  @Test func asksNothingOfATerminalThatHasGoneWhileItWasStopped() throws {
    let terminal = try PseudoTerminal.probe()
    try terminal.waitUntilReady()
    try terminal.stop()
    terminal.hangUp()
    #expect(try terminal.waitForEnd() == 0)
    #expect(terminal.events == ["stop hangUp"])
  }

  @Test(arguments: ["by the program", "by a signal"])
  func givesTheTerminalBackWhileStopped(how: String) throws {
    let script = """
      set -m
      \(PseudoTerminal.probePath) {log}
      echo "stopped $?"
      read line
      fg >/dev/null
      echo "ended $?"
      """
    let terminal = try PseudoTerminal(["/bin/bash", "-c", script], type: "xterm-256color")
    let before = terminal.modesBefore
    try terminal.waitUntilReady()
    let raw = terminal.modes
    #expect(raw != before)
    if how == "by a signal" {
      kill(try #require(terminal.probe), SIGTSTP)
    } else {
      terminal.order("suspend")
    }
    try terminal.wait(forOutput: "stopped 148")
    expectRestored(terminal, before)

    terminal.send("\n")
    try terminal.wait(forLine: "resize 80x24")
    try terminal.wait("its own modes again") {
      $0.modes == raw && Self.ownModes.isSubset(of: $0.privateModes)
    }
    terminal.send("k")
    try terminal.wait(forLine: "key k")
    terminal.order("quit")
    try terminal.wait(forOutput: "ended 0")
    expectRestored(terminal, before)
  }

  /// Its group is orphaned: the system throws SIGTSTP away, and nobody would continue it.
  @Test(arguments: ["by the program", "by a signal"])
  func takesTheTerminalAgainWhereNobodyCouldContinueIt(how: String) throws {
    let terminal = try PseudoTerminal.probe()
    try terminal.waitUntilReady()
    try terminal.wait(forOutput: "ready")
    let raw = terminal.modes
    if how == "by a signal" { terminal.signal(SIGTSTP) } else { terminal.order("suspend") }
    try terminal.wait(forLine: "resize 80x24")
    try terminal.wait("another frame") { $0.text.matches(of: /probe 80x24/).count >= 2 }
    #expect(terminal.modes == raw && Self.ownModes.isSubset(of: terminal.privateModes))
    terminal.send("k")
    try terminal.wait(forLine: "key k")
    terminal.order("quit")
    #expect(try terminal.waitForEnd() == 0)
    expectRestored(terminal, terminal.modesBefore)
  }

  @Test func drawsAnewAfterBeingHeldByASignalThatCannotBeCaught() throws {
    let terminal = try PseudoTerminal.probe()
    try terminal.waitUntilReady()
    try terminal.wait(forOutput: "ready")
    try terminal.stop()
    terminal.signal(SIGCONT)
    try terminal.wait(forLine: "resize 80x24")
    try terminal.wait("another frame") {
      $0.text.matches(of: /probe 80x24/).count == 2
    }
    #expect(terminal.events == ["resize 80x24"])
  }

  private func expectRestored(_ terminal: PseudoTerminal, _ modes: [UInt32]) {
    #expect(terminal.modes == modes)
    // The cursor is shown, which is a mode that is on.
    #expect(terminal.privateModes.subtracting(["25", "12"]).isEmpty)
    #expect(terminal.privateModes.contains("25"))
  }
}
