// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import TerminalUI

extension Screen {
  /// The waveform or the spectrogram with everything that lies on it.
  func drawCanvas(on surface: inout Surface, in rect: Rect) {
    surface.within(rect) { surface in
      let columns = min(surface.size.columns, state.viewport.columns)
      tint(state.sound.pauses, .silence, on: &surface)
      if let span = state.selection.span { tint([span], .selection, on: &surface) }
      switch state.settings.canvas {
      case .waveform: drawWaveform(columns, on: &surface)
      case .spectrogram: drawSpectrogram(columns, on: &surface)
      }
      drawWords(on: &surface)
      drawLines(on: &surface)
    }
  }

  /// Gives spans of time a background.
  private func tint(_ spans: [Range<FramePosition>], _ role: Role, on surface: inout Surface) {
    let viewport = state.viewport
    let shown = viewport.span
    // Spans are in order; the first one in sight is found by halving.
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].upperBound <= shown.lowerBound { low = middle + 1 } else { high = middle }
    }
    for span in spans[low...] {
      if span.lowerBound >= shown.upperBound { break }
      // What is much narrower than a column would colour all of it.
      if span.length.frames * 2 < viewport.framesPerColumn { continue }
      let first = viewport.column(of: max(span.lowerBound, shown.lowerBound)) ?? 0
      let last =
        viewport.column(of: FramePosition(min(span.upperBound, shown.upperBound).frames - 1))
        ?? first
      guard first <= last else { continue }
      surface.fill(
        Rect(column: first, row: 0, columns: last - first + 1, rows: surface.size.rows),
        style: Style(.standard, on: .role(role)))
    }
  }

  // MARK: Waveform

  private func drawWaveform(_ columns: Int, on surface: inout Surface) {
    let rendering: ColumnChart.Rendering = state.settings.drawing == .blocks ? .blocks : .braille
    let scale = AmplitudeScale(state.settings.amplitude, gain: state.transport.gain)
    var bars: [ColumnChart.Bar] = []
    bars.reserveCapacity(columns * rendering.barsPerColumn)
    for column in 0..<columns {
      let frames = state.viewport.frames(ofColumn: column)
      if rendering == .blocks {
        bars.append(scale.bar(peaks(over: frames)))
      } else {
        let half = frames.lowerBound + FrameCount(frames.length.frames / 2)
        bars.append(scale.bar(peaks(over: frames.lowerBound..<half)))
        bars.append(scale.bar(peaks(over: half..<frames.upperBound)))
      }
    }
    ColumnChart(bars, rendering: rendering).draw(on: &surface, in: surface.bounds)
    if state.settings.showsFloor { drawFloor(columns, scale, on: &surface) }
  }

  /// What is known of some frames: from the window or, while that is on its way, from the overview.
  private func peaks(over frames: Range<FramePosition>) -> WaveformWindow.Column? {
    guard !frames.isEmpty else { return nil }
    if let column = state.sound.waveform?.column(over: frames) { return column }
    let points = state.sound.overview
    guard !points.isEmpty, document.length > .zero else { return nil }
    let share = Double(frames.lowerBound.frames) / Double(document.length.frames)
    let level = points[min(Int(share * Double(points.count)), points.count - 1)] / 4
    return WaveformWindow.Column(minimum: -level, maximum: level, rms: level / 2)
  }

  /// The levels of the background and of the detector's threshold, where the waveform leaves room.
  private func drawFloor(_ columns: Int, _ scale: AmplitudeScale, on surface: inout Surface) {
    for column in 0..<columns {
      guard let peaks = state.sound.waveform?.column(over: state.viewport.frames(ofColumn: column))
      else { continue }
      for (level, role, scalar) in [
        (peaks.threshold, Role.threshold, Unicode.Scalar("╌")),
        (peaks.floor, Role.noiseFloor, Unicode.Scalar("┈")),
      ] {
        guard let level, level.isFinite, surface.size.rows > 0 else { continue }
        let height = min(max(scale.height(level), 0), 0.999)
        let row = surface.size.rows - 1 - Int(height * Double(surface.size.rows))
        // Over the waveform its colour stays behind the line.
        let cell = surface[Point(column: column, row: row)]
        let behind = cell.map { $0.shows("█") ? $0.style.foreground : $0.style.background }
        surface.fill(
          Rect(column: column, row: row, columns: 1, rows: 1), with: scalar,
          style: Style(.role(role), on: behind ?? .standard))
      }
    }
  }

  // MARK: Spectrogram

  private static let shades: [Unicode.Scalar] = [" ", "░", "▒", "▓", "█"]
  /// From nothing to the loudest, of xterm's 256.
  private static let heat: [UInt8] = [
    232, 233, 17, 18, 54, 90, 126, 162, 168, 203, 209, 215, 222, 229, 231,
  ]

  private func drawSpectrogram(_ columns: Int, on surface: inout Surface) {
    guard let window = state.sound.spectrogram else {
      if surface.size.rows > 0 {
        surface.write(
          "The spectrogram is being made", at: Point(column: 1, row: surface.size.rows / 2),
          style: Style(.dim))
      }
      return
    }
    let rows = surface.size.rows
    for column in 0..<columns {
      let frames = state.viewport.frames(ofColumn: column)
      for row in 0..<rows {
        let place = Rect(column: column, row: row, columns: 1, rows: 1)
        if state.hasManyColors {
          // Two bands to a row, the upper as the colour of a half block.
          let lower = (rows - 1 - row) * 2 * window.bands / (rows * 2)
          let upper = ((rows - 1 - row) * 2 + 1) * window.bands / (rows * 2)
          guard let low = window.value(over: frames, band: lower),
            let high = window.value(over: frames, band: upper)
          else { continue }
          surface.fill(
            place, with: "▀",
            style: Style(.palette(Self.heat(high)), on: .palette(Self.heat(low))))
        } else {
          let band = (rows - 1 - row) * window.bands / rows
          guard let value = window.value(over: frames, band: band), value >= 32 else { continue }
          let shade = min((Int(value) + 20) / 56, 4)
          surface.fill(
            place, with: Self.shades[shade],
            style: Style(shade >= 3 ? .waveformRMS : .waveformPeak))
        }
      }
    }
  }

  private static func heat(_ value: UInt8) -> UInt8 { heat[Int(value) * heat.count / 256] }

  // MARK: Words

  /// Columns that a word takes on average from which on ticks tell words apart.
  private static let columnsPerWord: Int64 = 3

  /// A tick at the top where each word begins.
  private func drawWords(on surface: inout Surface) {
    let viewport = state.viewport
    let shown = viewport.span
    guard !document.words.isEmpty, !shown.isEmpty, surface.size.rows > 0 else { return }
    let first = document.segment(containing: shown.lowerBound).index
    let last = document.segment(containing: shown.upperBound - FrameCount(1)).index
    let words = document.segments[first...last].flatMap { document.words(in: $0) }
      .filter { $0.span.overlaps(shown) }
    let length = words.reduce(Int64(0)) { $0 + $1.span.length.frames }
    guard length >= Self.columnsPerWord * viewport.framesPerColumn * Int64(words.count) else {
      return
    }
    for word in words {
      guard let column = viewport.column(of: word.span.lowerBound) else { continue }
      let point = Point(column: column, row: 0)
      // Over the waveform its colour stays behind the tick.
      let cell = surface[point]
      let behind = cell.map { $0.shows("█") ? $0.style.foreground : $0.style.background }
      surface.fill(
        Rect(origin: point, size: Size(columns: 1, rows: 1)), with: "╵",
        style: Style(.role(.accent), on: behind ?? .standard))
    }
  }

  // MARK: Lines

  private static let columnsPerLine = 4

  /// Markers where the sound leaves room, the selected one and the playhead always.
  private func drawLines(on surface: inout Surface) {
    let viewport = state.viewport
    let rows = surface.size.rows
    let selected = state.movedMarker?.id ?? state.selectedMarker?.id
    let markers = shownMarkers
    // Many lines would hide what they lie in; the handles below say where markers are.
    let isSparse = markers.count * Self.columnsPerLine < viewport.columns
    // A spectrogram leaves no room, so there they lie on it.
    let liesOver = state.settings.canvas == .spectrogram
    for marker in markers where isSparse || marker.id == selected {
      guard let column = viewport.column(of: marker.position) else { continue }
      let look = MarkerLook(marker)
      let isSelected = marker.id == selected
      for row in 0..<rows {
        let point = Point(column: column, row: row)
        guard isSelected || liesOver || surface[point]?.isBlank == true else { continue }
        let background = surface[point]?.style.background ?? .standard
        surface.fill(
          Rect(origin: point, size: Size(columns: 1, rows: 1)), with: look.line,
          style: Style(isSelected ? .role(.accent) : .role(look.role), on: background))
      }
    }
    if let anchor = state.selection.anchor, let column = viewport.column(of: anchor) {
      surface.fill(
        Rect(column: column, row: 0, columns: 1, rows: rows), with: "╎", style: Style(.selection))
    }
    if let column = viewport.column(of: state.transport.position) {
      surface.fill(
        Rect(column: column, row: 0, columns: 1, rows: rows), with: "┃", style: Style(.playhead))
    }
  }
}

/// From samples to heights on the canvas, 0...1.
struct AmplitudeScale {
  private let amplitude: Settings.Amplitude
  private let factor: Float

  /// dB below full scale at the foot of the canvas.
  private static let range: Float = 60

  init(_ amplitude: Settings.Amplitude, gain: Double) {
    self.amplitude = amplitude
    factor = Float(pow(10, gain / 20))
  }

  /// The height of a level, 0...1 for full scale.
  func height(_ level: Float) -> Double {
    let level = level * factor
    switch amplitude {
    case .linear: return Double(0.5 + level / 2)
    case .decibels:
      guard level > 0 else { return 0 }
      return Double((20 * log10(level) + Self.range) / Self.range)
    }
  }

  func bar(_ column: WaveformWindow.Column?) -> ColumnChart.Bar {
    guard let column else { return ColumnChart.Bar(height: 0) }
    switch amplitude {
    case .linear:
      return ColumnChart.Bar(
        minimum: Double(column.minimum * factor), maximum: Double(column.maximum * factor),
        rms: Double(column.rms * factor))
    case .decibels:
      return ColumnChart.Bar(height: height(column.peak), inner: height(column.rms))
    }
  }
}
