// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// The lowest and highest sample of each stretch of a recording, as audiowaveform keeps them.
public struct WaveformPeaks: Hashable, Sendable {
  /// Rate of the recording.
  public let rate: SampleRate
  /// Frames that each pair stands for; the last may stand for fewer.
  public let samplesPerPixel: Int
  /// 1 for a mix of all channels.
  public let channels: Int
  /// `length x channels`, pixel by pixel.
  public let minima: [Int16]
  /// As `minima`.
  public let maxima: [Int16]

  /// Pairs per channel.
  public var length: Int { minima.count / channels }

  /// Returns nil unless there are as many minima as maxima, a multiple of `channels`, the number of
  /// channels is 1...64 and that of frames per pixel fits 31 bits and is positive.
  public init?(
    rate: SampleRate, samplesPerPixel: Int, channels: Int = 1, minima: [Int16], maxima: [Int16]
  ) {
    guard (1...64).contains(channels), samplesPerPixel > 0, Int32(exactly: samplesPerPixel) != nil,
      minima.count == maxima.count, minima.count.isMultiple(of: channels),
      UInt32(exactly: minima.count / channels) != nil
    else { return nil }
    self.rate = rate
    self.samplesPerPixel = samplesPerPixel
    self.channels = channels
    self.minima = minima
    self.maxima = maxima
  }

  /// Bits a value is written with. Eight keep the upper half, rounded toward zero.
  public enum Resolution: Int, Sendable, CaseIterable {
    case bits8 = 8
    case bits16 = 16

    var divisor: Int16 { self == .bits8 ? 256 : 1 }
  }
}

extension WaveformPeaks {
  /// As the initializer, with the reason for what a file has wrong.
  static func checked(
    hertz: Int, samplesPerPixel: Int, channels: Int, minima: [Int16], maxima: [Int16]
  ) throws(ExchangeError) -> WaveformPeaks {
    guard let rate = SampleRate(hertz: hertz) else {
      throw .malformedWaveform(reason: "a sample rate of \(hertz) Hz")
    }
    guard
      let peaks = WaveformPeaks(
        rate: rate, samplesPerPixel: samplesPerPixel, channels: channels, minima: minima,
        maxima: maxima)
    else { throw .malformedWaveform(reason: "\(samplesPerPixel) samples per pixel") }
    return peaks
  }
}
