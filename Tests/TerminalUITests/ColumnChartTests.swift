// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TerminalUI

@Suite struct ColumnChartTests {
  private func rows(_ bars: [ColumnChart.Bar], _ rows: Int, _ rendering: ColumnChart.Rendering)
    -> [String]
  {
    let columns = (bars.count + ColumnChart.barsPerColumn - 1) / ColumnChart.barsPerColumn
    var surface = Surface(size: Size(columns: columns, rows: rows))
    ColumnChart(bars, rendering: rendering).draw(on: &surface, in: surface.bounds)
    return surface.textRows
  }

  /// Each bar twice, for both halves of a column.
  private func pairs(_ bars: [ColumnChart.Bar]) -> [ColumnChart.Bar] { bars.flatMap { [$0, $0] } }

  @Test func barsGrowByEighths() {
    let bars = pairs((0...8).map { ColumnChart.Bar(height: Double($0) / 8) })
    #expect(rows(bars, 1, .blocks) == [" ▁▂▃▄▅▆▇█"])
    let tall = pairs([0, 0.25, 0.5, 0.75, 1].map { ColumnChart.Bar(height: $0) })
    #expect(rows(tall, 2, .blocks) == ["   ▄█", " ▄███"])
  }

  @Test func whatIsAboveNothingShows() {
    #expect(rows(pairs([.init(height: 0.0001)]), 2, .blocks) == [" ", "▁"])
    #expect(
      rows(pairs([.init(minimum: -0.001, maximum: 0.001, inner: 0)]), 2, .blocks) != [" ", " "])
  }

  @Test func valuesOutsideAreCutOffAndNaNDrawsNothing() {
    let bars: [ColumnChart.Bar] = [
      .init(height: 7), .init(height: -1), .init(height: .nan), .init(low: 2, high: 3),
      .init(low: -3, high: -2), .init(height: .infinity), .init(low: .nan, high: .nan),
    ]
    #expect(rows(pairs(bars), 1, .blocks) == ["█    █ "])
    #expect(rows([.init(height: 7), .init(height: .nan)], 1, .braille) == ["⡇"])
  }

  @Test func waveformHangsBelowTheMiddleByReversedBlocks() {
    var surface = Surface(size: Size(columns: 2, rows: 2))
    let bars: [ColumnChart.Bar] = [
      .init(minimum: -0.25, maximum: 0.25, inner: 0), .init(minimum: -1, maximum: 1, inner: 0.5),
    ]
    ColumnChart(pairs(bars)).draw(on: &surface, in: surface.bounds)
    #expect(
      surface.snapshot == """
        ▂▄
        ▆▄
        ---
        ab
        cd
        ---
        a waveformPeak
        b waveformRMS on waveformPeak
        c waveformPeak, reverse
        d waveformRMS on waveformPeak, reverse

        """)
  }

  @Test func backgroundsShowBehind() {
    var surface = Surface(size: Size(columns: 1, rows: 1))
    surface.fill(style: Style(.standard, on: .role(.silence)))
    ColumnChart(pairs([.init(height: 0.5)])).draw(on: &surface, in: surface.bounds)
    #expect(surface[.zero]?.style == Style(.waveformPeak, on: .silence))
  }

  @Test func brailleHasTwoBarsAColumnAndFourStepsARow() {
    let bars = [0.25, 0.5, 0.75, 1].map { ColumnChart.Bar(height: $0) }
    #expect(rows(bars, 1, .braille) == ["⣠⣾"])
    let wave = [ColumnChart.Bar(minimum: -0.5, maximum: 0.5, inner: 0)]
    #expect(rows(wave, 2, .braille) == ["⡄", "⠃"])
  }

  /// A pause that is narrower than a column shows beside the voice in it.
  @Test func halvesOfAColumnThatDifferAreDrawnByQuarters() {
    let bars = [1, 0, 0.5, 1, 0.5, 0].map { ColumnChart.Bar(height: $0) }
    #expect(rows(bars, 1, .blocks) == ["▌▟▖"])
  }

  @Test func sextantsHaveThreeStepsARow() {
    let bars = [1.0 / 3, 0, 1, 2.0 / 3, 1, 0, 1, 1].map { ColumnChart.Bar(height: $0) }
    #expect(rows(bars, 1, .sextants) == ["\u{1FB0F}\u{1FB3A}▌█"])
  }

  /// Without colours the quiet part still stands out from the loud one.
  @Test func theOuterStretchIsShadedWhereThereAreNoColours() {
    var surface = Surface(size: Size(columns: 1, rows: 2))
    let bars = pairs([.init(height: 1, inner: 0.5)])
    ColumnChart(bars, shadesOuter: true).draw(on: &surface, in: surface.bounds)
    #expect(surface.textRows == ["░", "█"])
  }

  /// Of bars that end between rows, every cell that both fill in the same way.
  @Test(arguments: [ColumnChart.Rendering.blocks, .sextants])
  func whatBothBarsFillIsFull(_ rendering: ColumnChart.Rendering) {
    let (rows, columns) = (6, 200)
    var random = SplitMix64(state: 7)
    func edge() -> Double { Double(Int.random(in: 0...rows, using: &random)) / Double(rows) }
    let bars = (0..<columns * ColumnChart.barsPerColumn).map { _ in
      ColumnChart.Bar(low: edge(), high: edge(), innerLow: edge(), innerHigh: edge())
    }
    var surface = Surface(size: Size(columns: columns, rows: rows))
    let tinted = Style(.standard, on: .role(.silence))
    surface.fill(Rect(column: 50, row: 0, columns: 50, rows: rows), style: tinted)
    ColumnChart(bars, rendering: rendering).draw(on: &surface, in: surface.bounds)

    func tone(_ bar: ColumnChart.Bar, _ row: Int) -> Role? {
      let middle = (Double(rows - row) - 0.5) / Double(rows)
      if bar.innerLow < middle, middle < bar.innerHigh { return .waveformRMS }
      return bar.low < middle && middle < bar.high ? .waveformPeak : nil
    }
    var wrong: [Point] = []
    for column in 0..<columns {
      for row in 0..<rows {
        let role = tone(bars[column * 2], row)
        // What both halves have in common.
        guard role == tone(bars[column * 2 + 1], row) else { continue }
        let background: Color = (50..<100).contains(column) ? .role(.silence) : .standard
        let cell = Cell(
          role == nil ? " " : "█", Style(role.map { .role($0) } ?? .standard, on: background))
        let point = Point(column: column, row: row)
        if surface[point] != cell { wrong.append(point) }
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test func drawsNoMoreThanFits() {
    var surface = Surface(size: Size(columns: 3, rows: 1))
    let bars = Array(repeating: ColumnChart.Bar(height: 1), count: 50)
    ColumnChart(bars).draw(on: &surface, in: Rect(column: 1, row: 0, columns: 1, rows: 1))
    #expect(surface.textRows == [" █ "])
    ColumnChart(bars).draw(on: &surface, in: .zero)
    #expect(surface.textRows == [" █ "])
  }
}
