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
    var file: RecordingFile?
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

  /// Between two looks at what is heard, for whoever shows the picture: a sound device tells that once a period, so that
  /// nobody knows when a frame is due.
  static let lookInterval = Duration.milliseconds(5)

  /// - Parameter wake: called, on any thread, when there is something new.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Gives it the recording.
  func take(_ file: RecordingFile) {
    shared.update { state in
      state.file = file
      state.feed?.close()
      state.feed = nil
      start(&state)
    }
    wake()
  }

  /// Has no recording until another one is taken.
  func putAway() {
    shared.update { state in
      state.file = nil
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
      let (told, picture) = Self.answer(state.feed, of: state.file, at: position)
      guard told != state.told else { return nil }
      state.told = told
      return picture()
    }
  }

  /// Why the file of the recording cannot be read; nil where it can be, or is not there yet.
  var obstacle: PictureObstacle? {
    guard case .failure(let obstacle) = shared.update({ $0.file }) else { return nil }
    return obstacle
  }

  func close() {
    shared.update { state in
      state.isClosed = true
      state.feed?.close()
      state.feed = nil
    }
  }

  private func start(_ state: inout Shared) {
    guard case .success(let source) = state.file, let wish = state.wish, !state.isClosed else {
      return
    }
    state.feed = VideoFeed(source, as: PictureRequest(wish), ready: wake)
  }

  private static func answer(
    _ feed: VideoFeed?, of file: RecordingFile?, at position: FramePosition
  ) -> (Told, () -> Picture) {
    func other(_ picture: Picture) -> (Told, () -> Picture) { (.other(picture), { picture }) }
    if case .failure(let obstacle) = file { return other(.missing(obstacle.reason)) }
    switch feed?.picture(at: position) {
    case nil, .notYet: return other(.waiting)
    case .beforeStart: return other(.beforeStart)
    case .failed(let error): return other(.missing(PictureObstacle(error).reason))
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
