// SPDX-License-Identifier: GPL-3.0-or-later

/// The size of a cell in pixels of the screen.
public struct CellPixels: Hashable, Sendable {
  public let width: Int
  public let height: Int

  /// Cells that a terminal may claim to have; nobody reads letters of a size outside.
  private static let plausible = 2...200

  /// What terminals draw in that do not tell: cells are about twice as high as wide.
  public static let usual = CellPixels(uncheckedWidth: 10, height: 20)

  private init(uncheckedWidth width: Int, height: Int) {
    (self.width, self.height) = (width, height)
  }

  /// Wider ones have no more to show.
  private static let maxDrawnWidth = 12

  /// What images are drawn in where the terminal stretches them: a part of cells with very many pixels.
  public var drawn: CellPixels {
    let divisor = (width + Self.maxDrawnWidth - 1) / Self.maxDrawnWidth
    return CellPixels(
      uncheckedWidth: max(width / divisor, 1), height: max(height / divisor, 1))
  }

  /// Nil for a size that no cell has.
  public init?(width: Int, height: Int) {
    guard Self.plausible.contains(width), Self.plausible.contains(height) else { return nil }
    (self.width, self.height) = (width, height)
  }
}

/// A picture in true pixels.
///
/// What it shows is a value, so that comparing is quick, and it is drawn only when it has to be sent.
public struct PixelImage: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case picture(PixelGrid)
    case chart(PixelChart)
    case heat(PixelHeat)
  }

  public let content: Content

  public init(_ picture: PixelGrid) { content = .picture(picture) }
  public init(_ chart: PixelChart) { content = .chart(chart) }
  public init(_ heat: PixelHeat) { content = .heat(heat) }

  public var width: Int {
    switch content {
    case .picture(let picture): picture.width
    case .chart(let chart): chart.width
    case .heat(let heat): heat.columns
    }
  }

  public var height: Int {
    switch content {
    case .picture(let picture): picture.height
    case .chart(let chart): chart.height
    case .heat(let heat): heat.bands
    }
  }

  public var isEmpty: Bool { width == 0 || height == 0 }

  /// The pixels, with the colours that a theme gives.
  public func raster(_ theme: Theme) -> PixelRaster {
    switch content {
    case .picture(let picture):
      PixelRaster(width: width, height: height, channels: 3, bytes: picture.bytes)
    case .chart(let chart): chart.raster(theme)
    case .heat(let heat): heat.raster(theme)
    }
  }
}

/// Pixels as terminals are sent them, row by row from the top left.
public struct PixelRaster: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// Bytes of a pixel: 3 for red, green, blue; 4 with an alpha of 0, which shows what lies behind, or 255.
  public let channels: Int
  public let bytes: [UInt8]

  /// Traps unless the bytes are as many as the size asks for.
  public init(width: Int, height: Int, channels: Int, bytes: [UInt8]) {
    precondition(channels == 3 || channels == 4)
    precondition(width >= 0 && height >= 0 && bytes.count == channels * width * height)
    self.width = width
    self.height = height
    self.channels = channels
    self.bytes = bytes
  }
}

/// An image on a ``Surface``: it fills a rectangle of cells, behind what is written in them.
public struct PlacedImage: Hashable, Sendable {
  /// Which of the surface's images it is, ``slots``: the next one with this number takes its place.
  public let slot: Int
  public let image: PixelImage
  /// In the whole grid.
  public let rect: Rect

  public static let slots = 0..<4
}

extension Theme {
  /// The colour of a role in pixels.
  func pixelColor(_ role: Role) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let color = Self.rgb(self[role].palette)
    return (UInt8(color.0), UInt8(color.1), UInt8(color.2))
  }
}
