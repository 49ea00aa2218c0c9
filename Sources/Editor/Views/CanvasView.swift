// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Glibc
import TerminalUI

extension Screen {
  /// The waveform or the spectrogram with everything that lies on it.
  func drawCanvas(on surface: inout Surface, in rect: Rect) {
    surface.within(rect) { surface in
      let columns = min(surface.size.columns, state.viewport.columns)
      if let cell = state.canvasPixels, drawPixels(columns, of: cell, on: &surface) {
        drawWords(on: &surface)
        drawLines(onImage: true, on: &surface)
        return
      }
      for spans in state.silences { tint(spans, .silence, on: &surface) }
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
    let (scale, window) = (amplitudeScale, canvasWindow)
    var bars: [ColumnChart.Bar] = []
    bars.reserveCapacity(columns * ColumnChart.barsPerColumn)
    for column in 0..<columns {
      let frames = state.viewport.frames(ofColumn: column)
      let half = frames.lowerBound + FrameCount(frames.length.frames / 2)
      bars.append(bar(over: frames.lowerBound..<half, window, scale))
      bars.append(bar(over: half..<frames.upperBound, window, scale))
    }
    chart(bars).draw(on: &surface, in: surface.bounds)
    if state.settings.showsFloor { drawFloor(columns, scale, on: &surface) }
  }

  /// Bars as the settings and the terminal have them.
  func chart(_ bars: [ColumnChart.Bar]) -> ColumnChart {
    let rendering: ColumnChart.Rendering =
      switch state.settings.drawing {
      case .blocks: .blocks
      case .sextants: .sextants
      case .braille: .braille
      }
    return ColumnChart(bars, rendering: rendering, shadesOuter: !state.hasColors)
  }

  var amplitudeScale: AmplitudeScale {
    AmplitudeScale(
      state.settings.amplitude, fitted: state.sound.levels.scale, gain: state.transport.gain)
  }

  /// The samples that the canvas is drawn by; nil where it is drawn by levels alone.
  var canvasWindow: WaveformWindow? { state.drawsSamples ? state.sound.waveform : nil }

  func bar(
    over frames: Range<FramePosition>, _ window: WaveformWindow?, _ scale: AmplitudeScale
  ) -> ColumnChart.Bar {
    state.sound.bar(over: frames, of: document.length, window, scale)
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

  /// From nothing to the loudest, of xterm's 256 and of the 16.
  static let heat: [UInt8] = [
    232, 233, 17, 18, 54, 90, 126, 162, 168, 203, 209, 215, 222, 229, 231,
  ]
  private static let heatOf16: [UInt8] = [0, 4, 5, 1, 9, 3, 11, 15]

  private func drawSpectrogram(_ columns: Int, on surface: inout Surface) {
    guard let window = state.sound.spectrogram else {
      if surface.size.rows > 0 {
        surface.write(
          "Computing the spectrogram", at: Point(column: 1, row: surface.size.rows / 2),
          style: Style(.dim))
      }
      return
    }
    for column in 0..<columns {
      let frames = state.viewport.frames(ofColumn: column)
      if state.hasBlocks, state.hasColors {
        drawHeat(window, frames, column, on: &surface)
      } else {
        drawDots(window, frames, column, on: &surface)
      }
    }
  }

  /// Two bands to a row, the upper as the colour of a half block.
  private func drawHeat(
    _ window: SpectrogramWindow, _ frames: Range<FramePosition>, _ column: Int,
    on surface: inout Surface
  ) {
    let rows = surface.size.rows
    let heat = state.hasManyColors ? Self.heat : Self.heatOf16
    func color(_ value: UInt8) -> Color {
      let index = heat[Int(value) * heat.count / 256]
      return state.hasManyColors ? .palette(index) : .ansi(index)
    }
    for row in 0..<rows {
      let lower = (rows - 1 - row) * 2 * window.bands / (rows * 2)
      let upper = ((rows - 1 - row) * 2 + 1) * window.bands / (rows * 2)
      guard let low = window.value(over: frames, band: lower),
        let high = window.value(over: frames, band: upper)
      else { continue }
      surface.fill(
        Rect(column: column, row: row, columns: 1, rows: 1), with: "▀",
        style: Style(color(high), on: color(low)))
    }
  }

  /// Two columns of four bands to a cell, as dots that are the denser the louder it is: by Bayer's matrix for
  /// ordered dithering, 1973.
  private func drawDots(
    _ window: SpectrogramWindow, _ frames: Range<FramePosition>, _ column: Int,
    on surface: inout Surface
  ) {
    let rows = surface.size.rows
    let half = frames.lowerBound + FrameCount(frames.length.frames / 2)
    let halves = [frames.lowerBound..<half, half..<frames.upperBound]
    for row in 0..<rows {
      var pattern: UInt32 = 0
      for (side, frames) in halves.enumerated() where !frames.isEmpty {
        for step in 0..<4 {
          let band = ((rows - 1 - row) * 4 + step) * window.bands / (rows * 4)
          guard let value = window.value(over: frames, band: band) else { continue }
          let threshold = Self.bayer[step][(column * 2 + side) % 4] * 16 + 8
          if Int(value) > threshold { pattern |= ColumnChart.dotBits[side][step] }
        }
      }
      guard pattern != 0, let scalar = Unicode.Scalar(0x2800 + pattern) else { continue }
      let isLoud = pattern.nonzeroBitCount > 4
      surface.fill(
        Rect(column: column, row: row, columns: 1, rows: 1), with: scalar,
        style: Style(isLoud ? .waveformRMS : .waveformPeak))
    }
  }

  private static let bayer = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]

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

  /// Columns that a marker has on average from which on lines are cut into what is drawn. Where there are more,
  /// they would hide what they lie in: thin ones lie over it.
  private static let columnsPerLine = 3
  /// The same for thin lines, which from there on leave what is filled in part as it is: of a whole night there would be
  /// more lines than sound.
  private static let columnsPerThinLine = 2
  /// The share of columns with a marker from which on lines are no more than ticks at the top: nothing could be seen
  /// between them.
  private static let mostLines = 0.7

  /// Markers, the selected one, the anchor and the playhead.
  ///
  /// - Parameter isOnImage: whether what they lie on is an image, which has lines for the markers itself: sixels show only
  ///   where nothing is written.
  private func drawLines(onImage isOnImage: Bool = false, on surface: inout Surface) {
    let viewport = state.viewport
    let rows = surface.size.rows
    let columns = markedColumns
    let inHand = markerInHand
    let isSparse = columns.count * Self.columnsPerLine < viewport.columns
    let isCrowded = columns.count * Self.columnsPerThinLine > viewport.columns
    let isFull = Double(columns.count) > Self.mostLines * Double(viewport.columns)
    for (column, look) in columns where column != inHand?.column && !isOnImage {
      if isFull {
        surface.fill(
          Rect(column: column, row: 0, columns: 1, rows: 1), with: look.line,
          style: Style(look.role))
      } else if isSparse {
        drawLine(look.line, Style(look.role).bold, at: column, on: &surface)
      } else {
        drawThinLine(look.line, look.role, at: column, sparing: isCrowded, on: &surface)
      }
    }
    if let inHand {
      drawLine(inHand.look.line, Style(.accent).bold, at: inHand.column, on: &surface)
    }
    let marks = state.sceneMarks.marks.compactMap { viewport.column(of: $0.position) }
    if marks.count * Self.columnsPerLine < viewport.columns {
      for column in marks { drawLine("╏", Style(.accent), at: column, on: &surface) }
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

  /// A line cut into what is drawn: it can be read in every theme, whatever colour lies beside it.
  private func drawLine(
    _ scalar: Unicode.Scalar, _ style: Style, at column: Int, on surface: inout Surface
  ) {
    var style = style
    // What the column lies in is seen at its top, where the sound leaves room.
    switch surface[Point(column: column, row: 0)]?.style.background {
    case .role(.silence): style.background = .role(.silence)
    case .role(.selection): style.background = .role(.selection)
    case .role, .standard, .ansi, .palette, .rgb, nil: break
    }
    let line = Rect(column: column, row: 0, columns: 1, rows: surface.size.rows)
    surface.replace(line) { cell, _ in Cell(scalar, overFull(cell) ? style.reversed : style) }
  }

  /// Whether a cell is filled and no colour tells what lies over it from it: that is cut out of what is filled.
  private func overFull(_ cell: Cell) -> Bool { !state.hasColors && cell.shows("█") }

  /// A line that leaves what it lies in to be seen: over what is filled it has that for a background. Where nothing
  /// can be seen behind it, it takes every second row, or none of what is filled in part and to be spared.
  private func drawThinLine(
    _ scalar: Unicode.Scalar, _ role: Role, at column: Int, sparing sparesParts: Bool,
    on surface: inout Surface
  ) {
    let isDotted = state.settings.canvas == .spectrogram || state.settings.drawing == .braille
    var line = Cell(scalar, Style(role))
    surface.replace(Rect(column: column, row: 0, columns: 1, rows: surface.size.rows)) {
      cell, point in
      let isFull = cell.shows("█")
      let isSeenBehind = cell.shows(" ") || isFull
      let isCut = isFull || isDotted || !sparesParts
      guard isSeenBehind || isCut && point.row % 2 == 0 else { return nil }
      line.style = overFull(cell) ? Style(role).reversed : Style(role)
      line.style.background =
        isFull && state.hasColors ? cell.style.foreground : cell.style.background
      return line
    }
  }
}

extension Sound {
  /// The quietest and the loudest of some frames: by the levels of their hops or, where they are less than
  /// a few hops, by their samples; the overview alone while nothing else is known.
  func bar(
    over frames: Range<FramePosition>, of length: FrameCount, _ window: WaveformWindow?,
    _ scale: AmplitudeScale
  ) -> ColumnChart.Bar {
    guard !frames.isEmpty else { return ColumnChart.Bar(height: 0) }
    let column = window?.column(over: frames)
    let extremes = levels.extremes(over: frames)
    if let extremes, frames.length.frames >= levels.minFrames || column == nil {
      return scale.bar(extremes, column)
    }
    if let column { return scale.bar(column) }
    guard !overview.isEmpty, length > .zero else { return ColumnChart.Bar(height: 0) }
    let share = Double(frames.lowerBound.frames) / Double(length.frames)
    let level = overview[min(Int(share * Double(overview.count)), overview.count - 1)] / 4
    return scale.bar(WaveformWindow.Column(minimum: -level, maximum: level, rms: level / 2))
  }
}

/// From levels to heights on the canvas, 0...1.
struct AmplitudeScale {
  private let amplitude: Settings.Amplitude
  private let gain: Double
  /// dBFS at the foot and at the top.
  private let span: ClosedRange<Double>

  /// - Parameter fitted: dBFS from the recording's background to its loudest.
  init(_ amplitude: Settings.Amplitude, fitted: ClosedRange<Double>, gain: Double) {
    self.amplitude = amplitude
    self.gain = gain
    // What is as quiet as the background is still seen.
    let foot = (fitted.upperBound - fitted.lowerBound) * Self.foot
    span =
      amplitude == .decibels
      ? fitted.lowerBound - foot...fitted.upperBound : LevelTrack.widestScale
  }

  private static let foot = 0.04

  /// The height of a level, full scale 1.
  func height(_ level: Float) -> Double { height(decibels: 20 * log10(max(Double(level), 1e-6))) }

  private func height(decibels: Double) -> Double {
    let decibels = decibels + gain
    switch amplitude {
    case .linear: return 0.5 + pow(10, decibels / 20) / 2
    case .decibels, .fullScale:
      return (decibels - span.lowerBound) / (span.upperBound - span.lowerBound)
    }
  }

  /// By levels and, where they are known, the greatest samples.
  func bar(_ extremes: LevelTrack.Extremes, _ column: WaveformWindow.Column?) -> ColumnChart.Bar {
    let quiet = height(decibels: extremes.quiet)
    let loud = height(decibels: extremes.loud)
    guard amplitude == .linear else { return ColumnChart.Bar(height: loud, inner: quiet) }
    let factor = pow(10, gain / 20)
    return ColumnChart.Bar(
      minimum: column.map { Double($0.minimum) * factor } ?? 1 - 2 * loud,
      maximum: column.map { Double($0.maximum) * factor } ?? 2 * loud - 1, inner: 2 * quiet - 1)
  }

  /// By samples alone.
  func bar(_ column: WaveformWindow.Column) -> ColumnChart.Bar {
    let rms = height(column.rms)
    guard amplitude == .linear else { return ColumnChart.Bar(height: rms, inner: rms) }
    let factor = pow(10, gain / 20)
    return ColumnChart.Bar(
      minimum: Double(column.minimum) * factor, maximum: Double(column.maximum) * factor,
      inner: 2 * rms - 1)
  }
}

extension State {
  /// Pauses that were found and what is said to be silence, in which none is found where it is long; each in order.
  var silences: [[Range<FramePosition>]] { [sound.pauses, facts.silences] }

  /// Values of a spectrogram in a cell.
  var spectrogramCell: Size {
    // Finer ones show nothing more: neighbouring bands share a bin, neighbouring columns a window.
    if truePixels != nil { return Size(columns: 4, rows: 8) }
    return hasBlocks && hasColors ? Size(columns: 1, rows: 2) : Size(columns: 2, rows: 4)
  }

  /// Bands of a spectrogram in true pixels, at most.
  private static let maxBands = 128

  var spectrogramBands: Int {
    let bands = max(layout.canvas.size.rows, 1) * spectrogramCell.rows
    return truePixels == nil ? bands : min(bands, Self.maxBands)
  }
}
