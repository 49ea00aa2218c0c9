// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics

/// How much better the chosen place of a boundary is than any other near it.
///
/// Within a window around it the best path through each place is known from the best paths forwards to it
/// and backwards from it (max-marginals).
struct BoundaryMargins {
  let chain: SoundChain
  let scores: AcousticScores
  let path: ChainSearch.Path

  /// Frames looked at on either side: six seconds (see ``EdgeEvidence``, fitted by `Scripts/fit-edge-evidence.py`).
  private static let window = 150
  private static let impossible = Int32.min / 4

  /// For each frame of a window the score of the best path whose word begins there, relative to the best.
  ///
  /// - Parameters:
  ///   - frame: where the word begins along the path.
  ///   - word: the word.
  func marginals(around frame: Int, of word: SoundChain.Word) -> (first: Int, values: [Int32])? {
    var low = frame
    var high = frame
    // Only where the path goes along the chain: what lies beyond a hub is another story.
    while low > 0, frame - low < Self.window, path[low - 1] >= 0, path[low - 1] <= path[low] {
      low -= 1
    }
    while high + 1 < path.count, high - frame < Self.window, path[high + 1] >= 0,
      path[high + 1] >= path[high]
    {
      high += 1
    }
    guard low < frame, frame < high, path[low] >= 0 else { return nil }
    let first = Int(path[low])
    let last = Int(path[high])
    let entry = word.states.lowerBound - first
    let count = last - first + 1
    guard entry > 0, entry < count else { return nil }
    let frames = high - low + 1
    func emission(_ frame: Int, _ state: Int) -> Int32 {
      Int32(scores.values[(low + frame) * scores.soundCount + Int(chain.sounds[first + state])])
    }
    func skip(_ state: Int) -> Int32 { chain.skips[first + state] }
    var forward = [Int32](repeating: Self.impossible, count: frames * count)
    forward[0] = emission(0, 0)
    for frame in 1..<frames {
      for state in 0..<count {
        var best = forward[(frame - 1) * count + state]
        var price: Int32 = 0
        for step in 1...3 where state >= step {
          if step > 1 { price &+= skip(state - step + 1) }
          best = max(best, forward[(frame - 1) * count + state - step] &- price)
        }
        forward[frame * count + state] =
          best <= Self.impossible / 2 ? Self.impossible : best &+ emission(frame, state)
      }
    }
    var backward = [Int32](repeating: Self.impossible, count: frames * count)
    backward[(frames - 1) * count + count - 1] = 0
    for frame in stride(from: frames - 2, through: 0, by: -1) {
      for state in 0..<count {
        var best = backward[(frame + 1) * count + state] &+ emission(frame + 1, state)
        var price: Int32 = 0
        for step in 1...3 where state + step < count {
          if step > 1 { price &+= skip(state + step - 1) }
          best = max(
            best,
            backward[(frame + 1) * count + state + step] &+ emission(frame + 1, state + step)
              &- price)
        }
        backward[frame * count + state] = max(best, Self.impossible)
      }
    }
    // The word begins where the path passes from before it to it or beyond.
    var values = [Int32](repeating: Self.impossible, count: frames)
    for frame in 1..<frames {
      var best = Self.impossible
      for state in max(entry - 3, 0)..<entry {
        let here = forward[(frame - 1) * count + state]
        guard here > Self.impossible / 2 else { continue }
        var price: Int32 = 0
        for step in 1...3 where state + step < count {
          if step > 1 { price &+= skip(state + step - 1) }
          guard state + step >= entry else { continue }
          best = max(
            best,
            here &- price &+ emission(frame, state + step)
              &+ backward[frame * count + state + step])
        }
      }
      values[frame] = best
    }
    let total = values.max() ?? 0
    guard total > Self.impossible / 2 else { return nil }
    return (low, values.map { max($0 &- total, Self.impossible) })
  }
}
