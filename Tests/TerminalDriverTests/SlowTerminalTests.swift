// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// What a key changes stands behind a few bytes of a picture, however slow the terminal has become. Bytes are counted, not
/// time: at 10 kB a second, 10,000 of them take one.
@Suite(.serialized) struct SlowTerminalTests {
  /// The system holds up to 8 kB at each end of a pseudo-terminal, and one portion may be on its way there.
  private static let most = 24_000

  /// Whether a process does nothing for a moment, or has ended.
  private func isAsleep(_ process: pid_t) -> Bool {
    func look() -> String? {
      let folder = "/proc/\(process)"
      guard let state = try? String(contentsOfFile: folder + "/stat", encoding: .utf8),
        [") S", ") Z"].contains(where: state.contains)
      else { return nil }
      return try? String(contentsOfFile: folder + "/schedstat", encoding: .utf8)
    }
    let before = look()
    usleep(10_000)
    return before != nil && before == look()
  }

  /// A quick terminal, of which the receipts come at once.
  private final class Window {
    let terminal: PseudoTerminal
    private(set) var images = KittyTerminal()
    private var (seen, answered) = (0, 0)

    init(_ environment: [String]) throws {
      terminal = try PseudoTerminal(
        [PseudoTerminal.probePath, "{log}"], type: "xterm-256color", columns: 160, rows: 50,
        environment: ["LANG=C.UTF-8"] + environment)
    }

    func listen() {
      images.interpret(terminal.output[seen...])
      seen = terminal.output.count
      let replies = images.replies[answered...]
      answered = images.replies.count
      if !replies.isEmpty { terminal.send(String(decoding: replies, as: UTF8.self)) }
    }

    func wait(_ what: String, until isSo: () -> Bool) throws {
      try terminal.wait(what) { _ in
        listen()
        return isSo()
      }
    }
  }

  /// 200 kB of pixels in commands of kitty's protocol, and 6,000 cells of two colours.
  @Test(arguments: [["PROBE_PIXELS=kitty", "PROBE_NOISE=320"], ["PROBE_NOISE=150"]])
  func aKeyWaitsForNoFrame(environment: [String]) throws {
    let window = try Window(environment + ["COLORTERM=truecolor"])
    let terminal = window.terminal
    try terminal.waitUntilReady()
    // The line is quick for some frames, and pieces become large.
    for count in 1...8 {
      terminal.send("a")
      try window.wait("key a") { terminal.events.count { $0 == "key a" } == count }
      terminal.send("b")
      try window.wait("key b") { terminal.events.count { $0 == "key b" } == count }
    }
    try window.wait("the end of the picture") {
      let count = terminal.output.count
      terminal.listenAll()
      window.listen()
      return terminal.output.count == count
    }
    // Now it is slow: nothing is read any more, while a picture is being written.
    terminal.send("c")
    // What is left of the picture before stands in the key's way.
    try window.wait("key c") { terminal.events.contains("key c") }
    while !isAsleep(terminal.process) { usleep(1000) }
    // Has all of another line drawn, as a key may.
    terminal.send("\u{1B}[I")
    let before = terminal.output.count
    try terminal.wait("focus true") {
      String(decoding: $0.output[before...], as: UTF8.self).contains("focus true")
    }
    let bytes = Array(terminal.output[before...])
    let place = bytes.firstRange(of: Array("focus true".utf8))?.lowerBound ?? bytes.count
    #expect(place < Self.most, "\(place)")
    // And all of it comes in the end.
    try window.wait("the whole picture") {
      let count = terminal.output.count
      terminal.listenAll()
      window.listen()
      return terminal.output.count == count
    }
    #expect(window.images.faults.isEmpty)
    terminal.order("quit")
    #expect(try terminal.waitForEnd() == 0)
  }
}
