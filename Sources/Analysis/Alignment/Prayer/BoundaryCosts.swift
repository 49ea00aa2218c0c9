// SPDX-License-Identifier: GPL-3.0-or-later

/// How well each place of a recording fits as each boundary of something that may be recited in it, by
/// what is heard on both sides.
///
/// Of all ways to lay the words over the recording (see ``TimeWarp`` for how and what they cost), the
/// cheapest that has the boundary there. Unlike one path, this tells how much worse the next best place
/// is. Computed forwards and backwards in time; memory grows with the recording's length only.
struct BoundaryCosts {
  /// For each boundary, from the beginning of the first part to the end of the last (and then of the coda, if
  /// there is one), and each frame of the recording: by how much the cheapest way with this boundary at the
  /// frame's start costs more than the cheapest of all.
  var excess: [[Float]] = []
  /// By how much the cheapest way is cheaper than to say that nothing of this is recited.
  private(set) var gain: Float = 0

  private static let steps = TimeWarp.mostSteps
  /// What a frame costs that is heard as nothing of this, and what one adds that stays where the one
  /// before it was: so the words do not spread over all that follows them.
  private static let costOfOther: Float = 0.77
  private static let costOfStay: Float = 0.05
  /// What one costs in silence, whose spectrum says nothing of the words.
  private static let costOfSilence: Float = 0.82
  /// The same where the words pause as well.
  private static let costOfBreath: Float = 0.72
  /// What each frame of the words costs that is passed over.
  private static let costOfSkip: Float = 0.45
  /// What one pays for ending with the coda: it is usual.
  private static let costOfEndOfCoda: Float = 0.25

  /// What several have to say of the same frames and boundaries.
  init(meanOf all: [BoundaryCosts]) {
    let some = all.filter { !$0.excess.isEmpty }
    guard var mean = some.first else { return }
    for other in some.dropFirst() {
      for row in mean.excess.indices {
        for frame in mean.excess[row].indices {
          mean.excess[row][frame] += other.excess[row][frame]
        }
      }
      mean.gain += other.gain
    }
    let share = 1 / Float(some.count)
    excess = mean.excess.map { $0.map { $0 * share } }
    gain = mean.gain * share
  }

  /// - Parameters:
  ///   - recording: some of a recording.
  ///   - isSilent: for each frame of it whether it lies in a pause.
  ///   - costsOfEnd: what one pays for ending with each frame.
  ///   - parts: frames of what may be recited, normalised in the same manner.
  ///   - entries: the parts that reciting may begin with.
  ///   - exits: the parts that it may end with.
  ///   - coda: what others say after the last part, if they do, and what would be taken for more of it.
  init(
    recording: SpectralFrames, isSilent: [Bool], costsOfEnd: [Float], parts: [SpectralFrames],
    entries: Range<Int>, exits: Range<Int>, coda: SpectralFrames? = nil
  ) {
    let numberOfCoda = parts.count
    let parts = parts + [coda].compactMap(\.self)
    let exits = exits.lowerBound..<(coda == nil ? exits.upperBound : numberOfCoda + 1)
    let count = recording.count
    var columns = [0]
    for part in parts { columns.append(columns[columns.count - 1] + part.count) }
    guard count > 0, let width = columns.last, width > 0 else { return }
    let isBreath = parts.flatMap(\.areNothing)
    let distances = FrameDistances(recording: recording, reference: parts)
    let other = Self.costOfOther
    // Costs up to and with each frame, of the columns before each boundary.
    let strip = Self.steps
    var before = [Float](
      repeating: .infinity, count: count * columns.count * strip)
    var reached = [Float](repeating: .infinity, count: width + strip)
    var next = reached
    let rowOfSilence = isBreath.map { $0 ? Self.costOfBreath : Self.costOfSilence }
    let rows = distances.rows(isSilent, rowOfSilence)
    var best = Float.infinity
    func leaving(_ exit: Int, _ frame: Int) -> Float {
      Float(count - 1 - frame) * other
        + (exit == numberOfCoda ? Self.costOfEndOfCoda : costsOfEnd[frame])
    }
    for frame in 0..<count {
      Self.step(from: reached, to: &next, count: width, offset: strip, forward: true)
      for entry in entries {
        let place = columns[entry] + strip
        next[place] = min(next[place], Float(frame) * other)
      }
      Self.add(rows, frame, to: &next, count: width, offset: strip)
      swap(&reached, &next)
      for boundary in columns.indices {
        let first = (frame * columns.count + boundary) * strip
        for offset in 0..<strip {
          before[first + offset] = reached[columns[boundary] + offset]
        }
      }
      for exit in exits {
        best = min(best, reached[columns[exit + 1] - 1 + strip] + leaving(exit, frame))
      }
    }
    guard best < .infinity else { return }
    gain = Float(count) * other - best
    excess = columns.map { _ in [Float](repeating: .infinity, count: count + 1) }
    // Costs after each frame, with those of the next.
    var after = [Float](repeating: .infinity, count: width + strip)
    next = after
    for frame in (0..<count).reversed() {
      // What follows this frame, at each column of it.
      Self.step(from: after, to: &next, count: width, offset: 0, forward: false)
      // Boundaries just after this frame.
      for boundary in columns.indices.dropFirst() {
        let first = (frame * columns.count + boundary) * strip
        var cost = Float.infinity
        if boundary < columns.count - 1 {
          for offset in 0..<strip {
            for step in (strip - offset)...strip {
              let column = columns[boundary] - strip + offset + step
              guard column < width else { break }
              cost = min(
                cost,
                before[first + offset] + after[column]
                  + Float(step - 1) * Self.costOfSkip)
            }
          }
        }
        for exit in exits where exit < boundary {
          let last = (frame * columns.count + exit + 1) * strip + strip - 1
          cost = min(cost, before[last] + leaving(exit, frame))
        }
        excess[boundary][frame + 1] = min(excess[boundary][frame + 1], cost - best)
      }
      for exit in exits {
        let last = columns[exit + 1] - 1
        next[last] = min(next[last], leaving(exit, frame))
      }
      Self.add(rows, frame, to: &next, count: width, offset: 0)
      swap(&after, &next)
      // What begins with this frame has all earlier boundaries here.
      for entry in entries {
        let cost = Float(frame) * other + after[columns[entry]] - best
        for boundary in 0...entry {
          excess[boundary][frame] = min(excess[boundary][frame], cost)
        }
      }
    }
  }

  /// The cheapest ways from the columns of one frame to those of the next, ahead or back in time.
  ///
  /// Written out, so that the compiler makes vectors of it.
  private static func step(
    from reached: [Float], to next: inout [Float], count: Int, offset: Int, forward: Bool
  ) {
    let sign = forward ? -1 : 1
    let (stay, skip) = (costOfStay, costOfSkip)
    reached.withUnsafeBufferPointer { reached in
      next.withUnsafeMutableBufferPointer { next in
        guard let from = reached.baseAddress, let to = next.baseAddress else { return }
        let same = from + offset
        let (first, second, third, fourth) = (
          same + sign, same + 2 * sign, same + 3 * sign, same + 4 * sign
        )
        let target = to + offset
        for column in 0..<count {
          var cost = same[column] + stay
          cost = first[column] < cost ? first[column] : cost
          let passed = second[column] + skip
          cost = passed < cost ? passed : cost
          let passedTwo = third[column] + 2 * skip
          cost = passedTwo < cost ? passedTwo : cost
          let passedThree = fourth[column] + 3 * skip
          target[column] = passedThree < cost ? passedThree : cost
        }
      }
    }
  }

  private static func add(
    _ rows: [Float], _ frame: Int, to next: inout [Float], count: Int, offset: Int
  ) {
    rows.withUnsafeBufferPointer { rows in
      next.withUnsafeMutableBufferPointer { next in
        guard let rows = rows.baseAddress, let next = next.baseAddress else { return }
        let (row, target) = (rows + frame * count, next + offset)
        for column in 0..<count { target[column] += row[column] }
      }
    }
  }

  /// The least excess of a boundary between two frames, both included.
  func excess(of boundary: Int, in frames: ClosedRange<Int>) -> Float {
    let row = excess[boundary]
    let range = frames.clamped(to: 0...(row.count - 1))
    var least = Float.infinity
    for frame in range { least = min(least, row[frame]) }
    return least
  }
}

extension SpectralFrames {
  /// For each frame whether it is zeros.
  fileprivate var areNothing: [Bool] {
    (0..<count).map { frame in
      values[(frame * Self.width)..<((frame + 1) * Self.width)].allSatisfy { $0 == 0 }
    }
  }
}

/// 1 less the cosine between frames of a recording and of a reference, a row at a time.
private struct FrameDistances {
  private let recording: [Float]
  /// The reference, one coefficient of all frames after the other.
  private let columns: [Float]
  private let count: Int

  init(recording: SpectralFrames, reference: [SpectralFrames]) {
    let scale = 1 / SpectralFrames.one
    self.recording = recording.values.map { Float($0) * scale }
    let values = reference.flatMap { $0.values.map { Float($0) * scale } }
    let width = SpectralFrames.width
    let count = values.count / width
    self.count = count
    columns = (0..<width).flatMap { index in (0..<count).map { values[$0 * width + index] } }
  }

  /// The distances of all frames, one frame after the other.
  ///
  /// - Parameter silence: those of a frame that is silent.
  func rows(_ isSilent: [Bool], _ silence: [Float]) -> [Float] {
    [Float](unsafeUninitializedCapacity: isSilent.count * count) { rows, filled in
      filled = isSilent.count * count
      guard let base = rows.baseAddress else { return }
      for frame in isSilent.indices {
        let row = base + frame * count
        if isSilent[frame] {
          for column in 0..<count { row[column] = silence[column] }
        } else {
          fill(row, frame)
        }
      }
    }
  }

  /// Writes the distances of a frame.
  ///
  /// Four coefficients at a time and by pointers, so that the compiler makes vectors of it.
  private func fill(_ row: UnsafeMutablePointer<Float>, _ frame: Int) {
    let width = SpectralFrames.width
    let start = frame * width
    columns.withUnsafeBufferPointer { columns in
      guard let base = columns.baseAddress else { return }
      for column in 0..<count { row[column] = 1 }
      for index in stride(from: 0, to: width, by: 4) {
        let (first, second) = (base + index * count, base + (index + 1) * count)
        let (third, fourth) = (base + (index + 2) * count, base + (index + 3) * count)
        let values = (
          recording[start + index], recording[start + index + 1], recording[start + index + 2],
          recording[start + index + 3]
        )
        for column in 0..<count {
          row[column] -=
            values.0 * first[column] + values.1 * second[column] + values.2 * third[column]
            + values.3 * fourth[column]
        }
      }
    }
  }
}
