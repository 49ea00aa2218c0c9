// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// Pairs what is published with what is heard.
struct TimingsPairing {
  /// An entry with a start, and the occurrence in the sound that it is taken for.
  struct Entry {
    /// In the timings.
    let index: Int
    let ayah: AyahReference
    let start: Double
    let end: Double?
    /// The published start that comes next in time.
    var next: Double?
    /// Of the ayah that is heard next, its published start and when it is heard.
    var following: (published: Double, heard: Double)?
    var heard: HeardRecitation.Ayah?
    /// Whether it may tell shift and drift.
    var counts = false
  }

  private var entries: [Entry]
  private let occurrences: [AyahReference: [HeardRecitation.Ayah]]
  /// Of each ayah its entries, in the order of time.
  private let published: [AyahReference: [Int]]

  /// Pairs the n-th time of an ayah with the n-th where both have as many.
  init(_ timings: PublishedTimings, _ heard: HeardRecitation) {
    var entries = timings.ayat.enumerated().compactMap { index, ayah in
      ayah.start.map {
        Entry(
          index: index, ayah: ayah.ayah, start: Double($0) / 1000,
          end: ayah.end.map { Double($0) / 1000 })
      }
    }
    let starts = Set(entries.map(\.start)).sorted()
    let following = Dictionary(
      zip(starts, starts.dropFirst()).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    for index in entries.indices { entries[index].next = following[entries[index].start] }
    occurrences = Dictionary(grouping: heard.ayat, by: \.ayah)
    published = Dictionary(
      grouping: entries.indices.sorted { entries[$0].start < entries[$1].start },
      by: { entries[$0].ayah })
    for (ayah, indices) in published {
      guard let places = occurrences[ayah], places.count == indices.count else { continue }
      for (index, place) in zip(indices, places) {
        entries[index].heard = place
        // What the recording begins with has no edge, and what is told at 0 may be told so for want of less.
        entries[index].counts = place.earliest > 0 && entries[index].start > 0
      }
    }
    self.entries = entries
    if !entries.contains(where: \.counts) {
      pairOthers(by: nil)
      for index in self.entries.indices {
        self.entries[index].counts = self.entries[index].heard != nil
      }
    }
  }

  /// What tells shift and drift, in the order of time.
  var points: [ClockFit.Point] {
    entries.filter { $0.counts }.compactMap { entry in
      entry.heard.map {
        ClockFit.Point(
          time: $0.start, difference: entry.start - $0.start, pause: $0.start - $0.earliest)
      }
    }.sorted { $0.time < $1.time }
  }

  /// Pairs the entries of an ayah that is heard more often or less often than it is published, each with the nearest
  /// occurrence.
  /// - Parameter clock: by which they are published; nil where all are late by as much.
  mutating func pairOthers(by clock: ClockFit?) {
    let shift =
      ClockRegression.median(
        entries.compactMap { entry in entry.heard.map { entry.start - $0.start } }) ?? 0
    for (ayah, indices) in published {
      guard let places = occurrences[ayah], places.count != indices.count,
        indices.allSatisfy({ entries[$0].heard == nil })
      else { continue }
      var free = places
      for index in indices {
        let start = entries[index].start
        let wanted = clock.map { $0.sound(start, by: $0.part(published: start)) } ?? start - shift
        guard
          let nearest = free.indices.min(by: {
            abs(free[$0].start - wanted) < abs(free[$1].start - wanted)
          })
        else { break }
        entries[index].heard = free.remove(at: nearest)
      }
    }
  }

  /// All entries, each with what comes after it.
  var inTheirPlaces: [Entry] {
    var entries = entries
    let inOrder = entries.indices.compactMap { index in
      entries[index].heard.map { (index: index, heard: $0.start) }
    }.sorted { $0.heard < $1.heard }
    for (place, next) in zip(inOrder, inOrder.dropFirst()) {
      entries[place.index].following = (entries[next.index].start, next.heard)
    }
    return entries
  }
}
