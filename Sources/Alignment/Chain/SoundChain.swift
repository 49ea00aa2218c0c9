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

    var silence: Int { states.upperBound - 1 }
  }

  struct Hub {
    /// Into the hub, from states.
    var entries: [Arc] = []
    /// Out of it, to states.
    var exits: [Arc] = []
    /// What each frame in it costs besides its sound.
    var pricePerFrame: Int32 = 0
    /// How many states back or ahead of where it was entered from an exit may lead.
    var reach = -Int.max / 2...Int.max / 2
  }

  struct Arc {
    var state: Int
    var price: Int32
  }

  var count: Int { sounds.count }

  /// Appends a word and the silence after it.
  ///
  /// - Parameters:
  ///   - sounds: columns of the scores, a sound for each state.
  ///   - skips: what passing over each of them costs.
  ///   - stop: what not stopping after the word costs; negative where going on is likelier.
  mutating func append(
    _ sounds: [UInt8], skips: [Int32], silence: UInt8, stop: Int32, token: Int, index: Int,
    isLastOfToken: Bool
  ) {
    let first = count
    self.sounds += sounds + [silence]
    self.skips += skips + [stop]
    wordOfState += [Int32](repeating: Int32(words.count), count: sounds.count + 1)
    words.append(
      Word(
        token: token, index: index, states: first..<count, isLastOfToken: isLastOfToken))
  }

  @discardableResult
  mutating func appendHub(_ hub: Hub) -> HubIndex {
    hubs.append(hub)
    return hubs.count - 1
  }
}
