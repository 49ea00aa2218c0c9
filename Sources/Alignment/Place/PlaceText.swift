// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// A stretch of the Quran as states in the opposite order, the last sound first.
///
/// Going backwards in time, a recursion over them arrives at the places where a recording may begin.
struct PlaceText {
  /// For each state its column of the scores.
  private(set) var sounds: [UInt8] = []
  /// What it costs to go on without the state before, and without the two before, in units of scores.
  private(set) var skips2: [Int16] = []
  private(set) var skips3: [Int16] = []
  /// Where a recording may begin, in the order of the text.
  private(set) var places: [Place] = []
  /// Ways past the basmalahs between surahs, which may be left out.
  private(set) var arcs: [Arc] = []

  /// What is heard first, and the states in which it may begin.
  struct Place {
    var ayah: AyahReference
    /// The first word that is heard, from 0.
    var word: Int
    var states: Range<Int>
    /// The state with which the whole ayah, or the basmalah before it, begins; nil within it.
    var opening: Int?
    /// Whether what is heard first is the basmalah before the ayah.
    var isBasmalah = false
  }

  struct Arc {
    /// A state, and one that comes before it in the text.
    var source: Int
    var target: Int
    var price: Int16
  }

  var count: Int { sounds.count }

  /// - Parameters:
  ///   - core: where recordings may begin.
  ///   - last: the last ayah that can be recited.
  ///   - overlap: how many states there are after the core at least, if the text goes as far.
  ///   - riwayah: what is recited.
  init(
    _ core: AyahRange, last: AyahReference, overlap: Int, in riwayah: Riwayah,
    _ prices: PlacePrices
  ) {
    var states = SpokenStates()
    states.appendSilence(skip: 0)
    let basmalah = QuranSounds.words(of: .first)
    var end = Int.max
    for ayah in AyahRange(first: core.first, last: max(core.last, last)) ?? core {
      if ayah > core.last {
        if end == .max { end = states.count }
        if states.count - end >= overlap { break }
      }
      let isPlace = core.contains(ayah)
      if ayah.ayah == 1, ayah.surah.opensWithUncountedBasmalah {
        let silence = states.count - 1
        states.append(basmalah, prices.chain) { number, sounds in
          guard isPlace else { return }
          places.append(
            Place(
              ayah: ayah, word: 0, states: sounds.lowerBound - 1..<sounds.upperBound,
              opening: number == 0 ? sounds.lowerBound : nil, isBasmalah: true))
        }
        arcs += Self.arcs(from: states.count, past: silence, prices)
      }
      states.append(QuranSounds.words(of: ayah, in: riwayah), prices.chain) { number, sounds in
        guard isPlace else { return }
        // The silence before a word belongs to it.
        places.append(
          Place(
            ayah: ayah, word: number, states: sounds.lowerBound - 1..<sounds.upperBound,
            opening: number == 0 ? sounds.lowerBound : nil))
      }
    }
    reverse(states)
  }

  /// From the first sound of a surah to the silence before its basmalah, or the sound before that.
  private static func arcs(from first: Int, past silence: Int, _ prices: PlacePrices) -> [Arc] {
    let price = prices.withoutBasmalah
    let joined = Arc(
      source: first, target: silence - 1, price: Int16(price + prices.chain.joinedAyat))
    return [Arc(source: first, target: silence, price: Int16(price))]
      + (silence > 0 ? [joined] : [])
  }

  private mutating func reverse(_ states: SpokenStates) {
    let last = states.count - 1
    sounds = states.sounds.reversed()
    let skips = Array(states.skips.reversed())
    skips2 = skips.indices.map { $0 < 1 ? 0 : Int16(skips[$0 - 1]) }
    skips3 = skips.indices.map { $0 < 2 ? 0 : Int16(skips[$0 - 1] + skips[$0 - 2]) }
    for place in places.indices {
      let range = places[place].states
      places[place].states = last + 1 - range.upperBound..<last + 1 - range.lowerBound
      places[place].opening = places[place].opening.map { last - $0 }
    }
    for arc in arcs.indices {
      arcs[arc].source = last - arcs[arc].source
      arcs[arc].target = last - arcs[arc].target
    }
  }
}
