// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics

extension AlignmentBuilder {
  /// How well the path fits.
  var margins: BoundaryMargins {
    BoundaryMargins(chain: grammar.chain, scores: scores, path: path)
  }

  /// What is heard last.
  var lastToken: RecitedToken? { heard.last.map { grammar.tokens[$0.token] } }

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

  /// What a frame of speech should cost that is none of the text, where such speech was taken for the text at the start
  /// or the end: that costs the path more than ending with another ayah would.
  /// - Returns: nil where the text fits from its start to its end.
  func otherSpeech(_ prices: ChainPrices) -> Int32? {
    let costs = frameCosts()
    let recited = path.indices.filter { path[$0] >= 0 }
    guard !recited.isEmpty else { return nil }
    // Where all of a recording fits badly, as in noise, other speech has to fit worse.
    let windows = stride(from: 0, to: recited.count, by: Self.window).map { first in
      let frames = recited[first..<min(first + Self.window, recited.count)]
      return frames.reduce(0) { $0 + Int(costs[$1].path) } / frames.count
    }
    let usual = windows.sorted()[windows.count / 2]
    let price = max(prices.otherSpeech, 2 * Int32(usual))
    func loses(_ frames: some Sequence<Int>) -> Bool {
      var sum = 0
      for frame in frames where path[frame] >= 0 {
        sum += Int(costs[frame].path) - Int(min(costs[frame].silence, price))
        if sum > Int(prices.otherAyah) { return true }
        // The stretch has to begin, or end, at the edge: what fits long enough is the text.
        if sum < -Int(prices.otherAyah) { return false }
      }
      return false
    }
    let isOther =
      section.edges.start == .open && loses(path.indices)
      || section.edges.end == .open && loses(path.indices.reversed())
    return isOther ? price : nil
  }

  /// How much worse than the best sound of each frame are that of the path, and silence.
  private func frameCosts() -> [(path: Int32, silence: Int32)] {
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

  /// Frames of recitation: two seconds.
  private static let window = 50
}
