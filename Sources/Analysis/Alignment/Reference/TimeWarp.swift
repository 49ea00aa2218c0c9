// SPDX-License-Identifier: GPL-3.0-or-later

/// Lays one recitation over another by dynamic time warping.
///
/// In step with the recording: each of its frames is heard as some frame of the reference, which stays or
/// moves on by up to `mostSteps`. So costs are sums over the recording's frames, comparable wherever the
/// reference is left. Before reciting begins and after it has ended, frames cost `costOfOther`.
struct TimeWarp {
  static let mostSteps = 4
  /// What a frame costs that is heard as nothing of the reference: less than unrelated speech and more
  /// than the same words from another mouth. The distance is 1 less the cosine.
  static let costOfOther: Float = 0.95
  /// What a frame costs where the reference has nothing to compare with.
  static let costOfUnknown: Float = 0.65

  /// What each frame of the reference costs that is passed over.
  static let costOfSkip: Float = 0.6

  let recording: SpectralFrames
  let reference: SpectralFrames
  /// Frames of the reference at which reciting may begin, and at which it may end.
  let entries: [Int]
  let exits: [Int]

  struct Path {
    /// For each frame of the recording the frame of the reference; nil for what is not recited.
    var frames: [Int?]
    /// Mean cost of the frames that are recited.
    var cost: Double
    /// The exit that was taken.
    var exit: Int
  }

  /// The cheapest path within a band; nil when the band admits none.
  ///
  /// - Parameters:
  ///   - centres: for each frame of the recording the middle of the band, never falling.
  ///   - reach: frames of the reference on either side.
  func path(centres: [Int], reach: Int) -> Path? {
    let rows = recording.count
    let columns = reference.count
    guard rows > 0, columns > 0, centres.count == rows else { return nil }
    let width = min(2 * reach + 1, columns)
    let lows = centres.map { min(max($0 - reach, 0), columns - width) }
    // What each cell came from: steps, or `entered`.
    var origins = [UInt8](repeating: Self.none, count: rows * width)
    var previous = [Float](repeating: .infinity, count: width)
    var current = previous
    let isEntry = Set(entries)
    let isExit = Set(exits)
    var best = Float.infinity
    var bestRow = -1
    var bestColumn = -1
    origins.withUnsafeMutableBufferPointer { origins in
      for row in 0..<rows {
        let low = lows[row]
        let shift = row > 0 ? low - lows[row - 1] : 0
        let entering = Float(row) * Self.costOfOther
        for place in 0..<width {
          let column = low + place
          var cost = Float.infinity
          var origin = Self.none
          if row > 0 {
            for steps in 0...Self.mostSteps {
              let from = place + shift - steps
              guard from >= 0 else { break }
              guard from < width else { continue }
              let reached = previous[from] + Float(max(steps - 1, 0)) * Self.costOfSkip
              if reached < cost {
                cost = reached
                origin = UInt8(steps)
              }
            }
          }
          if entering < cost, isEntry.contains(column) {
            cost = entering
            origin = Self.entered
          }
          if cost < .infinity {
            cost += distance(row, column)
            if isExit.contains(column) {
              let leaving = cost + Float(rows - 1 - row) * Self.costOfOther
              if leaving < best {
                best = leaving
                bestRow = row
                bestColumn = column
              }
            }
          }
          current[place] = cost
          origins[row * width + place] = origin
        }
        swap(&previous, &current)
      }
    }
    guard bestRow >= 0 else { return nil }
    return trace(origins, lows, width, row: bestRow, column: bestColumn)
  }

  private static let entered: UInt8 = 254
  private static let none: UInt8 = 255

  private func trace(
    _ origins: [UInt8], _ lows: [Int], _ width: Int, row: Int, column: Int
  ) -> Path? {
    var frames = [Int?](repeating: nil, count: recording.count)
    var row = row
    var column = column
    let exit = column
    var sum = 0.0
    var count = 0.0
    while true {
      frames[row] = column
      sum += Double(distance(row, column))
      count += 1
      let origin = origins[row * width + column - lows[row]]
      if origin == Self.entered { break }
      guard origin != Self.none, row > 0 else { return nil }
      column -= Int(origin)
      row -= 1
    }
    return Path(frames: frames, cost: sum / count, exit: exit)
  }

  private func distance(_ row: Int, _ column: Int) -> Float {
    let width = SpectralFrames.width
    return recording.values.withUnsafeBufferPointer { left in
      reference.values.withUnsafeBufferPointer { right in
        var sum = SIMD8<Float>()
        let first = UnsafeRawPointer(left.baseAddress! + row * width)
        let second = UnsafeRawPointer(right.baseAddress! + column * width)
        for offset in stride(from: 0, to: width * 4, by: 32) {
          sum +=
            first.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            * second.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        }
        let cosine = sum.sum()
        return cosine == 0 ? Self.costOfUnknown : 1 - cosine
      }
    }
  }
}
