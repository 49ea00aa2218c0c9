// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

extension State {
  /// The cells of the picture; empty where it is hidden.
  var pictureRoom: PictureRoom {
    PictureRoom(layout.picture, pixels: truePixels, hasBlocks: hasBlocks)
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
