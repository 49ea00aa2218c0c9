// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Decoding

/// What the picture of a recording is.
public struct VideoDescription: Hashable, Sendable {
  /// FFmpeg's name of the codec, such as "h264".
  public let codec: String
  /// As it is looked at: turned upright, its pixels square.
  public let width: Int
  public let height: Int
  /// Frames a second; nil where they vary.
  public let frameRate: Double?
  /// Why it cannot be decoded, as far as the file says without decoding; nil where it can.
  public let problem: VideoError?

  init(codec: String, width: Int, height: Int, frameRate: Double?, problem: VideoError?) {
    self.codec = codec
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.problem = problem
  }

  /// Looks at the picture of a file without decoding it. Blocks.
  ///
  /// - Parameter rate: of the sound.
  /// - Throws: `.noVideo` for most recordings, and what opening the file throws.
  public init(of file: MediaFile, rate: SampleRate) throws(VideoError) {
    self = try VideoTrack(file, rate: rate, index: nil, soundTrack: 1).description
  }
}
