// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
import Quran

/// Finds what is heard when in a recitation that goes straight on, but for repeats and omissions.
struct PassageAligner {
  var prices = ChainPrices()

  struct Passage {
    /// What was said before of the recording.
    var first: AyahReference
    var last: AyahReference?
    var tokens: [RecitedToken]
    var chain: SoundChain
    var heard: [HeardToken]
    var path: ChainSearch.Path
    var score: Int64
  }

  /// - Parameters:
  ///   - first: the ayah that is said to be the first. Where the recording proves to begin some ayat
  ///     before or after it, it is aligned from there.
  ///   - last: the ayah that is said to be the last, likewise; nil where nobody knows.
  ///   - furthest: the last ayah that could be reached.
  func align(
    first: AyahReference, last: AyahReference?, furthest: AyahReference, _ scores: AcousticScores,
    isStopped: () -> Bool = { false }
  ) -> Passage? {
    let earliest = first.advanced(by: -Self.doubted) ?? .first
    let latest = last.map { $0.advanced(by: Self.doubted) ?? .last } ?? furthest
    guard let range = AyahRange(first: max(earliest, .first), last: max(latest, first)) else {
      return nil
    }
    let recited = RecitedToken.tokens(range)
    guard let told = recited.firstIndex(of: .ayah(first)) else { return nil }
    // The isti'adhah and the basmalah come before whichever ayah is the first.
    var tokens: [RecitedToken] = [.formula(.istiadhah)]
    if first.ayah == 1, first.surah.opensWithUncountedBasmalah {
      tokens.append(.basmalah(first.surah))
    }
    let opening = tokens.count
    tokens += recited
    let start = opening + told
    var chain = SoundChain(tokens, prices: prices)
    let starts = chain.firstWords
    let before = chain.appendHub(opening: starts, until: opening, told: start, prices)
    appendLeadIn(opening, start, starts, to: &chain)
    appendOptionalBasmalahs(tokens, starts, opening, to: &chain)
    appendJumps(opening, to: &chain)
    let end = last.flatMap { tokens.firstIndex(of: .ayah($0)) }
    let result = ChainSearch(chain: chain).run(
      scores, startHub: before, starts: chain.hubs[before].exits,
      ends: { state in
        let word = chain.words[Int(chain.wordOfState[state])]
        // From the last sound of a word on.
        guard state >= word.silence - 1, word.token >= opening else { return nil }
        guard word.isLastOfToken else { return prices.otherAyah + prices.jump }
        return end.map { word.token == $0 ? 0 : prices.otherAyah } ?? 0
      }, isStopped: isStopped)
    return result.map {
      Passage(
        first: first, last: last, tokens: tokens, chain: chain,
        heard: chain.heard(along: $0.path), path: $0.path, score: $0.score)
    }
  }

  /// After what is said before reciting comes the first ayah, wherever it lies in the chain.
  private func appendLeadIn(
    _ opening: Int, _ start: Int, _ starts: [Int: SoundChain.Word], to chain: inout SoundChain
  ) {
    let lasts = chain.words.filter { $0.isLastOfToken && $0.token < opening }
    guard start > opening, !lasts.isEmpty else { return }
    chain.appendHub(
      .init(
        entries: lasts.map { .init(state: $0.silence, price: 0) },
        exits: starts.values.filter { $0.token >= opening }
          .map {
            .init(
              state: $0.states.lowerBound, price: $0.token == start ? 0 : prices.otherAyah)
          }))
  }

  /// A basmalah between two surahs may be left out.
  private func appendOptionalBasmalahs(
    _ tokens: [RecitedToken], _ starts: [Int: SoundChain.Word], _ first: Int,
    to chain: inout SoundChain
  ) {
    let lasts = chain.words.filter(\.isLastOfToken)
    for (index, token) in tokens.enumerated() where index > first {
      guard case .basmalah = token, let next = starts[index + 1] else { continue }
      chain.appendHub(
        .init(
          entries: [.init(state: lasts[index - 1].silence, price: 0)],
          exits: [.init(state: next.states.lowerBound, price: prices.joinedAyat)]))
    }
  }

  /// Words that are said again, and ayat that are left out.
  private func appendJumps(_ first: Int, to chain: inout SoundChain) {
    var hub = SoundChain.Hub()
    hub.reach = -Self.furthestBack...Self.furthestAhead
    for word in chain.words where word.token >= first {
      hub.entries.append(.init(state: word.silence, price: prices.jump / 2))
      hub.exits.append(.init(state: word.states.lowerBound, price: prices.jump / 2))
    }
    chain.appendHub(hub)
  }

  /// Ayat by which a start or an end that was told may be wrong and still be found.
  private static let doubted = 12
  /// States by which a reciter goes back or skips at most: some five long ayat.
  private static let furthestBack = 900
  private static let furthestAhead = 900
}

extension SoundChain {
  /// The stillness before anything is said.
  fileprivate mutating func appendHub(
    opening starts: [Int: Word], until opening: Int, told: Int, _ prices: ChainPrices
  ) -> HubIndex {
    appendHub(
      Hub(
        exits: starts.values.sorted { $0.token < $1.token }
          .map { word in
            Arc(
              state: word.states.lowerBound,
              price: word.token < opening || word.token == told ? 0 : prices.otherAyah)
          }))
  }
}
