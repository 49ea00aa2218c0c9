// SPDX-License-Identifier: GPL-3.0-or-later

/// The fields of an MPEG audio frame header (ISO 11172-3, 13818-3).
public struct MPEGAudioHeader: Hashable, Sendable {
  /// Whether it is MPEG-1, whose frames are twice as long as those of MPEG-2 and 2.5.
  public let isFirstVersion: Bool
  /// 1, 2 or 3.
  public let layer: Int
  public let isMono: Bool
  /// Frames per second.
  public let hertz: Int
  /// Whether two bytes of checksum follow the header.
  public let hasChecksum: Bool
  /// Bytes from this header to the next; nil for free-format streams.
  public let frameLength: Int?

  /// Returns nil where the four bytes are no valid header.
  public init?(_ bytes: [UInt8], at offset: Int) {
    guard bytes.count >= offset + 4, bytes[offset] == 0xFF, bytes[offset + 1] & 0xE0 == 0xE0 else {
      return nil
    }
    let version = Int(bytes[offset + 1] >> 3 & 3)  // 0: 2.5, 2: 2, 3: 1
    let layer = 4 - Int(bytes[offset + 1] >> 1 & 3)
    let bitrateIndex = Int(bytes[offset + 2] >> 4)
    let rateIndex = Int(bytes[offset + 2] >> 2 & 3)
    let padding = Int(bytes[offset + 2] >> 1 & 1)
    guard version != 1, layer != 4, bitrateIndex != 15, rateIndex != 3 else { return nil }
    let firstVersion = version == 3
    isFirstVersion = firstVersion
    self.layer = layer
    isMono = bytes[offset + 3] >> 6 == 3
    hasChecksum = bytes[offset + 1] & 1 == 0
    let rate = [44100, 48000, 32000][rateIndex] >> (firstVersion ? 0 : version == 2 ? 1 : 2)
    hertz = rate
    guard bitrateIndex != 0 else {
      frameLength = nil
      return
    }
    let kilobits: [Int] =
      switch (firstVersion, layer) {
      case (true, 1): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
      case (true, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
      case (true, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
      case (false, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
      case (false, _): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
      }
    let bitsPerSecond = kilobits[bitrateIndex - 1] * 1000
    frameLength =
      switch layer {
      case 1: (12 * bitsPerSecond / rate + padding) * 4
      case 2: 144 * bitsPerSecond / rate + padding
      default: (firstVersion ? 144 : 72) * bitsPerSecond / rate + padding
      }
  }

  /// Whether both can be of one stream, in which neither version nor layer nor rate changes.
  func agrees(with other: MPEGAudioHeader) -> Bool {
    isFirstVersion == other.isFirstVersion && layer == other.layer && hertz == other.hertz
  }
}
