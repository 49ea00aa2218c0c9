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
  /// - Parameters:
  ///   - firstNumber: of the entries that are made, and of their mix.
  ///   - heard: what is before them in the queue and stays there. The order is the one that they have among all.
  public func shuffled(
    by unit: ShuffleUnit, seed: UInt64, firstNumber: Int, after heard: [QueueEntry] = []
  ) -> [QueueEntry] {
    let numbers = SeededNumbers(seed: seed)
    switch unit {
    case .range: return grouped(by: \.rank, after: heard, numbers)
    case .recording: return grouped(by: \.source, after: heard, numbers)
    case .ayah:
      return mixed(
        as: Mix(number: firstNumber, seed: seed), firstNumber: firstNumber, after: heard)
    }
  }

  /// The same with all of a group together, each group in its order.
  private func grouped<Group: Hashable>(
    by group: (QueueEntry) -> Group, after heard: [QueueEntry], _ numbers: SeededNumbers
  ) -> [QueueEntry] {
    var known: Set<Group> = []
    let groups = (heard + self).sorted { $0.rank < $1.rank }.map(group)
      .filter { known.insert($0).inserted }
    let own = Dictionary(grouping: self, by: group)
    var numbers = numbers
    return groups.shuffled(using: &numbers).flatMap { own[$0] ?? [] }
  }

  /// Each ayah as an entry of its own, in the order of a round of a mix.
  ///
  /// - Parameters:
  ///   - heard: what is before them in the round. The order is the one that they have among all.
  ///   - others: where they take an ayah from other reciters, it is taken from them here too.
  func mixed(
    as mix: Mix, firstNumber: Int, after heard: [QueueEntry] = [],
    filledLike others: [QueueEntry] = []
  ) -> [QueueEntry] {
    let filled = others.filter(\.request.fillsFromOthers)
    var number = firstNumber
    var single: [QueueEntry] = []
    for entry in sorted(by: {
      ($0.rank, $0.request.range.first) < ($1.rank, $1.request.range.first)
    }) {
      for ayah in entry.request.range {
        var part = entry.part(
          AyahRange(ayah), title: "\(ayah) \(ayah.surah.name)", as: PlaybackItem.ID(number))
        part.mix = mix
        if filled.contains(where: { $0.isPart(ofSameAs: part) && $0.request.range.contains(ayah) })
        {
          part.request.fillsFromOthers = true
        }
        single.append(part)
        number += 1
      }
    }
    let all = Set((heard + single).flatMap(\.ranked)).sorted()
    var numbers = mix.numbers
    let places = Dictionary(
      uniqueKeysWithValues: zip(all.shuffled(using: &numbers), all.indices))
    func place(_ entry: QueueEntry) -> Int { entry.ranked.first.flatMap { places[$0] } ?? 0 }
    return single.sorted { place($0) < place($1) }
  }

  /// The same under new numbers, mixes included.
  public func numbered(from first: Int) -> [QueueEntry] {
    var mixes: [Int: Int] = [:]
    let ranks = Set(map(\.rank)).sorted()
    let newRanks = Dictionary(uniqueKeysWithValues: zip(ranks, first...))
    return enumerated().map { index, entry in
      let id = PlaybackItem.ID(first + index)
      var copy = entry.numbered(id, rank: newRanks[entry.rank] ?? id.number)
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

  /// Has the passes after those of a round take their place, if a person has removed the last entry of it.
  mutating func skipEmptied(_ round: Mix?) {
    guard let round,
      !contains(where: { $0.mix?.number == round.number && $0.isInRound { $0 >= round.round } })
    else { return }
    for index in indices where self[index].mix?.number == round.number { self[index].skipPass() }
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

  /// Of each mix only the round that is heard or comes next.
  func withCurrentRounds(at item: PlaybackItem.ID?) -> [QueueEntry] {
    let rounds = currentRounds(at: item)
    return filter { entry in entry.mix.map { $0.round == rounds[$0.number] } ?? true }
  }

  /// How many ayat there are of entries, each counted once however many parts and passes of its entry are here.
  func ayahCount(of ayat: (QueueEntry) -> [AyahRange]) -> Int {
    var counted: [Int: Set<AyahReference>] = [:]
    for entry in self {
      for range in ayat(entry) { counted[entry.rank, default: []].formUnion(range) }
    }
    return counted.values.reduce(0) { $0 + $1.count }
  }

  /// The whole ranges in all passes after those that are here of each mix, an entry for each.
  ///
  /// - Parameter lastNumber: of the entries so far.
  func laterPasses(lastNumber: inout Int) -> [QueueEntry] {
    var last: [Int: Int] = [:]
    for mix in compactMap(\.mix) { last[mix.number] = Swift.max(last[mix.number] ?? 0, mix.round) }
    return last.sorted { $0.key < $1.key }.flatMap { number, round in
      laterPasses(after: round, of: number, lastNumber: &lastNumber)
    }
  }

  /// Whatever of a range is left in its rounds, it is heard whole in later ones.
  private func laterPasses(
    after round: Int, of number: Int, lastNumber: inout Int
  ) -> [QueueEntry] {
    filter { $0.mix?.number == number }.laterPasses(lastNumber: &lastNumber) { entry in
      entry.nextPass + round - (entry.mix?.round ?? round)
    }
  }

  /// - Parameter pass: the first to be heard after a round, reckoned from an entry.
  private func laterPasses(
    lastNumber: inout Int, from pass: (QueueEntry) -> Int
  ) -> [QueueEntry] {
    var found: [QueueEntry] = []
    for entry in self {
      let id = PlaybackItem.ID(lastNumber + 1 + found.count)
      guard let later = entry.whole(fromPass: pass(entry), as: id) else { continue }
      if let index = found.firstIndex(where: { $0.isPart(ofSameAs: later) }) {
        found[index].request.firstPass = Swift.max(
          found[index].request.firstPass, later.request.firstPass)
        found[index].addMissing(of: later)
      } else {
        found.append(later)
      }
    }
    lastNumber += found.count
    return found.filter { $0.request.rangeRepeat.allows($0.request.firstPass) }
  }

  /// What is heard in rounds after the one that is heard or comes next: of each mix, and of the ranges whose order
  /// was restored since.
  private func laterRounds(from item: PlaybackItem.ID?) -> [QueueEntry] {
    let rounds = currentRounds(at: item)
    let near = self[currentOrFirst(item)...]
    let restored = near.filter { $0.mix == nil }
    return near.filter { entry in
      if let mix = entry.mix { return mix.round > rounds[mix.number] ?? mix.round }
      return entry.id != item && restored.contains { $0.isPass(before: entry) }
    }
  }

  /// Takes out what is heard in rounds after the one that is heard or comes next: of each mix, and of the ranges
  /// whose order was restored since.
  mutating func takeLaterRounds(from item: PlaybackItem.ID?) -> [QueueEntry] {
    var later = laterRounds(from: item)
    removeAll { entry in later.contains { $0.id == entry.id } }
    let restored = later.filter { $0.mix == nil }
    for index in indices[currentOrFirst(item)...] where self[index].mix == nil {
      self[index].leaveLaterPasses(from: self[index].nextPass(in: restored))
    }
    // Of the passes of a range the first is the next round; the rounds after that have the others.
    later.removeAll { entry in
      entry.mix == nil && restored.contains { $0.isPass(before: entry) }
    }
    for index in later.indices where later[index].mix == nil {
      later[index].leaveLaterPasses(from: later[index].nextPass(in: restored))
    }
    return later
  }

  /// Of each mix, what of the round that is heard or comes next has no pass in the round after it.
  func endingWithRound(at item: PlaybackItem.ID?) -> Set<PlaybackItem.ID> {
    let rounds = withCurrentRounds(at: item)
    return Set(
      rounds.filter { $0.mix != nil && $0.isOfOnePass && !$0.hasNextPass }.map(\.id))
  }

  /// Has the ranges be heard as often as they are to be now, those whose order was restored as well.
  ///
  /// - Parameters:
  ///   - ended: what had no more passes before, from `endingWithRound`.
  ///   - lastNumber: of the entries so far.
  mutating func renewLaterPasses(
    of ended: Set<PlaybackItem.ID>, from item: PlaybackItem.ID?, lastNumber: inout Int
  ) {
    let over = laterRounds(from: item).filter {
      !$0.request.rangeRepeat.allows($0.request.firstPass)
    }
    removeAll { entry in over.contains { $0.id == entry.id } }
    for (number, round) in currentRounds(at: item) {
      let own = filter { ended.contains($0.id) }
      let new = own.laterPasses(after: round, of: number, lastNumber: &lastNumber)
      guard let last = lastIndex(where: { $0.mix?.number == number }), !new.isEmpty,
        var mix = self[last].mix, mix.round == round + 1
      else { continue }
      let next = filter { $0.mix == mix } + new
      removeAll { $0.mix == mix }
      mix.round = round
      let place = (lastIndex { $0.mix == mix } ?? count - 1) + 1
      mix.round += 1
      let mixed = next.mixed(as: mix, firstNumber: lastNumber + 1, filledLike: self)
      lastNumber += mixed.count
      insert(contentsOf: mixed, at: place)
    }
    let parts = self[currentOrFirst(item)...].filter { $0.mix == nil }
    let ending = parts.filter { part in
      !parts.contains { $0.isPart(ofSameAs: part) && $0.request.lastPass == nil }
    }
    for entry in ending.laterPasses(lastNumber: &lastNumber, from: \.nextPass) {
      let last = lastIndex { $0.isPart(ofSameAs: entry) }
      insert(entry, at: (last ?? count - 1) + 1)
    }
  }

  /// The place of the one that is heard, or of the first.
  private func currentOrFirst(_ item: PlaybackItem.ID?) -> Int {
    item.flatMap { id in firstIndex { $0.id == id } } ?? 0
  }

  /// Has the entries of some rounds take part in another mix instead, and those of the rounds before them in the
  /// round before that; all others take part in none any more.
  mutating func join(_ mix: Mix, from rounds: [Int: Int]) {
    for index in indices {
      guard let old = self[index].mix else { continue }
      self[index].mix = rounds[old.number].map { round in
        var new = mix
        new.round = old.round < round ? mix.round - 1 : mix.round
        return new
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
    let next = own.laterPasses(after: round, of: number, lastNumber: &lastNumber)
      .mixed(as: mix, firstNumber: lastNumber + 1, filledLike: own)
    guard !next.isEmpty, let last = lastIndex(where: { $0.mix?.number == number }) else {
      return false
    }
    lastNumber += next.count
    insert(contentsOf: next, at: last + 1)
    return true
  }
}

/// An ayah of an entry, as it is known before anything is shuffled.
private struct RankedAyah: Hashable, Comparable {
  let rank: Int
  let ayah: AyahReference

  static func < (left: RankedAyah, right: RankedAyah) -> Bool {
    (left.rank, left.ayah) < (right.rank, right.ayah)
  }
}

extension QueueEntry {
  fileprivate var ranked: [RankedAyah] { request.range.map { RankedAyah(rank: rank, ayah: $0) } }

  /// The first pass of the same entry after its own that others have.
  fileprivate func nextPass(in others: [QueueEntry]) -> Int? {
    others.filter { isPass(before: $0) }.map(\.request.firstPass).min()
  }

  fileprivate func isInRound(_ fits: (Int) -> Bool) -> Bool { mix.map { fits($0.round) } ?? false }
}
