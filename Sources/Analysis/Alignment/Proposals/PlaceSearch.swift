// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Quran

/// Finds where a recording may begin by the lengths of ayat.
///
/// Every place and pace is tried on the beginning of the recording (where they are many, after a coarse look
/// by ``LengthScan``), those that fit best on more of it.
struct PlaceSearch {
  let candidates: AlignmentCandidates
  let timeline: AlignmentTimeline
  let stopFlag: StopFlag
  var isPrayer = false

  /// Active seconds that are gone through with an even pace, that are aligned at first, and then.
  private static let scannedStretch = 240.0
  private static let shortStretch = 100.0
  private static let longStretch = 400.0
  /// Paces that are tried where none is known, in seconds per unit.
  private static let paces: [Double] = (0..<12).map { 0.065 * pow(paceStep, Double($0)) }
  private static let paceStep = 1.18
  private static let possiblePaces = 0.05...0.6
  /// Of more places and paces than this only the likeliest at each pace are aligned.
  private static let mostAligned = 150
  private static let alignedAtEachPace = 12
  /// How many places are looked at more closely.
  private static let looked = 24
  /// Alignments whose mean probability of a boundary differs by less are judged by their likelihood; the
  /// same for the first look.
  private static let sureness = 0.09
  private static let firstSureness = 0.2
  /// Recordings mostly begin where a surah does; how much likelier that is than any other ayah.
  private static let surahStart = 20.0
  /// Likelihoods are less sure than they say: breaths are not independent of each other.
  private static let temper = 0.5

  private struct Place {
    var first: AyahReference
    var pace: Double
    var score: Double
    var sureness: Double
    var last: AyahReference?
    /// Where each ayah begins, as far as was looked.
    var starts: [AyahReference: FramePosition] = [:]
  }

  /// How a recording may begin.
  struct Beginning {
    var first: AyahReference
    /// Where each ayah begins, as far as was looked.
    var starts: [AyahReference: FramePosition]
  }

  func proposals(
    beginningIn range: AyahRange, endingWith last: AyahReference?
  ) -> [AyahProposal] {
    var tried: [AyahReference: [Place]] = [:]
    for (first, pace) in hypotheses(beginningIn: range, endingWith: last) {
      if stopFlag.isStopped { return [] }
      if let place = look(first, last, pace: pace, seconds: Self.shortStretch) {
        tried[first, default: []].append(place)
      }
    }
    let places = tried.keys.sorted().compactMap {
      Self.ranked(tried[$0] ?? [], within: Self.firstSureness).first
    }
    let near = Self.ranked(places, within: Self.firstSureness).prefix(Self.looked)
    let looked = near.compactMap {
      stopFlag.isStopped ? nil : look($0.first, last, pace: $0.pace, seconds: Self.longStretch)
    }
    let ranked = Self.ranked(looked, within: Self.sureness)
    guard let greatest = ranked.first?.score else { return [] }
    let weights = ranked.map { exp(Self.temper * ($0.score - greatest)) }
    let total = weights.reduce(0, +)
    return zip(ranked, weights).prefix(AyahProposal.most).map {
      AyahProposal($0.first, last: last ?? $0.last, confidence: $1 / total)
    }
  }

  /// What other starts say of the one that was told.
  enum Judgement {
    /// None of those tried fits better.
    case likely
    /// One near it fits much better.
    case better(Beginning)
    /// Some that have nothing to do with it fit better.
    case unlikely
  }

  /// Tries other starts, near the one that was told and away from it.
  ///
  /// Where the recording is something else, what was told fits no better than anything.
  ///
  /// - Parameter pace: seconds per unit of the alignment from the start that was told.
  func judge(_ told: AyahReference, pace: Double) -> Judgement {
    func look(_ first: AyahReference) -> Place? {
      stopFlag.isStopped ? nil : self.look(first, nil, pace: pace, seconds: Self.stretchNearby)
    }
    guard let own = look(told) else { return .likely }
    let near = (1...Self.nearby).flatMap { [told.advanced(by: -$0), told.advanced(by: $0)] }
      .compactMap { $0.flatMap(look) }.max { $0.score < $1.score }
    if let near, near.score > own.score + Self.gainNearby, near.sureness >= own.sureness {
      return .better(Beginning(first: near.first, starts: near.starts))
    }
    guard own.sureness < Self.surenessOfOwn else { return .likely }
    let away = Self.distancesAway.flatMap { [told.advanced(by: -$0), told.advanced(by: $0)] }
      .compactMap { $0.flatMap(look) }.max { $0.score < $1.score }
    return away.map { $0.score > own.score + Self.gainAway } ?? false ? .unlikely : .likely
  }

  /// The beginning from an ayah on.
  func beginning(with first: AyahReference, pace: Double) -> Beginning? {
    look(first, nil, pace: pace, seconds: Self.stretchNearby).map {
      Beginning(first: first, starts: $0.starts)
    }
  }

  /// How many ayat before and after a start that was told others are tried, on how many active seconds,
  /// and how much likelier one has to be, as a logarithm.
  private static let nearby = 3
  private static let stretchNearby = 200.0
  private static let gainNearby = 8.0
  /// How many ayat away starts are tried that nobody claims, and how much likelier one of them has to be,
  /// as a logarithm: of 49 recordings that were what they were said to be none had one; of those told
  /// to begin ten ayat later nearly all had.
  private static let distancesAway = [5, 7, 9, 12, 15, 19, 24, 30, 40, 52]
  private static let gainAway = 3.0
  /// What is so sure of itself was what it was said to be, in those recordings.
  private static let surenessOfOwn = 0.97

  /// What is worth aligning: all places at all paces, or where those are many the likeliest at each pace.
  private func hypotheses(
    beginningIn range: AyahRange, endingWith last: AyahReference?
  ) -> [(first: AyahReference, pace: Double)] {
    let possible =
      last.map { paces(from: range, to: $0) }
      ?? range.flatMap { first in Self.paces.map { (first, $0) } }
    guard possible.count > Self.mostAligned else { return possible }
    let scan = LengthScan(candidates, timeline, seconds: Self.scannedStretch)
    return Dictionary(grouping: possible) { Self.nearest($0.pace) }.sorted { $0.key < $1.key }
      .flatMap { number, hypotheses in
        if stopFlag.isStopped { return [(first: AyahReference, pace: Double)]() }
        let paces = Dictionary(hypotheses.map { ($0.first, $0.pace) }) { pace, _ in pace }
        return scan.scores(of: range, pace: Self.paces[number], endingWith: last)
          .sorted { $0.score > $1.score }.filter { $0.score > -.infinity }
          .compactMap { place in paces[place.first].map { (first: place.first, pace: $0) } }
          .prefix(Self.alignedAtEachPace).map { $0 }
      }
  }

  /// The places from which a recording of this length may lead to an ayah, and at which pace.
  private func paces(
    from range: AyahRange, to last: AyahReference
  ) -> [(first: AyahReference, pace: Double)] {
    let most = timeline.duration / Self.possiblePaces.lowerBound
    let least = timeline.duration / Self.possiblePaces.upperBound
    var found: [(first: AyahReference, pace: Double)] = []
    var units = 0.0
    var ayah: AyahReference? = last
    while let first = ayah, first >= range.first {
      units += RecitedToken.units(of: first)
      if units > most { break }
      if units >= least, range.contains(first) { found.append((first, timeline.duration / units)) }
      if first.ayah == 1, first.surah.opensWithUncountedBasmalah {
        units += RecitedToken.unitsOfBasmalah
      }
      ayah = first.previous
    }
    return found.reversed()
  }

  /// The pace of those tried that is nearest to one, as an index.
  private static func nearest(_ pace: Double) -> Int {
    Int((log(pace / paces[0]) / log(paceStep)).rounded()).clamped(to: 0...(paces.count - 1))
  }

  private func look(
    _ first: AyahReference, _ last: AyahReference?, pace: Double, seconds: Double
  ) -> Place? {
    let leadIn = LeadInModel(before: first, isPrayer: isPrayer)
    // What may be recited in so many seconds, with some to spare.
    var left = 1.5 * seconds + 60
    var tokens: [RecitedToken] = []
    var ayah: AyahReference? = first
    while let next = ayah, left > 0, last.map({ next <= $0 }) ?? true {
      if next != first, next.ayah == 1, next.surah.opensWithUncountedBasmalah {
        tokens.append(.basmalah(of: next.surah))
      }
      tokens.append(.ayah(next))
      left -= RecitedToken.ayah(next).units * pace
      ayah = next.next
    }
    var aligner = LengthAligner(
      candidates: candidates, timeline: timeline, tokens: tokens, isEndKnown: false, leadIn: leadIn)
    aligner.stopFlag = stopFlag
    let hypotheses = (leadIn.mayHaveBasmalah ? [false, true] : [false]).compactMap {
      aligner.alignBeginning(.init(hasLeadIn: $0, pace: pace), seconds: seconds)
    }
    guard let best = hypotheses.max(by: { $0.logLikelihood < $1.logLikelihood }) else { return nil }
    let bonus = first.ayah == 1 ? log(Self.surahStart) : 0
    let isWhole = best.points.last?.time == timeline.points.last?.time
    return Place(
      first: first, pace: best.pace,
      score: best.logLikelihood + bonus, sureness: best.meanProbability,
      last: isWhole ? best.lastAyah : nil, starts: best.starts)
  }

  /// Those that are sure of themselves, the likeliest first.
  private static func ranked(_ places: [Place], within sureness: Double) -> [Place] {
    let surest = places.map(\.sureness).max() ?? 0
    return places.filter { $0.sureness >= surest - sureness }.sorted { $0.score > $1.score }
  }
}

extension LengthAligner.Result {
  /// Where each ayah begins.
  var starts: [AyahReference: FramePosition] {
    var starts: [AyahReference: FramePosition] = [:]
    for (token, point) in zip(tokens, points) {
      if case .ayah(let ayah) = token.content { starts[ayah] = point.position }
    }
    return starts
  }
}
