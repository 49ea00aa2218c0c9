// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Foundation
import TestSupport
import Testing

/// Samples, interleaved, and what they are.
struct Sound {
  var format: AudioFormat
  var samples: [Float]

  var frameCount: Int { samples.count / format.channels }

  static func format(_ rate: Int, channels: Int = 1) throws -> AudioFormat {
    let rate = try #require(SampleRate(hertz: rate))
    return try #require(AudioFormat(rate: rate, channels: channels))
  }

  /// A tone, alike in all channels.
  static func sine(
    _ hertz: Double, amplitude: Float, rate: Int, seconds: Double, channels: Int = 1
  ) throws -> Sound {
    var samples: [Float] = []
    for frame in 0..<Int(seconds * Double(rate)) {
      let turns = hertz * Double(frame) / Double(rate)
      let value = amplitude * Float(sin(2 * Double.pi * (turns - turns.rounded(.down))))
      for _ in 0..<channels { samples.append(value) }
    }
    return Sound(format: try format(rate, channels: channels), samples: samples)
  }

  static func silence(rate: Int, frames: Int, channels: Int = 1) throws -> Sound {
    Sound(
      format: try format(rate, channels: channels),
      samples: [Float](repeating: 0, count: frames * channels))
  }

  /// White noise, another in each channel.
  static func noise(
    amplitude: Float, rate: Int, frames: Int, channels: Int = 1, seed: UInt64 = 1
  ) throws -> Sound {
    var random = SplitMix64(state: seed)
    let samples = (0..<(frames * channels)).map { _ in
      (Float(random.next() >> 40) / Float(1 << 23) - 1) * amplitude
    }
    return Sound(format: try format(rate, channels: channels), samples: samples)
  }

  /// The hops of the sound, pushed in blocks of so many frames.
  func hops(chunk: Int? = nil) -> [Hop] {
    var analyzer = WaveformAnalyzer(format: format)
    var hops: [Hop] = []
    let step = (chunk ?? max(frameCount, 1)) * format.channels
    samples.withUnsafeBufferPointer { samples in
      for start in stride(from: 0, to: samples.count, by: step) {
        let end = min(start + step, samples.count)
        analyzer.push(UnsafeBufferPointer(rebasing: samples[start..<end]), into: &hops)
      }
    }
    analyzer.finish(into: &hops)
    return hops
  }

  var envelope: Envelope {
    Envelope(rate: format.rate, length: FrameCount(Int64(frameCount)), hops: hops())
  }

  /// The sound as a WAV file of 16-bit samples, or of 32-bit floating point.
  func wav(isFloat: Bool = false) -> Data {
    let (rate, channels) = (format.rate.hertz, format.channels)
    return Data(
      isFloat
        ? WaveFile.bytes(samples, rate: rate, channels: channels)
        : WaveFile.bytes(rounding: samples, rate: rate, channels: channels))
  }
}

/// Ten times the decimal logarithm.
func decibels(_ power: Double) -> Double { 10 * log10(max(power, 1e-30)) }

/// Hops of given RMS, all channels alike, without any spectrum.
func hops(rms values: [Float]) -> [Hop] {
  values.map { value in
    let peak = Int16(min(value * 32767, 32767))
    return Hop(meanSquare: value * value, minimum: -peak, maximum: peak, fine: 0xCCCC_CCCC)
  }
}

/// An envelope of hops of given RMS, at 48 kHz.
func envelope(rms values: [Float]) throws -> Envelope {
  Envelope(
    rate: try #require(SampleRate(hertz: 48000)), length: FrameCount(Int64(values.count) * 480),
    hops: hops(rms: values))
}
