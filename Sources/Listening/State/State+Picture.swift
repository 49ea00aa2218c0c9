// SPDX-License-Identifier: GPL-3.0-or-later

import TerminalUI

extension State {
  /// The cells of the picture; empty where it is hidden.
  var pictureRoom: PictureRoom {
    PictureRoom(layout.picture, pixels: hasManyColors ? pixels : nil, hasBlocks: hasBlocks)
  }

  /// Asks for the picture in the size that there is room for, once for each size.
  mutating func requestPicture(_ effects: inout [Effect]) {
    let fits = Layout.fits(size) && hasColors
    let wanted = fits ? pictureRoom.wish(settings.pictureAspect) : nil
    guard wanted != pictureWish else { return }
    pictureWish = wanted
    if wanted == nil { picture = .waiting }
    effects.append(.showPicture(wanted))
  }
}

extension PictureSize {
  /// For people.
  var sentence: String {
    switch self {
    case .off: "The picture is hidden"
    case .small: "The picture is beside what plays"
    case .large: "The picture is in place of the queue"
    }
  }
}
