// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import TerminalUI

/// The images of the screen.
enum ImageSlot {
  static let canvas = 0
  static let picture = 1
  static let thumbnails = 2
  static let list = 3
}

extension State {
  /// The size of cells, where images in true pixels are drawn.
  var truePixels: CellPixels? { hasManyColors ? pixels : nil }

  /// The same for the canvas: nothing may lie over it but text that belongs to it.
  var canvasPixels: CellPixels? {
    guard let panel, panel.isSmall else { return truePixels }
    return layout.smallPanel.intersection(layout.canvas).isEmpty ? truePixels : nil
  }

  /// Columns of the waveform that a cell needs.
  var waveformColumnsPerCell: Int {
    guard let cell = truePixels else { return ColumnChart.barsPerColumn }
    // What is drawn by the levels of hops needs samples for nothing but the levels of the detector.
    return settings.amplitude != .linear && areBarsOfHops ? ColumnChart.barsPerColumn : cell.width
  }

  /// Frames that a column of pixels is measured over at least: as many as a bar of blocks, up to those that
  /// hold a period of any voice, which would else show as stripes. They are too few to be measured by hops,
  /// which would show as steps.
  var minBarFrames: Int64 {
    min(sound.levels.minFrames - 1, viewport.framesPerColumn / Int64(ColumnChart.barsPerColumn))
  }
}

extension Range<FramePosition> {
  /// At least so many frames around the same middle, within a recording; what is empty stays so.
  fileprivate func widened(to least: Int64, in whole: Range<FramePosition>) -> Range {
    let missing = least - length.frames
    guard missing > 0, !isEmpty else { return self }
    let start = lowerBound - FrameCount(missing / 2)
    return (start..<start + FrameCount(least)).clamped(to: whole)
  }
}

extension Viewport {
  /// The frames of a part of a column; at least one, where the recording has one there.
  func frames(ofColumn column: Int, part: Int, of parts: Int) -> Range<FramePosition> {
    let all = frames(ofColumn: column)
    let (part, parts) = (Int64(part), Int64(parts))
    let first = all.lowerBound + FrameCount(framesPerColumn * part / parts)
    let end = all.lowerBound + FrameCount(framesPerColumn * (part + 1) / parts)
    guard first < all.upperBound else { return all.upperBound..<all.upperBound }
    return first..<min(max(end, first + FrameCount(1)), all.upperBound)
  }
}

extension Screen {
  /// Draws the waveform or the spectrogram as an image; false where there is none to be drawn yet.
  func drawPixels(_ columns: Int, of cell: CellPixels, on surface: inout Surface) -> Bool {
    let rect = Rect(column: 0, row: 0, columns: columns, rows: surface.size.rows)
    guard !rect.isEmpty else { return false }
    switch state.settings.canvas {
    case .waveform:
      let image = PixelImage(chart(columns, of: cell, rows: rect.size.rows))
      surface.place(image, in: rect, slot: ImageSlot.canvas)
    case .spectrogram:
      guard let window = state.sound.spectrogram else { return false }
      var heat = heat(window, columns)
      heat.lines = markerLines(state.spectrogramCell.columns)
      let image = PixelImage(heat)
      surface.place(image, in: rect, slot: ImageSlot.canvas)
    }
    return true
  }

  // MARK: Waveform

  private func chart(_ columns: Int, of cell: CellPixels, rows: Int) -> PixelChart {
    let (scale, window) = (amplitudeScale, canvasWindow)
    var bars: [ColumnChart.Bar] = []
    bars.reserveCapacity(columns * cell.width)
    let minFrames = state.minBarFrames
    for column in 0..<columns {
      for part in 0..<cell.width {
        let frames = state.viewport.frames(ofColumn: column, part: part, of: cell.width)
        let wide = frames.widened(to: minFrames, in: .zero..<state.end)
        bars.append(bar(over: wide, window, scale))
      }
    }
    var chart = PixelChart(bars, height: rows * cell.height)
    chart.tints = state.silences.flatMap {
      tints($0, .silence, of: cell, width: bars.count)
    }
    if let span = state.selection.span {
      chart.tints += tints([span], .selection, of: cell, width: bars.count)
    }
    if state.settings.showsFloor { chart.levels = levels(columns, scale, of: cell) }
    chart.lines = markerLines(cell.width)
    return chart
  }

  /// All markers in view, the one in hand too: the image stays the same when another one is taken in hand.
  ///
  /// - Parameter parts: columns of pixels to a cell.
  private func markerLines(_ parts: Int) -> [PixelLine] {
    var lines: [PixelLine] = []
    for record in document.records {
      guard let marker = record.start, state.viewport.span.contains(marker.position) else {
        continue
      }
      let look = MarkerLook(marker)
      lines.append(
        PixelLine(
          column: place(marker.position, parts), role: look.role, dash: 3,
          gap: marker.isConfirmed ? 0 : 2))
    }
    return lines
  }

  /// The column of pixels of a place.
  private func place(_ position: FramePosition, _ parts: Int) -> Int {
    let frames = (position.frames - state.viewport.start.frames) * Int64(parts)
    return Int(frames / state.viewport.framesPerColumn)
  }

  /// Spans of time as columns of pixels.
  private func tints(
    _ spans: [Range<FramePosition>], _ role: Role, of cell: CellPixels, width: Int
  ) -> [PixelChart.Tint] {
    let viewport = state.viewport
    let shown = viewport.span
    func place(_ position: FramePosition) -> Int {
      min(max(self.place(position, cell.width), 0), width)
    }
    return spans.lazy.filter { $0.overlaps(shown) }.compactMap { span in
      let columns = place(span.lowerBound)..<place(max(span.upperBound, span.lowerBound))
      return columns.isEmpty ? nil : PixelChart.Tint(columns: columns, role: role)
    }
  }

  /// The levels of the background and of the detector's threshold.
  private func levels(
    _ columns: Int, _ scale: AmplitudeScale, of cell: CellPixels
  ) -> [PixelChart.Level] {
    var floor: [Double] = []
    var threshold: [Double] = []
    for column in 0..<columns {
      let peaks = state.sound.waveform?.column(over: state.viewport.frames(ofColumn: column))
      func height(_ level: Float?) -> Double {
        guard let level, level.isFinite else { return .nan }
        return scale.height(level)
      }
      floor += Array(repeating: height(peaks?.floor), count: cell.width)
      threshold += Array(repeating: height(peaks?.threshold), count: cell.width)
    }
    return [
      PixelChart.Level(heights: floor, role: .noiseFloor, dash: 2, gap: 3),
      PixelChart.Level(heights: threshold, role: .threshold, dash: 6, gap: 4),
    ]
  }

  // MARK: Spectrogram

  private func heat(_ window: SpectrogramWindow, _ columns: Int) -> PixelHeat {
    let parts = state.spectrogramCell.columns
    let spans = (0..<columns * parts).map {
      state.viewport.frames(ofColumn: $0 / parts, part: $0 % parts, of: parts)
    }
    return window.heat(over: spans, ramp: Self.heat)
  }
}
