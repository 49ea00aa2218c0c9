// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

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

  /// What stands for 1 in `values`: products of frames fit into 32 bits.
  static let one: Float = 16_384

  /// `width` numbers for each frame; zeros where nothing is known. Whole numbers, since recordings of hours
  /// are kept and their products take most of the time.
  private(set) var values: [Int16]
  var count: Int { values.count / Self.width }

  /// So many frames of nothing that is known.
  init(unknown count: Int) { values = [Int16](repeating: 0, count: count * Self.width) }

  /// One after the other.
  init(joining parts: some Sequence<SpectralFrames>) { values = parts.flatMap(\.values) }

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

  private static func unitFrames(_ plain: [Float], _ isKnown: [Bool]) -> [Int16] {
    let count = isKnown.count
    let half = Cepstra.width
    var values = [Int16](repeating: 0, count: count * width)
    var unit = [Float](repeating: 0, count: width)
    for frame in 0..<count where isKnown[frame] {
      let before = max(frame - lag, 0) * half
      let after = min(frame + lag, count - 1) * half
      var sum: Float = 0
      for index in 0..<half {
        let value = plain[frame * half + index]
        let change = (plain[after + index] - plain[before + index]) * changeWeight
        unit[index] = value
        unit[half + index] = change
        sum += value * value + change * change
      }
      let scale = one / max(sum.squareRoot(), 1e-6)
      for index in 0..<width {
        values[frame * width + index] = Int16((unit[index] * scale).rounded())
      }
    }
    return values
  }

  /// The cosine of the angle between a frame and one of others; 0 where one of them is not known.
  func cosine(_ frame: Int, _ others: SpectralFrames, _ other: Int) -> Float {
    values.withUnsafeBytes { left in
      others.values.withUnsafeBytes { right in
        let frame = FrameVector(left, at: frame)
        return Float(frame.product(FrameVector(right, at: other))) / (Self.one * Self.one)
      }
    }
  }

  /// The same for many of the others in a row, into `cosines` from a place on.
  func cosines(
    _ frame: Int, _ others: SpectralFrames, from first: Int, to cosines: inout [Float],
    at place: Int = 0, count: Int
  ) {
    values.withUnsafeBytes { left in
      others.values.withUnsafeBytes { right in
        cosines.withUnsafeMutableBufferPointer { cosines in
          let frame = FrameVector(left, at: frame)
          let scale = 1 / (Self.one * Self.one)
          for index in 0..<count {
            let product = frame.product(FrameVector(right, at: first + index))
            cosines[place + index] = Float(product) * scale
          }
        }
      }
    }
  }

  /// The numbers of a frame, of which the squares add up to 1.
  func numbers(of frame: Int) -> [Float] {
    values[(frame * Self.width)..<((frame + 1) * Self.width)].map { Float($0) / Self.one }
  }

  func part(_ range: Range<Int>) -> SpectralFrames {
    var part = self
    part.values = Array(values[(range.lowerBound * Self.width)..<(range.upperBound * Self.width)])
    return part
  }

  /// Those of some numbers, in that order.
  func picked(_ frames: [Int]) -> SpectralFrames {
    var picked = SpectralFrames(unknown: frames.count)
    for (target, frame) in frames.enumerated() {
      for index in 0..<Self.width {
        picked.values[target * Self.width + index] = values[frame * Self.width + index]
      }
    }
    return picked
  }

  /// Means of so many frames each.
  func thinned(by factor: Int) -> SpectralFrames {
    var thinned = SpectralFrames(unknown: (count + factor - 1) / factor)
    var sums = [Float](repeating: 0, count: Self.width)
    for target in 0..<thinned.count {
      for index in sums.indices { sums[index] = 0 }
      for frame in (target * factor)..<min((target + 1) * factor, count) {
        for index in 0..<Self.width { sums[index] += Float(values[frame * Self.width + index]) }
      }
      let square = sums.reduce(0) { $0 + $1 * $1 }
      guard square > 0 else { continue }
      let scale = Self.one / square.squareRoot()
      for index in 0..<Self.width {
        thinned.values[target * Self.width + index] = Int16((sums[index] * scale).rounded())
      }
    }
    return thinned
  }
}

/// One frame, for products with others.
private struct FrameVector {
  private let numbers: (SIMD8<Int16>, SIMD8<Int16>, SIMD8<Int16>)

  init(_ values: UnsafeRawBufferPointer, at frame: Int) {
    let size = MemoryLayout<SIMD8<Int16>>.size
    let start = frame * SpectralFrames.width * MemoryLayout<Int16>.size
    numbers = (
      values.loadUnaligned(fromByteOffset: start, as: SIMD8<Int16>.self),
      values.loadUnaligned(fromByteOffset: start + size, as: SIMD8<Int16>.self),
      values.loadUnaligned(fromByteOffset: start + 2 * size, as: SIMD8<Int16>.self)
    )
  }

  func product(_ other: FrameVector) -> Int32 {
    let sums =
      Self.pairs(numbers.0, other.numbers.0) &+ Self.pairs(numbers.1, other.numbers.1)
      &+ Self.pairs(numbers.2, other.numbers.2)
    return sums.wrappedSum()
  }

  /// Sums of two products each, which the compiler makes one instruction of.
  private static func pairs(_ left: SIMD8<Int16>, _ right: SIMD8<Int16>) -> SIMD4<Int32> {
    let products =
      SIMD8<Int32>(truncatingIfNeeded: left) &* SIMD8<Int32>(truncatingIfNeeded: right)
    return products.evenHalf &+ products.oddHalf
  }
}
