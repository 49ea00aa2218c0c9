// SPDX-License-Identifier: GPL-3.0-or-later

public import Playback
import Quran

/// By what a queue is put into another order.
public enum ShuffleUnit: String, CaseIterable, Hashable, Sendable {
  case ayah, range, recording

  public var summary: String {
    switch self {
    case .ayah: "ayah by ayah"
    case .range: "range by range, each in order"
    case .recording: "recording by recording, each in order"
    }
  }
}

/// A shuffle by ayah that entries of a queue take part in together.
///
/// Where their ranges repeat, the mix as a whole is heard again, each round in another order: a round has one pass
/// of each of its ranges.
public struct Mix: Hashable, Sendable {
  /// Tells it from other mixes of a queue.
  public var number: Int
  public var seed: UInt64
  /// Counted from 1.
  public var round: Int

  public init(number: Int, seed: UInt64, round: Int = 1) {
    self.number = number
    self.seed = seed
    self.round = round
  }

  /// What decides the order of this round.
  fileprivate var numbers: SeededNumbers {
    var seeds = SeededNumbers(seed: seed)
    var seed = seed
    for _ in 1..<max(round, 1) { seed = seeds.next() }
    return SeededNumbers(seed: seed)
  }
}

/// Numbers that a seed alone decides: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
private struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

extension [QueueEntry] {
  /// The same in another order, which the seed alone decides; by ayah each becomes an entry of its own, the first
  /// round of a mix.
  ///
  /// - Parameter firstNumber: of the entries that are made, and of their mix.
  public func shuffled(by unit: ShuffleUnit, seed: UInt64, firstNumber: Int) -> [QueueEntry] {
    var numbers = SeededNumbers(seed: seed)
    switch unit {
    case .range: return shuffled(using: &numbers)
    case .recording:
      var sources: [String] = []
      for entry in self where !sources.contains(entry.source) { sources.append(entry.source) }
      return sources.shuffled(using: &numbers).flatMap { source in
        filter { $0.source == source }
      }
    case .ayah: return mixed(as: Mix(number: firstNumber, seed: seed), firstNumber: firstNumber)
    }
  }

  /// Each ayah as an entry of its own, in the order of a round of a mix.
  func mixed(as mix: Mix, firstNumber: Int) -> [QueueEntry] {
    var number = firstNumber
    var single: [QueueEntry] = []
    for entry in self {
      for ayah in entry.request.range {
        var part = entry.part(
          AyahRange(ayah), title: "\(ayah) \(ayah.surah.name)", as: PlaybackItem.ID(number))
        part.mix = mix
        single.append(part)
        number += 1
      }
    }
    var numbers = mix.numbers
    return single.shuffled(using: &numbers)
  }

  /// The same under new numbers, mixes included.
  public func numbered(from first: Int) -> [QueueEntry] {
    var mixes: [Int: Int] = [:]
    return enumerated().map { index, entry in
      var copy = entry.numbered(PlaybackItem.ID(first + index))
      if let mix = entry.mix {
        let number = mixes[mix.number] ?? first + index
        mixes[mix.number] = number
        copy.mix?.number = number
      }
      return copy
    }
  }
}

// MARK: Rounds

extension [QueueEntry] {
  /// Keeps of each mix the round that is heard or comes next, the one before it and the one after it.
  ///
  /// - Parameters:
  ///   - item: the one that is heard; nil before the first.
  ///   - lastNumber: of the entries so far.
  /// - Returns: whether anything has changed.
  public mutating func keepRounds(
    around item: PlaybackItem.ID?, lastNumber: inout Int
  ) -> Bool {
    var hasChanged = false
    for (number, round) in currentRounds(at: item).sorted(by: { $0.key < $1.key }) {
      let before = count
      removeAll { $0.mix?.number == number && $0.isInRound { $0 < round - 1 } }
      hasChanged = hasChanged || count != before
      if addRound(after: round, of: number, &lastNumber) { hasChanged = true }
    }
    return hasChanged
  }

  /// Forgets of each mix the rounds after the one that is heard or comes next, as where another number of them
  /// was asked for.
  mutating func dropLaterRounds(from item: PlaybackItem.ID?) {
    let rounds = currentRounds(at: item)
    removeAll { entry in
      entry.mix.map { mix in rounds[mix.number].map { mix.round > $0 } ?? false } ?? false
    }
  }

  /// With every round of every mix. None of them may repeat for ever.
  public func withAllRounds() -> [QueueEntry] {
    var all = self
    var last = map(\.id.number).max() ?? 0
    for (number, first) in currentRounds(at: nil) {
      var round = first
      while all.addRound(after: round, of: number, &last) { round += 1 }
    }
    return all
  }

  /// Without the rounds that are heard after the first that is here.
  var withoutLaterRounds: [QueueEntry] {
    guard contains(where: { $0.mix != nil }) else { return self }
    var first: [Int: Int] = [:]
    return filter { entry in
      guard let mix = entry.mix else { return true }
      let round = first[mix.number] ?? mix.round
      first[mix.number] = round
      return mix.round == round
    }
  }

  /// How many ayat there are of entries, each counted once however many parts and passes of its entry are here.
  func ayahCount(of ayat: (QueueEntry) -> [AyahRange]) -> Int {
    var counted: [Int: Set<AyahReference>] = [:]
    for entry in self {
      for range in ayat(entry) { counted[entry.rank, default: []].formUnion(range) }
    }
    return counted.values.reduce(0) { $0 + $1.count }
  }

  /// The whole ranges whose passes after the current rounds are left, an entry for each.
  ///
  /// - Parameter firstNumber: of the entries that are made.
  func laterPasses(at item: PlaybackItem.ID?, firstNumber: Int) -> [QueueEntry] {
    let rounds = currentRounds(at: item)
    return filter { entry in entry.mix.map { $0.round == rounds[$0.number] } ?? false }
      .laterPasses(firstNumber: firstNumber)
  }

  /// The whole ranges in all passes after those of the parts, an entry for each.
  private func laterPasses(firstNumber: Int) -> [QueueEntry] {
    var found: [QueueEntry] = []
    for entry in self {
      guard let later = entry.laterPasses(as: PlaybackItem.ID(firstNumber + found.count)) else {
        continue
      }
      if let index = found.firstIndex(where: { $0.rank == later.rank && $0.whole == later.whole }) {
        found[index].addMissing(of: later)
      } else {
        found.append(later)
      }
    }
    return found
  }

  /// Has the rounds of a mix play what entries of their own have since the order was restored: all passes after one
  /// that is heard or comes next.
  mutating func takeLaterPasses(into mix: Mix, from item: PlaybackItem.ID?) {
    for later in removeLaterPasses(from: item) {
      for index in indices where self[index].isPass(before: later) {
        self[index].join(withLaterPasses: mix)
      }
    }
  }

  /// Has the ranges whose order was restored followed by as many passes as they repeat now.
  ///
  /// - Parameter lastNumber: of the entries so far.
  mutating func renewLaterPasses(from item: PlaybackItem.ID?, lastNumber: inout Int) {
    _ = removeLaterPasses(from: item)
    let parts = self[currentOrFirst(item)...].filter { $0.mix == nil }
    let later = parts.filter { part in
      !parts.contains {
        $0.rank == part.rank && $0.whole == part.whole && $0.request.lastPass == nil
      }
    }.laterPasses(firstNumber: lastNumber + 1)
    lastNumber += later.count
    for entry in later {
      let last = lastIndex { $0.rank == entry.rank && $0.whole == entry.whole }
      insert(entry, at: (last ?? count - 1) + 1)
    }
  }

  /// Takes out the entries that have all passes after one that is heard or comes next.
  private mutating func removeLaterPasses(from item: PlaybackItem.ID?) -> [QueueEntry] {
    let near = self[currentOrFirst(item)...]
    let later = near.filter { entry in
      entry.id != item && near.contains { $0.isPass(before: entry) }
    }
    removeAll { entry in later.contains { $0.id == entry.id } }
    return later
  }

  /// The place of the one that is heard, or of the first.
  private func currentOrFirst(_ item: PlaybackItem.ID?) -> Int {
    item.flatMap { id in firstIndex { $0.id == id } } ?? 0
  }

  /// Has the entries of some rounds take part in another mix instead; all others take part in none any more.
  mutating func join(_ mix: Mix, from rounds: [Int: Int]) {
    for index in indices {
      guard let old = self[index].mix else { continue }
      if rounds[old.number] == old.round {
        self[index].mix = mix
      } else {
        self[index].mix = nil
      }
    }
  }

  /// Of each mix, the round that is heard, or else the next that will be, or the last.
  func currentRounds(at item: PlaybackItem.ID?) -> [Int: Int] {
    guard contains(where: { $0.mix != nil }) else { return [:] }
    let index = currentOrFirst(item)
    var rounds: [Int: Int] = [:]
    for entry in self[..<index] { if let mix = entry.mix { rounds[mix.number] = mix.round } }
    for entry in self[index...].reversed() {
      if let mix = entry.mix { rounds[mix.number] = mix.round }
    }
    return rounds
  }

  /// - Returns: false where it is there already, or the mix ends before it.
  private mutating func addRound(
    after round: Int, of number: Int, _ lastNumber: inout Int
  ) -> Bool {
    let own = filter { $0.mix?.number == number }
    guard var mix = own.first?.mix, !own.contains(where: { $0.isInRound { $0 > round } }) else {
      return false
    }
    mix.round = round + 1
    let next = own.filter { $0.isInRound { $0 == round } }.compactMap(\.nextPass).sorted {
      ($0.rank, $0.request.range.first) < ($1.rank, $1.request.range.first)
    }.mixed(as: mix, firstNumber: lastNumber + 1)
    guard !next.isEmpty, let last = lastIndex(where: { $0.mix?.number == number }) else {
      return false
    }
    lastNumber += next.count
    insert(contentsOf: next, at: last + 1)
    return true
  }
}

extension QueueEntry {
  fileprivate func isInRound(_ fits: (Int) -> Bool) -> Bool { mix.map { fits($0.round) } ?? false }
}
