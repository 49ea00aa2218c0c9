// SPDX-License-Identifier: GPL-3.0-or-later

import Playback
import TerminalUI

extension State {
  /// The cells of the picture; empty where it is hidden.
  var pictureRoom: PictureRoom {
    PictureRoom(layout.picture, pixels: hasManyColors ? pixels : nil, hasBlocks: hasBlocks)
  }

  /// The picture as it is drawn: the last frame belongs to no ayah for which silence stands.
  var shownPicture: Picture {
    guard let now else { return picture }
    if case .failed = now.state { return .missing("no picture: playback failed") }
    return now.isMissing ? .missing("no picture: \(now.ayah) is missing") : picture
  }

  /// Whether a frame of the recording that is heard is on the screen.
  public var seesPicture: Bool {
    guard pictureWish != nil, case .shown = shownPicture else { return false }
    return true
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
    case .small: "The picture is beside the ayah"
    case .large: "The picture replaces the queue"
    }
  }
}
