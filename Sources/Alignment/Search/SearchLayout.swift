// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// A chain in the order in which a search wants it: columns of its states, and the arcs into its hubs and out of
/// them.
final class SearchLayout: @unchecked Sendable {
  // Unchecked because of the pointers: nothing is written once it is made.

  struct Exit {
    /// Where a path goes on: the state to which the arc leads, or one after it.
    var state: Int
    var arc: SoundChain.Arc
    /// What passing over the states between the two costs,
    var skipped: Int32
    /// and over this one.
    var skip: Int32
  }

  struct Entry {
    var state: Int
    var hub: Int
    var price: Int32
  }

  let chain: SoundChain
  /// For each state what passing over the one and over the two states before it costs,
  let skips2: UnsafeMutablePointer<Int32>
  let skips3: UnsafeMutablePointer<Int32>
  /// and its sound; that of a pause within a token is one of its own, after silence.
  let sounds: UnsafeMutablePointer<UInt8>
  /// States with those that fill the last block.
  let paddedCount: Int

  private let reaches: [SoundChain.Reach]
  let soundCount: Int
  /// By block.
  private let entries: Groups<Entry>
  /// By hub and the sound of the state; by price where all can be reached from everywhere, else by state.
  private let exits: Groups<Exit>
  /// The least that leaving each hub costs.
  private let leastExits: [Int32]
  /// The most that passing over a state costs to which a hub leads.
  let mostSkip: Int32

  init(_ chain: SoundChain, soundCount: Int) {
    self.chain = chain
    let count = chain.count
    let blocks = (count + SearchFront.statesPerBlock - 1) / SearchFront.statesPerBlock
    paddedCount = blocks * SearchFront.statesPerBlock
    skips2 = .allocate(capacity: paddedCount)
    skips3 = .allocate(capacity: paddedCount)
    sounds = .allocate(capacity: paddedCount)
    for state in 0..<paddedCount {
      skips2[state] = (1...count).contains(state) ? chain.skips[state - 1] : 0
      skips3[state] =
        (2...max(count, 2)).contains(state) ? chain.skips[state - 1] &+ chain.skips[state - 2] : 0
      let last = min(state, count - 1)
      sounds[state] = chain.isPauseWithinToken(last) ? UInt8(soundCount) : chain.sounds[last]
    }
    reaches = chain.hubs.map(\.reach)
    self.soundCount = soundCount
    leastExits = chain.hubs.map { $0.exits.map(\.price).min() ?? .max }
    var entries = [[Entry]](repeating: [], count: blocks)
    for (hub, arcs) in chain.hubs.enumerated() {
      for arc in arcs.entries {
        entries[arc.state / SearchFront.statesPerBlock].append(
          Entry(state: arc.state, hub: hub, price: arc.price))
      }
    }
    self.entries = Groups(entries)
    let exits = chain.hubs.flatMap { hub in
      var groups = [[Exit]](repeating: [], count: soundCount)
      for exit in hub.exits.flatMap({ Self.exits(chain, $0) }) {
        groups[Int(chain.sounds[exit.state])].append(exit)
      }
      return groups.map { group in
        group.sorted { hub.reach.isNear ? $0.arc.state < $1.arc.state : $0.price < $1.price }
      }
    }
    self.exits = Groups(exits)
    mostSkip = exits.joined().map(\.skip).max() ?? 0
  }

  deinit {
    skips2.deallocate()
    skips3.deallocate()
    sounds.deallocate()
  }

  /// The way out along an arc: as from state to state, up to two sounds may be passed over.
  private static func exits(_ chain: SoundChain, _ arc: SoundChain.Arc) -> [Exit] {
    var exits = [Exit(state: arc.state, arc: arc, skipped: 0, skip: chain.skips[arc.state])]
    let last = chain.words[Int(chain.wordOfState[arc.state])].last
    for state in arc.state..<max(arc.state, min(arc.state + 2, last)) {
      let latest = exits[exits.count - 1]
      exits.append(
        Exit(
          state: state + 1, arc: arc, skipped: latest.skipped + latest.skip,
          skip: chain.skips[state + 1]))
    }
    return exits
  }

  /// Those out of a hub into a sound that may cost less than a price.
  func exits(
    of hub: Int, into sound: Int, from origin: Int32, below price: Int32
  ) -> Slice<UnsafeBufferPointer<Exit>> {
    let all = exits[hub * soundCount + sound]
    guard leastExits[hub] < price else { return all[..<0] }
    let reach = reaches[hub]
    guard reach.isNear else { return all[..<all.partitioningIndex { $0.price >= price }] }
    guard !reach.isBounded else { return all[...] }
    return all[
      all.partitioningIndex {
        $0.arc.state >= Int(origin) + reach.distances.lowerBound
      }..<all
        .partitioningIndex { $0.arc.state > Int(origin) + reach.distances.upperBound }]
  }

  /// What an exit costs; nil where it is out of reach.
  func price(_ exit: Exit, of hub: Int, from origin: Int32) -> Int32? {
    reaches[hub].price(exit.arc, from: origin).map { $0 &+ exit.skipped }
  }

  /// Those into hubs from the states of a block.
  func entries(of block: Int) -> UnsafeBufferPointer<Entry> { entries[block] }
}

extension SearchLayout.Exit {
  /// Where nothing else matters.
  fileprivate var price: Int32 { arc.price &+ skipped }
}

extension SoundChain.Reach {
  private static let everywhere = Self()

  /// Whether what an exit costs depends on where the hub was entered.
  fileprivate var isNear: Bool { distances != Self.everywhere.distances }
  /// Whether that holds for some of the exits only.
  fileprivate var isBounded: Bool { states != Self.everywhere.states }
}

/// Lists in one piece of memory.
private struct Groups<Element>: ~Copyable {
  private let elements: UnsafeMutableBufferPointer<Element>
  /// The first element of each list, and their number.
  private let firsts: [Int32]

  init(_ lists: [[Element]]) {
    var firsts: [Int32] = [0]
    for list in lists { firsts.append(firsts[firsts.count - 1] + Int32(list.count)) }
    self.firsts = firsts
    elements = .allocate(capacity: Int(firsts[lists.count]))
    _ = elements.initialize(from: lists.joined())
  }

  deinit { elements.deallocate() }

  subscript(index: Int) -> UnsafeBufferPointer<Element> {
    .init(rebasing: elements[Int(firsts[index])..<Int(firsts[index + 1])])
  }
}
