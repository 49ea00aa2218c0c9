// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// What a recitation sounds like, 25 times a second, with loudness and voice left out as far as they go.
///
/// Twelve mel-frequency cepstral coefficients, without the one that stands for loudness.
public struct Cepstra: Hashable, Sendable {
  /// Frames a second.
  public static let framesPerSecond = 25
  /// Coefficients a frame.
  static let width = 12

  /// `width` numbers for each frame.
  var coefficients: [Float]

  var count: Int { coefficients.count / Self.width }

  /// Length in seconds.
  public var seconds: Double { Double(count) / Double(Self.framesPerSecond) }

  /// The same without silence before the first sound and after the last.
  var withoutSilence: Cepstra {
    guard let first = (0..<count).first(where: { !isSilent($0) }),
      let last = (0..<count).last(where: { !isSilent($0) })
    else { return Cepstra(coefficients: []) }
    return Cepstra(
      coefficients: Array(coefficients[(first * Self.width)..<((last + 1) * Self.width)]))
  }

  /// Square of the length below which nothing is heard: in silence all filters have the least energy, and
  /// all coefficients are near 0.
  private static let silence: Float = 1

  private func isSilent(_ frame: Int) -> Bool {
    coefficients[(frame * Self.width)..<((frame + 1) * Self.width)]
      .reduce(0) { $0 + $1 * $1 } < Self.silence
  }
}

/// Cepstra made comparable with those of other voices and rooms.
///
/// Each coefficient has mean 0 over the recitation and is divided by the root of its standard deviation,
/// which evens out the coefficients half way; its change over 160 ms stands beside it; and each frame has
/// length 1, so that the product of two is the cosine of the angle between them.
struct SpectralFrames {
  /// Coefficients and their changes.
  static let width = 2 * Cepstra.width
  /// Frames before and after between which the change is taken.
  private static let lag = 2
  /// How much a change counts against the coefficient itself.
  private static let changeWeight: Float = 1.5

  /// `width` numbers for each frame; zeros where nothing is known.
  private(set) var values: [Float]
  var count: Int { values.count / Self.width }

  init(values: [Float]) { self.values = values }

  /// - Parameter normalized: coefficients of mean 0, divided as the type says.
  init(normalized: [Float]) {
    values = Self.unitFrames(
      normalized, [Bool](repeating: true, count: normalized.count / Cepstra.width))
  }

  /// - Parameter parts: recited by one voice, one after the other; nil for so many frames of something
  ///   that is not known.
  /// - Parameter measured: the frames of each part that means and deviations are taken of; nil for all.
  init(joining parts: [Part], measured: Range<Int>? = nil) {
    let width = Cepstra.width
    var means = [Float](repeating: 0, count: width)
    var squares = [Float](repeating: 0, count: width)
    var known: Float = 0
    for case .known(let cepstra) in parts {
      let frames = measured?.clamped(to: 0..<cepstra.count) ?? 0..<cepstra.count
      for frame in frames {
        for index in 0..<width { means[index] += cepstra.coefficients[frame * width + index] }
      }
      known += Float(frames.count)
    }
    for index in 0..<width { means[index] /= max(known, 1) }
    for case .known(let cepstra) in parts {
      for frame in measured?.clamped(to: 0..<cepstra.count) ?? 0..<cepstra.count {
        for index in 0..<width {
          let value = cepstra.coefficients[frame * width + index] - means[index]
          squares[index] += value * value
        }
      }
    }
    let scales = squares.map { 1 / max(sqrtf(($0 / max(known, 1)).squareRoot()), 1e-3) }
    var plain: [Float] = []
    var isKnown: [Bool] = []
    let count = parts.reduce(0) { $0 + $1.frames }
    plain.reserveCapacity(count * width)
    isKnown.reserveCapacity(count)
    for part in parts {
      switch part {
      case .known(let cepstra):
        for frame in 0..<cepstra.count {
          for index in 0..<width {
            plain.append(
              (cepstra.coefficients[frame * width + index] - means[index]) * scales[index])
          }
        }
        isKnown += [Bool](repeating: true, count: cepstra.count)
      case .unknown(let count):
        plain += [Float](repeating: 0, count: count * width)
        isKnown += [Bool](repeating: false, count: count)
      }
    }
    values = Self.unitFrames(plain, isKnown)
  }

  enum Part {
    case known(Cepstra)
    case unknown(frames: Int)

    var frames: Int {
      switch self {
      case .known(let cepstra): cepstra.count
      case .unknown(let frames): frames
      }
    }
  }

  private static func unitFrames(_ plain: [Float], _ isKnown: [Bool]) -> [Float] {
    let count = isKnown.count
    let half = Cepstra.width
    var values = [Float](repeating: 0, count: count * width)
    for frame in 0..<count where isKnown[frame] {
      let before = max(frame - lag, 0) * half
      let after = min(frame + lag, count - 1) * half
      var sum: Float = 0
      for index in 0..<half {
        let value = plain[frame * half + index]
        let change = (plain[after + index] - plain[before + index]) * changeWeight
        values[frame * width + index] = value
        values[frame * width + half + index] = change
        sum += value * value + change * change
      }
      let scale = 1 / max(sum.squareRoot(), 1e-6)
      for index in 0..<width { values[frame * width + index] *= scale }
    }
    return values
  }

  /// The cosine of the angle between a frame and one of others.
  func cosine(_ frame: Int, _ others: SpectralFrames, _ other: Int) -> Float {
    values.withUnsafeBufferPointer { left in
      others.values.withUnsafeBufferPointer { right in
        var sum = SIMD8<Float>()
        let first = UnsafeRawPointer(left.baseAddress! + frame * Self.width)
        let second = UnsafeRawPointer(right.baseAddress! + other * Self.width)
        for offset in stride(from: 0, to: Self.width * 4, by: 32) {
          sum +=
            first.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            * second.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        }
        return sum.sum()
      }
    }
  }

  func part(_ range: Range<Int>) -> SpectralFrames {
    SpectralFrames(
      values: Array(values[(range.lowerBound * Self.width)..<(range.upperBound * Self.width)]))
  }

  func joined(_ other: SpectralFrames) -> SpectralFrames {
    SpectralFrames(values: values + other.values)
  }

  /// Means of so many frames each.
  func thinned(by factor: Int) -> SpectralFrames {
    let frames = (count + factor - 1) / factor
    var result = [Float](repeating: 0, count: frames * Self.width)
    for frame in 0..<count {
      let target = frame / factor * Self.width
      for index in 0..<Self.width { result[target + index] += values[frame * Self.width + index] }
    }
    for frame in 0..<frames {
      let start = frame * Self.width
      var sum: Float = 0
      for index in 0..<Self.width { sum += result[start + index] * result[start + index] }
      guard sum > 1e-9 else { continue }
      let scale = 1 / sum.squareRoot()
      for index in 0..<Self.width { result[start + index] *= scale }
    }
    return SpectralFrames(values: result)
  }
}
