// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics

/// How likely the best path to each state and hub is, as of the frame heard last.
///
/// Scores are relative to what the best path had in the frame before. Blocks of states in which no path is within the beam
/// of the best one are dropped, and so are such hubs; few blocks are alive.
struct SearchFront: ~Copyable {
  /// The fewer, the fewer states are worked on for nothing, and the more blocks there are to look after. Time alone
  /// depends on it, not what `Scripts/measure-accuracy.py` prints.
  static let statesPerBlock = 32
  /// Blocks that are alive at most; where more are within the beam, as while speech is heard that may go on anywhere, it
  /// is narrower. Bounds time and memory; what `Scripts/measure-accuracy.py` and `Scripts/plant-structures.py` print does
  /// not depend on it.
  private static let mostBlocks = 256
  /// A score of none; a frame's scores and a price can be taken off it without overflow.
  private static let impossible = Int32.min / 4
  /// States before the first one, so that transitions need no bounds.
  private static let margin = Lanes.scalarCount

  private let layout: SearchLayout
  private let widestBeam: Int32
  private var beam: Int32
  /// The column of silence.
  private let silence: Int

  /// For each state its score before a frame,
  private var scores: UnsafeMutablePointer<Int32>
  /// and after it.
  private var next: UnsafeMutablePointer<Int32>
  // Those of the layout.
  private let skips2: UnsafeMutablePointer<Int32>
  private let skips3: UnsafeMutablePointer<Int32>
  private let sounds: UnsafeMutablePointer<UInt8>
  /// The score of each sound in the frame, and of a pause within a token.
  private let heard: UnsafeMutablePointer<Int32>

  /// The blocks that are alive, in order.
  private var live: [Int] = []
  /// For each block its place among those reached in the frame, or -1.
  private var slots: [Int32]
  /// The best score of each block reached.
  private var bests: [Int32] = []
  private var offers: [Offer] = []

  private var hubs: [Int32]
  private var entering: [Entry]
  /// The state from which the path in each hub came there; what is out of its reach cannot follow.
  private var origins: [Int32]
  /// For each state of ``SoundChain/remembering`` the same of the path to it.
  private var memory: [Int32]
  private var nextMemory: [Int32]
  private var isFirst = true
  /// The score of the best path, which is taken off all scores in the next frame,
  private var lead: Int32 = 0
  /// and what was taken off so far.
  private var total: Int64 = 0
  /// What the likeliest sounds score.
  private var most: Int64 = 0

  /// A path out of a hub into a state.
  private struct Offer {
    var state: Int
    var hub: Int
    var score: Int32
  }

  /// The best path into a hub.
  private struct Entry {
    var score: Int32
    var state: Int32
    var memory: Int32

    static let none = Entry(score: SearchFront.impossible, state: 0, memory: 0)
  }

  init(_ layout: SearchLayout, beam: Int32) {
    self.layout = layout
    widestBeam = beam
    self.beam = beam
    silence = layout.soundCount - 1
    (skips2, skips3, sounds) = (layout.skips2, layout.skips3, layout.sounds)
    func column() -> UnsafeMutablePointer<Int32> {
      let count = Self.margin + layout.paddedCount
      let column = UnsafeMutablePointer<Int32>.allocate(capacity: count)
      column.initialize(repeating: Self.impossible, count: count)
      return column + Self.margin
    }
    scores = column()
    next = column()
    heard = .allocate(capacity: layout.soundCount + 1)
    heard.initialize(repeating: 0, count: layout.soundCount + 1)
    slots = [Int32](repeating: -1, count: layout.paddedCount / Self.statesPerBlock)
    let chain = layout.chain
    hubs = chain.hubs.map { _ in Self.impossible }
    entering = chain.hubs.map { _ in .none }
    origins = chain.hubs.map { _ in Int32(chain.firstOrigin) }
    memory = [Int32](repeating: Int32(chain.firstOrigin), count: chain.remembering.upperBound)
    nextMemory = memory
  }

  deinit {
    for column in [scores, next] { (column - Self.margin).deallocate() }
    heard.deallocate()
  }

  /// Before the first frame.
  mutating func begin(_ startHubs: [SoundChain.HubIndex: Int32], _ starts: [SoundChain.Arc]) {
    for arc in starts { scores[arc.state] = max(scores[arc.state], -arc.price) }
    live = Set(starts.map { $0.state / Self.statesPerBlock }).sorted()
    for (hub, price) in startHubs { hubs[hub] = -price }
  }

  /// Hears a frame.
  mutating func step(_ row: UnsafeBufferPointer<Int16>, _ trace: inout SearchTrace) {
    total += Int64(lead)
    let loudest = listen(row)
    most += Int64(loudest)
    offers.removeAll(keepingCapacity: true)
    if !isFirst { leaveHubs(row, loudest) }
    let reached = reached()
    let codes = trace.append(reached)
    bests.removeAll(keepingCapacity: true)
    for (slot, block) in reached.enumerated() {
      bests.append(advance(block, codes + slot * Self.statesPerBlock))
    }
    takeOffers(codes)
    remember(reached, codes)
    lead = max(bests.max() ?? Self.impossible, wait(row, loudest, &trace))
    drop(reached)
    adaptBeam()
    isFirst = false
  }

  // MARK: - Within a frame

  /// - Returns: the score of the likeliest sound.
  private func listen(_ row: UnsafeBufferPointer<Int16>) -> Int32 {
    var loudest = Int32(row[0])
    for (sound, score) in row.enumerated() {
      heard[sound] = Int32(score) &- lead
      loudest = max(loudest, Int32(score))
    }
    // A pause may hold other sounds, at a price.
    heard[silence] = max(heard[silence], loudest &- ChainPrices.pauseWithSound &- lead)
    heard[silence + 1] = heard[silence] &- ChainPrices.pauseWithinToken
    return loudest
  }

  /// What a frame in a hub scores.
  private func waiting(in hub: Int, _ row: UnsafeBufferPointer<Int16>, _ loudest: Int32) -> Int32 {
    max(Int32(row[silence]), loudest &- layout.chain.hubs[hub].other)
  }

  /// Finds the paths out of hubs. They lead into sounds that are heard: where one scores so little that the hub does
  /// better, and what passing over it costs as well, the path had better wait and go on behind it.
  private mutating func leaveHubs(_ row: UnsafeBufferPointer<Int16>, _ loudest: Int32) {
    for hub in hubs.indices where hubs[hub] > Self.impossible {
      let waiting = waiting(in: hub, row, loudest)
      let origin = origins[hub]
      // What leaving may cost, since paths are dropped beyond the beam.
      let most = hubs[hub] &- lead &+ beam
      for sound in 0..<silence where Int32(row[sound]) &+ layout.mostSkip > waiting {
        for exit in layout.exits(of: hub, into: sound, from: origin, below: most)
        where Int32(row[sound]) &+ exit.skip > waiting {
          guard let price = layout.price(exit, of: hub, from: origin), price < most else {
            continue
          }
          offers.append(
            Offer(
              state: exit.state, hub: hub, score: hubs[hub] &- price &+ Int32(row[sound]) &- lead))
        }
      }
    }
  }

  /// The blocks where paths go on: those alive, those after them, and those to which hubs lead; in order.
  private mutating func reached() -> [Int] {
    var reached: [Int] = []
    reached.reserveCapacity(2 * live.count + offers.count)
    func reach(_ block: Int) {
      guard slots[block] < 0 else { return }
      slots[block] = 0
      reached.append(block)
    }
    for block in live {
      reach(block)
      if !isFirst, block + 1 < slots.count { reach(block + 1) }
    }
    let count = reached.count
    for offer in offers { reach(offer.state / Self.statesPerBlock) }
    if reached.count > count { reached.sort() }
    for (slot, block) in reached.enumerated() { slots[block] = Int32(slot) }
    return reached
  }

  /// The states of a block after a frame, and by how many states each path moved on.
  ///
  /// - Returns: the best of them.
  private func advance(_ block: Int, _ codes: UnsafeMutablePointer<UInt8>) -> Int32 {
    var best = Lanes(repeating: Self.impossible)
    let first = block * Self.statesPerBlock
    for offset in stride(from: 0, to: Self.statesPerBlock, by: Lanes.scalarCount) {
      let state = first + offset
      var score = Lanes.load(scores + state)
      var code = Lanes.zero
      if !isFirst {
        score.raise(to: .load(scores + state - 1), 1, &code)
        score.raise(to: .load(scores + state - 2) &- .load(skips2 + state), 2, &code)
        score.raise(to: .load(scores + state - 3) &- .load(skips3 + state), 3, &code)
      }
      let sound = sounds + state
      score =
        pointwiseMax(score, Lanes(repeating: Self.impossible))
        &+ Lanes(
          heard[Int(sound[0])], heard[Int(sound[1])], heard[Int(sound[2])], heard[Int(sound[3])])
      score.store(next + state)
      UnsafeMutableRawPointer(codes + offset)
        .storeBytes(of: .init(truncatingIfNeeded: code), as: SIMD4<UInt8>.self)
      best = pointwiseMax(best, score)
    }
    return best.max()
  }

  private mutating func takeOffers(_ codes: UnsafeMutablePointer<UInt8>) {
    for offer in offers where offer.score > next[offer.state] {
      next[offer.state] = offer.score
      let slot = Int(slots[offer.state / Self.statesPerBlock])
      codes[slot * Self.statesPerBlock + offer.state % Self.statesPerBlock] =
        SearchTrace.code(ofHub: offer.hub)
      bests[slot] = max(bests[slot], offer.score)
    }
  }

  /// The path to each state brings along where it came from.
  private mutating func remember(_ reached: [Int], _ codes: UnsafeMutablePointer<UInt8>) {
    guard !nextMemory.isEmpty else { return }
    for (slot, block) in reached.enumerated() {
      let first = block * Self.statesPerBlock
      for state in first..<max(first, min(first + Self.statesPerBlock, nextMemory.count)) {
        let code = Int(codes[slot * Self.statesPerBlock + state - first])
        if let hub = SearchTrace.hub(ofCode: code) {
          nextMemory[state] = origins[hub]
        } else if state >= code {
          nextMemory[state] = memory[state - code]
        }
      }
    }
  }

  /// The hubs after a frame.
  ///
  /// - Returns: the best of them.
  private mutating func wait(
    _ row: UnsafeBufferPointer<Int16>, _ loudest: Int32, _ trace: inout SearchTrace
  ) -> Int32 {
    var best = Self.impossible
    for hub in hubs.indices {
      let entry = entering[hub]
      if entry.score > hubs[hub] {
        hubs[hub] = entry.score
        origins[hub] =
          layout.chain.remembering.contains(Int(entry.state))
          ? entry.memory : layout.chain.origin(Int(entry.state))
        trace.enter(hub, from: entry.state)
      }
      guard hubs[hub] > Self.impossible else { continue }
      hubs[hub] = hubs[hub] &+ waiting(in: hub, row, loudest) &- lead
      best = max(best, hubs[hub])
    }
    return best
  }

  /// Drops what has fallen too far behind, and looks which paths enter hubs.
  private mutating func drop(_ reached: [Int]) {
    swap(&scores, &next)
    let least = lead &- beam
    for hub in hubs.indices {
      if hubs[hub] <= least { hubs[hub] = Self.impossible }
      entering[hub] = .none
    }
    live.removeAll(keepingCapacity: true)
    for (slot, block) in reached.enumerated() {
      slots[block] = -1
      let first = block * Self.statesPerBlock
      guard bests[slot] > least else {
        // Both, since the block may not be reached again before it is looked at.
        (scores + first).update(repeating: Self.impossible, count: Self.statesPerBlock)
        (next + first).update(repeating: Self.impossible, count: Self.statesPerBlock)
        continue
      }
      live.append(block)
      for state in first..<max(first, min(first + Self.statesPerBlock, memory.count)) {
        memory[state] = nextMemory[state]
      }
      enterHubs(block, least)
    }
  }

  /// Narrows the beam for the next frame where many blocks are alive, and widens it again where few are.
  private mutating func adaptBeam() {
    let step = widestBeam / 64
    beam =
      live.count > Self.mostBlocks
      ? max(beam &- step, widestBeam / 4) : min(beam &+ step, widestBeam)
  }

  private mutating func enterHubs(_ block: Int, _ least: Int32) {
    for arc in layout.entries(of: block) {
      let score = scores[arc.state] &- arc.price
      guard score > entering[arc.hub].score, score > least else { continue }
      entering[arc.hub].score = score
      entering[arc.hub].state = Int32(arc.state)
      if arc.state < memory.count { entering[arc.hub].memory = memory[arc.state] }
    }
  }

  // MARK: - After a frame

  /// How much worse the best path is than the likeliest sounds, with all that it passed over.
  var misfit: Int64 { most - total - Int64(lead) }

  /// The states and hubs in which paths go on; hub h is `-1 - h`.
  var survivors: [Int32] {
    let least = lead &- beam
    var places = hubs.indices.filter { hubs[$0] > least }.map { Int32(-1 - $0) }
    for block in live {
      let first = block * Self.statesPerBlock
      for state in first..<min(first + Self.statesPerBlock, layout.chain.count)
      where scores[state] > least {
        places.append(Int32(state))
      }
    }
    return places
  }

  /// The best state or hub; hub h is `-1 - h`.
  var best: Int32 { end { _ in 0 }?.state ?? 0 }

  /// Where the best path ends, and its score.
  ///
  /// - Parameter prices: what ending in each state costs; nil where no path may end.
  func end(_ prices: (Int) -> Int32?) -> (state: Int32, score: Int64)? {
    var end: (state: Int32, score: Int32)?
    for block in live {
      let first = block * Self.statesPerBlock
      for state in first..<min(first + Self.statesPerBlock, layout.chain.count)
      where scores[state] > Self.impossible {
        guard let price = prices(state) else { continue }
        let score = scores[state] &- price
        if score > end?.score ?? Self.impossible { end = (Int32(state), score) }
      }
    }
    for (hub, score) in hubs.enumerated() where score > end?.score ?? Self.impossible {
      end = (Int32(-1 - hub), score)
    }
    return end.map { ($0.state, total + Int64($0.score)) }
  }
}

/// Numbers that are worked on at once.
private typealias Lanes = SIMD4<Int32>

extension SIMD4<Int32> {
  @inline(__always)
  fileprivate static func load(_ pointer: UnsafePointer<Int32>) -> Self {
    UnsafeRawPointer(pointer).loadUnaligned(as: Self.self)
  }

  @inline(__always)
  fileprivate func store(_ pointer: UnsafeMutablePointer<Int32>) {
    UnsafeMutableRawPointer(pointer).storeBytes(of: self, as: Self.self)
  }

  /// Takes over what is greater, and notes a code there.
  @inline(__always)
  fileprivate mutating func raise(to other: Self, _ code: Int32, _ codes: inout Self) {
    let isGreater = other .> self
    replace(with: other, where: isGreater)
    codes.replace(with: code, where: isGreater)
  }
}
