// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// Reads one audio stream as frames, from any place in it.
///
/// Frame 0 is the first audible one: what an encoder put before it (delay) and after the last (padding)
/// is removed wherever the file says how much that is. A decoder belongs to one thread at a time;
/// several on one file, made by the same `MediaSource`, do not disturb each other.
public protocol AudioDecoder: AnyObject {
  var format: AudioFormat { get }

  /// The frame that the next `read` starts with.
  var position: FramePosition { get }

  /// What was found wrong so far and mended; only ever grows.
  var warnings: [DecodingWarning] { get }

  /// Fills the buffer with the next frames and returns how many; 0 at the end of the stream.
  ///
  /// Fewer than the buffer holds says nothing about the end. Samples are finite. Throws when the file
  /// can no longer be read; frames that a damaged place has lost are silence, with a warning.
  func read(into buffer: PCMBuffer) throws(DecodingError) -> Int

  /// Makes `position` the frame of the next `read`, exactly; a position past the end reads nothing.
  ///
  /// Afterwards the frames are the ones that linear decoding gives. Throws `.outOfRange` for a negative
  /// position.
  func seek(to position: FramePosition) throws(DecodingError)
}
