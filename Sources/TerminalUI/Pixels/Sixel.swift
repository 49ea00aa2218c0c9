// SPDX-License-Identifier: GPL-3.0-or-later

/// Pictures as sixels, the graphics of DEC's terminals (VT330/VT340 Programmer Reference, chapter 14).
public struct SixelPicture: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// The colour of each pixel, row by row; ``transparent`` shows what is there.
  let indices: [UInt8]
  let palette: [Color]

  struct Color: Hashable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
  }

  static let transparent: UInt8 = 255
  /// More colours than this are taken for the nearest of 252: each costs a pass over every six rows.
  static let maxColors = 64
  /// Steps of red, green and blue then.
  private static let steps = (red: 6, green: 7, blue: 6)

  /// The pixels, stretched to a size.
  public init(_ raster: PixelRaster, width: Int, height: Int) {
    self.width = raster.width == 0 ? 0 : max(width, 0)
    self.height = raster.height == 0 ? 0 : max(height, 0)
    func color(at start: Int) -> Color? {
      if raster.channels == 4, raster.bytes[start + 3] < 128 { return nil }
      return Color(
        red: raster.bytes[start], green: raster.bytes[start + 1], blue: raster.bytes[start + 2])
    }
    var numbers: [Color: UInt8] = [:]
    for start in stride(from: 0, to: raster.bytes.count, by: raster.channels) {
      guard let color = color(at: start), numbers[color] == nil else { continue }
      if numbers.count == Self.maxColors {
        numbers = [:]
        break
      }
      numbers[color] = UInt8(numbers.count)
    }
    // Where there are too many, or none.
    let isExact = !numbers.isEmpty
    func number(_ color: Color) -> UInt8 { isExact ? numbers[color] ?? 0 : Self.nearest(color) }
    let sources = (0..<self.width).map { $0 * raster.width / max(width, 1) * raster.channels }
    var indices: [UInt8] = []
    indices.reserveCapacity(self.width * self.height)
    for row in 0..<self.height {
      let start = row * raster.height / max(height, 1) * raster.width * raster.channels
      for source in sources {
        indices.append(color(at: start + source).map(number) ?? Self.transparent)
      }
    }
    self.indices = indices
    palette =
      isExact
      ? numbers.sorted { $0.value < $1.value }.map(\.key)
      : (0..<Self.steps.red * Self.steps.green * Self.steps.blue).map(Self.color)
  }

  private static func nearest(_ color: Color) -> UInt8 {
    func step(_ value: UInt8, _ steps: Int) -> Int { (Int(value) * (steps - 1) + 127) / 255 }
    let red = step(color.red, steps.red)
    let green = step(color.green, steps.green)
    return UInt8((red * steps.green + green) * steps.blue + step(color.blue, steps.blue))
  }

  private static func color(_ number: Int) -> Color {
    func value(_ step: Int, _ steps: Int) -> UInt8 { UInt8(step * 255 / (steps - 1)) }
    return Color(
      red: value(number / steps.blue / steps.green, steps.red),
      green: value(number / steps.blue % steps.green, steps.green),
      blue: value(number % steps.blue, steps.blue))
  }
}

// MARK: - Encoding

extension SixelPicture {
  /// The bytes that draw some of its pixels at the cursor, which is below them afterwards.
  public func encoded(columns: Range<Int>, rows: Range<Int>) -> [UInt8] {
    let columns = columns.clamped(to: 0..<width)
    let part = rows.clamped(to: 0..<height)
    guard !columns.isEmpty, !part.isEmpty else { return [] }
    // Pixels that no colour takes stay as they are; pixels are square.
    var bytes = Array("\u{1B}P0;1;0q\"1;1;\(columns.count);\(part.count)".utf8)
    var isDefined = [Bool](repeating: false, count: palette.count)
    for top in stride(from: part.lowerBound, to: part.upperBound, by: 6) {
      let rows = top..<min(top + 6, part.upperBound)
      var isThere = [Bool](repeating: false, count: 256)
      for row in rows {
        for index in indices[row * width + columns.lowerBound..<row * width + columns.upperBound] {
          isThere[Int(index)] = true
        }
      }
      var isFirst = true
      for number in palette.indices where isThere[number] {
        if !isFirst { bytes.append(UInt8(ascii: "$")) }
        isFirst = false
        if !isDefined[number] {
          isDefined[number] = true
          let color = palette[number]
          func percent(_ value: UInt8) -> Int { (Int(value) * 100 + 127) / 255 }
          bytes += Array(
            "#\(number);2;\(percent(color.red));\(percent(color.green));\(percent(color.blue))".utf8
          )
        }
        // What defines a colour does not choose it: xterm would go on with the one before.
        bytes += Array("#\(number)".utf8)
        appendRuns(of: UInt8(number), rows: rows, columns: columns, to: &bytes)
      }
      if rows.upperBound < part.upperBound { bytes.append(UInt8(ascii: "-")) }
    }
    return bytes + [0x1B, UInt8(ascii: "\\")]
  }

  /// One colour of six rows: a character for each column, its lowest bit the topmost pixel.
  private func appendRuns(
    of number: UInt8, rows: Range<Int>, columns: Range<Int>, to bytes: inout [UInt8]
  ) {
    var (run, length): (UInt8, Int) = (0, 0)
    func write(_ bytes: inout [UInt8]) {
      let character = 0x3F + run
      // A repetition takes three characters at least.
      if length > 3 {
        bytes.append(UInt8(ascii: "!"))
        bytes += Array(String(length).utf8)
        bytes.append(character)
      } else {
        for _ in 0..<length { bytes.append(character) }
      }
    }
    for column in columns {
      var sixel: UInt8 = 0
      for row in rows where indices[row * width + column] == number {
        sixel |= 1 << UInt8(row - rows.lowerBound)
      }
      if sixel == run {
        length += 1
      } else {
        write(&bytes)
        (run, length) = (sixel, 1)
      }
    }
    // What is empty up to the end need not be said.
    if run != 0 { write(&bytes) }
  }
}
