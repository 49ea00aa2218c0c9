// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// What may be said before the first ayah: isti'adhah, basmalah, or both, or what is none of the text.
///
/// The basmalah that opens a surah is part of the text; this one stands before any other ayah.
struct PlaceLeadIn {
  /// For each frame the score of the best lead-in that ends before it.
  private(set) var scores: [Int32]

  /// What no lead-in scores.
  static let impossible = Int32.min / 4

  /// - Parameter longest: frames that a lead-in takes at most.
  init(_ emissions: PlaceEmissions, _ prices: PlacePrices, longest: Int) {
    let frames = min(emissions.count, longest)
    let start = [0] + [Int32](repeating: Self.impossible, count: frames)
    var istiadhah = [Int32](repeating: Self.impossible, count: frames + 1)
    for wording in QuranSounds.wordings(of: .istiadhah) {
      let ends = Self.ends(of: wording, emissions, from: start, prices.chain)
      for frame in ends.indices { istiadhah[frame] = max(istiadhah[frame], ends[frame]) }
    }
    let before = zip(start, istiadhah).map { max($0, $1) }
    let basmalah = Self.ends(
      of: QuranSounds.words(of: .first), emissions, from: before, prices.chain)
    scores = start.indices.map { frame in
      max(
        istiadhah[frame], basmalah[frame] - prices.basmalahWithin,
        -prices.unheardLeadIn - prices.unheard * Int32(frame))
    }
  }

  /// For each frame the score of the best way through words that ends before it.
  ///
  /// - Parameter start: for each frame the score with which they may begin in it.
  private static func ends(
    of words: [SpokenWord], _ emissions: PlaceEmissions, from start: [Int32], _ prices: ChainPrices
  ) -> [Int32] {
    var states = SpokenStates()
    states.append(words, prices)
    let (sounds, skips, count) = (states.sounds, states.skips, states.count)
    // Room before the first state, so that transitions need no bounds.
    let margin = 3
    var old = [Int32](repeating: impossible, count: count + margin)
    var new = old
    return [impossible]
      + start.indices.dropLast().map { frame in
        for state in 0..<count {
          let at = state + margin
          var best = max(old[at], old[at - 1], state == 0 ? start[frame] : impossible)
          if state >= 2 { best = max(best, old[at - 2] - skips[state - 1]) }
          if state >= 3 { best = max(best, old[at - 3] - skips[state - 1] - skips[state - 2]) }
          new[at] = max(best, impossible) + emissions[frame, sounds[state]]
        }
        swap(&old, &new)
        // After the last sound, or the silence that follows it.
        return max(old[count - 1 + margin], old[count - 2 + margin] - prices.joinedAyat)
      }
  }
}
