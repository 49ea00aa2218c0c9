// SPDX-License-Identifier: GPL-3.0-or-later

/// A ``ColumnChart`` in true pixels: a bar to each column of pixels, before spans of colour, with levels
/// dashed over them. Where there is nothing, the terminal's own background shows.
public struct PixelChart: Hashable, Sendable {
  /// Columns of pixels with another background.
  public struct Tint: Hashable, Sendable {
    public var columns: Range<Int>
    public var role: Role

    public init(columns: Range<Int>, role: Role) {
      self.columns = columns
      self.role = role
    }
  }

  /// A dashed line of a height for each column, 0...1; NaN where there is none.
  public struct Level: Hashable, Sendable {
    public var heights: [Double]
    public var role: Role
    /// Pixels drawn, and pixels left out.
    public var dash: Int
    public var gap: Int

    public init(heights: [Double], role: Role, dash: Int, gap: Int) {
      self.heights = heights
      self.role = role
      self.dash = max(dash, 1)
      self.gap = max(gap, 0)
    }
  }

  /// One to each column of pixels.
  public var bars: [ColumnChart.Bar]
  /// Pixels.
  public var height: Int
  /// Later ones lie over earlier ones.
  public var tints: [Tint] = []
  public var levels: [Level] = []
  public var lines: [PixelLine] = []
  public var outer = Role.waveformPeak
  public var inner = Role.waveformRMS

  public init(_ bars: [ColumnChart.Bar], height: Int) {
    self.bars = bars
    self.height = max(height, 0)
  }

  public var width: Int { bars.count }

  /// Red in the lowest byte, alpha 255 in the highest.
  private typealias Pixel = UInt32

  func raster(_ theme: Theme) -> PixelRaster {
    func pixel(_ role: Role) -> Pixel {
      let (red, green, blue) = theme.pixelColor(role)
      return Pixel(red) | Pixel(green) << 8 | Pixel(blue) << 16 | 0xFF00_0000
    }
    let (width, height) = (width, height)
    var behind = [Pixel](repeating: 0, count: width)
    for tint in tints {
      let color = pixel(tint.role)
      for column in tint.columns.clamped(to: 0..<width) { behind[column] = color }
    }
    let steps = bars.map { Steps($0, of: height) }
    let (outer, inner) = (pixel(outer), pixel(inner))
    var pixels = [Pixel](repeating: 0, count: width * height)
    for row in 0..<height {
      let step = height - 1 - row
      for column in 0..<width {
        let bar = steps[column]
        pixels[row * width + column] =
          bar.inner.contains(step) ? inner : bar.outer.contains(step) ? outer : behind[column]
      }
    }
    for level in levels {
      let color = pixel(level.role)
      for column in 0..<min(width, level.heights.count)
      where column % (level.dash + level.gap) < level.dash && level.heights[column].isFinite {
        let share = min(max(level.heights[column], 0), 0.999)
        let row = height - 1 - Int(share * Double(height))
        if row >= 0 { pixels[row * width + column] = color }
      }
    }
    for line in lines where 0..<width ~= line.column {
      let color = pixel(line.role)
      for row in line.rows(of: height) { pixels[row * width + line.column] = color }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * pixels.count)
    for pixel in pixels {
      bytes.append(UInt8(truncatingIfNeeded: pixel))
      bytes.append(UInt8(truncatingIfNeeded: pixel >> 8))
      bytes.append(UInt8(truncatingIfNeeded: pixel >> 16))
      bytes.append(UInt8(truncatingIfNeeded: pixel >> 24))
    }
    return PixelRaster(width: width, height: height, channels: 4, bytes: bytes)
  }
}
