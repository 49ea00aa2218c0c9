// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// Follows the ayat through a recording: what is out of order, repeated, missing or broken off.
///
/// Al-Fatiha is followed apart from the rest, for it comes anew in every rak'ah; each time it begins
/// again is a round of its own, in which nothing of the rounds before counts.
struct RecitationOrder {
  private var findings: [Finding] = []
  private var fatiha = Thread()
  private var rest = Thread()
  private var parts: [AyahReference: Parts] = [:]
  /// All ayat of which something is heard anywhere.
  private var heard: Set<AyahReference> = []

  fileprivate struct Thread {
    var previous: AyahReference?
    var heard: Set<AyahReference> = []
    var complete: [AyahReference: SegmentID] = [:]
    /// What was told to be missing: once, where it is passed over first.
    var missed: Set<AyahReference> = []
  }

  /// What is heard of an ayah.
  private struct Parts {
    let segment: SegmentID
    let index: Int
    var hasBeginning = false
    var isComplete = false
  }

  static func findings(in passages: some Sequence<(Int, [Passage])>) -> [Finding] {
    var order = RecitationOrder()
    for (_, passages) in passages { order.heard.formUnion(passages.map(\.ayah)) }
    for (index, passages) in passages {
      for passage in passages { order.follow(passage, at: index) }
    }
    for (ayah, parts) in order.parts.sorted(by: { $0.key < $1.key }) where !parts.isComplete {
      order.findings.append(
        Finding(segment: parts.segment, index: parts.index, kind: .incomplete(ayah)))
    }
    return order.findings
  }

  private mutating func follow(_ passage: Passage, at index: Int) {
    for kind in order(of: passage) {
      findings.append(Finding(segment: passage.segment, index: index, kind: kind))
    }
    var parts = parts[passage.ayah] ?? Parts(segment: passage.segment, index: index)
    switch passage.part {
    case nil: parts.isComplete = true
    case .beginning: parts.hasBeginning = true
    case .middle: break
    case .end: parts.isComplete = parts.isComplete || parts.hasBeginning
    }
    self.parts[passage.ayah] = parts
  }

  private mutating func order(of passage: Passage) -> [Finding.Kind] {
    let ayah = passage.ayah
    guard ayah.surah.number == 1 else {
      let unread = fatiha.previous?.next.flatMap { next in
        next.surah.number == 1 ? AyahRange(first: next, last: next.surah.lastAyah) : nil
      }
      fatiha = Thread()
      let kinds = rest.follow(passage) { [heard] in heard.contains($0) }
      return (unread.map { [.missing($0)] } ?? []) + kinds
    }
    // The basmalah may have been said silently.
    if let previous = fatiha.previous, ayah.ayah <= 2, ayah < previous { fatiha = Thread() }
    return fatiha.follow(passage) { _ in false }
  }
}

extension RecitationOrder.Thread {
  /// - Parameter isHeard: whether an ayah that is passed over is heard elsewhere.
  fileprivate mutating func follow(
    _ passage: Passage, isHeard: (AyahReference) -> Bool
  ) -> [Finding.Kind] {
    let ayah = passage.ayah
    var kinds: [Finding.Kind] = []
    if passage.isComplete {
      if let first = complete[ayah] {
        kinds.append(.repeated(ayah, first: first))
      } else {
        complete[ayah] = passage.segment
      }
    }
    if let previous {
      if ayah < previous {
        // After the last ayah the Quran is begun again.
        if !heard.contains(ayah), previous != .last {
          kinds.append(.outOfOrder(ayah, after: previous))
        }
      } else if let gap = gap(from: previous, to: ayah) {
        let news = gap.filter { !isHeard($0) && missed.insert($0).inserted }
        kinds += AyahRange.runs(of: news).map { .missing($0) }
      }
    }
    heard.insert(ayah)
    previous = ayah
    return kinds
  }

  /// The ayat between two, unless a surah or more lies between: that is a new choice, and no gap.
  private func gap(from previous: AyahReference, to ayah: AyahReference) -> AyahRange? {
    guard ayah.surah == previous.surah || ayah.surah == previous.surah.next else { return nil }
    guard let first = previous.next, let last = ayah.previous else { return nil }
    return AyahRange(first: first, last: last)
  }
}
