// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import TerminalUI
import Video

/// The picture of a recording in step with what is heard.
///
/// Nothing is opened or decoded while nobody wants to see it.
final class RecordingPicture: Sendable {
  private struct Shared {
    var source: MediaSource?
    var isMissing = false
    var wish: PictureWish?
    var feed: VideoFeed?
    var told: Told?
    var isClosed = false
  }

  /// What was said last; comparing positions is quicker than comparing pixels.
  private enum Told: Hashable {
    case picture(FramePosition, isCurrent: Bool)
    case other(Picture)
  }

  private let shared = Monitor(Shared())
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called, on any thread, when there is something new.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Gives it the recording; nil where there is none to be read.
  func take(_ source: MediaSource?) {
    shared.update { state in
      state.source = source
      state.isMissing = source == nil
      state.feed?.close()
      state.feed = nil
      start(&state)
    }
    wake()
  }

  /// Has no recording until another one is taken.
  func putAway() {
    shared.update { state in
      state.source = nil
      state.isMissing = false
      state.feed?.close()
      state.feed = nil
    }
  }

  /// Shows it in another size, or no more.
  func show(_ wish: PictureWish?) {
    shared.update { state in
      state.wish = wish
      state.told = nil
      guard let wish else {
        state.feed?.close()
        state.feed = nil
        return
      }
      if let feed = state.feed { feed.resize(PictureRequest(wish)) } else { start(&state) }
    }
  }

  /// What is to be seen with a frame of the sound, where it is not what was said last.
  func news(at position: FramePosition) -> Picture? {
    shared.update { state in
      guard state.wish != nil else { return nil }
      let (told, picture) = Self.answer(state.feed, isMissing: state.isMissing, at: position)
      guard told != state.told else { return nil }
      state.told = told
      return picture()
    }
  }

  /// How long after a frame of the sound the next frame of the picture is due, as far as that is known.
  func untilNext(after position: FramePosition, speed: Double) -> Duration? {
    shared.update { state in
      guard let rate = state.source?.description.format.rate, let next = state.feed?.nextChange
      else { return nil }
      return .seconds((next - position).seconds(at: rate) / max(speed, 0.01))
    }
  }

  func close() {
    shared.update { state in
      state.isClosed = true
      state.feed?.close()
      state.feed = nil
    }
  }

  private func start(_ state: inout Shared) {
    guard let source = state.source, let wish = state.wish, !state.isClosed else { return }
    state.feed = VideoFeed(source, as: PictureRequest(wish), ready: wake)
  }

  private static func answer(
    _ feed: VideoFeed?, isMissing: Bool, at position: FramePosition
  ) -> (Told, () -> Picture) {
    func other(_ picture: Picture) -> (Told, () -> Picture) { (.other(picture), { picture }) }
    if isMissing { return other(.missing("no picture: the file is missing")) }
    switch feed?.picture(at: position) {
    case nil, .notYet: return other(.waiting)
    case .beforeStart: return other(.beforeStart)
    case .failed(let error): return other(.missing("This recording \(error.explanation)"))
    case .picture(let frame, let isCurrent):
      return (
        .picture(frame.position, isCurrent: isCurrent),
        {
          .shown(PixelGrid(frame), isCurrent: isCurrent)
        }
      )
    }
  }
}

extension PixelGrid {
  init(_ picture: VideoPicture) {
    self.init(width: picture.width, height: picture.height, bytes: picture.pixels)
  }
}

extension PictureRequest {
  init(_ wish: PictureWish) {
    let aspect: Video.PictureAspect =
      switch wish.aspect {
      case .fit: .fit
      case .fill: .fill
      case .stretch: .stretch
      case .original: .original
      }
    self.init(
      width: wish.width, height: wish.height, pixelAspect: wish.pixelAspect, aspect: aspect)
  }
}
