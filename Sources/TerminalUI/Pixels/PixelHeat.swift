// SPDX-License-Identifier: GPL-3.0-or-later

/// A spectrogram in true pixels, one to each band of each column; the terminal makes it as large as its room.
public struct PixelHeat: Hashable, Sendable {
  /// Which of the measured columns each column of pixels shows the loudest of; none where nothing is known.
  public let sources: [Range<Int>]
  /// Rows of pixels.
  public let bands: Int
  /// Measured column by column, the lowest band first, 0 for nothing to 255 for the loudest.
  public let values: [UInt8]
  /// What is shown of each value, 256 of them.
  public let shades: [UInt8]
  /// Of xterm's 256, evenly spread over the shades; what lies between is mixed.
  public let ramp: [UInt8]
  public var lines: [PixelLine] = []

  public var columns: Int { sources.count }

  /// Traps unless there are values for all that the sources name, and 256 shades.
  public init(
    _ sources: [Range<Int>], bands: Int, values: [UInt8], shades: [UInt8], ramp: [UInt8]
  ) {
    precondition(bands >= 0 && shades.count == 256)
    let most = bands == 0 ? Int.max : values.count / bands
    precondition(sources.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= most })
    self.sources = sources
    self.bands = bands
    self.values = values
    self.shades = shades
    self.ramp = ramp
  }

  func raster(_ theme: Theme) -> PixelRaster {
    let colors = shades.map { color(Int($0)) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 * columns * bands)
    for band in (0..<bands).reversed() {
      for source in sources {
        var loudest: UInt8 = 0
        for column in source { loudest = max(loudest, values[column * bands + band]) }
        let (red, green, blue) = source.isEmpty ? (0, 0, 0) : colors[Int(loudest)]
        bytes.append(red)
        bytes.append(green)
        bytes.append(blue)
      }
    }
    for line in lines where sources.indices ~= line.column {
      let (red, green, blue) = theme.pixelColor(line.role)
      for row in line.rows(of: bands) {
        let first = 3 * (row * columns + line.column)
        bytes.replaceSubrange(first..<first + 3, with: [red, green, blue])
      }
    }
    return PixelRaster(width: columns, height: bands, channels: 3, bytes: bytes)
  }

  private func color(_ value: Int) -> (UInt8, UInt8, UInt8) {
    guard let first = ramp.first else { return (0, 0, 0) }
    let place = Double(value) / 255 * Double(ramp.count - 1)
    let index = Int(place)
    let low = Theme.rgb(ramp.indices.contains(index) ? ramp[index] : first)
    let high = Theme.rgb(ramp[min(index + 1, ramp.count - 1)])
    func mix(_ low: Int, _ high: Int) -> UInt8 {
      UInt8((Double(low) + (place - Double(index)) * Double(high - low)).rounded())
    }
    return (mix(low.0, high.0), mix(low.1, high.1), mix(low.2, high.2))
  }
}
