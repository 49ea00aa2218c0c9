// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// The motion of a recording in a file of the cache, `{key}-motion.bin`, little endian:
///
/// | bytes | what |
/// |---|---|
/// | 0 | `TILAWAMO` |
/// | 8 | version, UInt32 |
/// | 12 | sample rate, UInt32 |
/// | 16 | length of the sound in frames, Int64 |
/// | 24 | key of the source, 16 bytes |
/// | 40 | 1 where it is complete, UInt32 |
/// | 44 | samples, UInt32 |
/// | 48 | for each: position Int64, change as the bits of a Float, UInt32 |
/// | last 16 | hash of everything before |
///
/// What is damaged, of another version or of another recording is as good as none.
public struct MotionFile: Sendable {
  public let path: String
  private let key: [UInt8]

  private static let magic = Array("TILAWAMO".utf8)
  /// Goes up with the layout, and whenever the same video would give other samples.
  private static let version: UInt32 = 2
  private static let headerLength = 48
  private static let sampleLength = 12
  /// Five days of them.
  private static let maxSamples = 1 << 21

  /// - Parameter key: the source's `contentKey`, 16 bytes.
  public init(path: String, key: [UInt8]) {
    self.path = path
    self.key = key
  }

  /// What is kept; nil where nothing is that can be used.
  public func read(length: FrameCount, rate: SampleRate) -> MotionTrack? {
    let maxLength =
      Self.headerLength + Self.maxSamples * Self.sampleLength + CacheFile.hashLength
    return CacheFile.read(path, atMost: maxLength).flatMap {
      decode($0, length: length, rate: rate)
    }
  }

  /// Keeps it in place of what was kept.
  public func write(_ track: MotionTrack) {
    guard track.samples.count <= Self.maxSamples else { return }
    CacheFile.write(encode(track), to: path)
  }

  func encode(_ track: MotionTrack) -> [UInt8] {
    var bytes = Self.magic
    bytes.put(Self.version)
    bytes.put(UInt32(track.rate.hertz))
    bytes.put(track.length.frames)
    bytes += key
    bytes.put(UInt32(track.isComplete ? 1 : 0))
    bytes.put(UInt32(track.samples.count))
    for sample in track.samples {
      bytes.put(sample.position.frames)
      bytes.put(sample.change.bitPattern)
    }
    return CacheFile.sealed(bytes)
  }

  func decode(_ bytes: [UInt8], length: FrameCount, rate: SampleRate) -> MotionTrack? {
    guard var rest = CacheFile.opened(bytes, magic: Self.magic),
      rest.take(UInt32.self) == Self.version, rest.take(UInt32.self) == UInt32(rate.hertz),
      rest.take(Int64.self) == length.frames, key.count == 16, rest.starts(with: key)
    else { return nil }
    rest = rest.dropFirst(key.count)
    guard let isComplete = rest.take(UInt32.self), isComplete <= 1,
      let count = rest.take(UInt32.self), rest.count == Int(count) * Self.sampleLength
    else { return nil }
    var samples: [MotionTrack.Sample] = []
    samples.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let position = rest.take(Int64.self), let bits = rest.take(UInt32.self) else {
        return nil
      }
      let sample = MotionTrack.Sample(
        position: FramePosition(position), change: Float(bitPattern: bits))
      guard (0...100).contains(sample.change),
        samples.last.map({ $0.position < sample.position }) ?? true
      else { return nil }
      samples.append(sample)
    }
    return MotionTrack(
      length: length, rate: rate, samples: samples, isComplete: isComplete == 1)
  }
}
