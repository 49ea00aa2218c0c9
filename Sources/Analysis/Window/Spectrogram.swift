// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
public import AudioCore
public import Decoding
import Glibc

/// The loudness of bands of frequency over a span, for a screen to draw.
///
/// Bands are evenly spaced in mel, 2595 log10(1 + f / 700), from 60 Hz to 8 kHz or half the rate: the
/// harmonics of a voice lie low, its consonants high.
public struct Spectrogram: Hashable, Sendable {
  public let columns: Int
  public let bands: Int
  /// Column by column, each from the lowest band up; 255 is the loudest asked for or more, 0 is 66 dB
  /// less.
  public let values: [UInt8]

  /// dB from black to full.
  fileprivate static let depth: Float = 66
  /// Windows that stand for a column, evenly spread; each costs a seek where columns are long.
  private static let windowsPerColumn = 3
  /// Seconds for a column up to which a span is read through.
  private static let readThrough = 0.5

  /// Measures a span, divided evenly into columns. Blocks while it decodes.
  ///
  /// - Parameter loudest: dBFS of a band that is drawn in full.
  public static func measure(
    _ source: MediaSource, span: Range<FramePosition>, columns: Int, bands: Int, loudest: Double,
    stopFlag: StopFlag = StopFlag()
  ) throws(AnalysisError) -> Spectrogram {
    guard columns > 0, bands > 0, !span.isEmpty else {
      return Spectrogram(columns: 0, bands: max(bands, 0), values: [])
    }
    let rate = source.description.format.rate
    var meter = BandMeter(rate: rate, bands: bands, loudest: Float(loudest))
    let reader = try SpanReader(source, stopFlag: stopFlag)
    let columnLength = Double(span.length.frames) / Double(columns)
    let isDense = columnLength / Double(rate.hertz) <= readThrough
    let windows = isDense ? windowsPerColumn : 1
    let middles = (0..<columns * windows).map { index in
      let offset = (Double(index) + 0.5) / Double(windows) * columnLength
      return span.lowerBound.frames + Int64(offset)
    }
    var sound = RecentSound(reader, around: meter.length)
    var values: [UInt8] = []
    values.reserveCapacity(columns * bands)
    for column in 0..<columns {
      var powers = [Float](repeating: 0, count: bands)
      for middle in middles[column * windows..<(column + 1) * windows] {
        try sound.move(to: middle)
        meter.add(sound.window, to: &powers)
      }
      values += meter.codes(powers, of: windows)
    }
    return Spectrogram(columns: columns, bands: bands, values: values)
  }

  /// A window of mono sound that moves forward through a recording.
  private struct RecentSound {
    private let reader: SpanReader
    private let length: Int
    /// Of the first sample in `mono`.
    private var start: Int64 = 0
    private var mono: [Float] = []
    /// What is read at once, so that windows that lie close share it.
    private static let block = 8192

    private(set) var window: ArraySlice<Float> = []

    init(_ reader: SpanReader, around length: Int) {
      self.reader = reader
      self.length = length
    }

    mutating func move(to middle: Int64) throws(AnalysisError) {
      let first = max(middle - Int64(length / 2), 0)
      let end = first + Int64(length)
      if first < start || first > start + Int64(mono.count) {
        start = first
        mono.removeAll(keepingCapacity: true)
      } else {
        mono.removeFirst(Int(first - start))
        start = first
      }
      let known = start + Int64(mono.count)
      if known < end {
        // Close windows follow one another; a far one is read alone.
        let isMoving = !mono.isEmpty
        let wanted = max(end - known, isMoving ? Int64(Self.block) : 0)
        let channels = reader.channels
        let scale = 1 / Float(channels)
        var read: [Float] = []
        try reader.read(FramePosition(known)..<FramePosition(known + wanted)) { samples in
          for frame in 0..<samples.count / channels {
            var sum: Float = 0
            for channel in 0..<channels { sum += samples[frame * channels + channel] }
            read.append(sum * scale)
          }
        }
        mono += read
      }
      window = mono.prefix(length)
    }
  }
}

/// Measures the bands of one window at a time.
private struct BandMeter: ~Copyable {
  /// 46 ms at 44.1 kHz: tells the harmonics of a voice apart, and its syllables too.
  private static let minSeconds = 0.03
  private static let frequencies: ClosedRange<Float> = 60...8000

  let length: Int
  private let loudest: Float
  private let window: [Float]
  private let fourier: RealFourierTransform
  /// The bins of each band, at least one.
  private let bins: [Range<Int>]

  init(rate: SampleRate, bands: Int, loudest: Float) {
    self.loudest = loudest
    var length = 64
    while Double(length) < Self.minSeconds * Double(rate.hertz) { length *= 2 }
    self.length = length
    let hann = (0..<length).map {
      0.5 - 0.5 * cosf(2 * .pi * (Float($0) + 0.5) / Float(length))
    }
    // So that a sine's power is that of its samples, whatever the length.
    let scale = 2 / hann.reduce(0, +)
    window = hann.map { $0 * scale }
    fourier = RealFourierTransform(length: length)
    func mel(_ hertz: Float) -> Float { 2595 * log10f(1 + hertz / 700) }
    let low = mel(Self.frequencies.lowerBound)
    let high = mel(min(Self.frequencies.upperBound, Float(rate.hertz) / 2))
    let binWidth = Float(rate.hertz) / Float(length)
    let edges = (0...bands).map { edge in
      let mel = low + (high - low) * Float(edge) / Float(bands)
      return Int((700 * (powf(10, mel / 2595) - 1) / binWidth).rounded())
    }
    bins = zip(edges, edges.dropFirst()).map { first, next in
      let first = min(first, length / 2)
      return first..<min(max(next, first + 1), length / 2 + 1)
    }
  }

  /// Adds the power of the strongest bin of each band; samples that are missing are silent.
  mutating func add(_ samples: ArraySlice<Float>, to powers: inout [Float]) {
    for index in 0..<length {
      let place = samples.startIndex + index
      fourier.input[index] = place < samples.endIndex ? samples[place] * window[index] : 0
    }
    fourier.run()
    for (band, bins) in bins.enumerated() {
      var strongest: Float = 0
      for bin in bins {
        let (real, imaginary) = fourier.output(bin)
        strongest = max(strongest, (real * real + imaginary * imaginary) / 2)
      }
      powers[band] += strongest
    }
  }

  func codes(_ powers: [Float], of windows: Int) -> [UInt8] {
    powers.map { power in
      let decibels = 10 * log10f(power / Float(windows) + 1e-12)
      let share = (decibels - loudest) / Spectrogram.depth + 1
      return UInt8(min(max(share, 0), 1) * 255)
    }
  }
}
