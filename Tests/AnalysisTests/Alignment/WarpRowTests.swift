// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import Analysis

/// Warping by vectors is the warping that ``TimeWarp`` describes, cell by cell.
struct WarpRowTests {
  @Test(arguments: 0..<40)
  func pathsAreThoseOfTheRecursion(seed: Int) throws {
    var random = SplitMix64(state: UInt64(seed))
    let rows = Int.random(in: 1...60, using: &random)
    let columns = Int.random(in: 1...70, using: &random)
    let reach = Int.random(in: 1...40, using: &random)
    var warp = TimeWarp(
      recording: frames(rows, &random), reference: frames(columns, &random),
      entries: [0, columns / 3], exits: Set([columns / 2, columns - 1]).sorted())
    if seed.isMultiple(of: 2) {
      warp.mayJump = (0..<rows).map { _ in Int.random(in: 0..<5, using: &random) == 0 }
    }
    // Bands that jump ahead and back, as after a reciter who does.
    var centre = 0
    let centres = (0..<rows).map { _ in
      centre += Int.random(in: -3...5, using: &random)
      return min(max(centre, 0), columns - 1)
    }
    let width = min(2 * reach + 1, columns)
    let lows = centres.map { min(max($0 - reach, 0), columns - width) }
    let expected = cheapest(warp, lows: lows, width: width)
    let path = warp.path(centres: centres, reach: reach)
    guard expected < .infinity else {
      #expect(path == nil)
      return
    }
    let found = try #require(path)
    #expect(abs(found.total - expected) < 1e-3)
    #expect(abs(cost(of: found.frames, warp) - expected) < 1e-3)
  }

  /// Some frames of nothing among others.
  private func frames(_ count: Int, _ random: inout SplitMix64) -> SpectralFrames {
    SpectralFrames(
      joining: (0..<count).map { _ in
        if Int.random(in: 0..<8, using: &random) == 0 { return SpectralFrames(unknown: 1) }
        let values = (0..<Cepstra.width).map { _ in Float.random(in: -1...1, using: &random) }
        return SpectralFrames(normalized: values)
      })
  }

  /// Cell by cell, forwards.
  private func cheapest(_ warp: TimeWarp, lows: [Int], width: Int) -> Float {
    let rows = warp.recording.count
    var best = Float.infinity
    var before: [Int: Float] = [:]
    for row in 0..<rows {
      var costs: [Int: Float] = [:]
      let least = before.values.min() ?? .infinity
      for column in lows[row]..<(lows[row] + width) {
        var cost = Float.infinity
        for steps in 0...TimeWarp.mostSteps {
          cost = min(
            cost,
            (before[column - steps] ?? .infinity) + Float(max(steps - 1, 0)) * TimeWarp.costOfSkip)
        }
        if row > 0, !warp.mayJump.isEmpty, warp.mayJump[row] {
          cost = min(cost, least + TimeWarp.costOfJump)
        }
        if warp.entries.contains(column) { cost = min(cost, Float(row) * TimeWarp.costOfOther) }
        costs[column] = cost + warp.distance(row, column)
        if warp.exits.contains(column) {
          let left = Float(rows - 1 - row) * TimeWarp.costOfOther
          best = min(best, (costs[column] ?? .infinity) + left)
        }
      }
      before = costs
    }
    return best
  }

  /// What a path costs, step by step.
  private func cost(of frames: [Int?], _ warp: TimeWarp) -> Float {
    var sum: Float = 0
    var last: Int?
    for (row, column) in frames.enumerated() {
      guard let column else {
        sum += TimeWarp.costOfOther
        continue
      }
      if let last {
        let steps = column - last
        sum +=
          (0...TimeWarp.mostSteps).contains(steps)
          ? Float(max(steps - 1, 0)) * TimeWarp.costOfSkip : TimeWarp.costOfJump
      }
      sum += warp.distance(row, column)
      last = column
    }
    return sum
  }
}
