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
    guard let window = Window(self, around: frame, of: word, reaching: Self.window) else {
      return nil
    }
    let count = window.places.count
    let frames = window.frames.count
    var forward = [Int32](repeating: Self.impossible, count: frames * count)
    var backward = forward
    var emissions: [Int32] = []
    emissions.reserveCapacity(frames * count)
    for frame in window.frames { emissions += window.emissions(in: frame, self) }
    forward[0] = emissions[0]
    for frame in 1..<frames {
      for place in 0..<count {
        var best = forward[(frame - 1) * count + place]
        for step in 1...3 where place >= step {
          best = max(
            best,
            forward[(frame - 1) * count + place - step] &- window.prices[3 * place + step - 1])
        }
        forward[frame * count + place] =
          best <= Self.impossible / 2 ? Self.impossible : best &+ emissions[frame * count + place]
      }
    }
    backward[(frames - 1) * count + count - 1] = 0
    for frame in stride(from: frames - 2, through: 0, by: -1) {
      let next = (frame + 1) * count
      for place in 0..<count {
        var best = backward[next + place] &+ emissions[next + place]
        for step in 1...3 where place + step < count {
          best = max(
            best,
            backward[next + place + step] &+ emissions[next + place + step]
              &- window.prices[3 * (place + step) + step - 1])
        }
        backward[frame * count + place] = max(best, Self.impossible)
      }
    }
    // The word begins where the path passes from before it to it or beyond.
    var values = [Int32](repeating: Self.impossible, count: frames)
    for frame in 1..<frames {
      for place in window.entry..<min(window.entry + 3, count) {
        let there = emissions[frame * count + place] &+ backward[frame * count + place]
        for step in 1...3 where place - step >= 0 && place - step < window.entry {
          let here = forward[(frame - 1) * count + place - step]
          guard here > Self.impossible / 2 else { continue }
          values[frame] = max(
            values[frame], here &- window.prices[3 * place + step - 1] &+ there)
        }
      }
    }
    let total = values.max() ?? 0
    guard total > Self.impossible / 2 else { return nil }
    return (window.frames.lowerBound, values.map { max($0 &- total, Self.impossible) })
  }

  /// The part of a path in which a word may begin, as places that follow one another: states of the chain, and the
  /// hub through which the path comes to the word, if it does.
  private struct Window {
    var frames: Range<Int>
    /// States; hub h is `-1 - h`.
    var places: [Int32]
    /// Of the word.
    var entry: Int
    /// What coming to each place costs from the first, second and third place before it.
    var prices: [Int32]

    /// Nil where the path does not come to the word from before it.
    init?(_ margins: BoundaryMargins, around frame: Int, of word: SoundChain.Word, reaching: Int) {
      let path = margins.path
      var high = frame
      while high + 1 < path.count, high - frame < reaching, path[high + 1] >= 0,
        path[high + 1] >= path[high]
      {
        high += 1
      }
      /// Goes back along the chain, or in a hub.
      func beginning(of stretch: Int) -> Int {
        var low = stretch
        while low > 0, frame - low < reaching, path[low - 1] >= 0 || path[low - 1] == path[low],
          path[low - 1] <= path[low]
        {
          low -= 1
        }
        return low
      }
      var low = beginning(of: frame)
      guard path[low] >= 0 else { return nil }
      places = Array(path[low]...path[high])
      if low > 0, frame - low < reaching, path[low - 1] < 0 {
        // A path may leave a hub beyond sounds that are not heard.
        let passed = Int32(word.states.lowerBound)..<max(path[low], Int32(word.states.lowerBound))
        places.insert(contentsOf: passed, at: 0)
        low = beginning(of: low - 1)
        places.insert(path[low], at: 0)
        if low > 0, frame - low < reaching, path[low - 1] >= 0 {
          let last = path[low - 1]
          low = beginning(of: low - 1)
          places.insert(contentsOf: path[low]...last, at: 0)
        }
      }
      guard low < frame, frame < high,
        let entry = places.lastIndex(of: Int32(word.states.lowerBound)), entry > 0
      else { return nil }
      self.entry = entry
      frames = low..<high + 1
      prices = [Int32](repeating: -BoundaryMargins.impossible, count: 3 * places.count)
      for place in places.indices {
        var price: Int32 = 0
        for step in 1...3 where place >= step {
          if step > 1 {
            let passed = places[place - step + 1]
            // No way leads past a hub, and only the last place before it leads into it.
            guard passed >= 0, places[place] >= 0 else { break }
            price &+= margins.chain.skips[Int(passed)]
          }
          prices[3 * place + step - 1] = price
        }
      }
    }

    /// What each place scores in a frame, as ``SearchFront`` has it; but how long a pause within an ayah is says nothing of
    /// where its neighbour begins.
    func emissions(in frame: Int, _ margins: BoundaryMargins) -> [Int32] {
      let count = margins.scores.soundCount
      let row = margins.scores.values[frame * count..<(frame + 1) * count]
      let loudest = Int32(row.max() ?? 0)
      func still(_ other: Int32) -> Int32 { max(Int32(row[row.endIndex - 1]), loudest &- other) }
      return places.map { place in
        guard place >= 0 else { return still(margins.chain.hubs[Int(-1 - place)].other) }
        let sound = Int(margins.chain.sounds[Int(place)])
        return sound == count - 1
          ? still(ChainPrices.pauseWithSound) : Int32(row[row.startIndex + sound])
      }
    }
  }
}
