// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// Something in a file that was not as it should be, and did not stop it from being read.
public enum DecodingWarning: Hashable, Sendable, CustomStringConvertible {
  /// The file promises more frames than it has.
  case endsEarly(promised: FrameCount, found: FrameCount)
  /// The file is cut off; how many frames are missing is not known.
  case cutOff
  /// Packets at this frame could not be decoded; silence stands for them.
  case damaged(at: FramePosition, frames: FrameCount)
  /// Packets are missing according to the times of the others, the first before this frame; the sound goes on
  /// without them.
  case missing(at: FramePosition, frames: FrameCount)
  /// The channels of a stereo recording cancel each other in the mono mix that is analysed.
  case cancelledChannels
  /// Samples that were not numbers or infinite became silence.
  case notFinite(samples: Int)
  /// Channel count or rate changes within the stream; reading stops there.
  case formatChange(at: FramePosition)

  /// The warnings of several decoders of one recording as one list: in order, without repetition, counts
  /// added up.
  public static func merged(_ warnings: [DecodingWarning]) -> [DecodingWarning] {
    let isCount = { (warning: DecodingWarning) in
      if case .notFinite = warning { true } else { false }
    }
    var merged: [DecodingWarning] = []
    for warning in warnings where !isCount(warning) { merged.note(warning) }
    for warning in warnings where isCount(warning) { merged.note(warning) }
    return merged
  }

  public var description: String {
    switch self {
    case .endsEarly(let promised, let found):
      "ends early: has only \(found.frames) of \(promised.frames) frames"
    case .cutOff: "the file is cut off; the rest was read"
    case .damaged(let position, let count):
      "damaged at frame \(position.frames): \(count.frames) frames were replaced by silence"
    case .missing(let position, let count):
      "sound is missing in the file from frame \(position.frames) on, \(count.frames) frames in all; "
        + "the rest was joined"
    case .cancelledChannels:
      "the two channels cancel each other when mixed to mono, so that next to nothing is heard; "
        + "keep one of them first: ffmpeg -i FILE -af 'pan=mono|c0=c0' NEW"
    case .notFinite(let count):
      "\(count) samples were not finite numbers and were replaced by silence"
    case .formatChange(let position):
      "the audio format changes at frame \(position.frames); only the part before it was read"
    }
  }
}

extension [DecodingWarning] {
  /// What a decoder has noted since an earlier look at its warnings; counts are the difference.
  public func added(since earlier: [DecodingWarning]) -> [DecodingWarning] {
    let counted = earlier.reduce(0) { sum, warning in
      if case .notFinite(let samples) = warning { sum + samples } else { sum }
    }
    return filter { !earlier.contains($0) }.map { warning in
      if case .notFinite(let samples) = warning {
        .notFinite(samples: samples - counted)
      } else {
        warning
      }
    }
  }

  /// Adds a warning unless it is there; joins damaged spans that touch or overlap, and adds up counts.
  ///
  /// A place that is read again after a seek is thus reported once.
  mutating func note(_ warning: DecodingWarning) {
    switch warning {
    case .notFinite(let samples):
      for (index, other) in enumerated() {
        guard case .notFinite(let known) = other else { continue }
        self[index] = .notFinite(samples: known + samples)
        return
      }
      append(warning)
    case .damaged(let start, let count):
      let end = start + count
      for (index, other) in enumerated() {
        guard case .damaged(let begun, let length) = other, begun <= end, start <= begun + length
        else { continue }
        let first = Swift.min(begun, start)
        self[index] = .damaged(at: first, frames: Swift.max(begun + length, end) - first)
        return
      }
      append(warning)
    default:
      if !contains(warning) { append(warning) }
    }
  }
}
