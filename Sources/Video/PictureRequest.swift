// SPDX-License-Identifier: GPL-3.0-or-later

/// How a picture takes the room that it has.
public enum PictureAspect: String, CaseIterable, Hashable, Sendable {
  /// Whole, with its own proportions.
  case fit
  /// All of the room, with its own proportions, cut at two edges.
  case fill
  /// Whole, in all of the room, whatever becomes of its proportions.
  case stretch
  /// One pixel for one, from the middle, cut where there is no room.
  case original
}

/// The size that pictures are wanted in.
public struct PictureRequest: Hashable, Sendable {
  public var width: Int
  public var height: Int
  /// Width of one pixel of the screen through its height.
  public var pixelAspect: Double
  public var aspect: PictureAspect

  public init(width: Int, height: Int, pixelAspect: Double = 1, aspect: PictureAspect = .fit) {
    self.width = max(width, 1)
    self.height = max(height, 1)
    self.pixelAspect = pixelAspect
    self.aspect = aspect
  }

  /// What is cut out of a picture, in fractions of its width and height, and the pixels it becomes.
  struct Placement: Hashable {
    var left = 0.0
    var top = 0.0
    var columns = 1.0
    var rows = 1.0
    var width: Int
    var height: Int
  }

  /// - Parameters: the picture as it is looked at, with square pixels.
  func placement(ofWidth wide: Double, height high: Double) -> Placement {
    let (roomWide, roomHigh) = (Double(width) * pixelAspect, Double(height))
    let scale: Double
    switch aspect {
    case .stretch: return Placement(width: width, height: height)
    case .fit: scale = min(roomWide / wide, roomHigh / high)
    case .fill: scale = max(roomWide / wide, roomHigh / high)
    case .original: scale = 1
    }
    var placed = Placement(width: width, height: height)
    placed.columns = min(roomWide / (wide * scale), 1)
    placed.rows = min(roomHigh / (high * scale), 1)
    placed.left = (1 - placed.columns) / 2
    placed.top = (1 - placed.rows) / 2
    let shown = (wide * scale * placed.columns / pixelAspect, high * scale * placed.rows)
    placed.width = min(max(Int(shown.0.rounded()), 1), width)
    placed.height = min(max(Int(shown.1.rounded()), 1), height)
    return placed
  }
}
