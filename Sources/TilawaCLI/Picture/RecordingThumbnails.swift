// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Decoding
import Editor
import TerminalUI
import Video

/// The thumbnails of a recording as a strip, and beside segments: made while somebody wants to see them, and kept in
/// the cache.
final class RecordingThumbnails: Sendable {
  private let worker: PictureWorker<ThumbnailWish>
  private let list = Monitor<ListThumbnailWish?>(nil)

  /// - Parameters:
  ///   - length: of the sound.
  ///   - folder: of the cache; nil where nothing is kept.
  ///   - tell: takes the pictures, on a thread of its own, whenever there are more of them.
  init(length: FrameCount, folder: SidecarFolder?, tell: @escaping @Sendable (Event) -> Void) {
    let maker = ThumbnailMaker(length: length, folder: folder, tell: tell)
    worker = PictureWorker(niceness: 10) { maker.run($1, for: $0) }
  }

  /// Gives it the recording; the first one stays.
  func take(_ file: RecordingFile) { worker.take(file) }

  /// Wants the strip in another size, or no pictures at all any more.
  func show(_ wish: PictureWish?) {
    let list = list.update { $0 }
    worker.want { $0 = wish.map { ThumbnailWish(strip: $0, list: list) } }
  }

  /// Wants the pictures of other segments, or none.
  func show(_ wish: ListThumbnailWish?) {
    list.update { $0 = wish }
    worker.want { $0?.list = wish }
  }

  /// Keeps what has been made, and waits for that: about the time of one frame.
  func close() { worker.close() }
}

private struct ThumbnailWish: Sendable {
  var strip: PictureWish
  var list: ListThumbnailWish?
}

/// What is done on the thread.
private struct ThumbnailMaker: Sendable {
  let length: FrameCount
  let folder: SidecarFolder?
  let tell: @Sendable (Event) -> Void

  /// Between two looks at a strip that grows.
  private static let interval = Duration.milliseconds(250)
  /// Thumbnails that are lost at most if the program is killed.
  private static let unsaved = 100
  /// Where so many frames cannot be decoded, and none can, the rest is not tried.
  private static let patience = 16

  func run(_ file: RecordingFile, for worker: PictureWorker<ThumbnailWish>) {
    do throws(PictureObstacle) {
      let source = try file.get()
      make(by: try source.pictureReader(), of: source, for: worker)
    } catch {
      while case .tell = worker.next(isOver: true) { tell(error) }
    }
  }

  private func make(
    by reader: VideoReader, of source: MediaSource, for worker: PictureWorker<ThumbnailWish>
  ) {
    let plan = ThumbnailPlan(length: length, rate: source.description.format.rate)
    let file = cache(of: source)
    var thumbnails = file?.read(plan) ?? Thumbnails(plan)
    var missing = thumbnails.missing[...]
    var unsaved = 0
    /// Why no more are made.
    var failure: VideoError?
    func show(_ wish: ThumbnailWish) {
      if thumbnails.isEmpty, missing.isEmpty {
        tell(PictureObstacle(failure ?? VideoError(.damaged, file: source.file.path)))
      } else {
        self.show(thumbnails, as: wish)
      }
    }
    var shownAt = ContinuousClock.now - Self.interval
    while true {
      switch worker.next(isOver: missing.isEmpty) {
      case .end:
        if unsaved > 0 { file?.write(thumbnails) }
        return
      case .tell(let wish): show(wish)
      case .work:
        guard let index = missing.popFirst() else { continue }
        do throws(VideoError) {
          try thumbnails.make(index, by: reader)
        } catch {
          // Where there are some, that the file cannot be read any more is said where it is played.
          failure = error
          missing = []
          if let wish = worker.wish { show(wish) }
          continue
        }
        unsaved += 1
        if thumbnails.isEmpty, thumbnails.count >= Self.patience { missing = [] }
        if missing.isEmpty || ContinuousClock.now - shownAt >= Self.interval {
          shownAt = .now
          if let wish = worker.wish { show(wish) }
        }
        if missing.isEmpty || unsaved >= Self.unsaved {
          file?.write(thumbnails)
          unsaved = 0
        }
      }
    }
  }

  private func tell(_ obstacle: PictureObstacle) {
    tell(.noThumbnails(reason: obstacle.reason))
  }

  private func show(_ thumbnails: Thumbnails, as wish: ThumbnailWish) {
    if let strip = thumbnails.strip(PictureRequest(wish.strip)) {
      tell(.thumbnails(PixelGrid(strip)))
    }
    if let list = wish.list,
      let column = thumbnails.column(of: list.positions, PictureRequest(list.picture))
    {
      tell(.listThumbnails(PixelGrid(column), for: list))
    }
  }

  private func cache(of source: MediaSource) -> ThumbnailFile? {
    guard let folder, folder.create(),
      let key = try? source.file.contentKey(track: source.description.track)
    else { return nil }
    return ThumbnailFile(path: folder.thumbnailsPath(forKey: key), key: key)
  }
}
