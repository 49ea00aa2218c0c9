// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TerminalUI

@Suite struct PixelImageTests {
  /// A letter for each pixel: `.` for what shows the terminal's background.
  private func letters(_ raster: PixelRaster, _ roles: [Role: Character]) -> [String] {
    let colors = roles.map { (Theme.standard.pixelColor($0.key), $0.value) }
    return (0..<raster.height).map { row in
      String(
        (0..<raster.width).map { column -> Character in
          let pixel = raster.bytes[
            (row * raster.width + column) * 4..<(row * raster.width + column + 1) * 4]
          let (red, green, blue, alpha) = (
            pixel[pixel.startIndex], pixel[pixel.startIndex + 1], pixel[pixel.startIndex + 2],
            pixel[pixel.startIndex + 3]
          )
          if alpha == 0 { return "." }
          return colors.first { $0.0 == (red, green, blue) }?.1 ?? "?"
        })
    }
  }

  @Test func barsStandOnTheGroundBeforeTheirTints() {
    var chart = PixelChart(
      [
        ColumnChart.Bar(height: 1, inner: 0.5), ColumnChart.Bar(height: 0.5),
        ColumnChart.Bar(height: 0), ColumnChart.Bar(minimum: -0.5, maximum: 0.5, inner: 0),
        ColumnChart.Bar(height: 0.01),
      ], height: 4)
    chart.tints = [.init(columns: 1..<3, role: .silence), .init(columns: 2..<9, role: .selection)]
    let image = PixelImage(chart)
    #expect(image.width == 5 && image.height == 4)
    #expect(
      letters(
        image.raster(.standard),
        [.waveformPeak: "o", .waveformRMS: "i", .silence: "s", .selection: "S"]) == [
          "osSSS", "osSoS", "ioSoS", "ioSSo",
        ])
  }

  @Test func levelsAreDashedOverTheBars() {
    var chart = PixelChart(
      [ColumnChart.Bar](repeating: ColumnChart.Bar(height: 1), count: 7), height: 3)
    chart.levels = [
      .init(
        heights: [0.5, 0.5, 0.5, 0.5, .nan, 2, -1], role: .threshold, dash: 2, gap: 1)
    ]
    #expect(
      letters(chart.raster(.standard), [.waveformPeak: "o", .threshold: "-"]) == [
        "ooooooo", "--o-ooo", "oooooo-",
      ])
  }

  @Test func linesGoFromTopToBottom() {
    var chart = PixelChart(
      [ColumnChart.Bar](repeating: ColumnChart.Bar(height: 0.5), count: 4), height: 4)
    chart.lines = [
      PixelLine(column: 0, role: .confirmed),
      PixelLine(column: 2, role: .suggested, dash: 2, gap: 1),
      PixelLine(column: 4, role: .confirmed), PixelLine(column: -1, role: .confirmed),
    ]
    #expect(
      letters(chart.raster(.standard), [.waveformPeak: "o", .confirmed: "|", .suggested: ":"])
        == ["|.:.", "|.:.", "|ooo", "|o:o"])
    var heat = PixelHeat(
      [0..<1, 0..<1], bands: 2, values: [0, 0], shades: (0..<256).map { UInt8($0) },
      ramp: [16, 231])
    heat.lines = [PixelLine(column: 1, role: .suggested), PixelLine(column: 2, role: .suggested)]
    let line = Theme.rgb(Theme.standard[.suggested].palette)
    let row = [0, 0, 0, line.0, line.1, line.2].map { UInt8($0) }
    #expect(PixelImage(heat).raster(.standard).bytes == row + row)
  }

  @Test func aSpectrogramHasItsLowBandsBelowAndMixesColours() {
    let heat = PixelHeat(
      [0..<1, 1..<2, 0..<2, 0..<0], bands: 2, values: [0, 255, 128, 0],
      shades: (0..<256).map { UInt8($0) }, ramp: [16, 231])
    let raster = PixelImage(heat).raster(.standard)
    #expect(raster.channels == 3)
    let greys: [UInt8] = [255, 0, 255, 0, 0, 128, 128, 0]
    #expect(raster.bytes == greys.flatMap { [$0, $0, $0] })
  }

  @Test func anImageNeedsItsWholeRoomAndTheCellsAreBlankBeneath() {
    var surface = Surface(size: Size(columns: 10, rows: 4))
    surface.fill(surface.bounds, with: "x", style: Style(.error))
    let image = PixelImage(PixelGrid(width: 1, height: 1, bytes: [1, 2, 3]))
    surface.within(Rect(column: 1, row: 1, columns: 5, rows: 2)) { surface in
      surface.place(image, in: Rect(column: 0, row: 0, columns: 6, rows: 1), slot: 0)
      #expect(surface.images.isEmpty)
      surface.place(image, in: Rect(column: 1, row: 0, columns: 4, rows: 2), slot: 0)
    }
    #expect(
      surface.images == [
        PlacedImage(slot: 0, image: image, rect: Rect(column: 2, row: 1, columns: 4, rows: 2))
      ])
    #expect(surface.textRows == ["xxxxxxxxxx", "xx    xxxx", "xx    xxxx", "xxxxxxxxxx"])
    surface.place(image, in: Rect(column: 0, row: 0, columns: 1, rows: 1), slot: 0)
    #expect(surface.images.map(\.rect.origin) == [.zero])
  }
}
