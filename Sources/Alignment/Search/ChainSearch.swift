// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore

/// The likeliest way through a chain of sounds: Viterbi's algorithm with a beam, on blocks of states.
///
/// Scores are whole numbers, so the way is the same on every machine. Memory does not grow with the
/// recording: what is older than two minutes is settled.
struct ChainSearch {
  let chain: SoundChain
  /// Paths worse than the best by more than this are dropped; judged, like the other numbers, by
  /// `Scripts/measure-accuracy.py`.
  var beam: Int32 = 90 * Int32(AcousticScores.unitsPerNat)
  /// The state or hub of each frame: states count from 0 on, hub h is `-1 - h`.
  typealias Path = [Int32]

  struct Result {
    var path: Path
    var score: Int64
  }

  private static let impossible = Int32.min / 4
  private static let statesPerBlock = 32
  /// Frames after which a choice is settled; two minutes.
  private static let lag = 3000
  private static let settleEvery = 1000

  /// - Parameters:
  ///   - startHubs: the hubs in which a path may begin, with prices.
  ///   - starts: the states in which a path may begin, with prices.
  ///   - ends: what ending in each state costs; nil for states in which no path may end.
  func run(
    _ scores: AcousticScores, startHubs: [SoundChain.HubIndex: Int32] = [:],
    starts: [SoundChain.Arc] = [],
    ends: (Int) -> Int32?, isStopped: () -> Bool = { false }
  ) -> Result? {
    let count = chain.count
    let frames = scores.count
    guard count > 0, frames > 0 else { return nil }
    let blockSize = Self.statesPerBlock
    let blocks = (count + blockSize - 1) / blockSize
    let padded = blocks * blockSize
    let margin = 4
    // Three states before the first, so that transitions need no bounds.
    var old = [Int32](repeating: Self.impossible, count: padded + margin)
    var new = old
    let skip2 = (0..<padded).map { $0 >= 1 && $0 <= count ? chain.skips[$0 - 1] : 0 }
    let skip3 = (0..<padded).map { state in
      state >= 2 && state <= count ? chain.skips[state - 1] &+ chain.skips[state - 2] : 0
    }
    let sounds =
      chain.sounds + [UInt8](repeating: chain.sounds[count - 1], count: padded - count)
    let hubCount = chain.hubs.count
    var oldHubs = [Int32](repeating: Self.impossible, count: hubCount)
    var entering = oldHubs
    var enteringFrom = [Int32](repeating: -1, count: hubCount)
    var enteringMemory = enteringFrom
    // The state from which the path in each hub came there; what is out of its reach cannot follow.
    var origins = [Int32](repeating: Int32(chain.firstOrigin), count: hubCount)
    var oldMemory = [Int32](
      repeating: Int32(chain.firstOrigin), count: chain.remembering.upperBound + margin)
    var newMemory = oldMemory
    var active = [Bool](repeating: false, count: blocks)
    var activeList: [Int] = []
    var trace = Trace(frames: frames, hubs: hubCount, blockSize: blockSize)
    var path = Path(repeating: 0, count: frames)
    var settled = 0
    // Scores grow without bound; what the best has is taken off every frame and added up here.
    var total: Int64 = 0
    let exits = chain.hubs.map { hub in
      Dictionary(grouping: hub.exits) { $0.state / blockSize }.sorted { $0.key < $1.key }
    }
    // For each block, since every live one is looked up in every frame.
    let entries = chain.hubs.map { hub in
      var entries = [[SoundChain.Arc]](repeating: [], count: blocks)
      for arc in hub.entries { entries[arc.state / blockSize].append(arc) }
      return entries
    }
    let silence = scores.soundCount - 1

    for arc in starts {
      old[arc.state + margin] = max(old[arc.state + margin], -arc.price)
      active[arc.state / blockSize] = true
    }
    activeList = active.indices.filter { active[$0] }
    for (hub, price) in startHubs { oldHubs[hub] = -price }
    var isFirst = true

    return scores.values.withUnsafeBufferPointer { values -> Result? in
      for frame in 0..<frames {
        if frame % 256 == 0, isStopped() { return nil }
        let row = UnsafeBufferPointer(
          rebasing: values[frame * scores.soundCount..<(frame + 1) * scores.soundCount])
        let loudest = Self.likeliestSound(row)
        let other = loudest &- ChainPrices.pauseWithSound
        var best = Self.impossible
        trace.begin(frame)
        // Where the next frame may go on: blocks that are alive, and those after them.
        var candidates = activeList
        if !isFirst {
          for block in activeList where block + 1 < blocks && !active[block + 1] {
            candidates.append(block + 1)
          }
          for hub in 0..<hubCount where oldHubs[hub] > Self.impossible {
            let origin = origins[hub]
            for (block, arcs) in Self.reached(exits[hub], chain.hubs[hub], from: origin)
            where !active[block] {
              if arcs.contains(where: {
                chain.hubs[hub].price($0, from: origin).map { oldHubs[hub] &- $0 > -beam } ?? false
              }) {
                candidates.append(block)
              }
            }
          }
          candidates.sort()
          var unique: [Int] = []
          for block in candidates where unique.last != block { unique.append(block) }
          candidates = unique
        }
        var bestOfBlocks: [Int32] = []
        bestOfBlocks.reserveCapacity(candidates.count)
        old.withUnsafeBufferPointer { old in
          new.withUnsafeMutableBufferPointer { new in
            for block in candidates {
              let first = block * blockSize
              var blockBest = Self.impossible
              let codes = trace.append(block)
              for offset in 0..<blockSize {
                let state = first + offset
                let at = state + margin
                var value = old[at]
                var code: UInt8 = 0
                if !isFirst {
                  let previous = old[at - 1]
                  if previous > value {
                    value = previous
                    code = 1
                  }
                  let second = old[at - 2] &- skip2[state]
                  if second > value {
                    value = second
                    code = 2
                  }
                  let third = old[at - 3] &- skip3[state]
                  if third > value {
                    value = third
                    code = 3
                  }
                }
                let sound = Int(sounds[state])
                // A pause may hold other sounds, at a price.
                let heard = sound == silence ? max(Int32(row[sound]), other) : Int32(row[sound])
                value = max(value, Self.impossible) &+ heard
                new[at] = value
                codes[offset] = code
                if value > blockBest { blockBest = value }
              }
              for hub in 0..<hubCount where !isFirst && oldHubs[hub] > Self.impossible {
                guard let arcs = Self.arcs(exits[hub], block) else { continue }
                let origin = origins[hub]
                for arc in arcs {
                  guard let price = chain.hubs[hub].price(arc, from: origin) else { continue }
                  let sound = Int(sounds[arc.state])
                  let value = oldHubs[hub] &- price &+ Int32(row[sound])
                  if value > new[arc.state + margin] {
                    new[arc.state + margin] = value
                    codes[arc.state - first] = UInt8(4 + hub)
                    if value > blockBest { blockBest = value }
                  }
                }
              }
              // The path to each state brings along where it came from.
              for state in first..<max(first, min(first + blockSize, chain.remembering.upperBound))
              {
                let code = Int(codes[state - first])
                newMemory[state + margin] =
                  code < 4 ? oldMemory[state + margin - code] : origins[code - 4]
              }
              bestOfBlocks.append(blockBest)
              if blockBest > best { best = blockBest }
            }
          }
        }
        var newHubs = oldHubs
        for hub in 0..<hubCount {
          var value = oldHubs[hub]
          var from: Int32 = -1
          if !isFirst, entering[hub] > value {
            value = entering[hub]
            from = enteringFrom[hub]
            origins[hub] =
              chain.remembering.contains(Int(from)) ? enteringMemory[hub] : chain.origin(Int(from))
          }
          if value > Self.impossible {
            value = value &+ max(Int32(row[silence]), loudest &- chain.hubs[hub].other)
          }
          newHubs[hub] = value
          trace.setHub(hub, from)
          if value > best { best = value }
        }
        // The best is made zero, and what has fallen too far is dropped.
        for block in activeList {
          active[block] = false
          for at in block * blockSize + margin..<(block + 1) * blockSize + margin {
            old[at] = Self.impossible
          }
        }
        activeList.removeAll(keepingCapacity: true)
        for hub in 0..<hubCount {
          entering[hub] = Self.impossible
          oldHubs[hub] =
            newHubs[hub] > best &- beam ? newHubs[hub] &- best : Self.impossible
        }
        for (index, block) in candidates.enumerated() where bestOfBlocks[index] > best &- beam {
          active[block] = true
          activeList.append(block)
          let first = block * blockSize + margin
          for at in first..<first + blockSize {
            let value = new[at]
            old[at] = value > best &- beam ? value &- best : Self.impossible
          }
          for hub in 0..<hubCount {
            for arc in entries[hub][block] {
              let value = old[arc.state + margin] &- arc.price
              if value > entering[hub], value > -beam {
                entering[hub] = value
                enteringFrom[hub] = Int32(arc.state)
                if chain.remembering.contains(arc.state) {
                  enteringMemory[hub] = newMemory[arc.state + margin]
                }
              }
            }
          }
        }
        total += Int64(best)
        oldMemory = newMemory
        isFirst = false
        if frame + 1 - settled >= Self.lag + Self.settleEvery {
          let (state, _) = Self.best(old, oldHubs, activeList, margin: margin, blockSize: blockSize)
          trace.follow(from: state, frame: frame, into: &path, down: settled)
          settled = frame + 1 - Self.lag
          trace.forget(before: settled)
        }
      }
      var end: (state: Int32, value: Int32)?
      for block in activeList {
        for offset in 0..<blockSize where block * blockSize + offset < count {
          let state = block * blockSize + offset
          guard old[state + margin] > Self.impossible, let price = ends(state) else { continue }
          let value = old[state + margin] &- price
          if value > end?.value ?? Self.impossible { end = (Int32(state), value) }
        }
      }
      for hub in 0..<hubCount where oldHubs[hub] > Self.impossible {
        if oldHubs[hub] > end?.value ?? Self.impossible { end = (Int32(-1 - hub), oldHubs[hub]) }
      }
      guard let end else { return nil }
      trace.follow(from: end.state, frame: frames - 1, into: &path, down: settled)
      return Result(path: path, score: total + Int64(end.value))
    }
  }

  private static func likeliestSound(_ row: UnsafeBufferPointer<Int16>) -> Int32 {
    var best = Int32(row[0])
    for value in row.dropFirst() where Int32(value) > best { best = Int32(value) }
    return best
  }

  /// The exits of a hub by their blocks, in order.
  private typealias Exits = [(key: Int, value: [SoundChain.Arc])]

  private static func arcs(_ exits: Exits, _ block: Int) -> [SoundChain.Arc]? {
    let index = first(exits, from: block)
    return index < exits.count && exits[index].key == block ? exits[index].value : nil
  }

  /// The exits in blocks within a hub's reach; all where not all of them are bound to it.
  private static func reached(
    _ exits: Exits, _ hub: SoundChain.Hub, from origin: Int32
  ) -> ArraySlice<Exits.Element> {
    guard hub.bounded == 0...Int.max else { return exits[...] }
    let low = first(exits, from: (Int(origin) + hub.reach.lowerBound) / statesPerBlock)
    let high = first(exits, from: (Int(origin) + hub.reach.upperBound) / statesPerBlock + 1)
    return exits[low..<max(low, high)]
  }

  /// The first exit in a block or after it.
  private static func first(_ exits: Exits, from block: Int) -> Int {
    var low = 0
    var high = exits.count
    while low < high {
      let middle = (low + high) / 2
      if exits[middle].key < block { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func best(
    _ values: [Int32], _ hubs: [Int32], _ active: [Int], margin: Int, blockSize: Int
  ) -> (state: Int32, value: Int32) {
    var best = (state: Int32(0), value: impossible)
    for block in active {
      for state in block * blockSize..<(block + 1) * blockSize
      where values[state + margin] > best.value {
        best = (Int32(state), values[state + margin])
      }
    }
    for (hub, value) in hubs.enumerated() where value > best.value {
      best = (Int32(-1 - hub), value)
    }
    return best
  }
}

/// Where each state of each frame came from, for as many frames as are not settled.
private struct Trace {
  private let blockSize: Int
  private let hubs: Int
  /// For each frame its first entry in `blocks`.
  private var firsts: [Int] = []
  private var blocks: [Int32] = []
  private var codes: [UInt8] = []
  private var hubOrigins: [Int32] = []
  /// Frames that are forgotten.
  private var base = 0

  init(frames: Int, hubs: Int, blockSize: Int) {
    self.blockSize = blockSize
    self.hubs = hubs
  }

  mutating func begin(_ frame: Int) {
    firsts.append(blocks.count)
    hubOrigins += repeatElement(-1, count: hubs)
  }

  mutating func append(_ block: Int) -> UnsafeMutablePointer<UInt8> {
    blocks.append(Int32(block))
    let first = codes.count
    codes += repeatElement(0, count: blockSize)
    // The caller is done with it before anything else is appended.
    return codes.withUnsafeMutableBufferPointer { $0.baseAddress! + first }
  }

  mutating func setHub(_ hub: Int, _ state: Int32) {
    hubOrigins[hubOrigins.count - hubs + hub] = state
  }

  mutating func forget(before frame: Int) {
    let gone = frame - base
    let first = firsts[gone]
    blocks.removeFirst(first)
    codes.removeFirst(first * blockSize)
    firsts.removeFirst(gone)
    for index in firsts.indices { firsts[index] -= first }
    hubOrigins.removeFirst(gone * hubs)
    base = frame
  }

  /// Writes the way that leads to a state, back to the frame `down`.
  func follow(from state: Int32, frame: Int, into path: inout ChainSearch.Path, down: Int) {
    var state = state
    for frame in stride(from: frame, through: down, by: -1) {
      path[frame] = state
      if state < 0 {
        let origin = hubOrigins[(frame - base) * hubs + Int(-1 - state)]
        if origin >= 0 { state = origin }
        continue
      }
      let block = state / Int32(blockSize)
      let first = firsts[frame - base]
      let end = frame - base + 1 < firsts.count ? firsts[frame - base + 1] : blocks.count
      guard let entry = (first..<end).first(where: { blocks[$0] == block }) else { continue }
      let code = codes[entry * blockSize + Int(state) % blockSize]
      if code < 4 { state -= Int32(code) } else { state = -1 - (Int32(code) - 4) }
    }
  }
}
