// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI
import TestSupport

/// Draws at random what makes drawing difficult.
struct RandomDrawing {
  var random: SplitMix64
  var texts = RandomDrawing.texts

  init(seed: UInt64) { random = SplitMix64(state: seed) }

  static let texts: [TerminalText] = [
    "plain", "", " ", "x", "a longer line of text that runs over the edge of things",
    "ٱلْحَمْدُ لِلَّهِ رَبِّ ٱلْعَٰلَمِينَ", "البقرة 2:285", "مَـٰلِكِ", "中文字符", "한국어", "が", "🕋", "👨‍👩‍👧 ok",
    "❤️", "e\u{301}a\u{308}\u{323}", "\u{301}", "🇪🇬", "▁▂▃▄▅▆▇█", "⣿⡇", "╭─╮", "→ ◆",
    "a\u{202E}b\u{1B}[31m",
  ]

  static let styles: [Style] = [
    .plain, Style(.rgb(1, 22, 255), on: .rgb(200, 100, 9)), Style(.suggested),
    Style(.confirmed).bold, Style(.standard, on: .role(.selection)),
    Style(.waveformRMS, on: .silence), Style(.ansi(12), on: .ansi(3)),
    Style(.palette(208), on: .palette(17)), Style.plain.reversed, Style.plain.underlined,
    Style(.dim).dim, Style(.playhead, on: .playhead),
  ]

  mutating func rect(in size: Size) -> Rect {
    Rect(
      column: .random(in: -3...size.columns + 2, using: &random),
      row: .random(in: -2...size.rows + 1, using: &random),
      columns: .random(in: 0...size.columns + 4, using: &random),
      rows: .random(in: 0...size.rows + 2, using: &random))
  }

  mutating func draw(on surface: inout Surface, depth: Int = 0) {
    let rect = rect(in: surface.size)
    let style = Self.styles.randomElement(using: &random) ?? .plain
    switch Int.random(in: 0..<12, using: &random) {
    case 0 where depth < 3:
      surface.within(rect) { surface in
        for _ in 0..<3 { draw(on: &surface, depth: depth + 1) }
      }
    case 1: surface.fill(rect, style: style)
    case 2: surface.fill(rect, with: "中", style: style)
    case 3: surface.drawBox(rect, style: style)
    case 4: surface.restyle(rect) { $0.background = style.background }
    case 5:
      var other = Surface(size: Size(columns: 9, rows: 3))
      for _ in 0..<4 where depth < 3 { draw(on: &other, depth: depth + 1) }
      surface.draw(other, at: rect.origin)
    case 6: surface.cursor = rect.origin
    case 7:
      let bars = (0..<12).map { _ in
        let peak = Double.random(in: -0.2...1.2, using: &random)
        return ColumnChart.Bar(minimum: -peak, maximum: peak, inner: peak / 3)
      }
      let renderings: [ColumnChart.Rendering] = [.blocks, .sextants, .braille]
      let rendering = renderings[Int.random(in: 0..<3, using: &random)]
      ColumnChart(bars, rendering: rendering).draw(on: &surface, in: rect)
    default:
      surface.write(texts.randomElement(using: &random) ?? "", at: rect.origin, style: style)
    }
  }
}
