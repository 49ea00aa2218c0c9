// SPDX-License-Identifier: GPL-3.0-or-later

/// What the picture of a recording is.
public struct VideoDescription: Hashable, Sendable {
  /// FFmpeg's name of the codec, such as "h264".
  public let codec: String
  /// As it is looked at: turned upright, its pixels square.
  public let width: Int
  public let height: Int
  /// Frames a second; nil where they vary.
  public let frameRate: Double?

  public init(codec: String, width: Int, height: Int, frameRate: Double?) {
    self.codec = codec
    self.width = width
    self.height = height
    self.frameRate = frameRate
  }
}
