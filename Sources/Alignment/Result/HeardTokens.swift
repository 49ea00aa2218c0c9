// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics

/// A word as it is heard.
struct HeardWord: Hashable {
  /// Its number in the chain.
  var word: Int
  /// Frames from its first sound to its last, half-open. A sound in which it has merged with the next word is its
  /// last sound.
  var frames: Range<Int>
}

/// A token as it is heard, whole or in part.
struct HeardToken: Hashable {
  var token: Int
  var words: [HeardWord]

  /// Frames from its first sound to its last, half-open.
  var frames: Range<Int> {
    (words.first?.frames.lowerBound ?? 0)..<(words.last?.frames.upperBound ?? 0)
  }
}

extension SoundChain {
  /// What is heard along a path, in its order.
  ///
  /// A reciter who stops within a token and goes back some words is still at the same token; one who
  /// begins it anew says it again.
  func heard(along path: ChainSearch.Path) -> [HeardToken] {
    var tokens: [HeardToken] = []
    var previous: Int32 = -1
    for (frame, state) in path.enumerated() {
      defer { previous = state }
      guard state >= 0 else { continue }
      let number = Int(wordOfState[Int(state)])
      let word = words[number]
      guard Int(state) != word.silence else { continue }
      // A path leaves a word and comes back to it through a hub, or goes backwards.
      let goesOn =
        previous >= 0 && state >= previous && tokens.last?.words.last?.word == number
      if goesOn, var last = tokens.last?.words.last {
        last.frames = last.frames.lowerBound..<frame + 1
        tokens[tokens.count - 1].words[tokens[tokens.count - 1].words.count - 1] = last
        continue
      }
      if Int(state) < word.states.lowerBound + word.mergedStates,
        let last = tokens.last?.words.last, last.word == number - 1, last.frames.upperBound == frame
      {
        tokens[tokens.count - 1].words[tokens[tokens.count - 1].words.count - 1].frames =
          last.frames.lowerBound..<frame + 1
        continue
      }
      let heard = HeardWord(word: number, frames: frame..<frame + 1)
      if let last = tokens.last, last.token == word.token,
        let before = last.words.last.map({ words[$0.word] }), !before.isLastOfToken, word.index > 0
      {
        tokens[tokens.count - 1].words.append(heard)
      } else {
        tokens.append(HeardToken(token: word.token, words: [heard]))
      }
    }
    return tokens
  }
}
