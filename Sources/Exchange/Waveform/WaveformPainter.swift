// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TerminalUI

/// Draws the parts of a ``WaveformPicture`` from the back to the front.
struct WaveformPainter {
  let content: WaveformPictureContent
  let layout: WaveformPictureLayout
  let scale: WaveformPicture.Scale
  let canvas: CairoCanvas
  private let peak: Float

  init(
    content: WaveformPictureContent, layout: WaveformPictureLayout, scale: WaveformPicture.Scale,
    canvas: CairoCanvas
  ) {
    self.content = content
    self.layout = layout
    self.scale = scale
    self.canvas = canvas
    peak = content.peak
  }

  private typealias Layout = WaveformPictureLayout
  private typealias Point = CairoCanvas.Point
  private typealias Color = CairoCanvas.Color

  private enum Palette {
    static let paper = Color(0xFFFFFF)
    static let panel = Color(0xF4F6F9)
    static let rule = Color(0xCBD3DC)
    static let ink = Color(0x1B2430)
    static let faint = Color(0x5D6976)
    static let extremes = Color(0xA3BFDE)
    static let rms = Color(0x2F5F98)
    static let pause = Color(0xF0B429)
    static let noiseFloor = Color(0x7A3E9D)
    static let threshold = Color(0x111111)

    static func boundary(_ confidence: Confidence) -> Color {
      switch confidence {
      case .sure: Color(0x0B6E4F)
      case .fair: Color(0xB45309)
      case .unsure: Color(0xC21F3A)
      }
    }

    /// From a tint for no confidence to a strong yellow for all.
    static func pause(_ confidence: Double) -> Color {
      let known = confidence.isFinite ? min(max(confidence, 0), 1) : 0
      return pause.with(alpha: 0.12 + 0.43 * known)
    }
  }

  func paint() {
    canvas.fill(
      x: 0, y: 0, width: Double(layout.width), height: Double(layout.height), Palette.paper)
    paintHeader()
    for row in 0..<layout.rowCount {
      paintPanel(row)
      paintPauses(row)
      paintWaveform(row)
      paintCurves(row)
      paintAxis(row)
      paintBoundaries(row)
    }
  }
}

// MARK: - Header

extension WaveformPainter {
  private func paintHeader() {
    let left = Layout.margin
    canvas.text(
      fitting(content.title, size: 20, bold: true, width: layout.plotWidth),
      at: Point(x: left, y: 34), size: 20, bold: true, Palette.ink)
    canvas.text(
      fitting(facts, size: 13, width: layout.plotWidth), at: Point(x: left, y: 56), size: 13,
      Palette.faint)
    paintLegend(x: left, y: 78)
  }

  private var facts: String {
    let end = TimeText.short(seconds: Int128((layout.start + layout.duration).rounded()))
    let start = TimeText.short(seconds: Int128(layout.start.rounded()))
    var facts = [layout.start > 0 ? "\(start) to \(end)" : end]
    if !content.detector.isEmpty {
      let (pauses, boundaries) = (content.pauses.count, content.boundaries.count)
      facts += [
        "\(content.detector) detector",
        pauses == 1 ? "1 pause" : "\(pauses) pauses",
        boundaries == 1 ? "1 boundary" : "\(boundaries) boundaries",
      ]
    }
    if scale == .decibels { facts.append("decibel scale, 60 dB") }
    return facts.joined(separator: "  ·  ")
  }

  /// Samples of what the picture uses, each with its name, on one line or two.
  private func paintLegend(x left: Double, y top: Double) {
    var pen = Point(x: left, y: top)
    func entry(_ name: String, width: Double, _ sample: (Point) -> Void) {
      let length = width + 6 + canvas.width(of: name, size: 12)
      if pen.x + length > left + layout.plotWidth { pen = Point(x: left, y: pen.y + 20) }
      sample(pen)
      canvas.text(name, at: Point(x: pen.x + width + 6, y: pen.y + 4), size: 12, Palette.faint)
      pen.x += length + 22
    }
    func swatch(_ color: Color) -> (Point) -> Void {
      { canvas.fill(x: $0.x, y: $0.y - 6, width: 18, height: 12, color) }
    }
    func stroke(_ color: Color, dash: [Double]) -> (Point) -> Void {
      { canvas.line(through: [$0, Point(x: $0.x + 24, y: $0.y)], color, width: 1.5, dash: dash) }
    }
    entry("extremes", width: 18, swatch(Palette.extremes))
    entry("RMS", width: 18, swatch(Palette.rms))
    if !content.noiseFloor.isEmpty {
      entry("noise floor", width: 24, stroke(Palette.noiseFloor, dash: []))
    }
    if !content.threshold.isEmpty {
      entry("threshold", width: 24, stroke(Palette.threshold, dash: Self.thresholdDash))
    }
    if !content.pauses.isEmpty {
      entry("pause (darker is surer)", width: 36) { pen in
        for (index, confidence) in [0, 0.5, 1].enumerated() {
          canvas.fill(
            x: pen.x + Double(index) * 12, y: pen.y - 6, width: 12, height: 12,
            Palette.pause(confidence))
        }
      }
    }
    guard !content.boundaries.isEmpty else { return }
    let names: [(Confidence, String)] = [
      (.sure, "boundary ≥ \(Confidence.surePercent)%"),
      (.fair, "≥ \(Confidence.fairPercent)%"),
      (.unsure, "< \(Confidence.fairPercent)%"),
    ]
    for (confidence, name) in names {
      entry(name, width: 12) { pen in
        paintStroke(confidence, x: pen.x + 6, from: pen.y - 3, to: pen.y + 10)
        paintMark(confidence, at: Point(x: pen.x + 6, y: pen.y - 3))
      }
    }
  }

  /// Text made drawable, cut at the end with an ellipsis so that it is no wider than `width`.
  private func fitting(_ text: String, size: Double, bold: Bool = false, width: Double) -> String {
    // A name can be very long; no letter is narrower than two pixels.
    var cut = String(text.prefix(Int(width / 2)))
    var drawable = Self.drawable(text.count > cut.count ? cut + "…" : cut)
    while !cut.isEmpty, canvas.width(of: drawable, size: size, bold: bold) > width {
      cut.removeLast()
      drawable = Self.drawable(cut + "…")
    }
    return drawable
  }

  private static func drawable(_ text: String) -> String { visualOrder(singleLine(text)) }
}

// MARK: - Waveform

extension WaveformPainter {
  private func waveTop(_ row: Int) -> Double { layout.top(ofRow: row) + Layout.laneHeight }

  private func paintPanel(_ row: Int) {
    let span = layout.span(ofRow: row)
    let right = layout.x(of: span.upperBound, inRow: row)
    canvas.fill(
      x: Layout.margin, y: waveTop(row), width: right - Layout.margin, height: Layout.waveHeight,
      Palette.panel)
  }

  private func paintPauses(_ row: Int) {
    let span = layout.span(ofRow: row)
    for pause in content.pauses where pause.start < span.upperBound && pause.end > span.lowerBound {
      let left = layout.x(of: max(pause.start, span.lowerBound), inRow: row)
      let right = layout.x(of: min(pause.end, span.upperBound), inRow: row)
      canvas.fill(
        x: left, y: waveTop(row), width: max(right - left, 1), height: Layout.waveHeight,
        Palette.pause(pause.confidence))
    }
  }

  private func paintWaveform(_ row: Int) {
    let span = layout.span(ofRow: row)
    let center = waveTop(row) + Layout.waveHeight / 2
    let pixels = Int(layout.x(of: span.upperBound, inRow: row) - Layout.margin)
    let secondsPerPixel = layout.secondsPerRow / layout.plotWidth
    let columns = (0..<pixels).map { pixel in
      let start = span.lowerBound + Double(pixel) * secondsPerPixel
      return content.summary(from: start, to: start + secondsPerPixel)
    }
    canvas.line(
      through: [
        Point(x: Layout.margin, y: center), Point(x: Layout.margin + Double(pixels), y: center),
      ], Palette.rule, width: 1)
    guard !columns.isEmpty else { return }
    paintBody(columns.map { ($0.maximum, $0.minimum) }, center: center, Palette.extremes)
    paintBody(columns.map { ($0.rms, -$0.rms) }, center: center, Palette.rms)
  }

  /// Fills between the upper and lower amplitude of each pixel.
  private func paintBody(_ levels: [(Float, Float)], center: Double, _ color: Color) {
    func points(_ amplitude: ((Float, Float)) -> Float) -> [Point] {
      levels.enumerated().map { index, level in
        Point(x: Layout.margin + Double(index) + 0.5, y: center - height(of: amplitude(level)))
      }
    }
    canvas.fill(polygon: points(\.0) + points(\.1).reversed(), color)
  }

  private static let thresholdDash = [5.0, 3]

  private func paintCurves(_ row: Int) {
    paintCurve(content.noiseFloor, row, Palette.noiseFloor, dash: [])
    paintCurve(content.threshold, row, Palette.threshold, dash: Self.thresholdDash)
  }

  /// A level above and below the middle, as the waveform has both sides.
  private func paintCurve(_ curve: [Float], _ row: Int, _ color: Color, dash: [Double]) {
    guard !curve.isEmpty else { return }
    let span = layout.span(ofRow: row)
    let center = waveTop(row) + Layout.waveHeight / 2
    let right = layout.x(of: span.upperBound, inRow: row)
    let secondsPerPixel = layout.secondsPerRow / layout.plotWidth
    for side in [1.0, -1] {
      let points = stride(from: Layout.margin, through: right, by: 2).compactMap { x in
        let time = span.lowerBound + (x - Layout.margin) * secondsPerPixel
        return content.value(of: curve, at: time).map { level in
          Point(x: x, y: center - side * height(of: level))
        }
      }
      canvas.line(through: points, color.with(alpha: 0.8), width: 1, dash: dash)
    }
  }

  /// Pixels from the middle for an amplitude, negative for a negative one.
  private func height(of amplitude: Float) -> Double {
    let relative = Double(min(abs(amplitude) / peak, 1))
    let level =
      switch scale {
      case .linear: relative
      case .decibels: max(0, 1 + decibels(relative) / 60)
      }
    return level * (amplitude < 0 ? -1 : 1) * (Layout.waveHeight / 2 - 2)
  }
}

// MARK: - Axis and boundaries

extension WaveformPainter {
  private func paintAxis(_ row: Int) {
    let top = waveTop(row) + Layout.waveHeight
    let step = layout.tickStep
    for tick in layout.ticks(ofRow: row) {
      let x = layout.x(of: Double(tick) / 1000 - layout.start, inRow: row)
      canvas.line(through: [Point(x: x, y: top), Point(x: x, y: top + 5)], Palette.faint, width: 1)
      var label = TimeText.short(seconds: Int128(tick / 1000))
      if step < 1000 { label += ".\(tick % 1000 / 100)" }
      let half = canvas.width(of: label, size: 11) / 2
      let middle = min(max(x, Layout.margin + half), Layout.margin + layout.plotWidth - half)
      canvas.text(
        label, at: Point(x: middle, y: top + 17), size: 11, anchor: .middle, Palette.faint)
    }
  }

  private func paintBoundaries(_ row: Int) {
    let span = layout.span(ofRow: row)
    let isLast = row == layout.rowCount - 1
    let middle = layout.top(ofRow: row) + Layout.laneHeight / 2
    var occupied = 0.0
    for boundary in content.boundaries
    where span.contains(boundary.time) && (isLast || boundary.time < span.upperBound) {
      let confidence = Confidence(boundary.confidence)
      let x = layout.x(of: boundary.time, inRow: row)
      paintStroke(confidence, x: x, from: middle, to: waveTop(row) + Layout.waveHeight)
      paintMark(confidence, at: Point(x: x, y: middle))
      // Right of its mark, or left of it at the edge; it gives way to the label before it.
      let label = Self.drawable(boundary.label)
      let width = canvas.width(of: label, size: 11)
      let isAtEdge = x + 9 + width > Double(layout.width) - 8
      let start = isAtEdge ? x - 9 - width : x + 9
      guard start > occupied else { continue }
      canvas.text(label, at: Point(x: start, y: middle + 4), size: 11, Palette.ink)
      occupied = max(start + width, x) + 12
    }
  }

  private func paintStroke(_ confidence: Confidence, x: Double, from top: Double, to bottom: Double)
  {
    let dash: [Double] =
      switch confidence {
      case .sure: []
      case .fair: [6, 3]
      case .unsure: [2, 3]
      }
    canvas.line(
      through: [Point(x: x, y: top), Point(x: x, y: bottom)], Palette.boundary(confidence),
      width: 1.5, dash: dash)
  }

  /// A disc, a filled diamond, a hollow triangle.
  private func paintMark(_ confidence: Confidence, at center: Point) {
    let color = Palette.boundary(confidence)
    let (x, y) = (center.x, center.y)
    switch confidence {
    case .sure:
      canvas.fill(circleAt: center, radius: 4.5, color)
    case .fair:
      canvas.fill(
        polygon: [
          Point(x: x, y: y - 6), Point(x: x + 5.5, y: y), Point(x: x, y: y + 6),
          Point(x: x - 5.5, y: y),
        ], color)
    case .unsure:
      let triangle = [
        Point(x: x - 5.5, y: y - 4.5), Point(x: x + 5.5, y: y - 4.5), Point(x: x, y: y + 5.5),
      ]
      canvas.fill(polygon: triangle, Palette.paper)
      canvas.outline(polygon: triangle, color, width: 1.8)
    }
  }
}

/// Twenty times the decimal logarithm of an amplitude.
private func decibels(_ amplitude: Double) -> Double { 20 * log10(amplitude) }
