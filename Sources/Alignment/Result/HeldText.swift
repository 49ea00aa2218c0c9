// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore
public import Quran

/// The first and last words of a recording that should contain given ayat and nothing else.
public struct HeldText: Hashable, Sendable {
  public struct Edge: Hashable, Sendable {
    /// The first, or last, ayah in the recording.
    public var ayah: AyahReference
    /// The index of the word in that ayah, from 0,
    public var word: Int
    /// and the number of its words.
    public var wordCount: Int
    /// Whether the recording contains the first, or last, sound of the ayah.
    public var isWhole: Bool
    /// How much better it fits than the expected edge, in nats of scores; 0 if it is the expected
    /// edge.
    public var gain: Double
  }

  public var start: Edge
  public var end: Edge
  /// How much worse the text scores than the best sound of each frame, in nats per frame.
  public var misfit: Double
}

extension AcousticAligner {
  /// Aligns the text of some ayat and of their neighbours with the recording, with a free start and
  /// end.
  ///
  /// - Returns: nil where nothing is said, or no text fits at all.
  public func heldText(of ayat: AyahRange) -> HeldText? {
    guard hearsVoice,
      let search = HeldTextSearch(ayat, in: riwayah, scores.withHeldSoundsCountedLess)
    else {
      return nil
    }
    return search.result { stopFlag.isStopped }
  }

  /// The ayah anywhere in the Quran that fits the recording best, and by how many nats of scores
  /// the given ayat fit worse; nil if the recording is not a known recitation.
  public func likeliestAyah(
    insteadOf ayat: AyahRange
  ) -> (ayah: AyahReference, advantage: Double)? {
    let report = places(PlaceSearch(), threadCount: threadCount) { stopFlag.isStopped }
    guard let report, report.isHeard, let best = report.candidates.first else { return nil }
    let told = report.candidates.first { ayat.contains($0.first) }
    return (best.first, told?.disadvantage ?? .infinity)
  }

  /// Whether the recording probably has another text than the words found.
  public func isOtherText(_ held: HeldText) -> Bool { held.misfit > Self.greatestMisfit }
}

/// The text of some ayat and their neighbours as a chain of sounds, searched with edges told and free.
private struct HeldTextSearch {
  private let ayat: AyahRange
  private let scores: AcousticScores
  private let tokens: [RecitedToken]
  private let search: ChainSearch
  /// Tokens of what may be said before the ayat.
  private let opening: Int
  private let toldHub: SoundChain.HubIndex
  private let freeHub: SoundChain.HubIndex

  init?(_ ayat: AyahRange, in riwayah: Riwayah, _ scores: AcousticScores) {
    self.ayat = ayat
    self.scores = scores
    let first = ayat.first
    guard
      let around = AyahRange(first: first.previous ?? first, last: ayat.last.next ?? ayat.last)
    else { return nil }
    var tokens: [RecitedToken] = [.formula(.istiadhah)]
    if first.ayah == 1, first.surah.opensWithUncountedBasmalah {
      tokens.append(.basmalah(first.surah))
    }
    let opening = tokens.count
    tokens += RecitedToken.tokens(around)
    self.tokens = tokens
    // What is missing at an edge must not pass for sounds that are hardly heard.
    var prices = ChainPrices()
    prices.skippedSound *= 3
    var chain = SoundChain(tokens, in: riwayah, prices: prices)
    let firsts = chain.firstWords
    guard let told = tokens.firstIndex(of: .ayah(first)), let begin = firsts[told] else {
      return nil
    }
    let toldStart = SoundChain.Arc(state: begin.states.lowerBound, price: 0)
    let openings = (0..<opening).compactMap { firsts[$0] }.map {
      SoundChain.Arc(state: $0.states.lowerBound, price: 0)
    }
    // What is said before reciting is followed by the ayah, wherever that lies in the chain.
    let lasts = chain.words.filter { $0.isLastOfToken && $0.token < opening }
    let afterOpening = SoundChain.Hub(
      entries: lasts.map { .init(state: $0.silence, price: 0) }, exits: [toldStart])
    let anywhere = chain.words.filter { $0.token >= opening }.flatMap { word in
      (word.states.lowerBound...word.last).map { SoundChain.Arc(state: $0, price: 0) }
    }
    toldHub = chain.appendHub(.init(exits: openings + [toldStart]))
    freeHub = chain.appendHub(.init(exits: openings + anywhere))
    chain.appendHub(afterOpening)
    chain.appendJumps(in: opening..<tokens.count, prices)
    search = ChainSearch(chain, soundCount: scores.soundCount)
    self.opening = opening
  }

  private var chain: SoundChain { search.chain }

  func result(_ isStopped: () -> Bool) -> HeldText? {
    guard let free = run(start: false, end: false, isStopped) else { return nil }
    let told = run(start: true, end: true, isStopped)
    let start = run(start: false, end: true, isStopped)
    let end = run(start: true, end: false, isStopped)
    let said = free.path.indices.filter { frame in
      let state = free.path[frame]
      return state >= 0 && isSound(Int(state))
    }
    guard let first = said.first, let last = said.last else { return nil }
    /// Where the other edge as told fits nothing, what both free edges bring is shared by both.
    func gain(_ one: ChainSearch.Result?, _ other: ChainSearch.Result?) -> Double {
      let alone = difference(one, told)
      let besides = difference(free, other)
      return max(alone ?? 0, besides ?? 0)
    }
    let misfit = BoundaryMargins(chain: chain, scores: scores, path: free.path).misfitOfText
    return HeldText(
      start: edge(Int(free.path[first]), isStart: true, gain: gain(start, end)),
      end: edge(Int(free.path[last]), isStart: false, gain: gain(end, start)), misfit: misfit)
  }

  /// In nats; nil where the second fits nothing.
  private func difference(
    _ one: ChainSearch.Result?, _ other: ChainSearch.Result?
  ) -> Double? {
    guard let one else { return 0 }
    guard let other else { return .infinity }
    return Double(one.score - other.score) / Double(AcousticScores.unitsPerNat)
  }

  private func run(
    start isStartTold: Bool, end isEndTold: Bool, _ isStopped: () -> Bool
  ) -> ChainSearch.Result? {
    let hub = isStartTold ? toldHub : freeHub
    return search.run(
      scores, startHubs: [hub: 0], starts: chain.hubs[hub].exits,
      ends: { state in
        let word = chain.words[Int(chain.wordOfState[state])]
        guard word.token >= opening else { return nil }
        guard isEndTold else { return 0 }
        return tokens[word.token] == .ayah(ayat.last) && word.isLastOfToken && state >= word.last
          ? 0 : nil
      }, isStopped: isStopped)
  }

  private func isSound(_ state: Int) -> Bool {
    let word = chain.words[Int(chain.wordOfState[state])]
    return state <= word.last
  }

  private func edge(_ state: Int, isStart: Bool, gain: Double) -> HeldText.Edge {
    let word = chain.words[Int(chain.wordOfState[state])]
    let token = tokens[word.token]
    // What is said before the ayat belongs to the first, and a basmalah to the ayah after it.
    let ayah =
      token.ayah ?? tokens[word.token...].lazy.compactMap(\.ayah).first.map {
        word.token < opening ? ayat.first : $0
      } ?? ayat.first
    guard token.ayah != nil else {
      return HeldText.Edge(
        ayah: ayah, word: 0, wordCount: QuranSounds.wordCount(of: ayah), isWhole: isStart,
        gain: gain)
    }
    let count = QuranSounds.wordCount(of: ayah)
    let isWhole =
      isStart
      ? word.index == 0 && state <= word.states.lowerBound + 1
      : word.isLastOfToken && state >= word.last - 1
    return HeldText.Edge(
      ayah: ayah, word: word.index, wordCount: count, isWhole: isWhole, gain: gain)
  }
}
