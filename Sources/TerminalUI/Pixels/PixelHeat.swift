// SPDX-License-Identifier: GPL-3.0-or-later

/// A spectrogram in true pixels, one to each band of each column; the terminal makes it as large as its room.
public struct PixelHeat: Hashable, Sendable {
  public let columns: Int
  /// Rows of pixels.
  public let bands: Int
  /// Column by column, the lowest band first, 0 for nothing to 255 for the loudest.
  public let values: [UInt8]
  /// Of xterm's 256, evenly spread over the values; what lies between is mixed.
  public let ramp: [UInt8]

  /// Traps unless the values are as many as the size asks for.
  public init(columns: Int, bands: Int, values: [UInt8], ramp: [UInt8]) {
    precondition(columns >= 0 && bands >= 0 && values.count == columns * bands)
    self.columns = columns
    self.bands = bands
    self.values = values
    self.ramp = ramp
  }

  func raster() -> PixelRaster {
    let colors = (0..<256).map(color)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 * columns * bands)
    for band in (0..<bands).reversed() {
      for column in 0..<columns {
        let (red, green, blue) = colors[Int(values[column * bands + band])]
        bytes.append(red)
        bytes.append(green)
        bytes.append(blue)
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
