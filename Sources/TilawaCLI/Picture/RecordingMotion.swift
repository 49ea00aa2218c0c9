// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Decoding
import Editor
import Glibc
import Video

/// Looks through the picture of a recording for cuts and stillness, on a thread of low priority while somebody wants
/// to know; what has been measured is kept in the cache.
final class RecordingMotion: Sendable {
  private struct Shared {
    var source: MediaSource?
    var isWanted = false
    /// Whether what is known has not been told.
    var isAsked = false
    var thread: WorkerThread?
    var isClosed = false
  }

  private enum Job {
    case tell, measure, end
  }

  private let length: FrameCount
  private let folder: SidecarFolder?
  private let tell: @Sendable (Event) -> Void
  private let shared = Monitor(Shared())

  /// Between two looks at what is known.
  private static let interval = Duration.seconds(1)
  /// Between two times that it is kept.
  private static let keepInterval = Duration.seconds(60)
  /// Added to the nice value: sound, keys and thumbnails come first.
  private static let niceness: Int32 = 15

  /// - Parameters:
  ///   - length: of the sound.
  ///   - folder: of the cache; nil where nothing is kept.
  ///   - tell: takes the marks, on a thread of its own, whenever there are more of them.
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

  /// Goes on, or rests.
  func show(_ isWanted: Bool) {
    shared.update { state in
      state.isWanted = isWanted
      state.isAsked = isWanted
      start(&state)
    }
  }

  /// Keeps what has been measured, and waits for that: about the time of one frame.
  func close() {
    let thread = shared.update { state in
      state.isClosed = true
      defer { state.thread = nil }
      return state.thread
    }
    thread?.join()
  }

  private func start(_ state: inout Shared) {
    guard !state.isClosed, state.thread == nil, state.isWanted, let source = state.source else {
      return
    }
    state.thread = WorkerThread { [self] in
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
      run(source)
    }
  }

  // MARK: - On the thread

  private func run(_ source: MediaSource) {
    guard let reader = try? VideoReader(source) else {
      return tell(.sceneMarks([], fraction: 1))
    }
    let rate = source.description.format.rate
    let file = cache(of: source)
    var track = file?.read(length: length, rate: rate) ?? MotionTrack(length: length, rate: rate)
    let meter = MotionMeter(reader, for: track)
    var (toldAt, keptAt) = (ContinuousClock.now, ContinuousClock.now)
    var isKept = true
    // That the file cannot be read any more is said where it is played.
    var hasFailed = false
    while true {
      let isOver = track.isComplete || hasFailed
      let job: Job = shared.wait { state in
        if state.isClosed { return .end }
        guard state.isWanted else { return nil }
        if state.isAsked {
          state.isAsked = false
          return .tell
        }
        return isOver ? nil : .measure
      }
      switch job {
      case .end:
        if !isKept { file?.write(track) }
        return
      case .tell: tell(track, isOver: isOver)
      case .measure:
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
      let kind: Editor.SceneMark.Kind =
        switch mark.kind {
        case .cut: .cut
        case .rest: .rest
        case .motion: .motion
        }
      return Editor.SceneMark(mark.position, kind)
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
