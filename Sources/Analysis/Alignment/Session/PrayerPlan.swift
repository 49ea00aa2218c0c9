// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// A night cut at what a person has confirmed: al-Fatiha of the rak'ahs that it touches, and the sections
/// of the portions between.
struct PrayerPlan {
  /// What is recited, and how.
  struct Part {
    /// As it was found at first, and with the portions as they are now.
    var found: PrayerRecital
    var recital: PrayerRecital
    /// Where portions begin now that began elsewhere.
    var starts: [FramePosition: FramePosition]
    /// Nil when nothing of it was confirmed.
    var anchored: AnchoredPlan?
  }

  /// The night with al-Fatiha as it was confirmed.
  private(set) var night: PrayerNight
  private(set) var parts: [Part] = []

  private let rate: SampleRate
  /// Ayat beyond those that were found that may be recited where the end is not known.
  private static let margin = 20
  /// A portion that begins further from where it did, in seconds, is aligned anew.
  private static let reach = 1.5

  init(_ anchors: AlignmentAnchors, _ found: PrayerNight, rate: SampleRate) {
    night = found
    self.rate = rate
    for number in found.standings.indices { fix(number, anchors) }
    let portions = night.aligner.portions(night.standings)
    let firsts = found.recitals.map { $0.portions.first?.standing ?? 0 }
    for (index, recital) in found.recitals.enumerated() {
      let first = index == 0 ? 0 : firsts[index]
      let end = index + 1 < firsts.count ? firsts[index + 1] : night.standings.count
      let range = territory(of: first..<end)
      let own = anchors.ofPassage(within: range)
      parts.append(
        part(recital, portions.filter { (first..<end).contains($0.standing) }, own))
    }
  }

  /// All of the recording from some standings to the next ones.
  private func territory(of standings: Range<Int>) -> Range<FramePosition> {
    func start(_ number: Int) -> FramePosition {
      let seconds = night.standings[number].structure.span.lowerBound - StandingSound.margin
      return FramePosition(seconds: max(seconds, 0), at: rate)
    }
    let first = standings.lowerBound == 0 ? FramePosition.zero : start(standings.lowerBound)
    let end =
      standings.upperBound < night.standings.count
      ? start(standings.upperBound) : FramePosition(.max)
    return first..<max(first, end)
  }

  /// Puts al-Fatiha of a standing where it was confirmed to be.
  private mutating func fix(_ number: Int, _ anchors: AlignmentAnchors) {
    let old = night.standings[number]
    let territory = territory(of: number..<(number + 1))
    var fixed = anchors.fatiha(within: territory)
    let opening =
      territory
      .lowerBound..<FramePosition(
        seconds: old.portion.lowerBound + Self.reach, at: rate
      ).clamped(in: territory)
    let ameen = anchors.spans.first {
      $0.assignment == .unused(.ameen) && opening.overlaps($0.span)
    }
    let begun = anchors.ofPassage(within: opening).beginnings.min()
    if let fatiha = old.fatiha, let last = fatiha.points.last?.position {
      if let ameen { fixed[7] = fixed[7] ?? ameen.span.lowerBound }
      if let begun, begun < last { fixed[7] = fixed[7] ?? begun }
    }
    guard !fixed.isEmpty, fixed.isInOrder else { return }
    let fatiha =
      night.fatihas.stretches[number].fatiha(fixed, night.fatihas, rate: rate)
      ?? old.fatiha?.moved(to: fixed, rate: rate)
    guard let fatiha else { return }
    night.standings[number] = night.aligner.standing(
      .rakah, old.structure, fatiha, night.calls)
    if let qunut = old.qunut {
      night.standings[number].qunut = qunut
      let start = night.standings[number].portion.lowerBound
      night.standings[number].portion = start..<max(start, old.portion.upperBound)
    }
    if let ameen {
      let end = ameen.span.upperBound.seconds(at: rate)
      let portion = night.standings[number].portion
      night.standings[number].ameen = nil
      night.standings[number].portion =
        min(max(end, portion.lowerBound), portion.upperBound)..<portion.upperBound
    }
  }

  private func part(
    _ found: PrayerRecital, _ portions: [PrayerAligner.Portion], _ anchors: AlignmentAnchors
  ) -> Part {
    var starts: [FramePosition: FramePosition] = [:]
    var isAsBefore = portions.count == found.portions.count
    for (old, new) in zip(found.portions, portions) {
      let moved = (new.span.lowerBound - old.span.lowerBound).seconds(at: rate)
      if moved != 0 { starts[old.span.lowerBound] = new.span.lowerBound }
      if old.standing != new.standing || abs(moved) > Self.reach { isAsBefore = false }
    }
    if isAsBefore, anchors.isEmpty || !anchors.touches(portions.map(\.span)) {
      return Part(found: found, recital: found, starts: starts, anchored: nil)
    }
    var recital = found
    recital.portions = portions
    let spans = Self.reaching(portions.map(\.span), anchors, night, rate)
    guard let first = spans.first, let last = spans.last else {
      return Part(found: found, recital: found, starts: starts, anchored: nil)
    }
    let plan = AnchoredPlan(
      anchors, recital.request, voiced: first.lowerBound..<last.upperBound,
      mostAyat: recital.result.tokens.count + Self.margin,
      portions: AnchoredPlan.Portions(spans: spans, rate: rate, pace: recital.secondsPerUnit))
    return Part(found: found, recital: recital, starts: starts, anchored: plan)
  }

  /// The portions, with what a person has confirmed to be recited outside of them.
  private static func reaching(
    _ portions: [Range<FramePosition>], _ anchors: AlignmentAnchors, _ night: PrayerNight,
    _ rate: SampleRate
  ) -> [Range<FramePosition>] {
    var portions = portions
    for position in anchors.beginnings.sorted(by: >)
    where !portions.contains(where: { $0.contains(position) }) {
      let seconds = position.seconds(at: rate)
      let standing = night.standings.first {
        $0.structure.span.upperBound > seconds
          && $0.structure.span.lowerBound - StandingSound.margin <= seconds
      }
      let end = standing.map { FramePosition(seconds: $0.structure.span.upperBound, at: rate) }
      if let index = portions.firstIndex(where: { $0.lowerBound > position }),
        end.map({ portions[index].lowerBound < $0 }) ?? false
      {
        portions[index] = position..<portions[index].upperBound
      } else if let end, position < end {
        portions.append(position..<end)
        portions.sort { $0.lowerBound < $1.lowerBound }
      }
    }
    return portions
  }
}

extension AlignmentAnchors {
  /// For each boundary of al-Fatiha that was confirmed the place, 0 being where its first ayah begins.
  fileprivate func fatiha(within range: Range<FramePosition>) -> [Int: FramePosition] {
    var fixed: [Int: FramePosition] = [:]
    for place in places where range.contains(place.position) {
      if let ayah = place.ayah, ayah.isInFatiha { fixed[ayah.ayah - 1] = place.position }
    }
    for span in spansInOrder where range.contains(span.span.lowerBound) {
      guard let recited = span.assignment.recited, recited.first.isInFatiha,
        recited.last.isInFatiha
      else { continue }
      fixed[recited.first.ayah - 1] = span.span.lowerBound
      fixed[recited.last.ayah] = span.span.upperBound
      if case .ayat(_, let joins) = span.assignment {
        for (number, join) in joins.enumerated() { fixed[recited.first.ayah + number] = join }
      }
    }
    return fixed
  }

  /// Those that are not of al-Fatiha.
  fileprivate func ofPassage(within range: Range<FramePosition>) -> AlignmentAnchors {
    AlignmentAnchors(
      places: places.filter { range.contains($0.position) && $0.ayah?.isInFatiha != true },
      spans: spansInOrder.filter {
        range.contains($0.span.lowerBound) && $0.assignment.recited?.first.isInFatiha != true
      })
  }

  /// Where something of the passage begins.
  fileprivate var beginnings: [FramePosition] {
    places.filter { $0.ayah != nil }.map(\.position)
      + spans.filter(\.assignment.isRecitation).map(\.span.lowerBound)
  }

  /// Whether anything was confirmed of the portions, or to be one.
  fileprivate func touches(_ portions: [Range<FramePosition>]) -> Bool {
    !beginnings.isEmpty
      || spans.contains { span in portions.contains { $0.overlaps(span.span) } }
      || places.contains { place in
        portions.contains { $0.lowerBound < place.position && place.position < $0.upperBound }
      }
  }
}

extension AyahReference {
  /// Whether it is of the surah that is recited in each rak'ah.
  fileprivate var isInFatiha: Bool { surah.number == 1 }
}

extension [Int: FramePosition] {
  fileprivate var isInOrder: Bool {
    let values = sorted { $0.key < $1.key }.map(\.value)
    return zip(values, values.dropFirst()).allSatisfy { $0 <= $1 }
  }
}

extension FramePosition {
  fileprivate func clamped(in range: Range<FramePosition>) -> FramePosition {
    min(max(self, range.lowerBound), range.upperBound)
  }
}

extension FatihaFinder.Fatiha {
  /// The same with some boundaries elsewhere, and all in order.
  fileprivate func moved(to fixed: [Int: FramePosition], rate: SampleRate) -> FatihaFinder.Fatiha {
    var result = self
    for row in points.indices {
      let least = fixed.filter { $0.key < row }.values.max()
      let most = fixed.filter { $0.key > row }.values.min()
      var position = fixed[row] ?? points[row].position
      if let least { position = max(position, least) }
      if let most { position = min(position, most) }
      result.points[row].position = position
      result.points[row].time = position.seconds(at: rate)
      if fixed[row] != nil { result.probabilities[row] = 1 }
    }
    return result
  }
}
