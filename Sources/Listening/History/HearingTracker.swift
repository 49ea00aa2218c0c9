// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Playback
import Quran

/// How much of one hearing of an ayah was heard.
public struct Hearing: Hashable, Sendable {
  public let clip: AyahClip
  public let frames: FrameCount
  /// Those of them during which its picture was seen.
  public let watched: FrameCount
  public let speed: Double
}

/// Adds up what is heard from looks at the position, however often they are taken.
///
/// What is jumped over is not counted, and what is heard again is counted again.
public struct HearingTracker: Sendable {
  private struct Current {
    let occurrence: AyahOccurrence
    let item: PlaybackItem.ID
    let clip: AyahClip
    var last: FramePosition
    var frames: FrameCount = .zero
    var watched: FrameCount = .zero
    var isWatched: Bool
    var speed: Double
  }

  private var current: Current?

  /// Seconds of the recording between two looks beyond which somebody has jumped: looks are a 25th of a second
  /// apart, at three times the speed.
  private static let leap = 0.6

  public init() {}

  /// Takes a look.
  ///
  /// - Parameter isWatched: whether the picture of the recording is seen now.
  /// - Returns: the hearing that is over, if one is and any of it was heard.
  public mutating func look(_ now: NowPlaying?, isWatched: Bool = false) -> Hearing? {
    guard let now, let clip = now.clip, !now.isBasmalah, let frame = now.frame else {
      // In a gap or at the end of all, the ayah has come to its end.
      guard let now, now.isPlaying || now.state == .idle(.finished) else { return nil }
      return now.clip == nil || now.frame == nil || now.isBasmalah
        ? finish(reachedEnd: true) : nil
    }
    if var current, current.occurrence == now.occurrence, current.item == now.item,
      current.clip == clip
    {
      let step = frame - current.last
      if step > .zero, step.seconds(at: clip.audio.format.rate) < Self.leap {
        current.frames = min(current.frames + step, clip.audio.span.length)
        if isWatched { current.watched = min(current.watched + step, current.frames) }
      }
      current.last = frame
      current.isWatched = isWatched
      current.speed = now.speed
      self.current = current
      return nil
    }
    let over = finish(reachedEnd: true)
    current = Current(
      occurrence: now.occurrence, item: now.item, clip: clip, last: frame, isWatched: isWatched,
      speed: now.speed)
    // What passed since the ayah began and this look was heard as well.
    let begun = frame - clip.audio.span.lowerBound
    if begun.seconds(at: clip.audio.format.rate) < Self.leap {
      current?.frames = begun
      if isWatched { current?.watched = begun }
    }
    return over
  }

  /// Ends it, as when somebody leaves.
  public mutating func finish() -> Hearing? { finish(reachedEnd: false) }

  private mutating func finish(reachedEnd: Bool) -> Hearing? {
    guard var ended = current else { return nil }
    current = nil
    let left = ended.clip.audio.span.upperBound - ended.last
    if reachedEnd, left.seconds(at: ended.clip.audio.format.rate) < Self.leap {
      ended.frames = min(ended.frames + left, ended.clip.audio.span.length)
      if ended.isWatched { ended.watched = min(ended.watched + left, ended.frames) }
    }
    guard ended.frames > .zero else { return nil }
    return Hearing(
      clip: ended.clip, frames: ended.frames, watched: ended.watched, speed: ended.speed)
  }
}
