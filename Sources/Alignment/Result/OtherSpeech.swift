// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics

extension AlignmentBuilder {
  /// How well the path fits.
  var margins: BoundaryMargins {
    BoundaryMargins(chain: grammar.chain, scores: scores, path: path)
  }

  /// How many ayat are said again, al-Fatiha of a prayer apart.
  var repeats: Int {
    let ayat = heard.compactMap { grammar.tokens[$0.token].ayah }.filter { !$0.isInFatiha }
    return ayat.count - Set(ayat).count
  }

  /// Whether more of what is said is the text than is not. What is told another surah is none of the text but for a few
  /// words, which fit.
  var recitesMost: Bool {
    let recited = path.count { $0 >= 0 }
    return recited >= path.indices.count { path[$0] < 0 && scores.isSound($0) }
  }

  /// What else is to be searched for, where a stretch was taken for the text that is not: that costs the path more
  /// than ending with another ayah would.
  /// - Returns: nil where the text fits from its start to its end.
  var detours: RecitationGrammar.Detours? {
    let costs = frameCosts()
    let price = max(grammar.prices.otherSpeech, 2 * usualCost(costs))
    // The stretch that loses the most.
    var sum = 0
    for frame in path.indices where path[frame] >= 0 {
      sum = max(sum + Int(costs[frame].path) - Int(min(costs[frame].silence, price)), 0)
      if sum > Int(grammar.prices.otherAyah) { return .init(otherSpeech: price) }
    }
    return nil
  }

  /// What a frame of the text costs in the middle of all; more where all of a recording fits badly, as in noise.
  func usualCost(_ costs: [(path: Int32, silence: Int32)]) -> Int32 {
    let recited = path.indices.filter { path[$0] >= 0 }
    guard !recited.isEmpty else { return 0 }
    let windows = stride(from: 0, to: recited.count, by: Self.window).map { first in
      let frames = recited[first..<min(first + Self.window, recited.count)]
      return frames.reduce(0) { $0 + costs[$1].path } / Int32(frames.count)
    }
    return windows.sorted()[windows.count / 2]
  }

  /// How much worse than the best sound of each frame are that of the path, and silence.
  func frameCosts() -> [(path: Int32, silence: Int32)] {
    path.indices.map { frame in
      let row = scores.values[frame * scores.soundCount..<(frame + 1) * scores.soundCount]
      let best = Int32(row.max() ?? 0)
      let silence = best - Int32(row.last ?? 0)
      let state = path[frame]
      guard state >= 0 else { return (0, silence) }
      let sound = Int(grammar.chain.sounds[Int(state)])
      return (best - Int32(row[row.startIndex + sound]), silence)
    }
  }

  /// Frames of recitation: two seconds. Judged by nights of `Scripts/plant-prayers.py`.
  private static let window = 50
}
