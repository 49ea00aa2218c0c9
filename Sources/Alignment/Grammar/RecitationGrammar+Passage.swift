// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

extension RecitationGrammar {
  /// A recitation that goes straight on, but for repeats and omissions.
  ///
  /// - Parameters:
  ///   - first: the ayah that is said to be the first. Where the recording proves to begin some ayat
  ///     before or after it, it is heard from there.
  ///   - last: the ayah that is said to be the last, likewise; nil where nobody knows.
  ///   - furthest: the last ayah that could be reached.
  ///   - edges: what a person has confirmed around a part of a recording.
  ///   - certainty: how far `first` and `last` may be wrong.
  ///   - detours: what else is listened for; nil for nothing.
  static func passage(
    first: AyahReference, last: AyahReference?, furthest: AyahReference, edges: Edges = Edges(),
    certainty: AlignmentRequest.Certainty = .told, detours: Detours? = nil,
    in riwayah: Riwayah = .hafs, prices: ChainPrices = ChainPrices()
  ) -> RecitationGrammar? {
    let doubted =
      switch certainty {
      case .told: Self.doubted
      case .predicted: Self.doubtedOfPredicted
      }
    let earliest = first.advanced(by: -doubted) ?? .first
    var latest = last.map { $0.advanced(by: doubted) ?? .last } ?? furthest
    if detours != nil { latest = max(latest, furthest, (last ?? first).surah.lastAyah) }
    guard let range = AyahRange(first: earliest, last: max(latest, first)) else { return nil }
    let recited = RecitedToken.tokens(range)
    guard let told = recited.firstIndex(of: .ayah(first)) else { return nil }
    // The isti'adhah and the basmalah come before whichever ayah is the first.
    var tokens: [RecitedToken] = []
    if edges.start == .open {
      tokens.append(.formula(.istiadhah))
      if first.ayah == 1, first.surah.opensWithUncountedBasmalah {
        tokens.append(.basmalah(first.surah))
      }
    }
    let opening = tokens.count
    tokens += recited
    var grammar = RecitationGrammar(
      tokens: tokens, chain: SoundChain(tokens, in: riwayah, prices: prices),
      ends: tokens.indices.map { $0 < opening ? nil : 0 }, isEndOpen: edges.end == .open,
      prices: prices)
    grammar.begin(edges.start, told: opening + told, opening: opening)
    grammar.appendOptionalBasmalahs(from: opening)
    grammar.jumpHub = grammar.chain.appendJumps(in: opening..<tokens.count, prices)
    let wanted: RecitedToken? =
      switch edges.end {
      case .open: last.map { .ayah($0) }
      case .before(let next): next.previous.map { .ayah($0) }
      }
    if let wanted { grammar.end(with: wanted, edges.end) }
    if let detours {
      grammar.append(detours, from: opening, told: opening + told, edges.start)
    }
    return grammar
  }

  private mutating func begin(_ start: Edges.Start, told: Int, opening: Int) {
    switch start {
    case .open:
      let firsts = chain.firstWords
      var exits = firsts.values.sorted { $0.token < $1.token }.map { word in
        SoundChain.Arc(
          state: word.states.lowerBound,
          price: word.token < opening || word.token == told ? 0 : prices.otherAyah)
      }
      // A recording may begin within its first ayah, and that may be another than was told as well.
      let near = max(opening, told - Self.doubted)...told + Self.doubted
      let count = words(of: tokens[told]).count
      exits += chain.words.filter { $0.index > 0 && near.contains($0.token) }.map { word in
        .init(
          state: word.states.lowerBound,
          price: word.token == told
            ? prices.cut(words: count - word.index) : prices.otherAyah + prices.cut)
      }
      startHubs = [chain.appendHub(.init(exits: exits)): 0]
      starts = exits
      appendLeadIn(opening, told, firsts)
    case .at(let ayah): begin(at: .ayah(ayah))
    case .after(let ayah): begin(after: .ayah(ayah))
    case .within(let ayah): begin(within: .ayah(ayah))
    }
  }

  mutating func begin(at token: RecitedToken) {
    starts = words(of: token).prefix(1).map { .init(state: $0.states.lowerBound, price: 0) }
  }

  mutating func begin(after token: RecitedToken) {
    starts = words(of: token).suffix(1).map { .init(state: $0.silence, price: 0) }
  }

  mutating func begin(within token: RecitedToken) {
    starts = words(of: token).map { .init(state: $0.silence, price: 0) }
  }

  func words(of token: RecitedToken) -> [SoundChain.Word] {
    guard let index = tokens.firstIndex(of: token) else { return [] }
    return chain.words.filter { $0.token == index }
  }

  /// - Parameter end: before an ayah that is known, its basmalah may be the last thing said as well.
  mutating func end(with token: RecitedToken, _ end: Edges.End) {
    for index in tokens.indices where ends[index] != nil && tokens[index] != token {
      if case .before(let next) = end, tokens[index] == .basmalah(next.surah), next.ayah == 1 {
        continue
      }
      ends[index] = prices.otherAyah
    }
  }

  /// After what is said before reciting comes the first ayah, wherever it lies in the chain.
  private mutating func appendLeadIn(
    _ opening: Int, _ start: Int, _ firsts: [Int: SoundChain.Word]
  ) {
    let lasts = chain.words.filter { $0.isLastOfToken && $0.token < opening }
    guard start > opening, !lasts.isEmpty else { return }
    chain.appendHub(
      .init(
        entries: lasts.map { .init(state: $0.silence, price: 0) },
        exits: firsts.values.filter { $0.token >= opening }.sorted { $0.token < $1.token }
          .map {
            .init(
              state: $0.states.lowerBound, price: $0.token == start ? 0 : prices.otherAyah)
          }))
  }

  /// Before and between ayat, and after them, something else may be said, which costs as much as beginning or ending
  /// with another ayah than was told; then any ayah may follow. Where it is said before all of them, another ayah than was
  /// told costs as much again: its words pass for something else more often than both are so.
  private mutating func append(
    _ detours: Detours, from opening: Int, told: Int, _ start: Edges.Start
  ) {
    func price(_ isAtEdge: Bool) -> Int32 { isAtEdge ? 0 : prices.jump / 2 }
    func exits(_ price: (SoundChain.Word) -> Int32) -> [SoundChain.Arc] {
      chain.words.map { .init(state: $0.states.lowerBound, price: price($0)) }
    }
    otherSpeechHubs = [
      chain.appendHub(
        .init(
          entries: chain.words.filter { $0.token >= opening }.map {
            .init(state: $0.silence, price: prices.otherAyah + price($0.isLastOfToken))
          }, exits: exits { prices.jump / 2 + price($0.index == 0) }, other: detours.otherSpeech))
    ]
    guard start == .open else { return }
    let before = chain.appendHub(
      .init(
        exits: exits { word in
          let isTold = word.token < opening || word.token == told
          return price(word.index == 0) + (isTold ? 0 : prices.otherAyah)
        }, other: detours.otherSpeech))
    otherSpeechHubs.append(before)
    startHubs[before] = prices.otherAyah
  }

  /// A basmalah between two surahs may be left out.
  mutating func appendOptionalBasmalahs(from first: Int) {
    let firsts = chain.firstWords
    let lasts = chain.words.filter(\.isLastOfToken)
    for (index, token) in tokens.enumerated() where index > first {
      guard case .basmalah = token, let next = firsts[index + 1] else { continue }
      chain.appendHub(
        .init(
          entries: [.init(state: lasts[index - 1].silence, price: 0)],
          exits: [.init(state: next.states.lowerBound, price: prices.joinedAyat)]))
    }
  }

  /// What a recitation may have besides the text: speech that is none of it, and ayat left out, however many.
  struct Detours {
    /// What a frame of such speech costs.
    var otherSpeech: Int32
  }

  /// Ayat by which a start or an end that was told may be wrong and still be found; as for the next, judged by
  /// `Scripts/tell-wrong-hints.py`.
  static let doubted = 12
  /// The same of those that an alignment of what is around them has told.
  private static let doubtedOfPredicted = 1
}

extension SoundChain {
  /// Words that are said again, and ayat that are left out.
  @discardableResult
  mutating func appendJumps(in tokens: Range<Int>, _ prices: ChainPrices) -> HubIndex {
    var hub = Hub()
    hub.reach.distances = -Self.furthestJump...Self.furthestJump
    for word in words where tokens.contains(word.token) {
      hub.entries.append(.init(state: word.silence, price: prices.jump / 2))
      hub.exits.append(
        .init(
          state: word.states.lowerBound,
          price: prices.jump / 2 + (word.index == 0 ? 0 : prices.cut)))
    }
    return appendHub(hub)
  }

  /// States by which a reciter goes back or skips at most: some five long ayat; judged by
  /// `Scripts/plant-structures.py`.
  private static let furthestJump = 900
}
