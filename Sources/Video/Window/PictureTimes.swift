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

  private let track: VideoTrack

  /// Opens the picture of a recording whose sound is open; blocks.
  ///
  /// Throws ``VideoError``; `.noVideo` for most recordings.
  public init(_ source: MediaSource) throws(VideoError) {
    track = try VideoTrack(
      source.file, rate: source.description.format.rate, index: source.seekIndex,
      soundTrack: source.description.track)
  }

  /// Learns which packets of the sound lie around a position: after a gap in the sound its picture is seen later.
  /// Blocks.
  public func approach(_ position: FramePosition) {
    guard track.clock.followsPackets else { return }
    _ = track.seek(toSeconds: track.clock.seconds(at: position))
  }

  public func seconds(at position: FramePosition) -> Double { track.clock.seconds(at: position) }
}
