// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import TerminalUI

/// The encoder's bytes through a real terminal, and the screen that it makes of them.
@Suite(.serialized, .enabled(if: Tmux.isInstalled)) final class TmuxTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [ColorDepth.palette, .sixteen])
  func tmuxShowsWhatWasDrawn(depth: ColorDepth) throws {
    let size = Size(columns: 60, rows: 12)
    let tmux = try Tmux(size: size, folder: folder)
    var drawing = RandomDrawing(seed: 5)
    // Their widths are tmux's own affair; that it differs is what the other cells must survive.
    drawing.texts.removeAll { text in
      text.string.unicodeScalars.contains { $0.value >= 0x1F000 || $0 == "\u{FE0F}" }
    }
    var encoder = FrameEncoder(dialect: TerminalDialect(depth: depth))
    var surface = Surface(size: size)
    for _ in 0..<12 {
      for _ in 0..<6 { drawing.draw(on: &surface) }
      let expected = surface.expected(depth: depth)
      var screen = TerminalModel(size: size)
      try tmux.show(encoder.encode(surface), rows: size.rows) { capture in
        screen = TerminalModel(size: size)
        screen.interpret(capture)
        return screen.screen == expected
      }
      #expect(screen.screen == expected)
    }
  }

  @Test func aCharacterOfDoubtfulWidthShiftsNothing() throws {
    let size = Size(columns: 30, rows: 4)
    let tmux = try Tmux(size: size, folder: folder)
    var encoder = FrameEncoder(dialect: .xterm)
    var surface = Surface(size: size)
    let doubtful = ["❤️", "👨‍👩‍👧", "🏳️‍🌈", "☎", "🇪🇬", "한", "क्ष", "👍🏽"]
    for (frame, text) in doubtful.enumerated() {
      surface.fill()
      let end = surface.write(TerminalText(text), at: Point(column: 3, row: 1))
      surface.write("|\(frame) end", at: Point(column: 3 + end, row: 1))
      surface.write("below", at: Point(column: 3, row: 2))
      var rows: [String] = []
      try tmux.show(encoder.encode(surface), rows: size.rows) { capture in
        rows = String(decoding: capture, as: UTF8.self).components(separatedBy: "\r\n")
          .map { $0.trimmingCharacters(in: .whitespaces) }
        return rows[1].hasSuffix("|\(frame) end") && rows[2] == "below"
      }
      #expect(rows[1].hasSuffix("|\(frame) end"))
      #expect(rows[2] == "below")
    }
  }
}

/// A tmux of its own, with one window that shows what is sent to it.
private final class Tmux {
  private static let path = "/usr/bin/tmux"
  static let isInstalled = FileManager.default.isExecutableFile(atPath: path)

  struct Problem: Error, CustomStringConvertible { let description: String }

  private let socket: String
  private let folder: TemporaryFolder
  /// The window's end of its terminal.
  private var pane: Int32 = -1

  init(size: Size, folder: TemporaryFolder) throws {
    self.folder = folder
    socket = folder.path("tmux")
    _ = try run([
      "-f", "/dev/null", "-u", "new-session", "-d", "-x", "\(size.columns)", "-y", "\(size.rows)",
      "exec sleep 1000", ";", "set", "-g", "status", "off", ";", "resize-window", "-x",
      "\(size.columns)", "-y", "\(size.rows)",
    ])
    let name = try run(["display-message", "-p", "#{pane_tty}"])
    pane = open(
      String(decoding: name, as: UTF8.self).trimmingCharacters(in: .newlines),
      O_RDWR | O_NOCTTY | O_CLOEXEC)
    var modes = termios()
    tcgetattr(pane, &modes)
    cfmakeraw(&modes)
    tcsetattr(pane, TCSANOW, &modes)
  }

  deinit {
    close(pane)
    _ = try? run(["kill-server"])
  }

  /// Writes to the window until it shows what is expected, or has not for two minutes.
  func show(_ bytes: [UInt8], rows: Int, until isShown: ([UInt8]) -> Bool) throws {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { write(pane, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Problem(description: "write: \(errno)") }
      done += count
    }
    let end = ContinuousClock.now + .seconds(120)
    while try !isShown(capture(rows: rows)), ContinuousClock.now < end { usleep(10_000) }
  }

  /// The screen as bytes that would draw it, row by row.
  func capture(rows: Int) throws -> [UInt8] {
    let text = String(decoding: try run(["capture-pane", "-p", "-e", "-N"]), as: UTF8.self)
    return Array(
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .prefix(rows).joined(separator: "\r\n").utf8)
  }

  private func run(_ arguments: [String]) throws -> [UInt8] {
    // Foundation's `Process` waits for the server too, which inherits what it watches.
    let path = folder.path("output")
    let environment = [
      "LANG=C.UTF-8", "TERM=xterm-256color", "PATH=/usr/bin:/bin", "HOME=\(folder.path)",
    ]
    let process = try spawn([Self.path, "-S", socket] + arguments, environment: environment) {
      $0.writeAll(to: path)
    }
    var status: Int32 = -1
    waitpid(process, &status, 0)
    let output = Array((try? Data(contentsOf: URL(filePath: path))) ?? Data())
    guard status == 0 else {
      throw Problem(description: "\(arguments): \(String(decoding: output, as: UTF8.self))")
    }
    return output
  }
}
