// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Decoding

/// The extremes of every so many frames, mixed to mono: what waveform data files hold.
public struct PixelPeaks: Hashable, Sendable {
  public let framesPerPixel: Int
  /// Full scale at 32,767; as many as pixels, the last of which may be of fewer frames.
  public private(set) var minima: [Int16] = []
  public private(set) var maxima: [Int16] = []
  /// What was found wrong while `measure` read the samples.
  public private(set) var warnings: [DecodingWarning] = []

  private var lowest = Float.infinity
  private var highest = -Float.infinity
  private var count = 0

  public init(framesPerPixel: Int) {
    precondition(framesPerPixel > 0)
    self.framesPerPixel = framesPerPixel
  }

  /// Takes the next frames, interleaved.
  public mutating func push(_ samples: UnsafeBufferPointer<Float>, channels: Int) {
    let scale = 1 / Float(channels)
    for frame in 0..<(samples.count / channels) {
      var sum: Float = 0
      for channel in 0..<channels { sum += samples[frame * channels + channel] }
      let value = sum * scale
      lowest = min(lowest, value)
      highest = max(highest, value)
      count += 1
      if count == framesPerPixel { closePixel() }
    }
  }

  /// Ends the recording, within a pixel or not.
  public mutating func finish() {
    if count > 0 { closePixel() }
  }

  private mutating func closePixel() {
    minima.append(Int16(sample: lowest))
    maxima.append(Int16(sample: highest))
    lowest = .infinity
    highest = -.infinity
    count = 0
  }

  /// Measures a span of a recording. Blocks.
  public static func measure(
    _ source: MediaSource, span: Range<FramePosition>, framesPerPixel: Int, stopFlag: StopFlag
  ) throws(AnalysisError) -> PixelPeaks {
    var peaks = PixelPeaks(framesPerPixel: framesPerPixel)
    let reader = try SpanReader(source, stopFlag: stopFlag)
    try reader.read(span) { peaks.push($0, channels: reader.channels) }
    peaks.finish()
    peaks.warnings = DecodingWarning.merged(source.description.warnings + reader.warnings)
    return peaks
  }
}
