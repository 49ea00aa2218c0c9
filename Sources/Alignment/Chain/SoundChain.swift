// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// What may be heard in a recording, as a chain of states, each of which holds one sound.
///
/// States follow one another; some may be passed over at a price. Hubs are states besides the chain, such
/// as the stillness between two parts of a prayer: words lead into a hub, and out of it to other words. So
/// repeats, omissions and prayers are arcs, and there is one search for all of them.
///
/// Prices are in units of ``AcousticScores/unitsPerNat``.
struct SoundChain {
  /// A hub's number in ``hubs``.
  typealias HubIndex = Int

  /// For each state its column of the scores; the last column is silence.
  private(set) var sounds: [UInt8] = []
  /// For each state what passing over it costs.
  private(set) var skips: [Int32] = []
  private(set) var words: [Word] = []
  private(set) var hubs: [Hub] = []
  /// The state from which reaches count before a hub was entered.
  private(set) var firstOrigin = 0
  /// For each state its word.
  private(set) var wordOfState: [Int32] = []

  struct Word: Hashable {
    /// What it is part of: a number that whoever builds the chain gives.
    var token: Int
    /// Its place in its token.
    var index: Int
    /// Its sounds, and after them one state of silence.
    var states: Range<Int>
    var isLastOfToken: Bool
    /// The last of its sounds that are said whatever follows.
    var last: Int

    var silence: Int { states.upperBound - 1 }
  }

  struct Hub {
    /// Into the hub, from states.
    var entries: [Arc] = []
    /// Out of it, to states.
    var exits: [Arc] = []
    /// What a frame costs that sounds of speech, which is none of the text.
    var other = ChainPrices.pauseWithSound
    /// How many states back or ahead of where it was entered from an exit may lead.
    var reach = -Int.max / 2...Int.max / 2
    /// States from which the reach counts; after others it goes on to count from where it did.
    var origins = 0...Int.max
    /// The hub from whose entries the reach counts; nil for its own.
    var countsFrom: HubIndex?
    /// States to which an exit may lead from anywhere.
    var anywhere: ClosedRange<Int>?

    func reaches(_ state: Int, from origin: Int32) -> Bool {
      reach.contains(state - Int(origin)) || anywhere.map { $0.contains(state) } ?? false
    }
  }

  struct Arc {
    var state: Int
    var price: Int32
  }

  var count: Int { sounds.count }

  /// As many states may be passed over at once, besides the silence, that follow a word's last sound.
  static let longestEnding = 2

  /// Appends a word and the silence after it.
  ///
  /// - Parameters:
  ///   - sounds: columns of the scores, a sound for each state.
  ///   - skips: what passing over each of them costs.
  ///   - ending: sounds that may follow, where the next word is joined: ``longestEnding`` at most.
  ///   - stop: what not stopping after the word costs; negative where going on is likelier.
  mutating func append(
    _ sounds: [UInt8], skips: [Int32], ending: [UInt8] = [], silence: UInt8, stop: Int32,
    token: Int, index: Int, isLastOfToken: Bool
  ) {
    let first = count
    self.sounds += sounds + ending + [silence]
    self.skips += skips + ending.map { _ in 0 } + [stop]
    let states = first..<count
    wordOfState += [Int32](repeating: Int32(words.count), count: states.count)
    words.append(
      Word(
        token: token, index: index, states: states, isLastOfToken: isLastOfToken,
        last: first + sounds.count - 1))
  }

  mutating func setFirstOrigin(_ state: Int) { firstOrigin = state }

  @discardableResult
  mutating func appendHub(_ hub: Hub) -> HubIndex {
    hubs.append(hub)
    return hubs.count - 1
  }
}
