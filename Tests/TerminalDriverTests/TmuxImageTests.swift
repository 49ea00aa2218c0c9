// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// Images in a real tmux, whose own terminal is the test.
@Suite(.serialized, .enabled(if: TmuxWindow.isPossible, "no tmux")) struct TmuxImageTests {
  private func window(
    passesOn: Bool = true, knowsImages: Bool = true, _ environment: [String] = ["PROBE_PIXELS=auto"]
  ) throws -> TmuxWindow {
    try TmuxWindow(
      [PseudoTerminal.probePath, "{log}"], passesOn: passesOn, knowsImages: knowsImages,
      environment: environment)
  }

  /// Whether one image is shown whole in ten cells by four, as the probe draws it.
  private func isShown(_ window: TmuxWindow) -> Bool {
    guard let (number, size) = window.images.placementsByText.max(by: { $0.key < $1.key }) else {
      return false
    }
    let seen = KittyPlaceholders(screen: window.screen)
    return size == [10, 4] && seen.faults.isEmpty
      && window.images.placementsByText.keys.contains { number in
        let cells = seen.cells(of: number)
        return cells.count == 40
          && cells.allSatisfy { $0.part.column == $0.column - 5 && $0.part.row == $0.row - 5 }
      } && window.images.images[number] != nil
  }

  /// Waits until the terminal has been asked. One that tmux had not joined yet is asked again with a key: on a busy
  /// machine some are pressed.
  private func waitForQuestion(_ window: TmuxWindow) throws {
    var keys = 0
    try window.wait("the question") {
      guard window.images.queries.isEmpty else { return true }
      let events = try window.events
      if events.contains(where: { $0.hasPrefix("ready") }),
        events.count(where: { $0 == "key w" }) == keys
      {
        window.terminal.send("w")
        keys += 1
      }
      return false
    }
  }

  private func waitForImage(_ window: TmuxWindow) throws {
    try waitForQuestion(window)
    try window.wait("the image") { isShown(window) }
  }

  @Test func imagesAreShownInTheCellsThatTmuxDraws() throws {
    let window = try window()
    try waitForImage(window)
    #expect(Set(window.images.queries) == [31] && window.images.faults.isEmpty)
    // Nothing is placed by itself, which tmux would not know of.
    #expect(window.images.placements.isEmpty)
    // Another image for the next line.
    let sent = window.images.transmitted.count
    window.terminal.send("k")
    try window.wait("another image") {
      isShown(window) && window.images.transmitted.count > sent
    }
    // The answers were no keys.
    try window.wait(forEvent: "key k")
    #expect(try window.events.filter { $0.hasPrefix("key") && $0 != "key w" } == ["key k"])
    // A pane beside it, which tmux makes room for. The keys stay here: with them a receipt that is under way would go to
    // the other pane, and the next image would wait for a key.
    try window.tell(["split-window", "-d", "-h", "-l", "20", "exec sleep 1000"])
    try window.wait("the image beside the other pane") { isShown(window) }
    try window.tell(["kill-pane", "-t", "{right}"])
    window.order("quit")
    try window.waitForEnd()
    #expect(window.images.images.isEmpty && window.images.placementsByText.isEmpty)
    #expect(window.images.faults.isEmpty)
  }

  @Test(arguments: ["exit", "abort", "overflow", "trap"])
  func noneIsLeftBehind(command: String) throws {
    let window = try window()
    try waitForImage(window)
    window.order(command)
    try window.waitForEnd()
    #expect(window.images.images.isEmpty && window.images.placementsByText.isEmpty)
  }

  @Test func whereTheTerminalDoesNotAnswerNothingIsSent() throws {
    let window = try window(knowsImages: false)
    try waitForQuestion(window)
    window.terminal.send("k")
    try window.wait(forEvent: "key k")
    window.order("quit")
    try window.waitForEnd()
    #expect(Set(window.images.queries) == [31])
    #expect(window.images.transmitted.isEmpty && window.images.deletions.isEmpty)
    let (_, others) = TmuxLine.split(window.terminal.output)
    #expect(!String(decoding: others, as: UTF8.self).contains("\u{10EEEE}"))
    #expect(try window.events.filter { $0.hasPrefix("pixels") }.isEmpty)
  }

  @Test func whereTmuxPassesNothingOnNothingComes() throws {
    let window = try window(passesOn: false)
    try window.wait(forEvent: "ready")
    window.terminal.send("k")
    try window.wait(forEvent: "key k")
    window.order("quit")
    try window.waitForEnd()
    #expect(window.images.queries.isEmpty && window.images.transmitted.isEmpty)
    #expect(!window.terminal.text.contains("\u{1B}_") && !window.terminal.text.contains("Gi="))
  }
}
