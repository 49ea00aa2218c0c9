// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

extension DecodingWarning {
  /// The warning in a few bytes, for the sidecar.
  public func encode(into encoder: inout ByteEncoder) {
    let (kind, first, second): (UInt64, Int64, Int64) =
      switch self {
      case .endsEarly(let promised, let found): (1, promised.frames, found.frames)
      case .cutOff: (2, 0, 0)
      case .damaged(let position, let count): (3, position.frames, count.frames)
      case .notFinite(let samples): (4, Int64(samples), 0)
      case .formatChange(let position): (5, position.frames, 0)
      case .missing(let position, let count): (6, position.frames, count.frames)
      case .cancelledChannels: (7, 0, 0)
      }
    encoder.append(kind)
    encoder.append(signed: first)
    encoder.append(signed: second)
  }

  /// What a count or a position may be, with room to add up many of them.
  private static let plausible: Range<Int64> = 0..<1 << 48

  /// Reads a warning back; nil where the bytes are none.
  public init?(from decoder: inout ByteDecoder) {
    guard let kind = decoder.next(), let first = decoder.nextSigned(),
      let second = decoder.nextSigned(), Self.plausible.contains(first),
      Self.plausible.contains(second)
    else { return nil }
    switch kind {
    case 1: self = .endsEarly(promised: FrameCount(first), found: FrameCount(second))
    case 2: self = .cutOff
    case 3: self = .damaged(at: FramePosition(first), frames: FrameCount(second))
    case 4: self = .notFinite(samples: Int(first))
    case 5: self = .formatChange(at: FramePosition(first))
    case 6: self = .missing(at: FramePosition(first), frames: FrameCount(second))
    case 7: self = .cancelledChannels
    default: return nil
    }
  }
}
