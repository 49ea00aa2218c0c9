// SPDX-License-Identifier: GPL-3.0-or-later

public import Acoustics
public import AudioCore
public import Decoding

/// What a sidecar keeps beside the envelope.
public struct SidecarFacts: Hashable, Sendable {
  public var format: AudioFormat
  public var seekIndex: SeekIndex?
  public var warnings: [DecodingWarning]
  /// How loud it is, where that was measured.
  public var loudness: Loudness?

  public init(
    format: AudioFormat, seekIndex: SeekIndex?, warnings: [DecodingWarning],
    loudness: Loudness? = nil
  ) {
    self.format = format
    self.seekIndex = seekIndex
    self.warnings = warnings
    self.loudness = loudness
  }
}

/// The layout of `{key}-waveform.bin`, little endian:
///
/// | bytes | what |
/// |---|---|
/// | 0 | `TILAWAWF` |
/// | 8 | version of this layout, UInt32 |
/// | 12 | version of the analysis, UInt32 |
/// | 16 | key of the source as it was, 16 bytes |
/// | 32 | sample rate, channels: UInt32 each |
/// | 40 | length in frames, number of hops: Int64 each |
/// | 56 | entries of the three summary levels, Int64 each |
/// | 80 | bytes of facts, Int64 |
/// | 88 | log-mel frames, Int64; 0 where they were not measured |
/// | 96 | bytes of the whole file, Int64 |
/// | 104 | hash of everything from byte 136 on |
/// | 120 | hash of bytes 0..<120 |
/// | 136 | the hops, 16 bytes each: mean square Float32, minimum, maximum Int16, fine, bands UInt32 |
/// | | the summary levels, 8 bytes an entry: mean square Float32, minimum, maximum Int16 |
/// | | the log-mel frames, 26 bytes each |
/// | | facts: warnings, seek index and loudness, as `ByteEncoder` writes them |
struct SidecarHeader: Hashable {
  static let byteCount = 136
  static let magic = Array("TILAWAWF".utf8)
  static let layoutVersion: UInt32 = 2
  /// Goes up whenever the same audio would give other hops or log-mel frames.
  static let analysisVersion: UInt32 = 1

  var key: [UInt8]
  var format: AudioFormat
  var length: FrameCount
  var hopCount: Int
  var levelCounts: [Int]
  var factsCount: Int
  var logMelCount: Int
  var payloadHash: [UInt8]

  var hopsOffset: Int64 { Int64(Self.byteCount) }
  var levelsOffset: Int64 { hopsOffset + Int64(hopCount * MemoryLayout<Hop>.stride) }
  var logMelOffset: Int64 {
    levelsOffset + Int64(levelCounts.reduce(0, +) * MemoryLayout<Peaks>.stride)
  }
  var factsOffset: Int64 { logMelOffset + Int64(logMelCount * LogMelFrames.bandCount) }
  var fileSize: Int64 { factsOffset + Int64(factsCount) }

  var bytes: [UInt8] {
    var bytes = Self.magic
    func add<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    add(Self.layoutVersion)
    add(Self.analysisVersion)
    bytes += key
    add(UInt32(format.rate.hertz))
    add(UInt32(format.channels))
    add(length.frames)
    for number in [hopCount] + levelCounts + [factsCount, logMelCount] { add(Int64(number)) }
    add(fileSize)
    bytes += payloadHash
    bytes += Self.hash(bytes)
    return bytes
  }

  init(
    key: [UInt8], format: AudioFormat, length: FrameCount, hopCount: Int, levelCounts: [Int],
    factsCount: Int, logMelCount: Int, payloadHash: [UInt8]
  ) {
    self.key = key
    self.format = format
    self.length = length
    self.hopCount = hopCount
    self.levelCounts = levelCounts
    self.factsCount = factsCount
    self.logMelCount = logMelCount
    self.payloadHash = payloadHash
  }

  /// Returns nil unless the bytes are a header of this version, undamaged, for this key and file size.
  init?(_ bytes: [UInt8], key: [UInt8], fileSize: Int64) {
    guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic),
      Array(bytes[120...]) == Self.hash(Array(bytes[..<120])), Array(bytes[16..<32]) == key
    else { return nil }
    func number<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
      bytes[offset..<(offset + Number.bitWidth / 8)].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
    guard number(8, UInt32.self) == Self.layoutVersion,
      number(12, UInt32.self) == Self.analysisVersion, number(96, Int64.self) == fileSize,
      let rate = SampleRate(hertz: Int(number(32, UInt32.self))),
      let format = AudioFormat(rate: rate, channels: Int(number(36, UInt32.self)))
    else { return nil }
    let counts = stride(from: 48, through: 88, by: 8).map { Int(number($0, Int64.self)) }
    // More hops than the file has bytes would overflow the sums below.
    guard counts.allSatisfy({ $0 >= 0 && $0 <= fileSize }) else { return nil }
    self.init(
      key: key, format: format, length: FrameCount(number(40, Int64.self)), hopCount: counts[0],
      levelCounts: Array(counts[1...3]), factsCount: counts[4],
      logMelCount: counts[5], payloadHash: Array(bytes[104..<120]))
    guard self.fileSize == fileSize,
      HopGrid(rate: rate).hopCount(covering: length) == hopCount,
      logMelCount == 0 || logMelCount == LogMelFrames.count(covering: hopCount)
    else { return nil }
  }

  private static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.digest()
  }
}

extension SidecarFacts {
  var encoded: [UInt8] {
    var encoder = ByteEncoder()
    encoder.append(UInt64(warnings.count))
    for warning in warnings { warning.encode(into: &encoder) }
    encoder.append(seekIndex == nil ? 0 : 1)
    seekIndex?.encode(into: &encoder)
    encoder.append(loudness == nil ? 0 : 1)
    loudness?.encode(into: &encoder)
    return encoder.bytes
  }

  init?(_ bytes: [UInt8], format: AudioFormat) {
    var decoder = ByteDecoder(bytes)
    guard let count = decoder.nextCount() else { return nil }
    var warnings: [DecodingWarning] = []
    for _ in 0..<count {
      guard let warning = DecodingWarning(from: &decoder) else { return nil }
      warnings.append(warning)
    }
    var index: SeekIndex?
    switch decoder.next() {
    case 0: break
    case 1:
      index = SeekIndex(from: &decoder)
      if index == nil { return nil }
    default: return nil
    }
    var loudness: Loudness?
    switch decoder.next() {
    case 0: break
    case 1:
      loudness = Loudness(from: &decoder)
      if loudness == nil { return nil }
    default: return nil
    }
    guard decoder.isAtEnd else { return nil }
    self.init(format: format, seekIndex: index, warnings: warnings, loudness: loudness)
  }
}

extension Loudness {
  fileprivate func encode(into encoder: inout ByteEncoder) {
    encoder.append(integrated == nil ? 0 : 1)
    for level in [integrated ?? 0, range, samplePeak] { encoder.append(UInt64(level.bitPattern)) }
  }

  fileprivate init?(from decoder: inout ByteDecoder) {
    guard let isHeard = decoder.next(), isHeard <= 1 else { return nil }
    var levels: [Float] = []
    for _ in 0..<3 {
      guard let bits = decoder.next(), let pattern = UInt32(exactly: bits) else { return nil }
      levels.append(Float(bitPattern: pattern))
    }
    guard levels.allSatisfy(\.isFinite) else { return nil }
    self.init(integrated: isHeard == 1 ? levels[0] : nil, range: levels[1], samplePeak: levels[2])
  }
}
