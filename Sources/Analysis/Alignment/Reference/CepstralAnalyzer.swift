// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
import Glibc

/// Measures cepstra as sound comes in, in blocks of any size.
///
/// Frame k lies around the middle of the k-th 40 ms, under a Hann window of 50 ms. 26 triangular
/// filters evenly spaced in mel (2595 log10(1 + f / 700)) from 100 Hz to 3,800 Hz, which a recording at
/// 8 kHz still holds; the logarithms of their energies; and a discrete cosine transform.
struct CepstralAnalyzer: ~Copyable {
  private static let filterCount = 26
  private static let range: ClosedRange<Float> = 100...3800
  /// Added to each filter's energy before the logarithm, as a share of full scale.
  private static let leastEnergy: Float = 1e-8

  private let channels: Int
  private let rate: Int
  private let windowLength: Int
  private let window: [Float]
  private let fourier: RealFourierTransform
  /// For each filter its first bin and its weights.
  private let filters: [(first: Int, weights: [Float])]
  private let cosines: [Float]
  /// Mono frames from `pendingStart` on.
  private var pending: [Float] = []
  private var pendingStart = 0
  private var received = 0
  private var frame = 0
  private var coefficients: [Float] = []

  init(format: AudioFormat) {
    channels = format.channels
    rate = format.rate.hertz
    windowLength = max(rate / 20, 64)
    let length = windowLength
    window = (0..<length).map {
      0.5 - 0.5 * cosf(2 * .pi * (Float($0) + 0.5) / Float(length))
    }
    fourier = RealFourierTransform(length: length)
    filters = Self.filters(rate: rate, length: length)
    cosines = (1...Cepstra.width).flatMap { order in
      (0..<Self.filterCount).map {
        cosf(.pi * Float(order) * (Float($0) + 0.5) / Float(Self.filterCount))
      }
    }
  }

  /// Takes in interleaved samples.
  mutating func push(_ samples: UnsafeBufferPointer<Float>) {
    let scale = 1 / Float(channels)
    let frames = samples.count / channels
    for index in 0..<frames {
      var sum: Float = 0
      for channel in 0..<channels { sum += samples[index * channels + channel] }
      pending.append(sum * scale)
    }
    received += frames
    measure(upTo: received)
  }

  /// The frames of everything that was pushed; what lies beyond the ends counts as silence.
  mutating func finish() -> Cepstra {
    let count = (received * Cepstra.framesPerSecond + rate - 1) / rate
    pending += [Float](repeating: 0, count: windowLength)
    measure(upTo: received + windowLength, atMost: count)
    return Cepstra(coefficients: coefficients)
  }

  private func start(ofWindow frame: Int) -> Int {
    let middle = (2 * frame + 1) * rate / (2 * Cepstra.framesPerSecond)
    return middle - windowLength / 2
  }

  private mutating func measure(upTo end: Int, atMost limit: Int = .max) {
    while frame < limit, start(ofWindow: frame) + windowLength <= end {
      let first = start(ofWindow: frame)
      for index in 0..<windowLength {
        let place = first + index - pendingStart
        fourier.input[index] = place >= 0 ? pending[place] * window[index] : 0
      }
      fourier.run()
      appendCoefficients()
      frame += 1
    }
    let keep = max(start(ofWindow: frame), 0)
    let obsolete = min(keep - pendingStart, pending.count)
    // Moved seldom, so that pushing stays linear.
    if obsolete > 8 * windowLength {
      pending.removeFirst(obsolete)
      pendingStart += obsolete
    }
  }

  private mutating func appendCoefficients() {
    let norm = 1 / Float(windowLength * windowLength)
    var logs = [Float](repeating: 0, count: Self.filterCount)
    for (index, filter) in filters.enumerated() {
      var energy: Float = 0
      for (offset, weight) in filter.weights.enumerated() {
        let (real, imaginary) = fourier.output(filter.first + offset)
        energy += weight * (real * real + imaginary * imaginary)
      }
      logs[index] = logf(energy * norm + Self.leastEnergy)
    }
    for order in 0..<Cepstra.width {
      var sum: Float = 0
      for index in 0..<Self.filterCount {
        sum += cosines[order * Self.filterCount + index] * logs[index]
      }
      coefficients.append(sum)
    }
  }

  private static func filters(rate: Int, length: Int) -> [(first: Int, weights: [Float])] {
    func mel(_ hertz: Float) -> Float { 2595 * log10f(1 + hertz / 700) }
    func hertz(_ mel: Float) -> Float { 700 * (powf(10, mel / 2595) - 1) }
    let low = mel(range.lowerBound)
    let high = mel(range.upperBound)
    let edges = (0...(filterCount + 1)).map {
      hertz(low + (high - low) * Float($0) / Float(filterCount + 1))
    }
    let binWidth = Float(rate) / Float(length)
    return (0..<filterCount).map { number in
      let (left, middle, right) = (edges[number], edges[number + 1], edges[number + 2])
      let first = min(Int((left / binWidth).rounded(.up)), length / 2)
      let last = min(max(first, Int(right / binWidth)), length / 2)
      return (
        first,
        (first...last).map { bin in
          let frequency = Float(bin) * binWidth
          let rising = (frequency - left) / (middle - left)
          let falling = (right - frequency) / (right - middle)
          return max(min(rising, falling), 0)
        }
      )
    }
  }
}
