// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
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

  /// The cells of the pictures beside segments, so many of them.
  func listThumbnailRoom(of count: Int) -> PictureRoom {
    let rect = layout.listPictures
    return PictureRoom(
      Rect(
        column: rect.origin.column, row: rect.origin.row, columns: rect.size.columns,
        rows: count * layout.listRowHeight),
      pixels: truePixels, hasBlocks: hasBlocks)
  }

  /// Asks for the pictures of the segments in sight, once for each such list.
  mutating func requestListThumbnails(_ effects: inout [Effect]) {
    var wanted: ListThumbnailWish?
    if !layout.listPictures.isEmpty {
      let listed = self.listed
      let inSight = listTop..<min(listTop + layout.listRows, listed.count)
      let positions = inSight.map { index -> FramePosition in
        let span = document.segments[listed[index]].span
        return span.lowerBound + FrameCount(span.length.frames / 2)
      }
      wanted = listThumbnailRoom(of: positions.count).wish(.fit).map {
        ListThumbnailWish(positions: positions, picture: $0)
      }
    }
    guard wanted != listThumbnailWish else { return }
    listThumbnailWish = wanted
    if wanted == nil { listThumbnails = nil }
    effects.append(.showListThumbnails(wanted))
  }

  /// Asks for the marks of the picture, or for none.
  mutating func requestSceneMarks(_ effects: inout [Effect]) {
    let isWanted = isOpen && !isProvisional && settings.showsSceneMarks
    guard isWanted != sceneMarks.isWanted else { return }
    sceneMarks = SceneMarks(isWanted: isWanted)
    effects.append(.showSceneMarks(isWanted))
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
