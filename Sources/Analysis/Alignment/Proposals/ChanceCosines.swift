// SPDX-License-Identifier: GPL-3.0-or-later

/// How much a frame resembles the frames of a reference by chance.
///
/// The cosine of a frame and any frame of the reference has a mean and a deviation that follow from the
/// mean and the covariance of the reference's frames. A long vowel resembles half of all frames; what
/// resembles few tells more.
struct ChanceCosines {
  private let mean: [Float]
  /// A square matrix, row by row.
  private let covariance: [Float]

  /// Frames that mean and covariance are taken of, at most.
  private static let looked = 10_000
  private static let leastDeviation: Float = 0.05

  init(_ frames: SpectralFrames) {
    let width = SpectralFrames.width
    var sums = [Double](repeating: 0, count: width)
    var squares = [Double](repeating: 0, count: width * width)
    var count = 0.0
    for frame in stride(from: 0, to: frames.count, by: max(frames.count / Self.looked, 1)) {
      count += 1
      let numbers = frames.numbers(of: frame).map(Double.init)
      for index in 0..<width {
        sums[index] += numbers[index]
        for other in 0...index { squares[index * width + other] += numbers[index] * numbers[other] }
      }
    }
    let means = sums.map { $0 / max(count, 1) }
    var covariance = [Float](repeating: 0, count: width * width)
    for index in 0..<width {
      for other in 0...index {
        let value = Float(
          squares[index * width + other] / max(count, 1) - means[index] * means[other])
        covariance[index * width + other] = value
        covariance[other * width + index] = value
      }
    }
    mean = means.map { Float($0) }
    self.covariance = covariance
  }

  /// Mean and standard deviation of the cosine of a frame and one of the reference.
  func moments(of frames: SpectralFrames, _ frame: Int) -> (mean: Float, deviation: Float) {
    let width = SpectralFrames.width
    var cosine: Float = 0
    var variance: Float = 0
    let numbers = frames.numbers(of: frame)
    for index in 0..<width {
      cosine += numbers[index] * mean[index]
      var sum: Float = 0
      for other in 0..<width { sum += covariance[index * width + other] * numbers[other] }
      variance += numbers[index] * sum
    }
    return (cosine, max(max(variance, 0).squareRoot(), Self.leastDeviation))
  }
}
