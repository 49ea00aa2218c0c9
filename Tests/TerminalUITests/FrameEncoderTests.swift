// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TerminalUI

@Suite struct FrameEncoderTests {
  @Test(arguments: [ColorDepth.mono, .eight, .sixteen, .palette, .direct])
  func aTerminalShowsWhatWasDrawn(depth: ColorDepth) {
    for seed in 0..<40 as Range<UInt64> {
      var drawing = RandomDrawing(seed: seed)
      let size = Size(columns: 1 + Int(seed % 40), rows: 1 + Int(seed % 9))
      var dialect = TerminalDialect(depth: depth)
      dialect.resetsColorsSingly = seed % 2 == 0
      dialect.hasSynchronizedOutput = seed % 3 == 0
      dialect.erasesLine = seed % 5 != 0
      var encoder = FrameEncoder(dialect: dialect)
      var terminal = TerminalModel(size: size)
      var surface = Surface(size: size)
      for step in 0..<30 {
        if step % 10 == 9 { surface = Surface(size: size) }
        for _ in 0..<Int.random(in: 0...3, using: &drawing.random) { drawing.draw(on: &surface) }
        terminal.interpret(encoder.encode(surface))
        #expect(terminal.screen == surface.expected(depth: depth))
        #expect(terminal.isCursorShown == (surface.cursor != nil))
        if let cursor = surface.cursor { #expect(terminal.cursor == cursor) }
      }
    }
  }

  /// Noise, so that no cell is as its neighbour.
  private func picture(_ seed: UInt64, width: Int, height: Int) -> PixelGrid {
    var random = SplitMix64(state: seed)
    return PixelGrid(
      width: width, height: height,
      bytes: (0..<3 * width * height).map { _ in .random(in: 0...255, using: &random) })
  }

  /// What a person reads is written at once; of a picture as much as the line takes.
  @Test(arguments: [ColorDepth.palette, .direct], [0, 1, 500, 4000])
  func aPictureComesInParts(depth: ColorDepth, limit: Int) {
    let size = Size(columns: 60, rows: 20)
    var dialect = TerminalDialect(depth: depth)
    dialect.hasSynchronizedOutput = true
    var encoder = FrameEncoder(dialect: dialect)
    var terminal = TerminalModel(size: size)
    var surface = Surface(size: size)
    surface.write("العادیات before", at: .zero)
    surface.write("beneath the picture", at: Point(column: 0, row: 6))
    terminal.interpret(encoder.encode(surface, pictureLimit: limit))
    #expect(encoder.isComplete && terminal.screen == surface.expected(depth: depth))
    surface.fill()
    surface.write("after", at: .zero)
    surface.draw(
      picture(1, width: 50, height: 30), in: Rect(column: 5, row: 2, columns: 50, rows: 15))
    let first = encoder.encode(surface, pictureLimit: limit)
    terminal.interpret(first)
    #expect(!encoder.isComplete && terminal.rows[0].prefix(5).map(\.text).joined() == "after")
    #expect(first.count < limit + 50 * 45 + 800, "\(first.count)")
    // The terminal is not told to show half of it, unless the rest has to wait.
    let text = String(decoding: first, as: UTF8.self)
    #expect(!text.contains("\u{1B}[?2026l"))
    #expect(encoder.release().isEmpty == !text.contains("\u{1B}[?2026h"))
    guard limit > 0 else { return }
    var parts = 1
    while !encoder.isComplete, parts < 100 {
      let part = encoder.encode(surface, pictureLimit: limit)
      #expect(part.count < limit + 50 * 45, "\(part.count)")
      terminal.interpret(part)
      parts += 1
    }
    #expect(terminal.screen == surface.expected(depth: depth))
    #expect(encoder.encode(surface, pictureLimit: limit).isEmpty && encoder.release().isEmpty)
  }

  /// The next frame goes on where the line left off: no row stands still.
  @Test func eachRowOfAMovingPictureHasItsTurn() {
    let size = Size(columns: 40, rows: 12)
    var encoder = FrameEncoder(dialect: TerminalDialect(depth: .direct))
    var terminal = TerminalModel(size: size)
    var surface = Surface(size: size)
    _ = encoder.encode(surface)
    var last = terminal.screen
    var changed: Set<Int> = []
    for frame in 0..<12 as Range<UInt64> {
      surface.draw(picture(frame, width: 40, height: 24), in: surface.bounds)
      terminal.interpret(encoder.encode(surface, pictureLimit: 1600))
      changed.formUnion((0..<12).filter { terminal.screen[$0] != last[$0] })
      last = terminal.screen
    }
    #expect(changed.count == 12)
  }

  @Test func writesNothingWhenNothingChanged() {
    var surface = Surface(size: Size(columns: 20, rows: 5))
    surface.write("text", at: .zero)
    surface.cursor = .zero
    var encoder = FrameEncoder(dialect: .xterm)
    #expect(!encoder.encode(surface).isEmpty)
    #expect(encoder.encode(surface).isEmpty)
  }

  @Test func drawsEverythingAgainAfterForgetting() {
    var surface = Surface(size: Size(columns: 20, rows: 5))
    surface.write("text", at: .zero)
    var encoder = FrameEncoder(dialect: .xterm)
    let first = encoder.encode(surface)
    encoder.forget()
    #expect(encoder.encode(surface) == first)
  }

  @Test func oneChangedCellCostsAMoveAndACharacter() {
    var surface = Surface(size: Size(columns: 80, rows: 24))
    var encoder = FrameEncoder(dialect: .xterm)
    _ = encoder.encode(surface)
    surface.write("x", at: Point(column: 10, row: 4))
    #expect(encoder.encode(surface) == Array("\u{1B}[5;11Hx".utf8))
  }

  @Test func theLastCellIsLeftOutWhereItWouldScroll() {
    var dialect = TerminalDialect.xterm
    dialect.scrollsAtLastCell = true
    var surface = Surface(size: Size(columns: 3, rows: 2))
    surface.fill(surface.bounds, with: "x", style: .plain)
    var encoder = FrameEncoder(dialect: dialect)
    var terminal = TerminalModel(size: surface.size)
    terminal.interpret(encoder.encode(surface))
    #expect(terminal.rows.map { $0.map(\.text).joined() } == ["xxx", "xx "])
  }

  @Test func placesTheCursorAfreshAfterCharactersOfDoubtfulWidth() {
    var surface = Surface(size: Size(columns: 10, rows: 1))
    surface.write("🕋 x", at: .zero)
    var encoder = FrameEncoder(dialect: .xterm)
    let text = String(decoding: encoder.encode(surface), as: UTF8.self)
    #expect(text.hasSuffix("🕋\u{1B}[1;3H x"))
    surface.write("☎", at: .zero)
    // The cell after it may have been drawn over.
    #expect(String(decoding: encoder.encode(surface), as: UTF8.self).hasSuffix("☎\u{1B}[1;2H "))
  }

  @Test func arabicIsWrittenInOnePiece() {
    var surface = Surface(size: Size(columns: 20, rows: 1))
    surface.write("ٱلْحَمْدُ لِلَّهِ", at: .zero)
    var encoder = FrameEncoder(dialect: .xterm)
    let text = String(decoding: encoder.encode(surface), as: UTF8.self)
    #expect(text.contains("ٱلْحَمْدُ لِلَّهِ"))
  }

  @Test func asciiDrawingKeepsLettersAndPlainAsciiKeepsNothingElse() {
    var surface = Surface(size: Size(columns: 16, rows: 3))
    surface.drawBox(surface.bounds, style: .plain)
    surface.write("▁▄█◆é中م→", at: Point(column: 1, row: 1))
    for (repertoire, row) in [
      (Repertoire.asciiDrawing, "|_-#*é中م>     |"), (.ascii, "|_-#*?? ?>     |"),
    ] {
      var encoder = FrameEncoder(dialect: .xterm, repertoire: repertoire)
      var terminal = TerminalModel(size: surface.size)
      terminal.interpret(encoder.encode(surface))
      let rows = terminal.rows.map { $0.map(\.text).joined() }
      #expect(rows[0] == "+--------------+")
      #expect(rows[1] == row)
    }
  }

  @Test func linesThatCrossADrawingAreToldApartInASCII() {
    var surface = Surface(size: Size(columns: 5, rows: 1))
    surface.write("┃│┊╵╷", at: .zero)
    var encoder = FrameEncoder(dialect: .xterm, repertoire: .ascii)
    var terminal = TerminalModel(size: surface.size)
    terminal.interpret(encoder.encode(surface))
    #expect(terminal.rows.map { $0.map(\.text).joined() } == ["I|!',"])
  }

  @Test func nothingButAsciiIsWrittenWhereTheLocaleHasNoMore() {
    for seed in 0..<50 as Range<UInt64> {
      var drawing = RandomDrawing(seed: seed)
      var surface = Surface(size: Size(columns: 40, rows: 8))
      for _ in 0..<20 { drawing.draw(on: &surface) }
      var encoder = FrameEncoder(dialect: .xterm, repertoire: .ascii)
      let bytes = encoder.encode(surface)
      #expect(bytes.allSatisfy { $0 < 0x80 })
      var terminal = TerminalModel(size: surface.size)
      terminal.interpret(bytes)
      let backgrounds = terminal.rows.map { $0.map(\.style.background) }
      let expected = surface.expected(depth: .palette).map { $0.map(\.style.background) }
      #expect(backgrounds == expected)
    }
  }

  @Test func noTextSmugglesASequence() {
    var surface = Surface(size: Size(columns: 40, rows: 1))
    surface.write(TerminalText("a\u{1B}]0;title\u{7}\u{9B}31m\u{202E}\r\n"), at: .zero)
    var encoder = FrameEncoder(dialect: .xterm)
    _ = encoder.encode(Surface(size: surface.size))
    let bytes = encoder.encode(surface)
    #expect(bytes.dropFirst(3).allSatisfy { $0 >= 0x20 && $0 != 0x7F })
    #expect(bytes.starts(with: Array("\u{1B}[Ha".utf8)))
  }
}
