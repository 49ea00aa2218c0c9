// SPDX-License-Identifier: GPL-3.0-or-later

/// The header before each AAC packet in a stream without a container (ISO 13818-7, 6.2).
struct ADTSHeader {
  /// Bytes of the header, checksum included.
  let length: Int
  /// Frames per second that the packets are coded at.
  let hertz: Int
  /// What m4a keeps in the header's stead: the AudioSpecificConfig (ISO 14496-3, 1.6.2.1).
  let setup: [UInt8]

  private static let rates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]

  /// Nil where the bytes are none, or one that m4a cannot stand for: channels described in the packet, or
  /// several packets behind one header.
  init?(_ packet: [UInt8]) {
    guard packet.count > 7, packet[0] == 0xFF, packet[1] & 0xF6 == 0xF0 else { return nil }
    let objectType = packet[2] >> 6 + 1
    let rateIndex = packet[2] >> 2 & 15
    let channels = (packet[2] & 1) << 2 | packet[3] >> 6
    guard Int(rateIndex) < Self.rates.count, channels > 0, packet[6] & 3 == 0 else { return nil }
    self.init(
      length: packet[1] & 1 == 0 ? 9 : 7, objectType: objectType, rateIndex: rateIndex,
      channels: channels)
  }

  /// What decoders assume of packets of low complexity AAC about which nothing is said; nil for a rate or
  /// channel count that has no number.
  static func setup(hertz: Int, channels: Int) -> [UInt8]? {
    guard let rateIndex = rates.firstIndex(of: hertz), (1...6).contains(channels) else {
      return nil
    }
    return ADTSHeader(
      length: 0, objectType: 2, rateIndex: UInt8(rateIndex), channels: UInt8(channels)
    ).setup
  }

  private init(length: Int, objectType: UInt8, rateIndex: UInt8, channels: UInt8) {
    self.length = length
    hertz = Self.rates[Int(rateIndex)]
    setup = [objectType << 3 | rateIndex >> 1, rateIndex << 7 | channels << 3]
  }
}
