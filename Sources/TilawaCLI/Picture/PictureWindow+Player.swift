// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Listening
import Playback
import Video

extension PictureWindow {
  /// The window of a player.
  ///
  /// - Parameter post: takes what the player has to be told, on any thread.
  convenience init(
    playing engine: PlaybackEngine, _ sound: PublishedSound,
    post: @escaping @Sendable (Event) -> Void
  ) {
    self.init(
      Player(
        hearing: { Hearing(engine.moment.position) },
        open: { (media) throws(DecodingError) in try sound.open(media) },
        title: { sound.title(of: $0) },
        tell: { news in
          switch news {
          case .notice(let notice): post(.told(notice))
          case .wish(let wish): Task.detached { await Self.grant(wish, by: engine) }
          }
        }))
  }

  private static func grant(_ wish: PictureWindow.Wish, by engine: PlaybackEngine) async {
    switch wish {
    case .pause: _ = await engine.pause()
    case .play: _ = await engine.resume()
    case .move(let seconds): _ = await engine.move(by: seconds)
    }
  }
}

extension PictureWindow.Hearing {
  /// Nil where nothing has been heard yet.
  fileprivate init?(_ position: PlaybackPosition) {
    let status = position.status
    guard let clip = status.clip else { return nil }
    media = clip.audio.media
    // The basmalah before an ayah may be of another recording.
    frame = position.offset == nil ? nil : position.sourceFrame
    let span = clip.audio.span
    restingFrame =
      status.state == .idle(.finished) ? span.upperBound - FrameCount(1) : span.lowerBound
    speed = status.speed
    switch status.state {
    case .active: isPlaying = true
    case .pausing, .stopping, .paused, .idle, .failed: isPlaying = false
    }
  }
}
