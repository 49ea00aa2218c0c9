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

  func isMissing(_ ayah: AyahReference) -> Bool {
    missing?.contains { $0.contains(ayah) } ?? false
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
          var request = entry.request
          request.range = AyahRange(ayah)
          request.connectionBefore = 0
          request.connectionAfter = 0
          request.afterRepeat = .stop
          var ayahEntry = entry.numbered(PlaybackItem.ID(number))
          ayahEntry.title = "\(ayah) \(ayah.surah.name)"
          ayahEntry.request = request
          ayahEntry.rank = entry.rank
          ayahEntry.missing = entry.missing.map { _ in
            entry.isMissing(ayah) ? [AyahRange(ayah)] : []
          }
          single.append(ayahEntry)
          number += 1
        }
      }
      return single.shuffled(using: &numbers)
    }
  }
}
