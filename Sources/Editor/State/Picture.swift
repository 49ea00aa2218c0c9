// SPDX-License-Identifier: GPL-3.0-or-later

public import TerminalUI

/// The picture of a recording, as far as it is known what is seen.
public enum Picture: Hashable, Sendable {
  /// It is being looked for.
  case waiting
  /// The frame for what is heard; or the last one, while the right one is being looked for.
  case shown(PixelGrid, isCurrent: Bool)
  /// It begins later.
  case beforeStart
  /// Why there is none, for people.
  case missing(String)
}

/// The size that the picture is wanted in.
public struct PictureWish: Hashable, Sendable {
  /// Pixels.
  public let width: Int
  public let height: Int
  /// Width of a pixel through its height.
  public let pixelAspect: Double
  public let aspect: Settings.PictureAspect
}

extension State {
  /// The picture that is wanted now; nil where there is no room for one, no colour, or no wish.
  var wantedPicture: PictureWish? {
    let room = layout.picture
    guard isOpen, hasColors, !room.isEmpty else { return nil }
    if let cell = pictureCell {
      return PictureWish(
        width: room.size.columns * cell.columns, height: room.size.rows * cell.rows,
        pixelAspect: cell.aspect, aspect: settings.pictureAspect)
    }
    let perCell = Surface.pixelsPerCell(hasBlocks: hasBlocks)
    // Cells are about twice as high as wide.
    return PictureWish(
      width: room.size.columns * perCell.columns, height: room.size.rows * perCell.rows,
      pixelAspect: Double(perCell.rows) / Double(2 * perCell.columns),
      aspect: settings.pictureAspect)
  }

  /// Pixels of a frame that is drawn in true pixels, at most: a terminal then takes many of them a second.
  private static let maxPicturePixels = 640 * 360

  /// Pixels of the picture in a cell, and the width of one through its height; nil where it is drawn in
  /// blocks.
  var pictureCell: (columns: Int, rows: Int, aspect: Double)? {
    guard let cell = truePixels else { return nil }
    let room = layout.picture.size
    var (columns, rows) = (cell.width, cell.height)
    while columns * room.columns * rows * room.rows > Self.maxPicturePixels, rows > 1 {
      rows -= 1
      columns = max((rows * cell.width + cell.height / 2) / cell.height, 1)
    }
    let aspect = Double(cell.width * rows) / Double(cell.height * columns)
    return (columns, rows, aspect)
  }

  /// Asks for the picture in the size that there is room for, once for each size.
  mutating func requestPicture(_ effects: inout [Effect]) {
    let wanted = wantedPicture
    guard wanted != pictureWish else { return }
    pictureWish = wanted
    if wanted == nil { picture = .waiting }
    effects.append(.showPicture(wanted))
  }
}
