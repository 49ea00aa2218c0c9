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
  /// States in which a path remembers what it expects to come next: reaches count from there again after
  /// al-Fatiha.
  private(set) var remembering = 0..<0
  /// What is expected at first.
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
    /// How many of its first states are a held sound into which the end of the word before merges where the two
    /// are joined.
    var mergedStates = 0

    var silence: Int { states.upperBound - 1 }
  }

  struct Hub {
    /// Into the hub, from states.
    var entries: [Arc] = []
    /// Out of it, to states.
    var exits: [Arc] = []
    /// What a frame costs that sounds of speech, which is none of the text.
    var other = ChainPrices.pauseWithSound
    var reach = Reach()
  }

  /// Where a hub leads to from where it was entered.
  struct Reach: Hashable {
    /// How many states back or ahead an exit may lead.
    var distances = -Int.max / 2...Int.max / 2
    /// States to which that applies.
    var states = 0...Int.max
    /// What leaving to one of them costs besides that does not begin the token which comes next.
    var elsewhere: Int32 = 0

    /// What leaving to a state costs; nil where it is out of reach.
    func price(_ exit: Arc, from origin: Int32) -> Int32? {
      guard states.contains(exit.state) else { return exit.price }
      let distance = exit.state - Int(origin)
      guard distances.contains(distance) else { return nil }
      return distance == 0 ? exit.price : exit.price &+ elsewhere
    }
  }

  struct Arc {
    var state: Int
    var price: Int32
  }

  var count: Int { sounds.count }

  /// As many states may be passed over at once, besides the silence, that follow a word's last sound; judged by
  /// `Scripts/measure-accuracy.py`.
  static let longestEnding = 2

  /// Appends a word and the silence after it.
  ///
  /// - Parameters:
  ///   - sounds: columns of the scores, a sound for each state.
  ///   - skips: what passing over each of them costs.
  ///   - ending: sounds that may follow, where the next word is joined: ``longestEnding`` at most.
  ///   - mergedStates: see ``Word/mergedStates``.
  ///   - stop: what not stopping after the word costs; negative where going on is likelier.
  mutating func append(
    _ sounds: [UInt8], skips: [Int32], ending: [UInt8] = [], silence: UInt8, stop: Int32,
    token: Int, index: Int, isLastOfToken: Bool, mergedStates: Int = 0
  ) {
    let first = count
    self.sounds += sounds + ending + [silence]
    self.skips += skips + ending.map { _ in 0 } + [stop]
    let states = first..<count
    wordOfState += [Int32](repeating: Int32(words.count), count: states.count)
    words.append(
      Word(
        token: token, index: index, states: states, isLastOfToken: isLastOfToken,
        last: first + sounds.count - 1, mergedStates: mergedStates))
  }

  /// Whether nothing is said in a state, and then another word of the same token.
  func isPauseWithinToken(_ state: Int) -> Bool {
    let word = words[Int(wordOfState[state])]
    return state == word.silence && !word.isLastOfToken
  }

  /// From where the reach of a hub counts that was entered from a state: where what is remembered matters,
  /// from what comes next, else from the state.
  func origin(_ state: Int) -> Int32 {
    guard !remembering.isEmpty else { return Int32(state) }
    var next = Int(wordOfState[state]) + 1
    while next < words.count, words[next].index > 0 { next += 1 }
    return Int32(next < words.count ? words[next].states.lowerBound : state)
  }

  mutating func remember(in states: Range<Int>, firstOrigin: Int) {
    remembering = states
    self.firstOrigin = firstOrigin
  }

  @discardableResult
  mutating func appendHub(_ hub: Hub) -> HubIndex {
    hubs.append(hub)
    return hubs.count - 1
  }
}
