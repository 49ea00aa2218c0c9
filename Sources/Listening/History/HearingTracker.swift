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
  /// Whether the ayah was heard whole by its end: in this hearing, or in pieces that followed each other.
  public let isWhole: Bool

  /// Whether so many frames of an ayah count as the whole of it: nine tenths or more.
  public static func isWhole(_ heard: FrameCount, of length: FrameCount) -> Bool {
    heard.frames * 10 >= length.frames * 9
  }
}

/// The parts of an ayah that were heard before it counted as heard.
public struct HeardParts: Hashable, Sendable {
  public let media: MediaKey
  /// Of the recording.
  public let parts: RangeSet<FramePosition>

  public init(_ media: MediaKey, _ parts: RangeSet<FramePosition>) {
    self.media = media
    self.parts = parts
  }
}

/// Adds up what is heard from looks at the position, however often they are taken.
///
/// What is jumped over is not counted, and what is heard again is counted again, but not towards the whole of an ayah.
public struct HearingTracker: Sendable {
  private struct Current {
    let occurrence: AyahOccurrence
    let item: PlaybackItem.ID
    let clip: AyahClip
    var last: FramePosition
    var frames: FrameCount = .zero
    var watched: FrameCount = .zero
    var parts: RangeSet<FramePosition>
    var isWatched: Bool
    var speed: Double

    func isOf(_ now: NowPlaying, _ clip: AyahClip) -> Bool {
      occurrence == now.occurrence && item == now.item && self.clip == clip
    }

    /// Counts what was heard since the last look, unless somebody has jumped.
    mutating func goOn(to frame: FramePosition, speed: Double, isWatched: Bool) {
      let step = frame - last
      if step > .zero, step.seconds(at: clip.audio.format.rate) < HearingTracker.leap {
        frames = min(frames + step, clip.audio.span.length)
        parts.insert(contentsOf: last..<frame)
        if isWatched { watched = min(watched + step, frames) }
      }
      last = frame
      self.isWatched = isWatched
      self.speed = speed
    }
  }

  private var current: Current?
  /// Of the ayah that was heard last, which goes on where the next hearing is of the same sound.
  private var earlier: HeardParts?

  /// Seconds of the recording between two looks beyond which somebody has jumped: looks are a 25th of a second
  /// apart, at three times the speed.
  private static let leap = 0.6

  /// - Parameter earlier: what was heard before play was left, of the ayah that it goes on with.
  public init(after earlier: HeardParts? = nil) { self.earlier = earlier }

  /// What was heard of the ayah that is heard now, or was last; nil once it was heard whole.
  public var parts: HeardParts? {
    current.map { HeardParts($0.clip.audio.media, $0.parts) } ?? earlier
  }

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
    if current?.isOf(now, clip) == true {
      current?.goOn(to: frame, speed: now.speed, isWatched: isWatched)
      return nil
    }
    let over = finish(reachedEnd: true)
    current = Current(
      occurrence: now.occurrence, item: now.item, clip: clip, last: frame,
      parts: earlierParts(of: clip.audio), isWatched: isWatched, speed: now.speed)
    // What passed since the ayah began and this look was heard as well.
    let begun = frame - clip.audio.span.lowerBound
    if begun.seconds(at: clip.audio.format.rate) < Self.leap {
      current?.frames = begun
      current?.parts.insert(contentsOf: clip.audio.span.lowerBound..<frame)
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
      ended.parts.insert(contentsOf: ended.last..<ended.clip.audio.span.upperBound)
      if ended.isWatched { ended.watched = min(ended.watched + left, ended.frames) }
    }
    let audio = ended.clip.audio
    let heard = ended.parts.ranges.reduce(FrameCount.zero) { $0 + ($1.upperBound - $1.lowerBound) }
    let isWhole = Hearing.isWhole(heard, of: audio.span.length)
    earlier = isWhole ? nil : HeardParts(audio.media, ended.parts)
    guard ended.frames > .zero else { return nil }
    return Hearing(
      clip: ended.clip, frames: ended.frames, watched: ended.watched, speed: ended.speed,
      isWhole: isWhole)
  }

  /// What was heard just before of the same sound.
  private func earlierParts(of audio: AudioClip) -> RangeSet<FramePosition> {
    guard let earlier, earlier.media == audio.media,
      earlier.parts.isSubset(of: RangeSet(audio.span))
    else { return RangeSet() }
    return earlier.parts
  }
}
