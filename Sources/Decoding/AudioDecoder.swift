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

/// Something in a file that was not as it should be, and did not stop it from being read.
public enum DecodingWarning: Hashable, Sendable, CustomStringConvertible {
  /// The file promises more frames than it has.
  case endsEarly(promised: FrameCount, found: FrameCount)
  /// The file is cut off; how many frames are missing is not known.
  case cutOff
  /// Packets at this frame could not be decoded; silence stands for them.
  case damaged(at: FramePosition, frames: FrameCount)
  /// Samples that were not numbers or infinite became silence.
  case notFinite(samples: Int)
  /// Channel count or rate changes within the stream; reading stops there.
  case formatChange(at: FramePosition)

  /// The warnings of several decoders of one recording as one list: in order, without repetition, counts
  /// added up.
  public static func merged(_ warnings: [DecodingWarning]) -> [DecodingWarning] {
    var nonFinite = 0
    var merged: [DecodingWarning] = []
    for warning in warnings {
      if case .notFinite(let samples) = warning {
        nonFinite += samples
      } else if case .damaged(let position, let count) = warning,
        case .damaged(let begun, let length)? = merged.last, begun + length == position
      {
        merged[merged.count - 1] = .damaged(at: begun, frames: length + count)
      } else if !merged.contains(warning) {
        merged.append(warning)
      }
    }
    if nonFinite > 0 { merged.append(.notFinite(samples: nonFinite)) }
    return merged
  }

  public var description: String {
    switch self {
    case .endsEarly(let promised, let found):
      "ends early: \(found.frames) of \(promised.frames) frames are there"
    case .cutOff: "the file is cut off; what is there was read"
    case .damaged(let position, let count):
      "damaged at frame \(position.frames): \(count.frames) frames were replaced by silence"
    case .notFinite(let count):
      "\(count) samples were not finite numbers and were replaced by silence"
    case .formatChange(let position):
      "the audio format changes at frame \(position.frames); only what is before it was read"
    }
  }
}
