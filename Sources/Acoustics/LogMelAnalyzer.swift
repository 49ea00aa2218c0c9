// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Glibc

/// Measures log-mel frames as sound comes in, in blocks of any size.
///
/// Frame k ends with the (k + 1)-th 25th of a second and looks at the 50 ms before that through a Hann
/// window, so a stream that is begun in the middle needs no more than `primingLength` before it.
public struct LogMelAnalyzer: ~Copyable {
  private let rate: Int
  private let channels: Int
  private var decimator: Decimator
  private let window: [Float]
  private let fourier: RealFourierTransform
  private let filters: [Filter]
  /// The bins that filters look at, and the power in them.
  private let bins: Range<Int>
  private let powers: UnsafeMutableBufferPointer<Float>
  /// Decimated samples: a window's old ones, then those since the last frame.
  private let recent: UnsafeMutableBufferPointer<Float>
  /// What the decimator leaves of a block.
  private let kept: UnsafeMutableBufferPointer<Float>
  private var filled: Int
  private var frame: Int
  /// Decimated samples since the start of the recording.
  private var received: Int

  private struct Filter {
    var first: Int
    var weights: [Float]
  }

  /// - Parameter start: the first pushed frame. Unless it is 0, `prime` comes first.
  public init(format: AudioFormat, start: FramePosition = .zero) {
    rate = format.rate.hertz
    channels = format.channels
    decimator = Decimator(format: format, start: start)
    let length = Self.windowLength(at: format.rate)
    let hann = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(length)) }
    let sum = hann.reduce(0, +)
    window = hann.map { Float($0 / sum) }
    fourier = RealFourierTransform(length: Self.smoothLength(atLeast: length))
    for index in 0..<fourier.length { fourier.input[index] = 0 }
    filters = Self.filters(
      rate: Double(format.rate.hertz) / Double(decimator.factor), length: fourier.length)
    let last = filters.map { $0.first + $0.weights.count }.max() ?? 0
    bins = min(filters.map(\.first).min() ?? 0, last)..<last
    powers = .allocate(capacity: fourier.length / 2 + 1)
    powers.initialize(repeating: 0)
    recent = .allocate(
      capacity: length + rate / LogMelFrames.framesPerSecond / decimator.factor + 2)
    recent.initialize(repeating: 0)
    kept = .allocate(capacity: Decimator.blockLength)
    kept.initialize(repeating: 0)
    filled = length
    received = (Int(start.frames) + decimator.factor - 1) / decimator.factor
    frame = Self.frame(endingAfter: Int(start.frames), rate: rate)
  }

  deinit {
    powers.deallocate()
    recent.deallocate()
    kept.deallocate()
  }

  /// The number of frames before the start that `prime` needs, if the stream has that many.
  public static func primingLength(at rate: SampleRate) -> FrameCount {
    FrameCount(
      Int64(
        windowLength(at: rate) * Decimator.factor(at: rate) + Decimator.memory(at: rate)))
  }

  /// Takes the frames right before the start, interleaved.
  public mutating func prime(_ samples: UnsafeBufferPointer<Float>) {
    decimator.rewind(frames: samples.count / channels)
    let length = window.count
    guard let kept = kept.baseAddress, let recent = recent.baseAddress else { return }
    forEachBlock(samples) { analyzer, block, frames in
      let count = analyzer.decimator.push(block, frames: frames, into: kept)
      let taken = min(count, length)
      recent.update(from: recent + taken, count: length - taken)
      (recent + (length - taken)).update(from: kept + (count - taken), count: taken)
    }
  }

  /// Takes the next frames, interleaved, and appends each log-mel frame that is now complete.
  public mutating func push(
    _ samples: UnsafeBufferPointer<Float>, into frames: inout LogMelFrames
  ) {
    guard let kept = kept.baseAddress else { return }
    forEachBlock(samples) { analyzer, block, count in
      let decimated = analyzer.decimator.push(block, frames: count, into: kept)
      analyzer.take(UnsafeBufferPointer(start: kept, count: decimated), into: &frames)
    }
  }

  /// Appends the last frame if the stream ended within one, padded with silence.
  public mutating func finish(into frames: inout LogMelFrames) {
    guard decimator.position > Int64(Self.end(ofFrame: frame - 1, rate: rate)) else { return }
    let missing = keptCount(endingFrame: frame) - received
    guard missing > 0, let recent = recent.baseAddress else { return measure(into: &frames) }
    (recent + filled).update(repeating: 0, count: missing)
    filled += missing
    received += missing
    measure(into: &frames)
  }

  private mutating func forEachBlock(
    _ samples: UnsafeBufferPointer<Float>,
    _ body: (inout LogMelAnalyzer, UnsafePointer<Float>, Int) -> Void
  ) {
    guard let base = samples.baseAddress else { return }
    let count = samples.count / channels
    for start in stride(from: 0, to: count, by: Decimator.blockLength) {
      body(&self, base + start * channels, min(count - start, Decimator.blockLength))
    }
  }

  private mutating func take(
    _ samples: UnsafeBufferPointer<Float>, into frames: inout LogMelFrames
  ) {
    guard let base = samples.baseAddress, let recent = recent.baseAddress else { return }
    var index = 0
    // A frame may be complete already where none of its last few samples was kept.
    while true {
      let missing = keptCount(endingFrame: frame) - received
      let count = min(missing, samples.count - index)
      (recent + filled).update(from: base + index, count: count)
      filled += count
      received += count
      index += count
      guard count == missing else { return }
      measure(into: &frames)
    }
  }

  /// Decimated samples that come before the end of a frame.
  private func keptCount(endingFrame frame: Int) -> Int {
    (Self.end(ofFrame: frame, rate: rate) + decimator.factor - 1) / decimator.factor
  }

  private mutating func measure(into frames: inout LogMelFrames) {
    guard let recent = recent.baseAddress, let powers = powers.baseAddress else { return }
    let length = window.count
    let newest = recent + (filled - length)
    window.withUnsafeBufferPointer { window in
      for index in 0..<length { fourier.input[index] = newest[index] * window[index] }
    }
    fourier.run()
    for bin in bins {
      let (real, imaginary) = fourier.output(bin)
      powers[bin] = real * real + imaginary * imaginary
    }
    for filter in filters {
      var power: Float = 0
      filter.weights.withUnsafeBufferPointer { weights in
        let source = powers + filter.first
        for index in 0..<weights.count { power += weights[index] * source[index] }
      }
      frames.levels.append(Self.code(power))
    }
    recent.update(from: newest, count: length)
    filled = length
    frame += 1
  }

  /// As `HopGrid` counts: a frame is four hops.
  private static func end(ofFrame frame: Int, rate: Int) -> Int {
    (frame + 1) * rate / LogMelFrames.framesPerSecond
  }

  /// The first frame that does not end by then.
  private static func frame(endingAfter position: Int, rate: Int) -> Int {
    var frame = position * LogMelFrames.framesPerSecond / rate
    while end(ofFrame: frame, rate: rate) <= position { frame += 1 }
    while frame > 0, end(ofFrame: frame - 1, rate: rate) > position { frame -= 1 }
    return frame
  }

  private static func code(_ power: Float) -> UInt8 {
    guard power < .greatestFiniteMagnitude else { return 255 }
    return UInt8(min(max((20 * log10f(power + 1e-12) + 220).rounded(), 0), 255))
  }

  /// Decimated samples in 50 ms, even, and enough for a spectrum at rates that nobody uses.
  private static func windowLength(at rate: SampleRate) -> Int {
    max(2 * (rate.hertz / Decimator.factor(at: rate) / 40), 64)
  }

  /// The least even number of at least `length` whose only prime factors FFTW has codelets for.
  private static func smoothLength(atLeast length: Int) -> Int {
    var candidate = length + length % 2
    while true {
      var rest = candidate
      for prime in [2, 3, 5, 7] {
        while rest % prime == 0 { rest /= prime }
      }
      if rest == 1 { return candidate }
      candidate += 2
    }
  }

  private static func filters(rate: Double, length: Int) -> [Filter] {
    let corners = LogMelFrames.corners
    return (0..<LogMelFrames.bandCount).map { band in
      let (left, middle, right) = (corners[band], corners[band + 1], corners[band + 2])
      var first = 0
      var weights: [Double] = []
      for bin in 0...length / 2 {
        let frequency = Double(bin) * rate / Double(length)
        let weight = min(
          (frequency - left) / (middle - left), (right - frequency) / (right - middle))
        guard weight > 0 else { continue }
        if weights.isEmpty { first = bin }
        weights.append(weight)
      }
      let sum = weights.reduce(0, +)
      return Filter(first: first, weights: weights.map { Float($0 / sum) })
    }
  }
}
