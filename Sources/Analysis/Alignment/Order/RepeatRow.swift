// SPDX-License-Identifier: GPL-3.0-or-later

/// How alike the words up to one frame are to those that were said before, for the ways that end at each
/// frame in front of a pause.
///
/// Looked at for each pause of a recording and nearly always in vain, so eight columns are gone through at
/// a time, by pointers, and only where ways are left.
struct RepeatRow {
  static let mostSteps = 2
  /// What each frame that is passed over takes off the likeness.
  private static let costOfSkip: Float = 0.3
  /// A way is given up when its likeness has fallen so far below 0.
  private static let drop: Float = 3
  private static let lane = 8

  private let columns: Int
  /// Behind a lane of columns that nothing leads to.
  private var scores: [Float]
  private var origins: [Int32]
  private var nextScores: [Float]
  private var nextOrigins: [Int32]
  private var cosines: [Float]
  /// The columns with ways, in whole lanes.
  private var alive = 0..<0

  init(columns: Int) {
    self.columns = columns
    let lanes = (columns + Self.lane - 1) / Self.lane + 1
    scores = [Float](repeating: -.infinity, count: lanes * Self.lane)
    origins = [Int32](repeating: -1, count: lanes * Self.lane)
    nextScores = scores
    nextOrigins = origins
    // What lies behind the last column is like nothing.
    cosines = scores
  }

  var isEmpty: Bool { alive.isEmpty }

  /// A way begins.
  mutating func begin(at column: Int, score: Float) {
    scores[Self.lane + column] = score
    origins[Self.lane + column] = Int32(column)
    let first = column / Self.lane * Self.lane
    let own = first..<first + Self.lane
    alive =
      alive.isEmpty
      ? own
      : min(alive.lowerBound, own.lowerBound)..<max(alive.upperBound, own.upperBound)
  }

  /// The likeness of the way that ends in the last column, and where it began; nil when there is none.
  var last: (score: Float, origin: Int)? {
    let place = Self.lane + columns - 1
    return scores[place] > -.infinity ? (scores[place], Int(origins[place])) : nil
  }

  /// Goes on by a frame.
  ///
  /// - Parameters:
  ///   - frame: what is heard now.
  ///   - first: the frame of the first column.
  ///   - limit: a distance that takes nothing off.
  mutating func advance(_ frames: SpectralFrames, to frame: Int, from first: Int, limit: Float) {
    let end = min(alive.upperBound + Self.lane, cosines.count - Self.lane)
    let looked = alive.lowerBound..<max(end, alive.lowerBound)
    frames.cosines(
      frame, frames, from: first + looked.lowerBound, to: &cosines, at: looked.lowerBound,
      count: min(looked.upperBound, columns) - looked.lowerBound)
    let old = alive
    alive = step(looked, limit)
    for place in old { scores[Self.lane + place] = -.infinity }
    swap(&scores, &nextScores)
    swap(&origins, &nextOrigins)
  }

  /// - Returns: the columns that have ways now.
  private mutating func step(_ looked: Range<Int>, _ limit: Float) -> Range<Int> {
    var found = 0..<0
    scores.withUnsafeBytes { scores in
      origins.withUnsafeBytes { origins in
        cosines.withUnsafeBytes { cosines in
          nextScores.withUnsafeMutableBytes { nextScores in
            nextOrigins.withUnsafeMutableBytes { nextOrigins in
              let size = MemoryLayout<Float>.stride
              for column in stride(from: looked.lowerBound, to: looked.upperBound, by: Self.lane) {
                let place = (Self.lane + column) * size
                var score = scores.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
                var origin = origins.loadUnaligned(fromByteOffset: place, as: SIMD8<Int32>.self)
                for steps in 1...Self.mostSteps {
                  let before = place - steps * size
                  let other =
                    scores.loadUnaligned(fromByteOffset: before, as: SIMD8<Float>.self)
                    - Float(steps - 1) * Self.costOfSkip
                  let isMore = other .> score
                  score.replace(with: other, where: isMore)
                  origin.replace(
                    with: origins.loadUnaligned(fromByteOffset: before, as: SIMD8<Int32>.self),
                    where: isMore)
                }
                let isGivenUp = score .<= -Self.drop
                score +=
                  cosines.loadUnaligned(fromByteOffset: column * size, as: SIMD8<Float>.self)
                  + (limit - 1)
                score.replace(with: -.infinity, where: isGivenUp .| (score .<= -Self.drop))
                nextScores.storeBytes(of: score, toByteOffset: place, as: SIMD8<Float>.self)
                nextOrigins.storeBytes(of: origin, toByteOffset: place, as: SIMD8<Int32>.self)
                if Self.hasWay(score) {
                  found = (found.isEmpty ? column : found.lowerBound)..<column + Self.lane
                }
              }
            }
          }
        }
      }
    }
    return found
  }

  /// Without `any()` or `SIMD.max()`, which are no vector operations here.
  private static func hasWay(_ scores: SIMD8<Float>) -> Bool {
    SIMD8<Int32>().replacing(with: 1, where: scores .> -.infinity).wrappedSum() > 0
  }
}
