// SPDX-License-Identifier: GPL-3.0-or-later

/// Vertical bars side by side, each of an outer and an inner stretch: peak and RMS of a waveform,
/// or bars of a histogram.
///
/// Backgrounds that are on the surface already stay, so that silence and selections show behind.
public struct ColumnChart: Sendable {
  public enum Rendering: Sendable {
    /// One bar a column, to an eighth of a row.
    case blocks
    /// Two bars a column, to a quarter of a row.
    case braille

    public var barsPerColumn: Int { self == .blocks ? 1 : 2 }
  }

  /// Heights from 0 at the bottom to 1 at the top; what lies outside is cut off, NaN draws nothing.
  public struct Bar: Hashable, Sendable {
    public var low: Double
    public var high: Double
    public var innerLow: Double
    public var innerHigh: Double

    /// From `low` to `high`, and within it another from `innerLow` to `innerHigh`.
    public init(low: Double, high: Double, innerLow: Double = 0, innerHigh: Double = 0) {
      self.low = low
      self.high = high
      self.innerLow = innerLow
      self.innerHigh = innerHigh
    }

    /// From the bottom up.
    public init(height: Double, inner: Double = 0) {
      self.init(low: 0, high: height, innerHigh: inner)
    }

    /// A waveform around the middle: samples -1...1, and an RMS of 0...1 to both sides.
    public init(minimum: Double, maximum: Double, rms: Double) {
      self.init(
        low: 0.5 + minimum / 2, high: 0.5 + maximum / 2, innerLow: 0.5 - rms / 2,
        innerHigh: 0.5 + rms / 2)
    }
  }

  /// As many for each column as ``Rendering/barsPerColumn``.
  public var bars: [Bar]
  public var rendering: Rendering
  public var outerStyle: Style
  public var innerStyle: Style

  public init(
    _ bars: [Bar], rendering: Rendering = .blocks, outerStyle: Style = Style(.waveformPeak),
    innerStyle: Style = Style(.waveformRMS)
  ) {
    self.bars = bars
    self.rendering = rendering
    self.outerStyle = outerStyle
    self.innerStyle = innerStyle
  }

  public func draw(on surface: inout Surface, in rect: Rect) {
    surface.within(rect) { surface in
      switch rendering {
      case .blocks:
        for column in 0..<min(bars.count, surface.size.columns) {
          drawBlocks(bars[column], column: column, on: &surface)
        }
      case .braille:
        for column in 0..<min((bars.count + 1) / 2, surface.size.columns) {
          drawDots(column: column, on: &surface)
        }
      }
    }
  }

  /// A stretch in whole steps of a chart that is `steps` high; empty where it is nothing.
  ///
  /// Anything above zero shows, one step at least.
  private static func steps(_ low: Double, _ high: Double, of steps: Int) -> Range<Int> {
    guard high > low, high > 0, low < 1 else { return 0..<0 }
    let height = Double(steps)
    let from = Int((max(low, 0) * height).rounded())
    let to = Int((min(high, 1) * height).rounded())
    if to > from { return from..<to }
    let only = min(from, steps - 1)
    return only..<only + 1
  }
}

// MARK: - Blocks

extension ColumnChart {
  private func drawBlocks(_ bar: Bar, column: Int, on surface: inout Surface) {
    let rows = surface.size.rows
    guard rows > 0 else { return }
    let outer = Self.steps(bar.low, bar.high, of: rows * 8)
    let inner = Self.steps(bar.innerLow, bar.innerHigh, of: rows * 8)
    let lowest = min(
      outer.isEmpty ? Int.max : outer.lowerBound, inner.isEmpty ? Int.max : inner.lowerBound)
    let highest = max(outer.upperBound, inner.upperBound)
    guard lowest < highest else { return }
    for cell in lowest / 8...(highest - 1) / 8 {
      let within = cell * 8..<cell * 8 + 8
      let point = Point(column: column, row: rows - 1 - cell)
      drawCell(
        outer: outer.clamped(to: within).relative(to: within),
        inner: inner.clamped(to: within).relative(to: within), at: point, on: &surface)
    }
  }

  /// Draws what of the two stretches lies in one cell, in eighths from its bottom.
  ///
  /// A cell has two colours. Where it would need three, the background gives way.
  private func drawCell(
    outer: Range<Int>, inner: Range<Int>, at point: Point, on surface: inout Surface
  ) {
    if inner.isEmpty {
      drawPart(outer, outerStyle, behind: nil, at: point, on: &surface)
    } else if outer.count <= inner.count || inner.count == 8 {
      drawPart(inner, innerStyle, behind: nil, at: point, on: &surface)
    } else if outer.count == 8 {
      drawPart(inner, innerStyle, behind: outerStyle.foreground, at: point, on: &surface)
    } else {
      let style = inner.count * 2 >= outer.count ? innerStyle : outerStyle
      drawPart(outer, style, behind: nil, at: point, on: &surface)
    }
  }

  private func drawPart(
    _ part: Range<Int>, _ style: Style, behind: Color?, at point: Point, on surface: inout Surface
  ) {
    guard !part.isEmpty, let cell = surface[point] else { return }
    var style = style
    if let behind {
      style.background = behind
    } else if style.background == .standard {
      style.background = cell.style.background
    }
    if part.lowerBound == 0 {
      surface.put(Self.lowerBlocks[part.count - 1], at: point, style: style)
    } else if part.upperBound == 8 {
      // There are no upper blocks by eighths: the lower rest is cut out in reverse.
      style.attributes.formSymmetricDifference(.reverse)
      surface.put(Self.lowerBlocks[part.lowerBound - 1], at: point, style: style)
    } else {
      let glyph = part.count >= 5 ? Self.lowerBlocks[7] : Self.middles[part.count - 1]
      surface.put(glyph, at: point, style: style)
    }
  }

  private static let lowerBlocks = "▁▂▃▄▅▆▇█".unicodeScalars.map { Glyph($0) }
  private static let middles = "─━━■".unicodeScalars.map { Glyph($0) }
}

extension Range<Int> {
  fileprivate func relative(to other: Range<Int>) -> Range<Int> {
    lowerBound - other.lowerBound..<upperBound - other.lowerBound
  }
}

// MARK: - Braille

extension ColumnChart {
  private func drawDots(column: Int, on surface: inout Surface) {
    let rows = surface.size.rows
    guard rows > 0 else { return }
    let pair = (0..<2).map { side -> (outer: Range<Int>, inner: Range<Int>) in
      let index = column * 2 + side
      guard index < bars.count else { return (0..<0, 0..<0) }
      let bar = bars[index]
      return (
        Self.steps(bar.low, bar.high, of: rows * 4),
        Self.steps(bar.innerLow, bar.innerHigh, of: rows * 4)
      )
    }
    for row in 0..<rows {
      let bottom = (rows - 1 - row) * 4
      var pattern: UInt32 = 0
      var innerDots = 0
      for side in 0..<2 {
        for step in 0..<4 {
          let isInner = pair[side].inner.contains(bottom + step)
          if isInner { innerDots += 1 }
          if isInner || pair[side].outer.contains(bottom + step) {
            pattern |= Self.dotBits[side][step]
          }
        }
      }
      let point = Point(column: column, row: row)
      guard pattern != 0, let scalar = Unicode.Scalar(0x2800 + pattern), let cell = surface[point]
      else { continue }
      var style = innerDots * 2 >= pattern.nonzeroBitCount ? innerStyle : outerStyle
      if style.background == .standard { style.background = cell.style.background }
      surface.put(Glyph(scalar), at: point, style: style)
    }
  }

  /// The bits of U+2800...U+28FF, left and right, from the bottom up.
  private static let dotBits: [[UInt32]] = [[0x40, 0x04, 0x02, 0x01], [0x80, 0x20, 0x10, 0x08]]
}
