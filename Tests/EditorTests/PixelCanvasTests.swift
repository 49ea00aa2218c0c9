// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI
import Testing

@testable import Editor

/// What the editor draws where the terminal shows images.
@Suite struct PixelCanvasTests {
  private static let cell = CellPixels(width: 10, height: 20)

  private func desk(size: Size = Size(columns: 80, rows: 30)) throws -> Desk {
    var desk = Desk(try document(10_000, 40_000), size: size)
    desk.state.hasManyColors = true
    desk.send(levels(length: 100_000, quiet: [20_000..<30_000]))
    desk.send(.pauses([span(20_000, 30_000)]))
    desk.effects = []
    desk.send(.pixels(Self.cell))
    return desk
  }

  private func chart(_ desk: Desk) throws -> PixelChart {
    let image = try #require(view(desk.state).images.first { $0.slot == ImageSlot.canvas })
    guard case .chart(let chart) = image.image.content else {
      throw Wrong(description: "\(image)")
    }
    return chart
  }

  private struct Wrong: Error, CustomStringConvertible { let description: String }

  @Test func theWaveformHasAColumnForEachPixelAndFillsTheCanvas() throws {
    let desk = try desk()
    let images = view(desk.state).images
    #expect(images.map(\.rect) == [desk.layout.canvas])
    let chart = try chart(desk)
    #expect(chart.width == 800 && chart.height == 20 * desk.layout.canvas.size.rows)
    // 125 frames to a pixel: the pause is seen to the pixel.
    #expect(chart.tints == [.init(columns: 160..<240, role: .silence)])
    #expect(chart.bars[100].high > 0.5 && chart.bars[200].high < 0.5)
  }

  /// In a long silence no pause is found: it is seen as one where it is said to be.
  @Test func whatIsSaidToBeSilenceIsSeen() throws {
    var desk = try desk()
    desk.state.edit(
      .assign(desk.document.segments[0].id, Attribution(.unused(.silence))), &desk.effects)
    let end = desk.document.segments[0].span.upperBound.frames
    #expect(
      try chart(desk).tints.contains(.init(columns: 0..<Int(end / 125), role: .silence)))
  }

  /// Where something is written, a terminal with sixels shows nothing of the image.
  @Test func markersAreInTheImageAndWhatMovesIsWrittenOverIt() throws {
    var desk = try desk()
    desk.send(.playback(PlaybackReport(.playing, at: FramePosition(50_000))))
    func written() -> [Int: String] {
      let surface = view(desk.state)
      let row = desk.layout.canvas.origin.row
      let cells = desk.layout.canvas.columns.map { ($0, surface[Point(column: $0, row: row)]) }
      return Dictionary(uniqueKeysWithValues: cells.filter { $0.1?.isBlank == false })
        .compactMapValues { $0?.text }
    }
    #expect(written() == [8: "┊", 40: "┃"], "the one in hand, and the playhead")
    let lines = try chart(desk).lines
    #expect(
      lines.map(\.column) == [80, 320] && lines.allSatisfy { $0.role == .suggested && $0.gap > 0 })
    let before = view(desk.state).images
    desk.press("down down")
    #expect(written() == [32: "┊", 40: "┃"])
    #expect(view(desk.state).images == before)
    desk.press("y")
    #expect(try chart(desk).lines.last == PixelLine(column: 320, role: .confirmed, dash: 3))
  }

  /// The playhead's steps cost what they cost without images.
  @Test func aStepOfThePlayheadLeavesTheImageAsItIs() throws {
    var desk = try desk()
    let before = view(desk.state).images
    for position in stride(from: Int64(0), to: 50_000, by: 1250) {
      desk.send(.playback(PlaybackReport(.playing, at: FramePosition(position))))
      #expect(view(desk.state).images == before)
    }
    desk.press("+")
    #expect(view(desk.state).images != before)
  }

  @Test func theSelectionAndTheLevelsAreDrawn() throws {
    var desk = try desk()
    desk.press("v")
    desk.press("L")
    let tints = try chart(desk).tints
    #expect(tints.contains { $0.role == .selection } == (desk.state.selection.span != nil))
    desk.press("t")
    #expect(try chart(desk).levels.map(\.role) == [.noiseFloor, .threshold])
  }

  @Test func theSpectrogramIsAsFineAsItsWindow() throws {
    var desk = try desk()
    desk.press("p")
    let request = try #require(
      desk.effects.compactMap { effect -> WindowRequest? in
        if case .load(let request) = effect, request.use == .spectrogram { request } else { nil }
      }.last)
    #expect(request.bands == min(8 * desk.layout.canvas.size.rows, 128))
    #expect(view(desk.state).images.isEmpty)
    #expect(desk.screen.contains("the spectrogram"))
    let values = (0..<request.columns).flatMap { column in
      (0..<request.bands).map { UInt8(truncatingIfNeeded: column + $0) }
    }
    desk.send(
      .spectrogram(
        SpectrogramWindow(span: request.span, bands: request.bands, values: values), for: request))
    guard case .heat(let heat) = view(desk.state).images.first?.image.content else {
      throw Wrong(description: "no spectrogram")
    }
    #expect(heat.columns == 320 && heat.bands == request.bands)
  }

  @Test func withoutPixelsTheScreenIsAsItWas() throws {
    var desk = try desk()
    let drawn = view(desk.state)
    desk.send(.pixels(nil))
    let blocks = view(desk.state)
    #expect(blocks.images.isEmpty && !drawn.images.isEmpty)
    desk.send(.pixels(Self.cell))
    desk.state.hasManyColors = false
    #expect(view(desk.state).images.isEmpty)
  }

  @Test func aPanelThatLiesOverTheCanvasIsNotDrawnOnAnImage() throws {
    for size in [Size(columns: 80, rows: 20), Size(columns: 80, rows: 30)] {
      var desk = try desk(size: size)
      desk.press("e")
      #expect(desk.state.panel != nil)
      let images = view(desk.state).images
      // On the smaller screen the panel takes the canvas' place.
      #expect(images.count == (size.rows < 30 ? 0 : 1))
      for image in images {
        #expect(image.rect.intersection(desk.layout.smallPanel).isEmpty)
      }
      desk.press("esc")
      #expect(view(desk.state).images.count == 1)
      desk.press("?")
      #expect(view(desk.state).images.isEmpty)
    }
  }

  @Test func theVideoIsWantedInPixelsAndFillsWholeCells() throws {
    var desk = try desk()
    desk.press("P")
    let wish = try #require(desk.state.pictureWish)
    let room = desk.layout.picture.size
    #expect(wish.width == 10 * room.columns && wish.height == 20 * room.rows)
    #expect(wish.pixelAspect == 1)
    let picture = PixelGrid(
      width: wish.width, height: wish.height - 30,
      bytes: [UInt8](repeating: 200, count: 3 * wish.width * (wish.height - 30)))
    desk.send(.picture(.shown(picture, isCurrent: true)))
    let image = try #require(view(desk.state).images.first { $0.slot == ImageSlot.picture })
    #expect(image.rect.size == Size(columns: room.columns, rows: room.rows - 1))
    #expect(image.image.width == wish.width && image.image.height == wish.height - 20)
    desk.press("P")
    let large = try #require(desk.state.pictureWish)
    #expect(large.width * large.height <= 640 * 360 * 2)
  }
}
