// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Encoding
import Glibc

/// How loud a twentieth of a second was.
public struct CaptureLevel: Hashable, Sendable {
  public struct Channel: Hashable, Sendable {
    /// The largest sample in dBFS: 0 is full scale, `CaptureLevel.floor` silence.
    public let peak: Float
    /// The root of the mean square in dBFS; a sine at full scale has -3.01.
    public let rms: Float
    /// Samples at full scale, which were probably beyond it.
    public let clippedCount: Int
  }

  /// The frame of the recording that it ends before.
  public let end: FramePosition
  public let channels: [Channel]

  /// What silence is said to have, in dBFS: less than one step of 24 bits.
  public static let floor: Float = -144
}

/// Measures levels, a window of 50 ms at a time.
struct LevelMeter {
  /// Samples at full scale so far, in all channels.
  var clippedCount: Int { earlierClipped + clipped.reduce(0, +) }

  private var earlierClipped = 0
  private let channels: Int
  private let windowLength: Int
  private let highest: Int32
  private var position: Int64 = 0
  private var filled = 0
  private var peaks: [Int64]
  private var squares: [Double]
  private var clipped: [Int]

  init(format: AudioFormat, depth: SampleDepth) {
    channels = format.channels
    windowLength = max(1, format.rate.hertz / 20)
    let step = Int32(1) << Int32(32 - min(depth.bits, 24))
    highest = .max - (step - 1)
    peaks = Array(repeating: 0, count: format.channels)
    squares = Array(repeating: 0, count: format.channels)
    clipped = Array(repeating: 0, count: format.channels)
  }

  /// Takes interleaved samples, left-justified in 32 bits, and tells of each window that is full.
  mutating func add(_ samples: UnsafeBufferPointer<Int32>, _ tell: (CaptureLevel) -> Void) {
    for start in stride(from: 0, to: samples.count, by: channels) {
      for channel in 0..<channels {
        let sample = samples[start + channel]
        peaks[channel] = max(peaks[channel], abs(Int64(sample)))
        squares[channel] += Double(sample) * Double(sample)
        if sample >= highest || sample == .min { clipped[channel] += 1 }
      }
      filled += 1
      position += 1
      if filled == windowLength { tell(endWindow()) }
    }
  }

  /// Leaves out frames that were not heard.
  mutating func skip(frames: Int64) { position += frames }

  private mutating func endWindow() -> CaptureLevel {
    let levels = (0..<channels).map { channel in
      CaptureLevel.Channel(
        peak: decibels(Double(peaks[channel])),
        rms: decibels((squares[channel] / Double(filled)).squareRoot()),
        clippedCount: clipped[channel])
    }
    earlierClipped += clipped.reduce(0, +)
    for channel in 0..<channels {
      peaks[channel] = 0
      squares[channel] = 0
      clipped[channel] = 0
    }
    filled = 0
    return CaptureLevel(end: FramePosition(position), channels: levels)
  }

  private func decibels(_ amplitude: Double) -> Float {
    guard amplitude > 0 else { return CaptureLevel.floor }
    return max(CaptureLevel.floor, Float(20 * log10(amplitude * 0x1p-31)))
  }
}
