// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Decoding
import Editor
import Glibc
import TerminalUI
import Video

/// The thumbnails of a recording as a strip, and beside segments: made on a thread of low priority while somebody wants to see them,
/// and kept in the cache.
final class RecordingThumbnails: Sendable {
  private struct Shared {
    var source: MediaSource?
    var wish: PictureWish?
    var listWish: ListThumbnailWish?
    /// Whether a wish has not been answered.
    var isAsked = false
    var thread: WorkerThread?
    var isClosed = false
  }

  private enum Job {
    case show
    case make
    case end
  }

  private let length: FrameCount
  private let folder: SidecarFolder?
  private let tell: @Sendable (Event) -> Void
  private let shared = Monitor(Shared())

  /// Between two looks at a strip that grows.
  private static let interval = Duration.milliseconds(250)
  /// Thumbnails that are lost at most if the program is killed.
  private static let unsaved = 100
  /// Where so many frames cannot be decoded, and none can, the rest is not tried.
  private static let patience = 16
  /// Added to the nice value: sound and keys come first.
  private static let niceness: Int32 = 10

  /// - Parameters:
  ///   - length: of the sound.
  ///   - folder: of the cache; nil where nothing is kept.
  ///   - tell: takes the pictures, on a thread of its own, whenever there are more of them.
  init(length: FrameCount, folder: SidecarFolder?, tell: @escaping @Sendable (Event) -> Void) {
    self.length = length
    self.folder = folder
    self.tell = tell
  }

  /// Gives it the recording; the first one stays.
  func take(_ source: MediaSource) {
    shared.update { state in
      if state.source == nil { state.source = source }
      start(&state)
    }
  }

  /// Wants the strip in another size, or no more.
  func show(_ wish: PictureWish?) {
    shared.update { state in
      state.wish = wish
      state.isAsked = wish != nil
      start(&state)
    }
  }

  /// Wants the pictures of other segments, or none.
  func show(_ wish: ListThumbnailWish?) {
    shared.update { state in
      state.listWish = wish
      if wish != nil { state.isAsked = true }
    }
  }

  /// Keeps what has been made, and waits for that: about the time of one frame.
  func close() {
    let thread = shared.update { state in
      state.isClosed = true
      defer { state.thread = nil }
      return state.thread
    }
    thread?.join()
  }

  private func start(_ state: inout Shared) {
    guard !state.isClosed, state.thread == nil, state.wish != nil, let source = state.source else {
      return
    }
    state.thread = WorkerThread { [self] in
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
      run(source)
    }
  }

  // MARK: - On the thread

  private func run(_ source: MediaSource) {
    // Most recordings have no picture, and no thumbnails in the cache.
    guard let reader = try? VideoReader(source) else { return }
    let plan = ThumbnailPlan(length: length, rate: source.description.format.rate)
    let file = cache(of: source)
    var thumbnails = file?.read(plan) ?? Thumbnails(plan)
    var missing = thumbnails.missing[...]
    var unsaved = 0
    var shownAt = ContinuousClock.now - Self.interval
    while true {
      let job: Job = shared.wait { state in
        if state.isClosed { return .end }
        guard state.wish != nil else { return nil }
        if state.isAsked {
          state.isAsked = false
          return .show
        }
        return missing.isEmpty ? nil : .make
      }
      switch job {
      case .end:
        if unsaved > 0 { file?.write(thumbnails) }
        return
      case .show: show(thumbnails)
      case .make:
        guard let index = missing.popFirst() else { continue }
        do throws(VideoError) {
          try thumbnails.make(index, by: reader)
        } catch {
          // That the file cannot be read any more is said where it is played.
          missing = []
          continue
        }
        unsaved += 1
        if thumbnails.isEmpty, thumbnails.count >= Self.patience { missing = [] }
        if missing.isEmpty || ContinuousClock.now - shownAt >= Self.interval {
          shownAt = .now
          show(thumbnails)
        }
        if missing.isEmpty || unsaved >= Self.unsaved {
          file?.write(thumbnails)
          unsaved = 0
        }
      }
    }
  }

  private func show(_ thumbnails: Thumbnails) {
    let (wish, listWish) = shared.update { ($0.wish, $0.listWish) }
    if let wish, let strip = thumbnails.strip(PictureRequest(wish)) {
      tell(.thumbnails(PixelGrid(strip)))
    }
    if let listWish,
      let column = thumbnails.column(of: listWish.positions, PictureRequest(listWish.picture))
    {
      tell(.listThumbnails(PixelGrid(column), for: listWish))
    }
  }

  private func cache(of source: MediaSource) -> ThumbnailFile? {
    guard let folder, folder.create(),
      let key = try? source.file.contentKey(track: source.description.track)
    else { return nil }
    return ThumbnailFile(path: folder.thumbnailsPath(forKey: key), key: key)
  }
}
