// SPDX-License-Identifier: GPL-3.0-or-later

extension SeekIndex {
  /// The index in two to three bytes a packet, for the sidecar.
  public func encode(into encoder: inout ByteEncoder) {
    encoder.append(UInt64(kind.rawValue))
    encoder.append(UInt64(framesPerPacket))
    encoder.append(UInt64(packetsPerOffset))
    encoder.append(signed: decodedLength)
    encoder.append(signed: audible.lowerBound)
    encoder.append(signed: audible.upperBound)
    encoder.append(UInt64(offsets.count))
    // Each packet usually begins where the one before it ends or, for MPEG frames, where it would end if
    // it were as long as its predecessor.
    var expected: Int64 = 0
    var length: Int64 = 0
    for (packet, offset) in offsets.enumerated() {
      encoder.append(signed: offset &- expected)
      length =
        sizes.isEmpty ? (packet == 0 ? 0 : offset - offsets[packet - 1]) : Int64(sizes[packet])
      expected = offset &+ length
    }
    for size in sizes { encoder.append(UInt64(size)) }
    guard framesPerPacket == 0 else { return }
    for (start, end) in zip(startFrames, startFrames.dropFirst()) {
      encoder.append(UInt64(max(0, end - start)))
    }
  }

  /// Reads an index back; nil where the bytes are none or contradict themselves.
  public init?(from decoder: inout ByteDecoder) {
    guard let rawKind = decoder.next(), let kind = Kind(rawValue: UInt8(clamping: rawKind)),
      let framesPerPacket = decoder.next(), framesPerPacket < 1 << 24,
      framesPerPacket > 0 || kind != .mpegFrames,
      let packetsPerOffset = decoder.next(), (1..<1 << 24).contains(packetsPerOffset),
      packetsPerOffset == 1 || kind == .mpegFrames,
      let decodedLength = decoder.nextSigned(), decodedLength >= 0,
      let lower = decoder.nextSigned(), let upper = decoder.nextSigned(), lower >= 0,
      lower <= upper, upper <= decodedLength, let count = decoder.nextCount()
    else { return nil }
    var offsets: [Int64] = []
    offsets.reserveCapacity(count)
    var expected: Int64 = 0
    var deltas: [Int64] = []
    deltas.reserveCapacity(count)
    for _ in 0..<count {
      guard let delta = decoder.nextSigned() else { return nil }
      deltas.append(delta)
    }
    var sizes: [UInt32] = []
    if kind != .mpegFrames {
      sizes.reserveCapacity(count)
      for _ in 0..<count {
        guard let size = decoder.next(), size <= UInt64(UInt32.max) else { return nil }
        sizes.append(UInt32(size))
      }
    }
    for (packet, delta) in deltas.enumerated() {
      let offset = expected &+ delta
      guard offset >= -1 else { return nil }
      let length: Int64 =
        sizes.isEmpty ? (packet == 0 ? 0 : offset &- offsets[packet - 1]) : Int64(sizes[packet])
      offsets.append(offset)
      expected = offset &+ length
    }
    var starts: [Int64] = []
    if framesPerPacket == 0 {
      starts.reserveCapacity(count + 1)
      starts.append(0)
      for _ in 0..<count {
        guard let duration = decoder.next(), duration < 1 << 32 else { return nil }
        starts.append(starts[starts.count - 1] + Int64(duration))
      }
      guard starts.last == decodedLength else { return nil }
    } else {
      let packets = Int64(count) * Int64(packetsPerOffset)
      guard decodedLength <= packets.multipliedReportingOverflow(by: Int64(framesPerPacket)).0
      else { return nil }
    }
    self.init(
      kind: kind, offsets: offsets, packetsPerOffset: Int(packetsPerOffset), sizes: sizes,
      framesPerPacket: Int(framesPerPacket), startFrames: starts, decodedLength: decodedLength,
      audible: lower..<upper)
  }
}
