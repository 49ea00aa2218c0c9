// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// A frame as it is shown: red, green and blue, 8 bits each, row by row from the top left.
public struct VideoPicture: Hashable, Sendable {
  /// The frame of the sound that it appears with; negative where the picture begins first.
  public let position: FramePosition
  public let width: Int
  public let height: Int
  /// `3 x width x height` bytes.
  public let pixels: [UInt8]

  public init(position: FramePosition, width: Int, height: Int, pixels: [UInt8]) {
    self.position = position
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}
