// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TerminalUI

/// What a terminal makes of sixels: its pixels, nil where nothing was drawn. Written from the VT330's manual.
struct SixelScreen {
  typealias Pixel = SIMD3<Int>
  private(set) var pixels: [[Pixel?]]
  let cell: CellPixels
  private(set) var faults: [String] = []
  private var cursor = (column: 0, row: 0)
  private var saved = (column: 0, row: 0)

  init(size: Size, cell: CellPixels) {
    self.cell = cell
    pixels = Array(
      repeating: Array(repeating: nil, count: size.columns * cell.width),
      count: size.rows * cell.height)
  }

  private mutating func erase(columns: Int) {
    for row in cursor.row * cell.height..<(cursor.row + 1) * cell.height {
      for column in cursor.column * cell.width..<(cursor.column + columns) * cell.width
      where pixels[row].indices.contains(column) {
        pixels[row][column] = nil
      }
    }
  }

  mutating func interpret(_ bytes: [UInt8]) {
    var rest = String(decoding: bytes, as: UTF8.self)[...]
    while let character = rest.popFirst() {
      switch character {
      case "\u{1B}": break
      case "\n":
        cursor.row += 1
        continue
      case "\r":
        cursor.column = 0
        continue
      case "\u{8}":
        cursor.column -= 1
        continue
      default:
        // Text takes the place of what was drawn in its cell.
        erase(columns: 1)
        cursor.column += 1
        continue
      }
      switch rest.popFirst() {
      case "7": saved = cursor
      case "8": cursor = saved
      case "[":
        let end = rest.firstIndex { $0.isLetter } ?? rest.startIndex
        let numbers = rest[..<end].split(separator: ";").map { Int($0) ?? 1 }
        switch rest[end] {
        case "H":
          cursor = (
            column: (numbers.dropFirst().first ?? 1) - 1, row: (numbers.first ?? 1) - 1
          )
        case "X": erase(columns: numbers.first ?? 1)
        case "A": cursor.row -= numbers.first ?? 1
        case "B": cursor.row += numbers.first ?? 1
        case "C": cursor.column += numbers.first ?? 1
        case "D": cursor.column -= numbers.first ?? 1
        case "K": erase(columns: pixels[0].count / cell.width - cursor.column)
        case "m", "l", "h": break
        case let other: faults.append("CSI \(other)")
        }
        rest = rest[rest.index(after: end)...]
      case "P":
        guard let end = rest.firstRange(of: "\u{1B}\\") else { return faults.append("endless") }
        draw(rest[..<end.lowerBound])
        rest = rest[end.upperBound...]
      case let other: faults.append("ESC \(String(describing: other))")
      }
    }
  }

  private mutating func draw(_ text: Substring) {
    guard let start = text.firstIndex(of: "q") else { return faults.append("no sixels") }
    var rest = text[text.index(after: start)...]
    func numbers() -> [Int] {
      let end = rest.firstIndex { !$0.isNumber && $0 != ";" } ?? rest.endIndex
      defer { rest = rest[end...] }
      return rest[..<end].split(separator: ";").map { Int($0) ?? 0 }
    }
    var palette: [Int: Pixel] = [:]
    var (color, column, top) = (0, 0, 0)
    var size = (width: Int.max, height: Int.max)
    while let character = rest.popFirst() {
      switch character {
      case "\"":
        let values = numbers()
        size = (values[2], values[3])
        if max(size.width, size.height) > SixelImages.maxSide { faults.append("too large") }
      case "#":
        let values = numbers()
        // One that is defined is not chosen by that.
        if values.count == 5 {
          palette[values[0]] = Pixel(values[2], values[3], values[4])
        } else {
          color = values[0]
          if palette[color] == nil { faults.append("colour \(color)") }
        }
      case "$": column = 0
      case "-":
        column = 0
        top += 6
      case "!":
        let count = numbers()[0]
        if let sixel = rest.popFirst() { put(sixel, count, palette[color], &column, top, size) }
      default: put(character, 1, palette[color], &column, top, size)
      }
    }
  }

  private mutating func put(
    _ character: Character, _ count: Int, _ color: Pixel?, _ column: inout Int, _ top: Int,
    _ size: (width: Int, height: Int)
  ) {
    guard let value = character.asciiValue, 63...126 ~= value else {
      return faults.append("\(character)")
    }
    for _ in 0..<count {
      for bit in 0..<6 where (value - 63) >> UInt8(bit) & 1 == 1 {
        let row = cursor.row * cell.height + top + bit
        let place = cursor.column * cell.width + column
        guard column < size.width, top + bit < size.height, pixels.indices.contains(row),
          pixels[row].indices.contains(place)
        else {
          faults.append("outside")
          continue
        }
        pixels[row][place] = color
      }
      column += 1
    }
  }
}

@Suite struct SixelTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func aPictureIsBandsOfColours() {
    let raster = PixelRaster(
      width: 5, height: 1, channels: 3,
      bytes: [255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 255])
    #expect(
      text(SixelPicture(raster, width: 5, height: 1).encoded(columns: 0..<5, rows: 0..<1))
        == "\u{1B}P0;1;0q\"1;1;5;1#0;2;100;0;0#0!4@$#1;2;0;0;100#1!4?@\u{1B}\\")
    let tall = PixelRaster(
      width: 1, height: 7, channels: 4,
      bytes: (0..<7).flatMap { row -> [UInt8] in [0, 255, 0, row == 3 ? 0 : 255] })
    #expect(
      text(SixelPicture(tall, width: 1, height: 7).encoded(columns: 0..<1, rows: 0..<7))
        == "\u{1B}P0;1;0q\"1;1;1;7#0;2;0;100;0#0v-#0@\u{1B}\\")
    #expect(SixelPicture(tall, width: 1, height: 7).encoded(columns: 4..<9, rows: 0..<7).isEmpty)
  }

  @Test func picturesAreReadBackWithTheirColours() throws {
    var random = SplitMix64(state: 3)
    let cell = try #require(CellPixels(width: 7, height: 13))
    for round in 0..<40 {
      let colors = (0..<[1, 3, 20, 64, 300][round % 5]).map { _ in
        [UInt8].random(count: 3, using: &random)
      }
      let raster = PixelRaster(
        width: 21, height: 26, channels: 4,
        bytes: (0..<21 * 26).flatMap { _ -> [UInt8] in
          let color: [UInt8] = colors.randomElement(using: &random) ?? [0, 0, 0]
          let alpha: UInt8 = Bool.random(using: &random) ? 255 : 0
          return color + [alpha]
        })
      var screen = SixelScreen(size: Size(columns: 3, rows: 2), cell: cell)
      screen.interpret(
        SixelPicture(raster, width: 21, height: 26).encoded(columns: 0..<21, rows: 0..<26))
      #expect(screen.faults.isEmpty)
      // Hundredths of a colour; many colours are rounded to those of a cube.
      let tolerance = colors.count > SixelPicture.maxColors ? 12 : 1
      for row in 0..<26 {
        for column in 0..<21 {
          let start = (row * 21 + column) * 4
          let pixel = screen.pixels[row][column]
          #expect((pixel == nil) == (raster.bytes[start + 3] == 0))
          guard let pixel else { continue }
          for part in 0..<3 {
            let wanted: Int = Int(raster.bytes[start + part]) * 100 / 255
            #expect(abs(pixel[part] - wanted) <= tolerance)
          }
        }
      }
    }
  }

  @Test func aLargeImageIsDrawnInPartsThatXtermTakes() throws {
    let cell = try #require(CellPixels(width: 15, height: 30))
    let size = Size(columns: 70, rows: 40)
    var surface = Surface(size: size)
    let wish = try #require(
      PictureRoom(Rect(origin: .zero, size: size), pixels: cell, hasBlocks: true).wish(.stretch))
    let raster = PixelGrid(
      width: wish.width, height: wish.height,
      bytes: (0..<wish.width * wish.height).flatMap { index -> [UInt8] in
        [
          UInt8(index % wish.width * 255 / wish.width),
          UInt8(index / wish.width * 255 / wish.height), 0,
        ]
      })
    PictureRoom(Rect(origin: .zero, size: size), pixels: cell, hasBlocks: true).draw(
      .shown(raster, isCurrent: true), on: &surface, slot: 0)
    var images = SixelImages()
    var screen = SixelScreen(size: size, cell: cell)
    screen.interpret(images.advance(to: surface, cell: cell, isOpen: true).bytes)
    #expect(screen.faults.isEmpty)
    #expect(screen.pixels.allSatisfy { row in row.allSatisfy { $0 != nil } })
  }

  /// Whatever is written over images and taken away again, moved or replaced, the screen is as it is when
  /// everything is drawn anew.
  @Test func whatTextHasUncoveredIsDrawnAgain() throws {
    var random = SplitMix64(state: 5)
    let cell = try #require(CellPixels(width: 5, height: 9))
    let size = Size(columns: 24, rows: 10)
    func scene(_ seed: Int, _ rect: Rect, _ playhead: Int?) -> Surface {
      var surface = Surface(size: size)
      surface.write("title", at: .zero)
      var random = SplitMix64(state: UInt64(seed))
      let bars = (0..<rect.size.columns * cell.width).map { _ in
        ColumnChart.Bar(height: .random(in: 0...1, using: &random))
      }
      let image = PixelImage(PixelChart(bars, height: rect.size.rows * cell.height))
      surface.place(image, in: rect, slot: 0)
      if let playhead {
        surface.fill(
          Rect(column: playhead, row: rect.origin.row, columns: 1, rows: rect.size.rows),
          with: "┃", style: Style(.playhead))
      }
      return surface
    }
    func show(
      _ surface: Surface, _ images: inout SixelImages, _ encoder: inout FrameEncoder, isOpen: Bool,
      on screen: inout SixelScreen
    ) -> Int {
      let step = images.advance(to: surface, cell: cell, isOpen: isOpen)
      for rect in step.erased { encoder.noteErased(rect) }
      screen.interpret(step.bytes)
      screen.interpret(encoder.encode(surface))
      return step.bytes.count
    }
    func started() -> (SixelImages, FrameEncoder, SixelScreen) {
      var encoder = FrameEncoder(dialect: .xterm)
      encoder.rewritesGaps = false
      _ = encoder.encode(Surface(size: size))
      return (SixelImages(), encoder, SixelScreen(size: size, cell: cell))
    }
    var (images, encoder, screen) = started()
    var (seed, rect, playhead) = (0, Rect(column: 0, row: 2, columns: 24, rows: 4), Int?.none)
    for _ in 0..<300 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: seed = Int.random(in: 0..<5, using: &random)
      case 1:
        rect = Rect(column: .random(in: 0...4, using: &random), row: 2, columns: 20, rows: 5)
      case 2: playhead = nil
      default: playhead = rect.columns.randomElement(using: &random)
      }
      let surface = scene(seed, rect, playhead.flatMap { rect.columns.contains($0) ? $0 : nil })
      _ = show(
        surface, &images, &encoder, isOpen: Bool.random(using: &random), on: &screen)
      guard Bool.random(using: &random) else { continue }
      _ = show(surface, &images, &encoder, isOpen: true, on: &screen)
      #expect(images.shows(surface.images))
      var (fresh, freshEncoder, freshScreen) = started()
      _ = show(surface, &fresh, &freshEncoder, isOpen: true, on: &freshScreen)
      let isSame = screen.pixels == freshScreen.pixels
      try #require(isSame && screen.faults.isEmpty)
    }
    // A step of the playhead costs two columns, not the image.
    let whole = scene(1, rect, rect.columns.lowerBound + 3)
    (images, encoder, screen) = started()
    let all = show(whole, &images, &encoder, isOpen: true, on: &screen)
    let step = show(
      scene(1, rect, rect.columns.lowerBound + 4), &images, &encoder, isOpen: true, on: &screen)
    #expect(step * 4 < all)
    #expect(show(Surface(size: size), &images, &encoder, isOpen: true, on: &screen) > 0)
    #expect(screen.pixels.allSatisfy { $0.allSatisfy { $0 == nil } })
  }
}

extension [UInt8] {
  fileprivate static func random(count: Int, using random: inout SplitMix64) -> [UInt8] {
    (0..<count).map { _ in .random(in: 0...255, using: &random) }
  }
}
