// SPDX-License-Identifier: GPL-3.0-or-later

public import Playback
public import Quran

/// An item of the queue as people know it.
public struct QueueEntry: Hashable, Sendable, Identifiable {
  public private(set) var id: PlaybackItem.ID
  /// `67 Al-Mulk`, `juz 30`, `Night 3`.
  public var title: String
  /// The recording, list or argument that it came from; shuffling by recording keeps those together.
  public var source: String
  public var request: PlaybackRequest
  /// Its place before anything was shuffled; parts of one entry have the same.
  var rank: Int
  /// What it is a part of since a shuffle by ayah.
  private(set) var whole: Whole?
  /// What of it cannot be heard; nil while nobody has looked.
  public var missing: [AyahRange]?
  /// The recording that it names, which is heard unless a reciter was chosen since.
  private var recording: MediaKey?

  public init(
    _ id: PlaybackItem.ID, title: String, source: String, _ request: PlaybackRequest
  ) {
    self.id = id
    self.title = title
    self.source = source
    self.request = request
    rank = id.number
    recording = request.only
  }

  /// The same as another item.
  public func numbered(_ id: PlaybackItem.ID) -> QueueEntry {
    var copy = self
    copy.id = id
    copy.rank = id.number
    return copy
  }

  /// Has it recited by somebody else, or by anybody again.
  mutating func choose(_ row: ReciterRow) {
    if row.riwayah != request.riwayah { recording = nil }
    request.riwayah = row.riwayah
    request.reciters = row.id.map { .inOrder([$0]) } ?? .anybody
    request.only = row.id == nil ? recording : nil
    missing = nil
  }

  public var item: PlaybackItem { PlaybackItem(id, request) }

  /// An entry as it was before it was divided.
  struct Whole: Hashable, Sendable {
    let title: String
    let request: PlaybackRequest
  }

  /// A part of it, as an entry of its own or in its place.
  func part(_ range: AyahRange, title: String, as id: PlaybackItem.ID? = nil) -> QueueEntry {
    var part = self
    part.id = id ?? self.id
    part.whole = whole ?? Whole(title: self.title, request: request)
    part.title = title
    part.missing = missing.map { _ in AyahRange.runs(of: range.filter(isMissing)) }
    part.restrict(to: range)
    return part
  }

  /// Both in one, if the other is the part of the same entry that follows it; repeats and reciter are those that it has now.
  func joined(with next: QueueEntry) -> QueueEntry? {
    guard let whole, whole == next.whole, rank == next.rank,
      request.range.last.next == next.request.range.first,
      let range = AyahRange(first: request.range.first, last: next.request.range.last)
    else { return nil }
    var joined = self
    joined.restrict(to: range)
    joined.title = range == whole.request.range ? whole.title : "\(range)"
    joined.missing = missing.flatMap { own in
      next.missing.map { AyahRange.runs(of: (own + $0).flatMap { Array($0) }) }
    }
    return joined
  }

  /// What leads into the whole or follows it goes with its first or its last ayah.
  private mutating func restrict(to range: AyahRange) {
    guard let whole = whole?.request else { return }
    request.range = range
    request.connectionBefore = range.first == whole.range.first ? whole.connectionBefore : 0
    let hasEnd = range.last == whole.range.last
    request.connectionAfter = hasEnd ? whole.connectionAfter : 0
    request.afterRepeat = hasEnd ? whole.afterRepeat : .stop
  }

  func isMissing(_ ayah: AyahReference) -> Bool {
    missing?.contains { $0.contains(ayah) } ?? false
  }

  /// Takes note of what has come since it was looked for.
  mutating func found(_ ayat: AyahRange) {
    missing = missing.map { missing in
      AyahRange.runs(of: missing.joined().filter { !ayat.contains($0) })
    }
  }
}

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

/// Numbers that a seed alone decides: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct SeededNumbers: RandomNumberGenerator {
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
  /// The same in another order, which the seed alone decides; by ayah each becomes an entry of its own.
  ///
  /// - Parameter firstNumber: of the entries that are made.
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
    case .ayah:
      var number = firstNumber
      var single: [QueueEntry] = []
      for entry in self {
        for ayah in entry.request.range {
          single.append(
            entry.part(
              AyahRange(ayah), title: "\(ayah) \(ayah.surah.name)",
              as: PlaybackItem.ID(number)))
          number += 1
        }
      }
      return single.shuffled(using: &numbers)
    }
  }
}
