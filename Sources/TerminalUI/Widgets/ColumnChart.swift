// SPDX-License-Identifier: GPL-3.0-or-later

/// Vertical bars side by side, two to a column, each of an outer and an inner stretch: the loudest and
/// the quietest part of a sound, or its peak and its RMS.
///
/// Backgrounds that are on the surface already stay, so that silence and selections show behind.
public struct ColumnChart: Sendable {
  public enum Rendering: Sendable {
    /// Eighths of a row where both bars of a column are alike, quarters of a cell where they are not.
    case blocks
    /// Thirds of a row: characters of Unicode 13, which not every font has.
    case sextants
    /// Quarters of a row, in dots.
    case braille
  }

  public static let barsPerColumn = 2

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

    /// A waveform around the middle: samples -1...1, and an inner level of 0...1 to both sides.
    public init(minimum: Double, maximum: Double, inner: Double) {
      self.init(
        low: 0.5 + minimum / 2, high: 0.5 + maximum / 2, innerLow: 0.5 - inner / 2,
        innerHigh: 0.5 + inner / 2)
    }
  }

  /// As many for each column as ``barsPerColumn``.
  public var bars: [Bar]
  public var rendering: Rendering
  public var outerStyle: Style
  public var innerStyle: Style
  /// Whether the outer stretch is told from the inner one by its shading, for want of colours.
  public var shadesOuter: Bool

  public init(
    _ bars: [Bar], rendering: Rendering = .blocks, outerStyle: Style = Style(.waveformPeak),
    innerStyle: Style = Style(.waveformRMS), shadesOuter: Bool = false
  ) {
    self.bars = bars
    self.rendering = rendering
    self.outerStyle = outerStyle
    self.innerStyle = innerStyle
    self.shadesOuter = shadesOuter
  }

  public func draw(on surface: inout Surface, in rect: Rect) {
    surface.within(rect) { surface in
      let columns = (bars.count + Self.barsPerColumn - 1) / Self.barsPerColumn
      let perRow = rendering.stepsPerRow
      let steps = surface.size.rows * perRow
      guard steps > 0 else { return }
      for column in 0..<min(columns, surface.size.columns) {
        let left = Steps(bars[column * 2], of: steps)
        let right = column * 2 + 1 < bars.count ? Steps(bars[column * 2 + 1], of: steps) : .none
        let highest = max(left.highest, right.highest)
        let lowest = min(left.lowest, right.lowest)
        guard lowest < highest else { continue }
        let end = (highest - 1) / perRow + 1
        let full = rendering.hasFullBlock ? FullCells(left, right, perRow: perRow) : nil
        var cell = lowest / perRow
        while cell < end {
          if let (cells, tone) = full?.run(from: cell), tone == .inner || !shadesOuter {
            let top = surface.size.rows - cells.upperBound
            surface.put(
              Self.lowerBlocks[7], column: column, rows: top..<top + cells.count,
              style: tone == .inner ? innerStyle : outerStyle)
            cell = cells.upperBound
            continue
          }
          let sides = (
            left.within(cell * perRow..<(cell + 1) * perRow),
            right.within(cell * perRow..<(cell + 1) * perRow)
          )
          let point = Point(column: column, row: surface.size.rows - 1 - cell)
          draw(sides, at: point, on: &surface)
          cell += 1
        }
      }
    }
  }

  private typealias Sides = (left: Steps, right: Steps)

  private func draw(_ sides: Sides, at point: Point, on surface: inout Surface) {
    if shadesOuter, sides.left.inner.isEmpty, sides.right.inner.isEmpty {
      drawShade(sides, at: point, on: &surface)
      return
    }
    switch rendering {
    case .blocks: drawBlocks(sides, at: point, on: &surface)
    case .sextants: drawSextants(sides, at: point, on: &surface)
    case .braille: drawDots(sides, at: point, on: &surface)
    }
  }

  /// Where there is nothing but the outer stretch.
  private func drawShade(_ sides: Sides, at point: Point, on surface: inout Surface) {
    guard sides.left.outer.count + sides.right.outer.count >= rendering.stepsPerRow else { return }
    put("░", outerStyle, at: point, on: &surface)
  }

  private func put(
    _ scalar: Unicode.Scalar, _ style: Style, at point: Point, on surface: inout Surface
  ) {
    guard let cell = surface[point] else { return }
    var style = style
    if style.background == .standard { style.background = cell.style.background }
    surface.put(Glyph(scalar), at: point, style: style)
  }
}

extension ColumnChart.Rendering {
  fileprivate var stepsPerRow: Int {
    switch self {
    case .blocks: 8
    case .sextants: 3
    case .braille: 4
    }
  }

  /// Whether a cell that is full is drawn as a block.
  fileprivate var hasFullBlock: Bool { self != .braille }
}

/// The cells of a column that one stretch fills on both sides: most of a chart.
private struct FullCells {
  private let inner: Range<Int>
  private let outer: Range<Int>
  /// Where there is anything of the inner stretches.
  private let touched: Range<Int>

  init(_ left: Steps, _ right: Steps, perRow: Int) {
    /// The cells within some steps.
    func filled(_ one: Range<Int>, _ other: Range<Int>) -> Range<Int> {
      let both = one.clamped(to: other)
      let first = (both.lowerBound + perRow - 1) / perRow
      return first..<max(both.upperBound / perRow, first)
    }
    inner = filled(left.inner, right.inner)
    outer = filled(left.outer, right.outer)
    let highest = (max(left.inner.upperBound, right.inner.upperBound) + perRow - 1) / perRow
    let lowest = min(left.lowestInner, right.lowestInner) / perRow
    touched = min(lowest, highest)..<highest
  }

  /// As many as follow from one upwards; nil where that is not full.
  func run(from cell: Int) -> (Range<Int>, Tone)? {
    if inner.contains(cell) { return (cell..<inner.upperBound, .inner) }
    guard outer.contains(cell), !touched.contains(cell) else { return nil }
    let end =
      cell < touched.lowerBound ? min(outer.upperBound, touched.lowerBound) : outer.upperBound
    return (cell..<end, .outer)
  }
}

/// The stretches of a bar in whole steps from the bottom.
struct Steps: Hashable {
  var outer: Range<Int>
  var inner: Range<Int>

  static let none = Steps(outer: 0..<0, inner: 0..<0)

  init(outer: Range<Int>, inner: Range<Int>) {
    self.outer = outer
    self.inner = inner
  }

  init(_ bar: ColumnChart.Bar, of steps: Int) {
    outer = Self.steps(bar.low, bar.high, of: steps)
    inner = Self.steps(bar.innerLow, bar.innerHigh, of: steps)
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

  var lowest: Int { min(outer.isEmpty ? Int.max : outer.lowerBound, lowestInner) }

  var lowestInner: Int { inner.isEmpty ? Int.max : inner.lowerBound }

  var size: Int { outer.count + inner.count }

  var highest: Int { max(outer.upperBound, inner.upperBound) }

  /// What lies in some steps, counted from the first of them.
  func within(_ steps: Range<Int>) -> Steps {
    func part(_ range: Range<Int>) -> Range<Int> {
      let part = range.clamped(to: steps)
      return part.lowerBound - steps.lowerBound..<part.upperBound - steps.lowerBound
    }
    return Steps(outer: part(outer), inner: part(inner))
  }

  func tone(_ step: Int) -> Tone {
    inner.contains(step) ? .inner : outer.contains(step) ? .outer : .none
  }

  /// What most of some steps show.
  func tone(of steps: Range<Int>) -> Tone {
    let inner = self.inner.clamped(to: steps).count
    let outer = self.outer.clamped(to: steps).count
    if inner * 2 >= steps.count { return .inner }
    return max(inner, outer) * 2 >= steps.count ? .outer : .none
  }

  /// How far two bars are apart at most.
  func distance(to other: Steps) -> Int {
    func apart(_ one: Range<Int>, _ two: Range<Int>) -> Int {
      if one.isEmpty || two.isEmpty { return max(one.count, two.count) }
      return max(abs(one.lowerBound - two.lowerBound), abs(one.upperBound - two.upperBound))
    }
    return max(apart(outer, other.outer), apart(inner, other.inner))
  }
}

enum Tone { case none, outer, inner }

// MARK: - Blocks

extension ColumnChart {
  /// Eighths up to which the two bars of a column are drawn as one.
  private static let alike = 1

  private func drawBlocks(_ sides: Sides, at point: Point, on surface: inout Surface) {
    if sides.left.distance(to: sides.right) <= Self.alike {
      // At the foot the greater of two that differ by a step, so that what is hardly there shows; above it
      // the lesser, or slivers would stand on half of all columns.
      let isAtFoot = point.row == surface.size.rows - 1
      let isLeft = (sides.left.size >= sides.right.size) == isAtFoot
      let side = isLeft ? sides.left : sides.right
      drawCell(outer: side.outer, inner: side.inner, at: point, on: &surface)
      return
    }
    var parts = Parts()
    for half in [4..<8, 0..<4] {
      parts.add(sides.left.tone(of: half))
      parts.add(sides.right.tone(of: half))
    }
    draw(parts, at: point, on: &surface) { Self.quadrants[$0] }
  }

  /// Draws what of the two stretches lies in one cell, in eighths from its bottom.
  ///
  /// A cell has two colours. Where it would need three, the background gives way.
  private func drawCell(
    outer: Range<Int>, inner: Range<Int>, at point: Point, on surface: inout Surface
  ) {
    if inner.isEmpty {
      drawPart(outer, outerStyle, behind: nil, at: point, on: &surface)
    } else if shadesOuter || outer.count <= inner.count || inner.count == 8 {
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
  /// By the quarters that are full: 1 upper left, 2 upper right, 4 lower left, 8 lower right.
  private static let quadrants = Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars)

  /// The parts of a cell, the first in the lowest bit.
  private struct Parts {
    private(set) var inner = 0
    /// Those of the inner stretch too.
    private(set) var full = 0
    private var all = 0

    mutating func add(_ tone: Tone) {
      let bit = all + 1
      all |= bit
      if tone == .inner { inner |= bit }
      if tone != .none { full |= bit }
    }

    var areAllFull: Bool { full == all }
  }

  /// Draws the parts of a cell, of which the colours are two: the tone that is less there gives way.
  private func draw(
    _ parts: Parts, at point: Point, on surface: inout Surface, glyph: (Int) -> Unicode.Scalar
  ) {
    let (inner, full) = (parts.inner, parts.full)
    guard full != 0 else { return }
    if inner == 0 {
      put(glyph(full), outerStyle, at: point, on: &surface)
    } else if shadesOuter {
      put(glyph(inner), innerStyle, at: point, on: &surface)
    } else if parts.areAllFull, inner != full {
      var style = innerStyle
      style.background = outerStyle.foreground
      put(glyph(inner), style, at: point, on: &surface)
    } else {
      let isMostlyInner = inner.nonzeroBitCount * 2 >= full.nonzeroBitCount
      put(glyph(full), isMostlyInner ? innerStyle : outerStyle, at: point, on: &surface)
    }
  }
}

// MARK: - Sextants

extension ColumnChart {
  private func drawSextants(_ sides: Sides, at point: Point, on surface: inout Surface) {
    var parts = Parts()
    for third in (0..<3).reversed() {
      parts.add(sides.left.tone(third))
      parts.add(sides.right.tone(third))
    }
    draw(parts, at: point, on: &surface, glyph: Self.sextant)
  }

  /// By the sixths that are full, from the upper left to the lower right; U+1FB00 and the following have
  /// all but those that are older characters.
  private static func sextant(_ bits: Int) -> Unicode.Scalar {
    switch bits {
    case 0: return " "
    case 0b010101: return "▌"
    case 0b101010: return "▐"
    case 0b111111: return "█"
    default:
      let older = 1 + (bits > 0b010101 ? 1 : 0) + (bits > 0b101010 ? 1 : 0)
      return Unicode.Scalar(UInt32(0x1FB00 + bits - older)) ?? " "
    }
  }
}

// MARK: - Braille

extension ColumnChart {
  private func drawDots(_ sides: Sides, at point: Point, on surface: inout Surface) {
    var pattern: UInt32 = 0
    var innerDots = 0
    for (side, steps) in [sides.left, sides.right].enumerated() {
      for step in 0..<4 {
        let tone = steps.tone(step)
        if tone == .inner { innerDots += 1 }
        if tone == .inner || (tone == .outer && !shadesOuter) {
          pattern |= Self.dotBits[side][step]
        }
      }
    }
    guard pattern != 0, let scalar = Unicode.Scalar(0x2800 + pattern) else { return }
    let isInner = innerDots * 2 >= pattern.nonzeroBitCount
    put(scalar, isInner ? innerStyle : outerStyle, at: point, on: &surface)
  }

  /// The bits of U+2800...U+28FF, left and right, from the bottom up.
  public static let dotBits: [[UInt32]] = [[0x40, 0x04, 0x02, 0x01], [0x80, 0x20, 0x10, 0x08]]
}
