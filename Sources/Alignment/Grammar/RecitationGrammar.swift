// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Quran

/// What may be heard in a recording or a part of one: a chain of sounds, and how it may begin and end.
struct RecitationGrammar {
  /// What is said; the chain's words count them.
  var tokens: [RecitedToken]
  var chain: SoundChain
  /// In which the recording may begin, with prices.
  var startHubs: [SoundChain.HubIndex: Int32] = [:]
  /// Through which a path goes back or leaves something out.
  var jumpHub: SoundChain.HubIndex?
  /// In which speech between ayat is that is none of the text.
  var otherSpeechHubs: [SoundChain.HubIndex] = []
  /// The states in which it may begin.
  var starts: [SoundChain.Arc] = []
  /// For each token what ending with it costs; nil where nothing may end.
  var ends: [Int32?]
  /// Whether nothing is known of what comes after.
  var isEndOpen = true
  var prices: ChainPrices
  var isPrayer = false

  /// What is known of what comes before and after.
  struct Edges: Hashable, Sendable {
    var start = Start.open
    var end = End.open

    enum Start: Hashable, Sendable {
      /// Nothing is known.
      case open
      /// An ayah ends there.
      case after(AyahReference)
      /// An ayah begins there.
      case at(AyahReference)
      /// A reciter who stands in the middle of an ayah goes on.
      case within(AyahReference)
    }

    enum End: Hashable, Sendable {
      case open
      /// An ayah begins there.
      case before(AyahReference)
    }
  }

  /// Nil where nothing that can be heard begins and ends so, or `goesOn` says so; see ``ChainSearch``.
  ///
  /// - Parameters:
  ///   - search: one of the chain, if there is one already.
  ///   - first: the state of the first frame, where it is known;
  ///   - last: that of the last.
  func path(
    _ scores: AcousticScores, by search: ChainSearch? = nil, from first: Int32? = nil,
    to last: Int32? = nil, checkpoints: [Int] = [],
    goesOn: (ChainSearch.Path) -> Bool = { _ in true },
    threadCount: Int = 1, isStopped: @escaping @Sendable () -> Bool = { false }
  ) -> ChainSearch.Path? {
    (search ?? ChainSearch(chain, soundCount: scores.soundCount)).path(
      scores, startHubs: first == nil ? startHubs : [:],
      starts: first.map { [.init(state: Int($0), price: 0)] } ?? starts,
      ends: { state in
        if let last { return state == Int(last) ? 0 : nil }
        return endPrice(state)
      }, checkpoints: checkpoints, goesOn: goesOn, threadCount: threadCount,
      isStopped: isStopped)
  }

  /// What ending in a state costs; nil where nothing may end.
  func endPrice(_ state: Int) -> Int32? {
    let word = chain.words[Int(chain.wordOfState[state])]
    // From the last sound of a word on.
    guard state >= word.last, let price = ends[word.token] else { return nil }
    guard !word.isLastOfToken else { return price }
    // A recording may break off within a token; what comes before something known hardly does.
    return price
      + (isEndOpen ? prices.cut(words: word.index + 1) : prices.otherAyah + prices.jump)
  }
}
