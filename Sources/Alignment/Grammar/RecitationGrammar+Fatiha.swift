// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

extension RecitationGrammar {
  /// Al-Fatiha any number of times, and between them speech that is not known: prayers of which nobody knows what
  /// is recited.
  static func fatihas(
    in riwayah: Riwayah = .hafs, prices: ChainPrices = ChainPrices()
  ) -> RecitationGrammar {
    let tokens = AyahReference.first.surah.ayat.map { RecitedToken.ayah($0) }
    var grammar = RecitationGrammar(
      tokens: tokens, chain: SoundChain(tokens, in: riwayah, prices: prices),
      ends: [Int32?](repeating: 0, count: tokens.count), prices: prices, isPrayer: true)
    var hub = SoundChain.Hub()
    hub.other = prices.otherSpeech
    // The basmalah may be said silently.
    hub.exits = zip(grammar.chain.words.filter { $0.index == 0 }, [0, prices.cut]).map {
      .init(state: $0.states.lowerBound, price: $1)
    }
    hub.entries = grammar.chain.words.suffix(1).map { .init(state: $0.silence, price: 0) }
    grammar.starts = hub.exits
    grammar.startHubs = [grammar.chain.appendHub(hub): 0]
    return grammar
  }
}
