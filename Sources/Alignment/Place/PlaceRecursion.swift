// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics

/// How well a recording fits a text from each of its places on: Viterbi's algorithm from the last frame
/// back to the first, with every state as an end and as a beginning.
///
/// Scores are 16-bit numbers relative to the best state of a frame. A path may go on at words some way
/// before or after for the price of a jump: reciters say words again and leave out others.
struct PlaceRecursion: ~Copyable {
  private let text: PlaceText
  private let emissions: PlaceEmissions
  private let unheard: Int32
  private let jump: Int32
  private let padded: Int
  private var old: UnsafeMutablePointer<Int16>
  private var new: UnsafeMutablePointer<Int16>
  private let skips2: UnsafeMutablePointer<Int16>
  private let skips3: UnsafeMutablePointer<Int16>
  /// For each two states their sounds as one number.
  private let pairs: UnsafeMutablePointer<UInt16>
  /// For each pair of sounds what they cost in a frame.
  private let prices: UnsafeMutablePointer<UInt32>
  private let heard: UnsafeMutablePointer<Int16>
  /// For each block of states the score of the best of them.
  private var bests: [Int16]
  /// What was taken off all scores so far, and the greatest that is left.
  private var total: Int32 = 0
  private var greatest: Int16 = 0

  // These follow from the processor and from 16 bits; what comes of them is judged by `Scripts/measure-places.py`.
  private typealias Lane = SIMD16<Int16>
  private static let lane = 16
  /// States whose sounds are looked up at a time: about 65 words. A jump leads into the same block or into
  /// one beside it.
  private static let block = 512
  /// Room before the first state, so that transitions need no bounds.
  private static let margin = 16
  /// No state is worse than the best by more than this, 187 nats: with what one frame and two skips cost
  /// besides, it is still a 16-bit number.
  private static let depth: Int16 = 24_000

  init(_ text: PlaceText, _ emissions: PlaceEmissions, _ costs: PlacePrices) {
    self.text = text
    self.emissions = emissions
    unheard = costs.unheard
    jump = costs.chain.jump
    let blocks = (text.count + Self.block - 1) / Self.block
    padded = blocks * Self.block
    bests = [Int16](repeating: 0, count: blocks)
    old = .allocate(capacity: padded + Self.margin)
    old.initialize(repeating: -Self.depth, count: padded + Self.margin)
    new = .allocate(capacity: padded + Self.margin)
    new.initialize(repeating: -Self.depth, count: padded + Self.margin)
    skips2 = .allocate(capacity: padded)
    skips2.initialize(repeating: 0, count: padded)
    skips3 = .allocate(capacity: padded)
    skips3.initialize(repeating: 0, count: padded)
    pairs = .allocate(capacity: padded / 2)
    pairs.initialize(repeating: 0, count: padded / 2)
    prices = .allocate(capacity: emissions.soundCount * emissions.soundCount)
    prices.initialize(repeating: 0, count: emissions.soundCount * emissions.soundCount)
    heard = .allocate(capacity: Self.block)
    heard.initialize(repeating: 0, count: Self.block)
    for state in 0..<text.count {
      skips2[state] = text.skips2[state]
      skips3[state] = text.skips3[state]
      // Every state may be the last one.
      old[Self.margin + state] = 0
    }
    for pair in 0..<(text.count + 1) / 2 {
      let first = Int(text.sounds[2 * pair])
      let second = 2 * pair + 1 < text.count ? Int(text.sounds[2 * pair + 1]) : 0
      pairs[pair] = UInt16(first * emissions.soundCount + second)
    }
  }

  deinit {
    for room in [old, new, skips2, skips3, heard] { room.deallocate() }
    pairs.deallocate()
    prices.deallocate()
  }

  /// What beginning in a state scores, with all frames from the latest on.
  func score(_ state: Int) -> Int32 { total + Int32(old[Self.margin + state]) }

  /// Goes back by one frame; frames come from the last to the first.
  mutating func goBack(to frame: Int) {
    total += Int32(greatest)
    price(frame)
    let latest = Int32(greatest)
    let lowestAnywhere = lowest(frame)
    greatest = lowestAnywhere
    // What the block before had, which has got its new value since.
    var before = -Self.depth
    for block in bests.indices {
      let first = block * Self.block
      lookUp(first)
      let near = max(before, bests[block], block + 1 < bests.count ? bests[block + 1] : before)
      before = bests[block]
      let lowest = Lane(
        repeating: Int16(max(Int32(lowestAnywhere), Int32(near) - latest - jump)))
      var best = lowest
      var offset = 0
      while offset < Self.block {
        let state = first + offset
        let here = UnsafeRawPointer(old + Self.margin + state)
        var value = Self.load(here)
        value = Self.greater(value, Self.load(here - 2))
        value = Self.greater(value, Self.load(here - 4) &- Self.load(skips2 + state))
        value = Self.greater(value, Self.load(here - 6) &- Self.load(skips3 + state))
        value = Self.greater(value &+ Self.load(heard + offset), lowest)
        best = Self.greater(best, value)
        UnsafeMutableRawPointer(new + Self.margin + state).storeBytes(of: value, as: Lane.self)
        offset += Self.lane
      }
      bests[block] = best.max()
      greatest = max(greatest, bests[block])
    }
    for arc in text.arcs {
      let cost = arc.price &- Int16(truncatingIfNeeded: price(of: text.sounds[arc.target]))
      let value = old[Self.margin + arc.source] &- cost
      if value > new[Self.margin + arc.target] {
        new[Self.margin + arc.target] = value
        greatest = max(greatest, value)
      }
    }
    swap(&old, &new)
  }

  /// What a state scores at least: whatever follows may be none of the text.
  private func lowest(_ frame: Int) -> Int16 {
    let unheard = -self.unheard * Int32(emissions.count - frame) - total
    return Int16(min(max(unheard, -Int32(Self.depth)), Int32(Self.depth)))
  }

  private func price(of sound: UInt8) -> UInt32 {
    prices[Int(sound)] >> 16
  }

  /// Puts what each two sounds cost in a frame side by side.
  private func price(_ frame: Int) {
    let count = emissions.soundCount
    let row = emissions.values[frame * count..<(frame + 1) * count].map {
      UInt32(UInt16(truncatingIfNeeded: Int32($0) - Int32(greatest)))
    }
    for first in 0..<count {
      for second in 0..<count { prices[first * count + second] = row[second] << 16 | row[first] }
    }
  }

  /// What the sounds of a block of states cost.
  @inline(__always)
  private func lookUp(_ first: Int) {
    let target = UnsafeMutableRawPointer(heard).assumingMemoryBound(to: UInt32.self)
    let source = pairs + first / 2
    for pair in 0..<Self.block / 2 { target[pair] = prices[Int(source[pair])] }
  }

  @inline(__always)
  private static func load(_ pointer: UnsafeRawPointer) -> Lane {
    pointer.loadUnaligned(as: Lane.self)
  }

  @inline(__always)
  private static func greater(_ a: Lane, _ b: Lane) -> Lane { a.replacing(with: b, where: b .> a) }
}
