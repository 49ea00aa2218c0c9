// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
import Foundation
import TestSupport
import Testing

/// Samples, interleaved, and what they are.
struct Signal {
  var format: AudioFormat
  var samples: [Float]

  var frameCount: Int { samples.count / format.channels }

  static func format(_ rate: Int, channels: Int = 1) throws -> AudioFormat {
    let rate = try #require(SampleRate(hertz: rate))
    return try #require(AudioFormat(rate: rate, channels: channels))
  }

  /// Tones of equal amplitude, alike in all channels.
  static func tones(
    _ hertz: [Double], amplitude: Double, rate: Int, seconds: Double, channels: Int = 1
  ) throws -> Signal {
    var samples: [Float] = []
    for frame in 0..<Int(seconds * Double(rate)) {
      let value = hertz.reduce(0) {
        $0 + amplitude * sin(2 * .pi * ($1 * Double(frame) / Double(rate)))
      }
      for _ in 0..<channels { samples.append(Float(value)) }
    }
    return Signal(format: try format(rate, channels: channels), samples: samples)
  }

  /// White noise whose level goes up and down, another in each channel.
  static func noise(
    rate: Int, seconds: Double, channels: Int = 1, seed: UInt64 = 1
  ) throws -> Signal {
    var random = SplitMix64(state: seed)
    let frames = Int(seconds * Double(rate))
    let samples = (0..<frames).flatMap { frame in
      let level = Float(0.02 + 0.4 * abs(sin(Double(frame) / Double(rate))))
      return (0..<channels).map { _ in (Float(random.next() >> 40) / Float(1 << 23) - 1) * level }
    }
    return Signal(format: try format(rate, channels: channels), samples: samples)
  }

  /// Gives the samples from a frame on, in blocks of so many frames.
  func forEachBlock(
    of frames: Int, from start: Int = 0, to end: Int? = nil,
    _ body: (UnsafeBufferPointer<Float>) -> Void
  ) {
    samples.withUnsafeBufferPointer { samples in
      let last = (end ?? frameCount) * format.channels
      for first in stride(
        from: start * format.channels, to: last, by: frames * format.channels)
      {
        body(
          UnsafeBufferPointer(
            rebasing: samples[first..<min(first + frames * format.channels, last)]))
      }
    }
  }

  /// The log-mel frames of a stretch that begins with a frame, primed with what comes before.
  func logMel(chunk: Int = 4096, from start: Int = 0, to end: Int? = nil) -> LogMelFrames {
    var analyzer = LogMelAnalyzer(format: format, start: FramePosition(Int64(start)))
    var frames = LogMelFrames()
    let priming = Int(LogMelAnalyzer.primingLength(at: format.rate).frames)
    forEachBlock(of: start + 1, from: max(start - priming, 0), to: start) { analyzer.prime($0) }
    forEachBlock(of: chunk, from: start, to: end) { analyzer.push($0, into: &frames) }
    if end == nil { analyzer.finish(into: &frames) }
    return frames
  }

  /// The tenths of a stretch, likewise.
  func tenths(chunk: Int = 4096, from start: Int = 0, to end: Int? = nil) -> LoudnessTenths {
    var analyzer = LoudnessAnalyzer(format: format, start: FramePosition(Int64(start)))
    var tenths = analyzer.emptyTenths
    let priming = Int(LoudnessAnalyzer.primingLength(at: format.rate).frames)
    forEachBlock(of: start + 1, from: max(start - priming, 0), to: start) { analyzer.prime($0) }
    forEachBlock(of: chunk, from: start, to: end) { analyzer.push($0, into: &tenths) }
    analyzer.finish(into: &tenths)
    return tenths
  }

  var loudness: Loudness {
    tenths().loudness(
      wholeTenths: LoudnessAnalyzer.wholeTenths(
        in: FrameCount(Int64(frameCount)), at: format.rate))
  }
}
