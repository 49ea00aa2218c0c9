// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Decoding

/// When the frames of a recording's sound are seen, in the seconds of its container: what another program needs
/// to be told to show the picture that belongs to them.
///
/// Blocks where it says so; belongs to one thread.
public final class PictureTimes {
  public var description: VideoDescription { track.description }
  /// Seconds of one frame, as a guess.
  public var frameSeconds: Double { track.frameSeconds }
  /// When the first frame is seen; nil where the container does not say.
  public let firstSeconds: Double?

  private let track: VideoTrack
  /// Where the packets of the sound are known.
  private var known = RangeSet<FramePosition>()

  /// Seconds before a place and after it that are learnt at once, so that playback comes to something unknown seldom.
  private static let reach = (before: 1.0, after: 10.0)
  private static let attempts = 4

  /// Opens the picture of a recording whose sound is open; blocks.
  ///
  /// Throws ``VideoError``; `.noVideo` for most recordings.
  public init(_ source: MediaSource) throws(VideoError) {
    track = try VideoTrack(
      source.file, rate: source.description.format.rate, index: source.seekIndex,
      soundTrack: source.description.track)
    firstSeconds = track.firstSeconds()
  }

  /// Whether the packets of the sound around a position are known: after a gap in the sound its picture is seen later.
  public func knows(_ position: FramePosition) -> Bool {
    !track.clock.followsPackets || known.contains(position)
  }

  /// Learns which packets of the sound lie around a position. Blocks.
  public func approach(_ position: FramePosition) {
    // Gaps on the way to what was known move the place that is read.
    for _ in 0..<Self.attempts where !knows(position) {
      learn(aroundSeconds: track.clock.seconds(at: position))
    }
    if !knows(position) { know(from: position, to: position) }
  }

  /// When a frame of the sound is heard, as far as its packets are known.
  public func seconds(at position: FramePosition) -> Double { track.clock.seconds(at: position) }

  /// The frame of the sound that is heard at a time. Blocks.
  public func position(atSeconds seconds: Double) -> FramePosition {
    if !knows(track.clock.position(atSeconds: seconds)) { learn(aroundSeconds: seconds) }
    return track.clock.position(atSeconds: seconds)
  }

  /// Seconds of sound that are heard up to a time: fewer than have passed where packets of it are missing. Blocks.
  public func sound(untilSeconds seconds: Double) -> Double {
    if !knows(track.clock.position(atSeconds: seconds)) { learn(aroundSeconds: seconds) }
    return track.clock.frames(atSeconds: seconds) / Double(track.clock.rate.hertz)
  }

  private func learn(aroundSeconds seconds: Double) {
    let (start, end) = (seconds - Self.reach.before, seconds + Self.reach.after)
    track.learnSound(fromSeconds: start, to: end)
    let clock = track.clock
    know(from: clock.position(atSeconds: start), to: clock.position(atSeconds: end))
  }

  private func know(from start: FramePosition, to end: FramePosition) {
    let least = start + FrameCount(seconds: 1, at: track.clock.rate)
    known.insert(contentsOf: start..<max(end, least))
  }
}
