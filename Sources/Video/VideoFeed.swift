// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Decoding

/// Pictures of a recording in step with what is heard, decoded ahead on a thread of its own.
///
/// Whoever draws says at each tick what is heard, and gets the newest frame that is not past it: source
/// time names the picture, so pause, seek, loop, speed and the loss of a device need no word of their own.
/// Asking never waits.
public final class VideoFeed: Sendable {
  /// What became of frames.
  public struct Tally: Hashable, Sendable {
    /// Never shown: decoding or drawing was late.
    public var dropped = 0
    /// Given out to be shown.
    public var shown = 0
  }

  public enum Answer: Hashable, Sendable {
    /// The frame for what is heard, or the last one, while the right one is looked for.
    case picture(VideoPicture, isCurrent: Bool)
    /// It is being looked for.
    case notYet
    /// The picture begins later.
    case beforeStart
    case failed(VideoError)
  }

  fileprivate struct State {
    var wanted: FramePosition?
    var request: PictureRequest
    /// Decoded ahead of what is heard.
    var queue: [VideoPicture] = []
    var shown: VideoPicture?
    /// Whether it is known what is seen, from `floor` up to the last of the queue.
    var isKnown = false
    /// Before this, decoding has to go back.
    var floor = FramePosition(.min)
    var needsSeek = true
    var hasEnded = false
    var isClosed = false
    var failure: VideoError?
    var tally = Tally()
    /// Nobody has been told since somebody asked in vain.
    var isAwaited = false
  }

  private let shared: Monitor<State>
  /// A picture that begins before this is seen from the beginning of the sound.
  private let earliest: FramePosition

  /// Frames decoded ahead.
  private static let depth = 4

  /// Starts to open the picture of a source; nil where the system has no thread to give.
  ///
  /// - Parameter ready: called, on any thread, once the frame that was asked for in vain is there, or why
  ///   there is none.
  public init?(
    _ source: MediaSource, as request: PictureRequest, ready: @escaping @Sendable () -> Void
  ) {
    let shared = Monitor(State(request: request))
    self.shared = shared
    earliest = VideoReader.earliestStart(at: source.description.format.rate)
    let thread = WorkerThread {
      do throws(VideoError) {
        try VideoFeed.run(VideoReader(source), shared, ready: ready)
      } catch {
        shared.update { state in
          state.failure = error
          state.hasEnded = true
        }
        ready()
      }
    }
    guard thread != nil else { return nil }
  }

  deinit { close() }

  /// Ends decoding; nothing is told any more.
  public func close() { shared.update { $0.isClosed = true } }

  public var tally: Tally { shared.update { $0.tally } }

  /// Wants pictures of another size from now on.
  public func resize(_ request: PictureRequest) {
    shared.update { state in
      guard state.request != request else { return }
      state.request = request
      state.jump()
    }
  }

  /// What is to be seen with a frame of the sound.
  public func picture(at heard: FramePosition) -> Answer {
    shared.update { state in
      if let failure = state.failure { return .failed(failure) }
      state.wanted = heard
      if heard < state.floor { state.jump() }
      var passed: [VideoPicture] = []
      while let first = state.queue.first, first.position <= heard {
        passed.append(state.queue.removeFirst())
      }
      if let newest = passed.last {
        state.tally.dropped += passed.count - 1
        state.tally.shown += 1
        state.shown = newest
        state.floor = newest.position
      }
      if state.isKnown, !state.queue.isEmpty || state.hasEnded {
        state.isAwaited = false
        let opening = state.queue.first.flatMap { $0.position <= earliest ? $0 : nil }
        return (state.shown ?? opening).map { .picture($0, isCurrent: true) } ?? .beforeStart
      }
      // Decoding is behind: what is the newest is not known.
      state.isAwaited = true
      return state.shown.map { .picture($0, isCurrent: false) } ?? .notYet
    }
  }
}

extension VideoFeed.State {
  /// Has decoding begin anew before what is wanted. What is shown stays until there is better.
  fileprivate mutating func jump() {
    queue = []
    isKnown = false
    floor = FramePosition(.min)
    needsSeek = true
    hasEnded = false
  }
}

// MARK: - On the thread

extension VideoFeed {
  private enum Job {
    case seek(FramePosition)
    case decode(FramePosition)
    case end
  }

  private static func run(
    _ reader: VideoReader, _ shared: Monitor<State>, ready: @Sendable () -> Void
  ) throws(VideoError) {
    // The newest frame not past what is wanted, until it is known that none comes after it.
    var candidate: DecodedFrame?
    var lateCount = 0
    var hasSeen = false
    while true {
      let job: Job = shared.wait { state in
        if state.isClosed { return .end }
        guard let wanted = state.wanted else { return nil }
        if state.needsSeek {
          state.needsSeek = false
          state.floor = wanted
          return .seek(wanted)
        }
        return state.queue.count < depth && !state.hasEnded ? .decode(wanted) : nil
      }
      switch job {
      case .end: return
      case .seek(let wanted):
        candidate = nil
        lateCount = 0
        try reader.seek(to: wanted)
      case .decode(let wanted):
        if try reader.leap(towards: wanted) { candidate = nil }
        let frame = try reader.next()
        if frame == nil, !hasSeen { throw VideoError(.damaged, file: reader.path) }
        hasSeen = true
        if let frame, frame.position <= wanted {
          let (isClosed, isKnown) = shared.update { state in
            if state.isKnown, candidate != nil { state.tally.dropped += 1 }
            return (state.isClosed, state.isKnown)
          }
          if isClosed { return }
          candidate = frame
          lateCount += 1
          // One that decodes too slowly for what is heard still shows something.
          guard isKnown, lateCount % depth == 0 else { continue }
        } else {
          lateCount = 0
        }
        let request = shared.update { $0.request }
        let isNext = frame !== candidate
        let pictures = [candidate, isNext ? frame : nil].compactMap { $0 }
          .compactMap { reader.picture(of: $0, as: request) }
        candidate = nil
        let isAwaited = shared.update { $0.add(pictures, for: request, isEnd: frame == nil) }
        if isAwaited { ready() }
      }
    }
  }
}

extension VideoFeed.State {
  /// Takes in what was decoded; whether somebody waits for it.
  fileprivate mutating func add(
    _ pictures: [VideoPicture], for asked: PictureRequest, isEnd: Bool
  ) -> Bool {
    guard !needsSeek, request == asked else { return false }
    if !isKnown {
      isKnown = true
      shown = nil
      // Before the first frame of all there is nothing to be gone back to.
      let covers = pictures.first.map { $0.position <= floor } ?? false
      floor = covers ? pictures[0].position : FramePosition(.min)
    }
    queue += pictures
    if isEnd { hasEnded = true }
    defer { isAwaited = false }
    return isAwaited
  }
}
