// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Dispatch
import Playback
import TerminalUI

/// The picture of what the player plays: of another file whenever another recording is heard.
final class HeardPicture: Sendable {
  private let sound: PublishedSound
  private let picture: RecordingPicture
  private let queue = DispatchQueue(label: "tilawa.player.picture")
  private let heard = Monitor<MediaKey?>(nil)

  /// - Parameter wake: called, on any thread, when there is something new.
  init(_ sound: PublishedSound, wake: @escaping @Sendable () -> Void) {
    self.sound = sound
    picture = RecordingPicture(wake: wake)
  }

  /// Says what is heard; nil where nothing is to be seen of it.
  func follow(_ media: MediaKey?) {
    let isOther = heard.update { heard in
      guard heard != media else { return false }
      heard = media
      picture.putAway()
      return true
    }
    guard isOther, let media else { return }
    queue.async { [self] in
      guard heard.update({ $0 == media }) else { return }
      // Why it cannot be read is said where it should be heard.
      let file = (try? sound.open(media)).map(RecordingFile.success)
      let missing = RecordingFile.failure(PictureObstacle(unreadable: "the file is missing"))
      heard.update { if $0 == media { picture.take(file ?? missing) } }
    }
  }

  /// Shows it in another size, or no more.
  func show(_ wish: PictureWish?) {
    picture.show(wish)
    if wish == nil { follow(nil) }
  }

  /// What is to be seen with a frame of the recording that is heard, where it is not what was said last.
  func news(at position: FramePosition) -> Picture? { picture.news(at: position) }

  func close() { picture.close() }
}
