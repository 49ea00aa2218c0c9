// SPDX-License-Identifier: GPL-3.0-or-later

import Benchmark
import TerminalUI

/// A screen of the editor's kind: drawing it, and the bytes that show it.
func addFrameBenchmarks() {
  let bytes = BenchmarkMetric.custom("bytes a frame", polarity: .prefersSmaller)
  let configuration = Benchmark.Configuration(
    metrics: [.wallClock, bytes], warmupIterations: 1, scalingFactor: .one,
    maxDuration: .seconds(2), maxIterations: 200)
  let size = Size(columns: 200, rows: 50)
  Benchmark("Frame, 200x50, view", configuration: configuration) { benchmark in
    let screen = EditorLikeScreen(size: size)
    benchmark.startMeasurement()
    blackHole(screen.surface(playhead: 40, scroll: 0))
  }
  Benchmark("Frame, 200x50, all of it", configuration: configuration) { benchmark in
    let surface = EditorLikeScreen(size: size).surface(playhead: 40, scroll: 0)
    var encoder = FrameEncoder(dialect: .xterm)
    benchmark.startMeasurement()
    let frame = encoder.encode(surface)
    benchmark.stopMeasurement()
    benchmark.measurement(bytes, frame.count)
  }
  for (name, playhead, scroll) in [("a playhead step", 1, 0), ("a scroll", 0, 7)] {
    var place = 0
    Benchmark("Frame, 200x50, \(name)", configuration: configuration) { benchmark in
      let screen = EditorLikeScreen(size: size)
      place = (place + 1) % 100
      let before = screen.surface(playhead: 20 + place, scroll: 0)
      let after = screen.surface(playhead: 20 + place + playhead, scroll: scroll)
      var encoder = FrameEncoder(dialect: .xterm)
      _ = encoder.encode(before)
      benchmark.startMeasurement()
      let frame = encoder.encode(after)
      benchmark.stopMeasurement()
      benchmark.measurement(bytes, frame.count)
    }
  }
}

/// Title, overview, waveform with silence and playhead, list of segments, footer. The waveform is
/// noise, which costs more than any recitation.
private struct EditorLikeScreen {
  let size: Size
  private let peaks: [Double]

  init(size: Size) {
    self.size = size
    var random = SplitMix64(state: 9)
    peaks = (0..<2000).map { _ in Double(random.nextFloat()) }
  }

  func surface(playhead: Int, scroll: Int) -> Surface {
    var surface = Surface(size: size)
    var rest = surface.bounds
    let title = rest.takeTop(1)
    surface.fill(title, style: Style(.standard, on: .role(.bar)))
    surface.write(
      "night-12.m4a  0:41:12.3\(playhead % 10) / 1:31:07", at: .zero, style: Style(.title, on: .bar)
    )
    KeyHints([.init("space", "play"), .init("enter", "confirm")], last: .init("?", "keys"))
      .draw(on: &surface, in: rest.takeBottom(1))
    let overview = peaks.prefix(size.columns * ColumnChart.barsPerColumn).map {
      ColumnChart.Bar(height: $0, inner: $0 / 2)
    }
    ColumnChart(overview).draw(on: &surface, in: rest.takeTop(3))
    let list = Panel(title: "Segments", isFocused: true)
      .draw(on: &surface, in: rest.takeRight(60))
    ListView(count: 700, selected: 3).draw(on: &surface, in: list) { index in
      StyledText([
        .init("0:41:0\(index % 10).123 "), .init("2:\(index) البقرة ", Style(.confirmed)),
        .init("12.3 s of 11.8 s", Style(.suggested)),
      ])
    }
    let canvas = Panel(title: "Waveform").draw(on: &surface, in: rest)
    surface.within(canvas) { surface in
      let silence = Rect(column: 30, row: 0, columns: 10, rows: surface.size.rows)
      surface.fill(silence, style: Style(.standard, on: .role(.silence)))
      let bars = (0..<surface.size.columns * ColumnChart.barsPerColumn).map { column in
        let peak = peaks[(column + scroll) % peaks.count]
        return ColumnChart.Bar(minimum: -peak, maximum: peak * 0.9, inner: peak / 2)
      }
      ColumnChart(bars).draw(on: &surface, in: surface.bounds)
      let line = Rect(column: playhead, row: 0, columns: 1, rows: surface.size.rows)
      surface.restyle(line) { $0.background = .role(.playhead) }
    }
    return surface
  }
}
