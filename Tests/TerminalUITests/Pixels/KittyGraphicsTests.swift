// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TerminalUI

@Suite struct KittyGraphicsTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func noise(width: Int, height: Int, channels: Int, seed: UInt64) -> PixelRaster {
    var random = SplitMix64(state: seed)
    return PixelRaster(
      width: width, height: height, channels: channels,
      bytes: (0..<width * height * channels).map { _ in .random(in: 0...255, using: &random) })
  }

  @Test func aSmallImageIsOneCommand() {
    let raster = PixelRaster(width: 1, height: 1, channels: 3, bytes: [1, 2, 3])
    #expect(
      KittyGraphics.transmit(raster, number: 7).map(text) == [
        "\u{1B}_Ga=t,t=d,f=24,s=1,v=1,i=7,q=2,m=0;AQID\u{1B}\\"
      ])
  }

  @Test func whatRepeatsIsCompressed() {
    let raster = PixelRaster(
      width: 4, height: 4, channels: 4, bytes: [UInt8](repeating: 0, count: 64))
    #expect(
      KittyGraphics.transmit(raster, number: 9).map(text) == [
        "\u{1B}_Ga=t,t=d,f=32,s=4,v=4,i=9,q=2,o=z,m=0;eAFjYIAABAYAAEAAAQ==\u{1B}\\"
      ] || KittyGraphics.transmit(raster, number: 9).count == 1)
    var terminal = KittyTerminal()
    terminal.interpret(KittyGraphics.transmit(raster, number: 9).joined())
    #expect(terminal.images[9]?.bytes == raster.bytes && terminal.faults.isEmpty)
  }

  @Test func aLargeImageIsCutIntoChunks() throws {
    let raster = noise(width: 50, height: 60, channels: 3, seed: 1)
    let commands = KittyGraphics.transmit(raster, number: 5)
    #expect(commands.count == 3)
    #expect(text(commands[0]).contains("m=1;"))
    #expect(text(commands[1]).hasPrefix("\u{1B}_Gm=1,q=2;"))
    #expect(text(commands[2]).hasPrefix("\u{1B}_Gm=0,q=2;"))
    var terminal = KittyTerminal()
    for command in commands { terminal.interpret(command) }
    #expect(terminal.faults.isEmpty)
    let image = try #require(terminal.images[5])
    #expect(image.width == 50 && image.height == 60 && image.bytes == raster.bytes)
  }

  @Test func anImageIsPlacedBehindTheTextWithoutMovingTheCursor() {
    let rect = Rect(column: 2, row: 4, columns: 10, rows: 5)
    #expect(
      text(KittyGraphics.place(number: 3, in: rect))
        == "\u{1B}7\u{1B}[5;3H\u{1B}_Ga=p,i=3,p=1,c=10,r=5,z=-1,C=1,q=2\u{1B}\\\u{1B}8")
    #expect(text(KittyGraphics.delete(number: 3)) == "\u{1B}_Ga=d,d=I,i=3,q=2\u{1B}\\")
  }

  @Test func compressedBytesAreReadBack() throws {
    var random = SplitMix64(state: 4)
    for round in 0..<200 {
      let channels = round % 2 == 0 ? 3 : 4
      let width = Int.random(in: 1...90, using: &random)
      let height = Int.random(in: 1...20, using: &random)
      // Runs of a few colours, as charts have them.
      let variety = Int.random(in: 1...256, using: &random)
      var pixel = [UInt8](repeating: 0, count: channels)
      var bytes: [UInt8] = []
      for _ in 0..<width * height {
        if Int.random(in: 0..<5, using: &random) == 0 {
          pixel = pixel.map { _ in UInt8(Int.random(in: 0..<variety, using: &random)) }
        }
        bytes += pixel
      }
      let squeezed = try #require(Zlib.compressed(bytes))
      #expect(KittyTerminal.inflated(squeezed, count: bytes.count) == bytes)
    }
    let nothing = try #require(Zlib.compressed([]))
    #expect(KittyTerminal.inflated(nothing, count: 0) == [])
  }

  @Test func base64IsPadded() {
    for (plain, coded) in [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ] {
      #expect(text(Base64.encode(Array(plain.utf8))) == coded)
    }
  }
}

@Suite struct KittyImagesTests {
  private static let room = Rect(column: 0, row: 2, columns: 20, rows: 5)

  /// Columns of pixels, each of another height.
  private func image(_ seed: Int, width: Int = 60, height: Int = 40) -> PixelImage {
    var random = SplitMix64(state: UInt64(seed))
    return PixelImage(
      PixelChart(
        (0..<width).map { _ in ColumnChart.Bar(height: .random(in: 0...1, using: &random)) },
        height: height))
  }

  private func placed(_ seed: Int, slot: Int = 0, in rect: Rect = room) -> PlacedImage {
    PlacedImage(slot: slot, image: image(seed), rect: rect)
  }

  private func bytes(_ placed: PlacedImage) -> [UInt8] { placed.image.raster(.standard).bytes }

  @Test func anImageIsSentOnceAndTheNextTakesItsPlace() {
    var images = KittyImages(seed: 1)
    var terminal = KittyTerminal()
    terminal.interpret(images.advance(to: [placed(1)], limit: .max))
    #expect(terminal.shown.map(\.image.bytes) == [bytes(placed(1))])
    #expect(
      terminal.shown.map(\.placement) == [
        .init(column: 0, row: 2, columns: 20, rows: 5, layer: -1)
      ])
    #expect(images.shows([placed(1)]))
    #expect(images.advance(to: [placed(1)], limit: .max).isEmpty)
    let first = terminal.images.keys
    terminal.interpret(images.advance(to: [placed(2)], limit: .max))
    #expect(terminal.shown.map(\.image.bytes) == [bytes(placed(2))])
    // The one before stayed in sight until the new one was there.
    #expect(terminal.images.count == 1 && terminal.images.keys != first)
    terminal.interpret(images.advance(to: [], limit: .max))
    #expect(terminal.images.isEmpty && terminal.placements.isEmpty)
    #expect(terminal.faults.isEmpty && terminal.transmitted.count == 2)
  }

  @Test func whatMovesIsNotSentAgain() {
    var images = KittyImages(seed: 1)
    var terminal = KittyTerminal()
    terminal.interpret(images.advance(to: [placed(1)], limit: .max))
    let elsewhere = Rect(column: 3, row: 1, columns: 10, rows: 2)
    terminal.interpret(images.advance(to: [placed(1, in: elsewhere)], limit: .max))
    #expect(terminal.transmitted.count == 1)
    #expect(
      terminal.shown.map(\.placement) == [
        .init(column: 3, row: 1, columns: 10, rows: 2, layer: -1)
      ])
  }

  /// However few bytes are sent at a time, the old image stays until the new one is whole, and those that
  /// follow one another too quickly are left out.
  @Test func aSlowTerminalIsSentFewerImages() {
    var images = KittyImages(seed: 1)
    var terminal = KittyTerminal()
    let large = (0..<9).map { seed in
      var random = SplitMix64(state: UInt64(seed))
      return PlacedImage(
        slot: 0,
        image: PixelImage(
          PixelGrid(
            width: 70, height: 70,
            bytes: (0..<3 * 70 * 70).map { _ in .random(in: 0...255, using: &random) })),
        rect: Self.room)
    }
    terminal.interpret(images.advance(to: [large[0]], limit: .max))
    for wanted in large[1...] {
      let piece = images.advance(to: [wanted], limit: 1)
      #expect(piece.count < 5000)
      terminal.interpret(piece)
      #expect(terminal.shown.count == 1)
    }
    while !images.shows([large[8]]) {
      terminal.interpret(images.advance(to: [large[8]], limit: 1))
      #expect(terminal.shown.count == 1)
    }
    #expect(terminal.shown.map(\.image.bytes) == [bytes(large[8])])
    #expect(terminal.transmitted.count < 5 && terminal.faults.isEmpty)
  }

  @Test func oneThatHasGoneWhileItWasUnderWayIsNotShown() {
    var images = KittyImages(seed: 1)
    var terminal = KittyTerminal()
    let large = PlacedImage(slot: 0, image: image(1, width: 3000, height: 300), rect: Self.room)
    terminal.interpret(images.advance(to: [large], limit: 1))
    #expect(!images.shows([]))
    while !images.shows([]) { terminal.interpret(images.advance(to: [], limit: 1)) }
    #expect(terminal.images.isEmpty && terminal.placements.isEmpty && terminal.faults.isEmpty)
  }

  @Test func whatIsForgottenIsDeletedAndSentAgain() {
    var images = KittyImages(seed: 1)
    var terminal = KittyTerminal()
    terminal.interpret(images.advance(to: [placed(1), placed(2, slot: 1)], limit: .max))
    #expect(terminal.shown.count == 2)
    images.forget()
    #expect(!images.shows([placed(1), placed(2, slot: 1)]))
    terminal.interpret(images.advance(to: [placed(3)], limit: .max))
    #expect(terminal.shown.map(\.image.bytes) == [bytes(placed(3))])
    terminal.interpret(images.farewell)
    #expect(terminal.images.isEmpty && terminal.faults.isEmpty)
  }

  @Test func whatHasGoneIsTakenAwayWhileTheTerminalIsBusyToo() {
    var images = KittyImages(seed: 1)
    var terminal = KittyTerminal()
    terminal.interpret(images.advance(to: [placed(1), placed(2, slot: 1)], limit: .max))
    terminal.interpret(images.tidy(to: [placed(3)]))
    #expect(terminal.shown.map(\.image.bytes) == [bytes(placed(1))])
    #expect(terminal.transmitted.count == 2 && terminal.faults.isEmpty)
    // Not between the pieces of an image.
    let large = PlacedImage(slot: 0, image: image(1, width: 3000, height: 300), rect: Self.room)
    terminal.interpret(images.advance(to: [large], limit: 1))
    #expect(images.tidy(to: []).isEmpty)
  }

  @Test func oneThatIsForgottenWhileItIsUnderWayIsGivenUp() {
    var images = KittyImages(seed: 1)
    var terminal = KittyTerminal()
    let large = PlacedImage(slot: 0, image: image(1, width: 3000, height: 300), rect: Self.room)
    terminal.interpret(images.advance(to: [large], limit: 1))
    #expect(!images.shows([large]))
    images.forget()
    terminal.interpret(images.advance(to: [placed(2)], limit: .max))
    #expect(terminal.shown.map(\.image.bytes) == [bytes(placed(2))])
    #expect(terminal.transmitted.count == 1 && terminal.faults.isEmpty)
  }

  @Test func randomImagesInPiecesLeadToWhatIsWanted() {
    var random = SplitMix64(state: 8)
    var images = KittyImages(seed: 77)
    var terminal = KittyTerminal()
    for _ in 0..<300 {
      var wanted: [PlacedImage] = []
      for slot in 0..<3 where Bool.random(using: &random) {
        let rect = Rect(
          column: .random(in: 0...2, using: &random), row: slot * 5, columns: 10, rows: 4)
        wanted.append(placed(.random(in: 0...2, using: &random), slot: slot, in: rect))
      }
      if Int.random(in: 0..<20, using: &random) == 0 { images.forget() }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        terminal.interpret(
          images.advance(to: wanted, limit: .random(in: 1...3000, using: &random)))
      }
      guard Bool.random(using: &random) else { continue }
      while !images.shows(wanted) { terminal.interpret(images.advance(to: wanted, limit: 2000)) }
      #expect(Set(terminal.shown.map(\.image.bytes)) == Set(wanted.map(bytes)))
      #expect(
        Set(terminal.shown.map(\.placement.column)) == Set(wanted.map(\.rect.origin.column)))
      #expect(terminal.shown.count == wanted.count && terminal.images.count == wanted.count)
    }
    #expect(terminal.faults.isEmpty)
  }
}
