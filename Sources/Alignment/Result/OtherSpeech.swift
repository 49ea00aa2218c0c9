// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Quran

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

  /// The path through the same text and all else that may be said: this one, but for the parts that do not fit, which are
  /// searched anew.
  ///
  /// - Parameters:
  ///   - wider: of the same tokens and maybe more after them.
  ///   - searched: the scores by which paths are found.
  /// - Returns: nil where that takes longer than to search all of it.
  func path(
    wideningTo wider: RecitationGrammar, _ searched: AcousticScores, threadCount: Int = 1,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) -> ChainSearch.Path? {
    // A detour costs at least as much.
    let least = Int(grammar.prices.otherAyah + grammar.prices.jump / 2)
    let stretches = misfits(above: least, edges: edgePrices) { min($0, Self.usualMisfit) }
      .map(\.frames)
    let search = ChainSearch(wider.chain, soundCount: searched.soundCount)
    var path = path.map { state in
      // Other hubs have the same numbers in both.
      grammar.jumpHub.map { state == -1 - Int32($0) } ?? false
        ? -1 - Int32(wider.jumpHub ?? 0) : state
    }
    var frames = 0
    var end = 0
    for stretch in stretches where stretch.upperBound > end {
      var margin = 3 * Self.window
      while true {
        let part = Self.part(around: stretch, margin, of: path)
        frames += part.count
        guard frames < path.count else { return nil }
        let from = part.lowerBound == 0 ? nil : path[part.lowerBound]
        let to = part.upperBound == path.count ? nil : path[part.upperBound - 1]
        let found = wider.path(
          searched[part], by: search, from: from, to: to, threadCount: threadCount,
          isStopped: isStopped)
        // What leaves the path at once might have left it before.
        if let found, from == nil || found.starts(with: path[part].prefix(Self.window)),
          to == nil || found.suffix(Self.window).elementsEqual(path[part].suffix(Self.window))
        {
          path.replaceSubrange(part, with: found)
          end = part.upperBound
          break
        }
        margin *= 2
      }
    }
    return path
  }

  /// What the path costs because it begins and ends where it does.
  private var edgePrices: (start: Int, end: Int) {
    let states = path.lazy.filter { $0 >= 0 }.map(Int.init)
    guard let first = states.first, let last = states.last else { return (0, 0) }
    // It may have passed over the first sounds of a word.
    let start = grammar.starts.filter { $0.state <= first }.max { $0.state < $1.state }
    let end = grammar.endPrice(last)
    return (Int(start?.price ?? 0), Int(end ?? 0))
  }

  /// A stretch with what is around it, from sound to sound.
  private static func part(
    around stretch: Range<Int>, _ margin: Int, of path: ChainSearch.Path
  ) -> Range<Int> {
    var first = max(stretch.lowerBound - margin, 0)
    while first > 0, path[first] < 0 { first -= 1 }
    var end = min(stretch.upperBound + margin, path.count)
    while end < path.count, path[end - 1] < 0 { end += 1 }
    return first..<end
  }

  /// What a frame of the text costs in the middle of all; more where all of a recording fits badly, as in noise.
  ///
  /// - Parameter part: which part of all costs no more: half of it, a quarter.
  func usualCost(_ costs: [(path: Int32, silence: Int32)], amongBest part: Int = 2) -> Int32 {
    let recited = path.indices.filter { path[$0] >= 0 }
    guard !recited.isEmpty else { return 0 }
    let windows = stride(from: 0, to: recited.count, by: Self.window).map { first in
      let frames = recited[first..<min(first + Self.window, recited.count)]
      return frames.reduce(0) { $0 + costs[$1].path } / Int32(frames.count)
    }
    return windows.sorted()[windows.count / part]
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

  /// Frames of recitation: two seconds. Judged by nights of `Scripts/plant-prayers.py`, and, of what is heard anew, by
  /// `Scripts/plant-structures.py` beside searches that hear everything anew.
  private static let window = 50
}
