// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

extension State {
  /// The cells of the picture; empty where it is hidden.
  var pictureRoom: PictureRoom {
    PictureRoom(layout.picture, pixels: truePixels, hasBlocks: hasBlocks)
  }

  /// The cells of the thumbnails.
  var thumbnailRoom: PictureRoom { thumbnailRoom(in: layout.thumbnails) }

  private func thumbnailRoom(in rect: Rect) -> PictureRoom {
    PictureRoom(rect, pixels: truePixels, hasBlocks: hasBlocks)
  }

  /// Asks for the thumbnails in the size that there is room for, once for each size. They take room once there
  /// are any.
  mutating func requestThumbnails(_ effects: inout [Effect]) {
    let room = Rect(
      column: 0, row: 0, columns: size.columns, rows: Layout.thumbnailRows(of: size))
    let isWanted =
      isOpen && !isProvisional && hasManyColors && settings.showsThumbnails && Layout.fits(size)
    let wanted = isWanted ? thumbnailRoom(in: room).wish(.stretch) : nil
    guard wanted != thumbnailWish else { return }
    thumbnailWish = wanted
    if wanted == nil { thumbnails = nil }
    effects.append(.showThumbnails(wanted))
  }

  /// Asks for the picture in the size that there is room for, once for each size.
  mutating func requestPicture(_ effects: inout [Effect]) {
    let wanted = isOpen && hasColors ? pictureRoom.wish(settings.pictureAspect) : nil
    guard wanted != pictureWish else { return }
    pictureWish = wanted
    if wanted == nil { picture = .waiting }
    effects.append(.showPicture(wanted))
  }
}
