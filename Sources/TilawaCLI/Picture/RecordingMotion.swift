// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Decoding
import Editor
import Video

/// Looks through the picture of a recording for cuts and stillness while somebody wants to know; what has been measured
/// is kept in the cache.
final class RecordingMotion: Sendable {
  private let worker: PictureWorker<Void>

  /// - Parameters:
  ///   - length: of the sound.
  ///   - folder: of the cache; nil where nothing is kept.
  ///   - tell: takes the marks, on a thread of its own, whenever there are more of them.
  init(length: FrameCount, folder: SidecarFolder?, tell: @escaping @Sendable (Event) -> Void) {
    let search = MotionSearch(length: length, folder: folder, tell: tell)
    // The thumbnails come first.
    worker = PictureWorker(niceness: 15) { search.run($1, for: $0) }
  }

  /// Gives it the recording; the first one stays.
  func take(_ file: RecordingFile) { worker.take(file) }

  /// Goes on, or rests.
  func show(_ isWanted: Bool) { worker.want { $0 = isWanted ? () : nil } }

  /// Keeps what has been measured, and waits for that: about the time of one frame.
  func close() { worker.close() }
}

/// What is done on the thread.
private struct MotionSearch: Sendable {
  let length: FrameCount
  let folder: SidecarFolder?
  let tell: @Sendable (Event) -> Void

  /// Between two looks at what is known.
  private static let interval = Duration.seconds(1)
  /// Between two times that it is kept.
  private static let keepInterval = Duration.seconds(60)

  func run(_ file: RecordingFile, for worker: PictureWorker<Void>) {
    do throws(PictureObstacle) {
      let source = try file.get()
      search(try source.pictureReader(), of: source, for: worker)
    } catch {
      while case .tell = worker.next(isOver: true) { tell(.noSceneMarks(reason: error.reason)) }
    }
  }

  private func search(
    _ reader: VideoReader, of source: MediaSource, for worker: PictureWorker<Void>
  ) {
    let rate = source.description.format.rate
    let file = cache(of: source)
    var track = file?.read(length: length, rate: rate) ?? MotionTrack(length: length, rate: rate)
    let meter = MotionMeter(reader, for: track)
    var (toldAt, keptAt) = (ContinuousClock.now, ContinuousClock.now)
    var isKept = true
    // That the file cannot be read any more is said where it is played.
    var hasFailed = false
    while true {
      switch worker.next(isOver: track.isComplete || hasFailed) {
      case .end:
        if !isKept { file?.write(track) }
        return
      case .tell: tell(track, isOver: track.isComplete || hasFailed)
      case .work:
        do throws(VideoError) {
          try meter.measure(into: &track)
        } catch {
          hasFailed = true
        }
        isKept = false
        let now = ContinuousClock.now
        if track.isComplete || hasFailed || now - toldAt >= Self.interval {
          toldAt = now
          tell(track, isOver: track.isComplete || hasFailed)
        }
        if track.isComplete || now - keptAt >= Self.keepInterval {
          keptAt = now
          isKept = true
          file?.write(track)
        }
      }
    }
  }

  private func tell(_ track: MotionTrack, isOver: Bool) {
    let marks = track.marks.map { mark in
      let kind: SceneMark.Kind =
        switch mark.kind {
        case .cut: .cut
        case .rest: .rest
        case .motion: .motion
        }
      return SceneMark(mark.position, kind)
    }
    tell(.sceneMarks(marks, fraction: isOver ? 1 : min(track.fraction, 0.99)))
  }

  private func cache(of source: MediaSource) -> MotionFile? {
    guard let folder, folder.create(),
      let key = try? source.file.contentKey(track: source.description.track)
    else { return nil }
    return MotionFile(path: folder.motionPath(forKey: key), key: key)
  }
}
