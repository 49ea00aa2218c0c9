// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TerminalUI

/// Images through tmux: commands that are passed on, and text in whose place the terminal shows them.
@Suite struct KittyInTmuxTests {
  private static let size = Size(columns: 40, rows: 12)
  private static let room = Rect(column: 3, row: 2, columns: 20, rows: 5)

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func image(_ seed: Int, width: Int = 60, height: Int = 40) -> PixelImage {
    var random = SplitMix64(state: UInt64(seed))
    return PixelImage(
      PixelGrid(
        width: width, height: height,
        bytes: (0..<3 * width * height).map { _ in .random(in: 0...255, using: &random) }))
  }

  private func placed(_ seed: Int, slot: Int = 0, in rect: Rect = room) -> PlacedImage {
    PlacedImage(slot: slot, image: image(seed), rect: rect)
  }

  private func bytes(_ placed: PlacedImage) -> [UInt8] { placed.image.raster(.standard).bytes }

  private func placeholders(_ surface: Surface) -> KittyPlaceholders {
    KittyPlaceholders(
      (0..<surface.fullSize.rows).map { row in
        surface.row(row).map { cell in
          guard case .palette(let color) = cell.style.foreground else { return (cell.text, nil) }
          return (cell.text, Int(color))
        }
      })
  }

  /// A terminal behind a tmux, and what it shows.
  private struct Screen {
    var images = KittyImages(seed: 77, host: .tmux)
    var terminal = KittyTerminal()
    var strays: [UInt8] = []

    mutating func take(_ bytes: [UInt8]) {
      let (passed, others) = TmuxLine.split(bytes)
      terminal.interpret(passed)
      strays += others
    }
  }

  /// Whether every cell of the rectangle shows its part of the image.
  private func isShown(_ placed: PlacedImage, _ screen: Screen) -> Bool {
    var surface = Surface(size: Self.size)
    screen.images.drawPlaceholders(on: &surface)
    let seen = placeholders(surface)
    let numbers = screen.terminal.images.filter { $0.value.bytes == bytes(placed) }.keys
    return seen.faults.isEmpty
      && numbers.contains { number in
        let cells = seen.cells(of: number)
        return cells.count == placed.rect.size.columns * placed.rect.size.rows
          && cells.allSatisfy {
            $0.part.row == $0.row - placed.rect.origin.row
              && $0.part.column == $0.column - placed.rect.origin.column
          }
          && screen.terminal.placementsByText[number]
            == [placed.rect.size.columns, placed.rect.size.rows]
      }
  }

  @Test func theMarksAreThoseOfTheProtocol() {
    #expect(KittyPlaceholder.marks == KittyPlaceholders.marks)
    #expect(KittyPlaceholder.marks.count == 297)
    #expect(KittyPlaceholder.marks.prefix(3) == ["\u{305}", "\u{30D}", "\u{30E}"])
    #expect(KittyPlaceholder.marks.last == "\u{1D244}")
  }

  @Test func escapesAreDoubledForTmux() {
    #expect(text(TmuxPassthrough.wrap([0x1B, 0x41])) == "\u{1B}Ptmux;\u{1B}\u{1B}A\u{1B}\\")
    #expect(
      text(TmuxPassthrough.wrap(KittyGraphics.query))
        == "\u{1B}Ptmux;\u{1B}\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\u{1B}\\\u{1B}\\")
    #expect(TmuxLine.split(TmuxPassthrough.wrap(KittyGraphics.query)).passed == KittyGraphics.query)
  }

  @Test func theNumberIsInTheColourAndTheThirdMark() {
    var surface = Surface(size: Size(columns: 12, rows: 3))
    surface.write("a", at: Point(column: 2, row: 1))
    KittyPlaceholder.draw(
      0x03_0000_4D, in: Rect(column: 1, row: 1, columns: 3, rows: 1), on: &surface)
    #expect(
      surface.row(1).map(\.text).prefix(5) == [
        " ", "\u{10EEEE}\u{305}\u{305}\u{310}", "a", "\u{10EEEE}\u{305}\u{30E}\u{310}", " ",
      ])
    #expect(surface[Point(column: 1, row: 1)]?.style == Style(.palette(0x4D)))
  }

  /// The colours 0 to 15 are sent in other ways, and a third mark stands for 296 at most.
  @Test func everyNumberHasAColourOfItsOwn() {
    for seed in UInt32(0)..<20_000 {
      let first = KittyPlaceholder.firstNumber(seed: seed)
      #expect(first >> 24 >= 1 && first >> 24 <= 255)
      #expect(first & 0xFF >= 16 && first & 0xFF + 7 <= 255 && first & 0xFF_FF00 == 0)
    }
  }

  @Test func anImageIsSeenWhereItsTextIsWritten() {
    var screen = Screen()
    screen.take(screen.images.advance(to: [placed(1)], limit: .max))
    #expect(isShown(placed(1), screen))
    // The next one has another number; the one before stays until its number is needed.
    screen.take(screen.images.advance(to: [placed(2)], limit: .max))
    #expect(isShown(placed(2), screen) && screen.terminal.images.count == 2)
    screen.take(screen.images.advance(to: [placed(3)], limit: .max))
    #expect(isShown(placed(3), screen) && screen.terminal.images.count == 2)
    // Moved by its text alone.
    var moved = placed(3)
    moved = PlacedImage(
      slot: 0, image: moved.image, rect: Rect(column: 5, row: 4, columns: 20, rows: 5))
    #expect(screen.images.advance(to: [moved], limit: .max).isEmpty && isShown(moved, screen))
    let smaller = PlacedImage(
      slot: 0, image: moved.image, rect: Rect(column: 5, row: 4, columns: 10, rows: 5))
    screen.take(screen.images.advance(to: [smaller], limit: .max))
    #expect(isShown(smaller, screen))
    screen.take(screen.images.advance(to: [], limit: .max))
    #expect(screen.terminal.images.isEmpty && screen.terminal.placementsByText.isEmpty)
    #expect(screen.terminal.faults.isEmpty && screen.strays.isEmpty)
  }

  @Test func writingHidesTheCellsItIsIn() {
    var screen = Screen()
    screen.take(screen.images.advance(to: [placed(1)], limit: .max))
    var surface = Surface(size: Self.size)
    surface.write("قل", at: Point(column: 8, row: 3))
    screen.images.drawPlaceholders(on: &surface)
    #expect(surface[Point(column: 8, row: 3)]?.text == "ق")
    let seen = placeholders(surface)
    let number = screen.terminal.images.keys.first ?? 0
    #expect(seen.cells(of: number).count == 98 && seen.faults.isEmpty)
    #expect(seen.cells(of: number).allSatisfy { $0.part.column == $0.column - 3 })
  }

  /// More columns than there are marks.
  @Test func theWidestRowIsShownWhole() {
    var surface = Surface(size: Size(columns: 400, rows: 2))
    KittyPlaceholder.draw(
      0x03_0000_4D, in: Rect(column: 0, row: 0, columns: 400, rows: 2), on: &surface)
    let seen = placeholders(surface)
    let cells = seen.cells(of: 0x03_0000_4D)
    #expect(cells.count == 800 && seen.faults.isEmpty)
    #expect(cells.allSatisfy { $0.part.column == $0.column && $0.part.row == $0.row })
  }

  @Test func theEncoderMovesForNoneOfThem() {
    var encoder = FrameEncoder(dialect: .xterm)
    var surface = Surface(size: Self.size)
    _ = encoder.encode(surface)
    KittyPlaceholder.draw(0x03_0000_4D, in: Self.room, on: &surface)
    let bytes = encoder.encode(surface)
    // 3 of 20 cells in a row have marks.
    #expect(bytes.count < 5 * (20 * 4 + 3 * 9 + 8) + 30, "\(bytes.count)")
  }

  @Test func farewellTakesAllAwayAfterACommandThatWasCutOff() throws {
    var screen = Screen()
    screen.take(screen.images.advance(to: [placed(1), placed(2, slot: 1)], limit: .max))
    let large = PlacedImage(slot: 0, image: image(5, width: 300, height: 100), rect: Self.room)
    let piece = screen.images.advance(to: [large], limit: 1)
    screen.take(piece)
    #expect(screen.terminal.images.count == 1)
    screen.take(screen.images.farewell)
    #expect(screen.terminal.images.isEmpty && screen.terminal.faults.isEmpty)
    // The end of the command, for a terminal that has been passed half of one.
    #expect(TmuxLine.split(screen.images.farewell).passed.starts(with: [0x1B, UInt8(ascii: "\\")]))
  }

  @Test func randomImagesInPiecesLeadToWhatIsWanted() {
    var random = SplitMix64(state: 8)
    var screen = Screen()
    for _ in 0..<200 {
      var wanted: [PlacedImage] = []
      for slot in 0..<2 where Bool.random(using: &random) {
        let rect = Rect(
          column: .random(in: 0...2, using: &random), row: slot * 6,
          columns: .random(in: 8...10, using: &random), rows: 4)
        wanted.append(placed(.random(in: 0...2, using: &random) + 3 * slot, slot: slot, in: rect))
      }
      if Int.random(in: 0..<20, using: &random) == 0 { screen.images.forget() }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        screen.take(
          screen.images.advance(to: wanted, limit: .random(in: 1...3000, using: &random)))
      }
      guard Bool.random(using: &random) else { continue }
      while !screen.images.shows(wanted) {
        screen.take(screen.images.advance(to: wanted, limit: 2000))
      }
      #expect(wanted.allSatisfy { isShown($0, screen) })
      #expect(screen.terminal.placementsByText.count <= 2 * wanted.count)
    }
    #expect(screen.terminal.faults.isEmpty && screen.strays.isEmpty)
  }
}
