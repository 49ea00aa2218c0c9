// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// Mixes sound to mono and keeps as few of its samples as hold everything below 3.8 kHz.
///
/// Kept are the frames whose number is a multiple of `factor`, wherever reading began, each through a
/// filter that looks back `memory` frames. How the stream is cut into blocks makes no difference.
struct Decimator: ~Copyable {
  /// What is kept has at least this rate, in hertz, unless the sound itself has less.
  private static let leastRate = 14_000
  static let blockLength = 4096

  let factor: Int
  private let channels: Int
  /// Last tap first, a multiple of 8 long.
  private let taps: [Float]
  /// Mono frames: `taps.count - 1` old ones, then those of a block.
  private let mono: UnsafeMutableBufferPointer<Float>
  /// Number of the next frame to come.
  private(set) var position: Int64

  init(format: AudioFormat, start: FramePosition) {
    channels = format.channels
    factor = Self.factor(at: format.rate)
    taps = Self.lowPass(factor: factor)
    position = start.frames
    mono = .allocate(capacity: taps.count + Self.blockLength)
    mono.initialize(repeating: 0)
  }

  deinit { mono.deallocate() }

  static func factor(at rate: SampleRate) -> Int { max(1, rate.hertz / leastRate) }

  /// Frames before a kept one that it still depends on.
  static func memory(at rate: SampleRate) -> Int { tapCount(factor: factor(at: rate)) }

  /// Goes back, for frames that come before those that count.
  mutating func rewind(frames: Int) { position -= Int64(frames) }

  /// Takes the next frames, interleaved, at most `blockLength` of them.
  ///
  /// - Returns: how many samples were written to `kept`.
  mutating func push(
    _ samples: UnsafePointer<Float>, frames: Int, into kept: UnsafeMutablePointer<Float>
  ) -> Int {
    guard let mono = mono.baseAddress else { return 0 }
    MonoMix.mix(samples, frames: frames, channels: channels, into: mono + (taps.count - 1))
    let count = filter(mono, frames: frames, into: kept)
    mono.update(from: mono + frames, count: taps.count - 1)
    position += Int64(frames)
    return count
  }

  private func filter(
    _ mono: UnsafePointer<Float>, frames: Int, into kept: UnsafeMutablePointer<Float>
  ) -> Int {
    let remainder = Int(position % Int64(factor))
    var frame = remainder == 0 ? 0 : factor - remainder
    var count = 0
    taps.withUnsafeBytes { taps in
      while frame < frames {
        let source = UnsafeRawPointer(mono + frame)
        var sum = SIMD8<Float>()
        var offset = 0
        while offset < taps.count {
          sum +=
            source.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            * taps.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
          offset += 32
        }
        kept[count] = sum.sum()
        count += 1
        frame += factor
      }
    }
    return count
  }

  private static func tapCount(factor: Int) -> Int { factor == 1 ? 8 : (12 * factor + 7) / 8 * 8 }

  /// A sinc at half of what is kept under a Blackman window.
  ///
  /// Such a window of N taps falls within 5.5 / N of the rate (Harris, "On the use of windows", 1978), from
  /// the first to the last of its 74 dB. With 12 taps for each that is kept it is flat to 3.8 kHz, and what
  /// would fold below 3.8 kHz is down by 70 dB.
  private static func lowPass(factor: Int) -> [Float] {
    let length = tapCount(factor: factor)
    guard factor > 1 else { return (0..<length).map { $0 == length - 1 ? 1 : 0 } }
    let cutoff = 0.5 / Double(factor)
    let taps = (0..<length).map { tap in
      let distance = Double(tap) - Double(length - 1) / 2
      let sinc = distance == 0 ? 2 * cutoff : sin(2 * .pi * cutoff * distance) / (.pi * distance)
      let phase = 2 * .pi * (Double(tap) + 0.5) / Double(length)
      return sinc * (0.42 - 0.5 * cos(phase) + 0.08 * cos(2 * phase))
    }
    let gain = taps.reduce(0, +)
    return taps.map { Float($0 / gain) }
  }
}
