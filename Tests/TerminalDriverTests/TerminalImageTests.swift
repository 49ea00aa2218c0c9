// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TerminalUI
import TestSupport
import Testing

/// Images in true pixels: asked for, shown, and gone on every way out.
@Suite(.serialized) struct TerminalImageTests {
  private static let auto = ["PROBE_PIXELS=auto"]
  /// What a terminal with kitty's protocol and cells of 10 by 20 pixels answers.
  private static let answers = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;c"

  private func images(_ terminal: PseudoTerminal) -> KittyTerminal {
    var model = KittyTerminal()
    model.interpret(terminal.output)
    return model
  }

  /// A probe that has been told that its terminal shows images, and shows one.
  private func withImage(_ environment: [String] = auto) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal.probe(environment: environment)
    try terminal.waitUntilReady()
    terminal.send(Self.answers)
    try terminal.wait(forLine: "pixels 10x20")
    try terminal.wait("an image") { images($0).shown.count == 1 }
    return terminal
  }

  @Test func nothingIsWaitedForAndNothingOfTheAnswersIsTyped() throws {
    let terminal = try PseudoTerminal.probe(environment: Self.auto)
    // The first frame is there although nobody has answered.
    try terminal.waitUntilReady()
    try terminal.wait(forOutput: "ready")
    #expect(images(terminal).queries == [31] && images(terminal).images.isEmpty)
    terminal.send("a" + Self.answers + "b")
    try terminal.wait(forLine: "pixels 10x20")
    try terminal.wait(forLine: "key b")
    #expect(terminal.events.filter { !$0.hasPrefix("pixels") } == ["key a", "key b"])
    try terminal.wait("an image") { images($0).shown.count == 1 }
    #expect(
      images(terminal).shown.map(\.placement) == [
        .init(column: 5, row: 5, columns: 10, rows: 4, layer: -1)
      ])
    #expect(images(terminal).faults.isEmpty)
  }

  @Test(arguments: [("ffff/ffff/ffff", true), ("0000/0000/0000", false)])
  func aLightBackgroundHasAllDrawnAgain(color: String, isLight: Bool) throws {
    let terminal = try PseudoTerminal.probe(environment: Self.auto)
    try terminal.waitUntilReady()
    terminal.send("\u{1B}]11;rgb:\(color)\u{1B}\\" + Self.answers + "k")
    try terminal.wait(forLine: "key k")
    // The answer that came last is told last, so that what the colour led to is in the log by then.
    try terminal.wait(forLine: "pixels 10x20")
    #expect(terminal.events.contains { $0.hasPrefix("resize") } == isLight)
    #expect(terminal.events.filter { $0.hasPrefix("key") } == ["key k"])
    try terminal.wait("an image") { images($0).shown.count == 1 }
    #expect(images(terminal).faults.isEmpty)
  }

  @Test(arguments: [
    "\u{1B}[?62;c", "\u{1B}_Gi=31;ENOTSUP:no\u{1B}\\\u{1B}[?62;c", "\u{1B}[6;20;10t",
    "\u{1B}_Gi=31;OK\u{7}\u{1B}[?1;2c",
  ])
  func withoutTheAnswerThereAreNone(answer: String) throws {
    let terminal = try PseudoTerminal.probe(environment: Self.auto)
    try terminal.waitUntilReady()
    terminal.send(answer + "k")
    terminal.order("quit")
    #expect(try terminal.waitForEnd() == 0)
    #expect(terminal.events == ["key k", "paste run quit"])
    #expect(images(terminal).transmitted.isEmpty && images(terminal).deletions.isEmpty)
  }

  @Test(arguments: [
    ["PROBE_PIXELS=off"], [], auto + ["STY=1.pts"], auto + ["NO_COLOR=1"],
    ["PROBE_PIXELS=sixel", "TMUX=/tmp/tmux,1,0"], auto + ["TMUX=/tmp/tmux,1,0", "STY=1.pts"],
  ])
  func whoCannotShowThemIsNotAsked(environment: [String]) throws {
    let terminal = try PseudoTerminal.probe(environment: environment)
    try terminal.waitUntilReady()
    try terminal.wait(forOutput: "ready")
    #expect(!terminal.text.contains("\u{1B}_") && !terminal.text.contains("\u{1B}[c"))
    terminal.order("quit")
    #expect(try terminal.waitForEnd() == 0)
    #expect(!terminal.text.contains("\u{1B}_"))
  }

  @Test func whoIsToldToDoesNotWaitForTheAnswer() throws {
    let terminal = try PseudoTerminal.probe(
      cell: (8, 17), environment: ["PROBE_PIXELS=kitty"])
    try terminal.wait(forLine: "pixels 8x17")
    try terminal.wait("an image") { images($0).shown.count == 1 }
    // Letters of another size, in as many cells.
    terminal.resize(columns: 80, rows: 24, cell: (12, 25))
    try terminal.wait(forLine: "pixels 12x25")
  }

  @Test func theImageChangesWithWhatIsDrawnAndStaysWhereNothingDoes() throws {
    let terminal = try withImage()
    let before = images(terminal).transmitted.count
    terminal.send("k")
    try terminal.wait("another image") {
      let now = images($0)
      return now.transmitted.count > before && now.shown.first?.image.width == "key k".count
    }
    // The one before is deleted once the new one is there.
    try terminal.wait("one image") { images($0).images.count == 1 }
    let sent = images(terminal).transmitted.count
    terminal.send("k")
    terminal.order("quit")
    #expect(try terminal.waitForEnd() == 0)
    #expect(terminal.events.suffix(3) == ["key k", "key k", "paste run quit"])
    #expect(images(terminal).transmitted.count == sent && images(terminal).faults.isEmpty)
  }

  @Test(arguments: ["quit", "exit", "abort", "overflow", "trap"])
  func noneIsLeftBehind(command: String) throws {
    let terminal = try withImage()
    terminal.order(command)
    _ = try terminal.waitForEnd()
    let left = images(terminal)
    #expect(left.images.isEmpty && left.placements.isEmpty && left.faults.isEmpty)
    #expect(terminal.privateModes.subtracting(["25", "12"]).isEmpty)
  }

  @Test(arguments: [SIGSEGV, SIGTERM, SIGINT, SIGHUP])
  func noneIsLeftBehindBySignals(number: Int32) throws {
    let terminal = try withImage()
    terminal.signal(number)
    _ = try terminal.waitForEnd()
    #expect(images(terminal).images.isEmpty && images(terminal).placements.isEmpty)
  }

  @Test func whileItIsStoppedThereAreNoneAndAfterwardsThereAreAgain() throws {
    let script = """
      set -m
      \(PseudoTerminal.probePath) {log}
      echo "stopped $?"
      read line
      fg >/dev/null
      echo "ended $?"
      """
    let terminal = try PseudoTerminal(
      ["/bin/bash", "-c", script], type: "xterm-256color",
      environment: ["LANG=C.UTF-8"] + Self.auto)
    try terminal.waitUntilReady()
    terminal.send(Self.answers)
    try terminal.wait("an image") { images($0).shown.count == 1 }
    terminal.order("suspend")
    try terminal.wait(forOutput: "stopped 148")
    #expect(images(terminal).images.isEmpty && images(terminal).placements.isEmpty)
    terminal.send("\n")
    try terminal.wait("an image again") { images($0).shown.count == 1 }
    terminal.order("quit")
    try terminal.wait(forOutput: "ended 0")
    #expect(images(terminal).images.isEmpty && images(terminal).faults.isEmpty)
  }

  @Test(arguments: ["PROBE_PIXELS=sixel", "PROBE_PIXELS=auto"])
  func aTerminalWithSixelsIsSentThem(environment: String) throws {
    let terminal = try PseudoTerminal.probe(environment: [environment])
    try terminal.waitUntilReady()
    terminal.send("\u{1B}[6;20;10t\u{1B}[?62;4;22c")
    try terminal.wait(forLine: "pixels 10x20")
    // Raster attributes of ten cells by four.
    try terminal.wait(forOutput: "\u{1B}P0;1;0q\"1;1;100;80")
    terminal.order("quit")
    #expect(try terminal.waitForEnd() == 0)
    #expect(!terminal.text.contains("a=p"))
    #expect(terminal.privateModes.subtracting(["25", "12"]).isEmpty)
  }

  /// Sixels are not stretched: without the size of a cell they would not fit.
  @Test func sixelsNeedTheSizeOfACell() throws {
    let terminal = try PseudoTerminal.probe(environment: Self.auto)
    try terminal.waitUntilReady()
    terminal.send("\u{1B}[?62;4ck")
    terminal.order("quit")
    #expect(try terminal.waitForEnd() == 0)
    #expect(terminal.events == ["key k", "paste run quit"])
  }

  @Test func nothingIsLeftToBeTypedIntoTheShell() throws {
    let terminal = try PseudoTerminal.probe(environment: Self.auto)
    try terminal.waitUntilReady()
    terminal.order("quit")
    terminal.send(Self.answers)
    #expect(try terminal.waitForEnd() == 0)
    #expect(terminal.unreadBytes == 0)
  }
}
