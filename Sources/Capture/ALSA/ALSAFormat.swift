// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA
import Encoding

/// The sample formats that devices are read in.
enum ALSAFormat: CaseIterable {
  case bits16
  case bits32
  /// 24 bits in three bytes, as many USB devices have it.
  case packed24
  /// 24 bits in the lower part of four bytes.
  case padded24

  var pcmFormat: snd_pcm_format_t {
    switch self {
    case .bits16: SND_PCM_FORMAT_S16_LE
    case .bits32: SND_PCM_FORMAT_S32_LE
    case .packed24: SND_PCM_FORMAT_S24_3LE
    case .padded24: SND_PCM_FORMAT_S24_LE
    }
  }

  var bytesPerSample: Int {
    switch self {
    case .bits16: 2
    case .packed24: 3
    case .bits32, .padded24: 4
    }
  }

  var depth: SampleDepth { self == .bits16 ? .bits16 : .bits24 }

  /// In the order in which they are asked for.
  static func preferred(deep: Bool) -> [ALSAFormat] {
    deep ? [.bits32, .packed24, .padded24, .bits16] : [.bits16, .bits32, .packed24, .padded24]
  }

  /// Makes left-justified 32-bit samples of as many as `target` holds.
  func unpack(_ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableBufferPointer<Int32>) {
    func byte(_ offset: Int) -> UInt32 { UInt32(bytes[offset]) }
    for index in target.indices {
      let start = index * bytesPerSample
      let bits: UInt32 =
        switch self {
        case .bits16: byte(start) << 16 | byte(start + 1) << 24
        case .bits32:
          byte(start) | byte(start + 1) << 8 | byte(start + 2) << 16 | byte(start + 3) << 24
        case .packed24, .padded24:
          byte(start) << 8 | byte(start + 1) << 16 | byte(start + 2) << 24
        }
      // What FLAC cannot hold is not measured either.
      target[index] = Int32(bitPattern: bits & 0xFFFF_FF00)
    }
  }
}
