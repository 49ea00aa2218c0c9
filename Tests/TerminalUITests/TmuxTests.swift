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
    for frame in 0..<12 {
      for _ in 0..<6 { drawing.draw(on: &surface) }
      try tmux.show(encoder.encode(surface), number: frame)
      var screen = TerminalModel(size: size)
      screen.interpret(try tmux.capture(rows: size.rows))
      #expect(screen.rows == surface.expected(depth: depth))
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
      surface.write("|end", at: Point(column: 3 + end, row: 1))
      surface.write("below", at: Point(column: 3, row: 2))
      try tmux.show(encoder.encode(surface), number: frame)
      let rows = String(decoding: try tmux.capture(rows: size.rows), as: UTF8.self)
        .components(separatedBy: "\r\n")
      #expect(rows[1].hasSuffix("|end"))
      #expect(rows[2] == "   below")
    }
  }
}

/// A tmux of its own, with one window that shows what is sent to it.
private final class Tmux {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux")

  struct Problem: Error, CustomStringConvertible { let description: String }

  private let socket: String
  private let folder: TemporaryFolder

  init(size: Size, folder: TemporaryFolder) throws {
    self.folder = folder
    socket = folder.path("tmux-\(UUID().uuidString.prefix(8))")
    // The window reads the names of files, writes them to its terminal, and says so by a channel.
    let script = folder.path("show.sh")
    try folder.write(
      Array(
        """
        stty raw -echo
        tmux -S \(socket) wait-for -S ready
        while read -r file; do cat "$file"; tmux -S \(socket) wait-for -S shown; done < \(socket).fifo
        """.utf8), to: "show.sh")
    mkfifo(socket + ".fifo", 0o600)
    _ = try run([
      "-f", "/dev/null", "-u", "new-session", "-d", "-x", "\(size.columns)", "-y", "\(size.rows)",
      "sh \(script)", ";", "set", "-g", "status", "off", ";", "resize-window", "-x",
      "\(size.columns)", "-y", "\(size.rows)",
    ])
    _ = try run(["wait-for", "ready"])
    fifo = open(socket + ".fifo", O_WRONLY)
  }

  private var fifo: Int32 = -1

  deinit {
    close(fifo)
    _ = try? run(["kill-server"])
  }

  func show(_ bytes: [UInt8], number: Int) throws {
    let path = try folder.write(bytes, to: "frame-\(number)")
    let line = Array((path + "\n").utf8)
    _ = write(fifo, line, line.count)
    _ = try run(["wait-for", "shown"])
    // tmux has the bytes when `cat` ends, but may not have read them yet.
    var last: [UInt8] = []
    for _ in 0..<100 {
      let now = try run(["capture-pane", "-p", "-e", "-N"])
      if now == last { break }
      last = now
      usleep(30_000)
    }
  }

  /// The screen as bytes that would draw it, row by row.
  func capture(rows: Int) throws -> [UInt8] {
    let text = String(decoding: try run(["capture-pane", "-p", "-e", "-N"]), as: UTF8.self)
    return Array(text.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix(rows).joined(separator: "\r\n").utf8)
  }

  private func run(_ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/tmux")
    process.arguments = ["-S", socket] + arguments
    process.environment = [
      "LANG": "C.UTF-8", "TERM": "xterm-256color", "PATH": "/usr/bin:/bin", "HOME": folder.path,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = Array(pipe.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Problem(description: "\(arguments): \(String(decoding: output, as: UTF8.self))")
    }
    return output
  }
}
