// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Quran

extension RecitationGrammar {
  /// Prayers, or a part of them: al-Fatiha in each rak'ah, portions of the Quran that go on from one to the
  /// next, and between them calls, stillness, and speech that is not known.
  ///
  /// Between standings the path is in a hub, from which it comes back by al-Fatiha, or, after a prostration of
  /// recitation, by the portion. A second hub lies between al-Fatiha and the portion.
  ///
  /// - Parameters:
  ///   - first: the first ayah after al-Fatiha. Where the portions prove to begin some ayat before or after it,
  ///     they are heard from there.
  ///   - last: the last ayah of the portions, likewise; nil where nobody knows.
  ///   - furthest: the last ayah that could be reached.
  ///   - edges: what a person has confirmed around a part of a recording.
  static func prayer(
    first: AyahReference, last: AyahReference?, furthest: AyahReference, edges: Edges = Edges(),
    in riwayah: Riwayah = .hafs, prices: ChainPrices = ChainPrices()
  ) -> RecitationGrammar? {
    let earliest = first.advanced(by: -doubted) ?? .first
    let latest = last.map { $0.advanced(by: doubted) ?? .last } ?? furthest
    guard let range = AyahRange(first: max(earliest, afterFatiha), last: max(latest, first)),
      let fatiha = AyahRange(first: .first, last: lastOfFatiha)
    else { return nil }
    let calls = SpokenFormula.calls.map { RecitedToken.formula($0) }
    let opening: [RecitedToken] = [.formula(.istiadhah)] + fatiha.map { .ayah($0) }
    var portion = RecitedToken.tokens(range)
    let surah = range.first.surah
    if range.first.ayah == 1, surah.opensWithUncountedBasmalah {
      portion.insert(.basmalah(surah), at: 0)
    }
    guard let told = portion.firstIndex(of: .ayah(first)) else { return nil }
    let witr = edges == Edges() ? SpokenFormula.witr(outside: range) : []
    let tokens = calls + opening + portion + witr
    var grammar = RecitationGrammar(
      tokens: tokens, chain: SoundChain(tokens, in: riwayah, prices: prices),
      ends: [Int32?](repeating: 0, count: tokens.count), isEndOpen: edges.end == .open,
      prices: prices, isPrayer: true)
    grammar.connect(
      calls: 0..<calls.count, opening: calls.count..<calls.count + opening.count,
      portion: calls.count + opening.count..<tokens.count - witr.count, told: told)
    switch edges.end {
    case .open:
      // Where portions end the night goes on with stillness, so an end that was told matters little. What a call passes for is
      // no beginning of al-Fatiha.
      grammar.priceEnds(but: { token in
        guard let ayah = token.ayah else { return !token.isBasmalah }
        return ayah.isInFatiha ? ayah == lastOfFatiha : last.map { ayah == $0 } ?? true
      })
    case .before(let next):
      let before = next.previous
      grammar.priceEnds(but: { token in
        switch token {
        case .ayah(let ayah): ayah == before || ayah == lastOfFatiha && !next.isInFatiha
        case .basmalah(let surah): next == surah.firstAyah
        case .formula: next == .first
        }
      })
    }
    switch edges.start {
    case .open: break
    case .at(let ayah): grammar.begin(only: { $0.begin(at: .ayah(ayah)) })
    case .after(let ayah): grammar.begin(only: { $0.begin(after: .ayah(ayah)) })
    case .within(let ayah): grammar.begin(only: { $0.begin(within: .ayah(ayah)) })
    }
    return grammar
  }

  /// Nothing but what is known comes first.
  private mutating func begin(only change: (inout RecitationGrammar) -> Void) {
    startHubs = [:]
    change(&self)
  }

  private mutating func priceEnds(but isExpected: (RecitedToken) -> Bool) {
    for index in tokens.indices where !isExpected(tokens[index]) {
      ends[index] = prices.otherAyah
    }
  }

  private mutating func connect(
    calls: Range<Int>, opening: Range<Int>, portion: Range<Int>, told: Int
  ) {
    let firsts = chain.firstWords
    let lasts = chain.words.filter(\.isLastOfToken)
    func start(_ token: Int, _ price: Int32 = 0) -> SoundChain.Arc {
      .init(state: firsts[token]?.states.lowerBound ?? 0, price: price)
    }
    func end(_ token: Int, _ price: Int32 = 0) -> SoundChain.Arc {
      .init(state: lasts[token].silence, price: price)
    }
    let fatiha = opening.dropFirst()
    let witr = portion.upperBound..<tokens.count
    let first = portion.lowerBound + told
    let portionStates =
      (firsts[portion.lowerBound]?.states.lowerBound ?? 0)...lasts[portion.upperBound - 1].silence

    // Between standings.
    var still = SoundChain.Hub()
    still.other = prices.otherSpeech
    still.reach.states = portionStates
    still.entries = (Array(calls) + portion + witr).filter { !tokens[$0].isBasmalah }.map {
      end($0)
    }
    still.entries.append(end(fatiha.last ?? 0, prices.bowAfterFatiha))
    still.exits = calls.map { start($0) }
    still.exits += [start(opening.lowerBound), start(fatiha[fatiha.startIndex])]
    // The basmalah may be said silently.
    still.exits.append(start(fatiha[fatiha.startIndex + 1], prices.cut))
    // A recording may begin in the middle of a standing, and reciting goes on after a prostration.
    still.exits += portion.map { start($0, prices.jump) }
    still.reach.distances = -Self.nearby...Self.nearby
    let stillHub = chain.appendHub(still)

    // Between al-Fatiha and what follows. "Amin" is said there, in as many ways as there are congregations.
    var after = SoundChain.Hub()
    after.other = prices.otherSpeech
    after.entries = [end(fatiha.last ?? 0)]
    after.exits = portion.map { start($0) }
    after.exits += Self.surahs(witr, tokens).map { start($0, prices.jump / 2) }
    after.reach.distances = -Self.nearby...Self.nearby
    after.reach.states = portionStates
    after.reach.elsewhere = prices.otherPortion
    chain.appendHub(after)

    appendOptionalBasmalahs(from: portion.lowerBound)
    chain.appendJumps(in: portion, prices)
    startHubs = [stillHub: 0]
    chain.remember(
      in: 0..<portionStates.lowerBound, firstOrigin: firsts[first]?.states.lowerBound ?? 0)
    starts = still.exits
  }

  /// Where surahs begin among tokens.
  private static func surahs(_ range: Range<Int>, _ tokens: [RecitedToken]) -> [Int] {
    range.filter { tokens[$0].isBasmalah || tokens[$0].ayah?.ayah == 1 }
  }

  /// States by which the next portion begins at most before or after where the last one ended: some twenty
  /// ayat; judged by `Scripts/plant-prayers.py`.
  private static let nearby = 2500

  private static let lastOfFatiha = AyahReference.first.surah.lastAyah
  private static let afterFatiha = lastOfFatiha.next ?? lastOfFatiha
}

extension SpokenFormula {
  /// What is said between standings.
  static let calls: [SpokenFormula] = [.takbir, .tasmee, .tahmeed, .salam]

  /// Surahs that are recited in the witr, wherever the night's recitation has come to.
  fileprivate static func witr(outside range: AyahRange) -> [RecitedToken] {
    [87, 109, 112, 113, 114].compactMap { Surah($0) }
      .filter { !(range.first...range.last).contains($0.firstAyah) }
      .flatMap { surah -> [RecitedToken] in
        let ayat = AyahRange(first: surah.firstAyah, last: surah.lastAyah)
        return [.basmalah(surah)] + (ayat.map { $0.map { RecitedToken.ayah($0) } } ?? [])
      }
  }
}
