// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Quran

/// How well the beginning of a recording fits each of many places by lengths and pauses: a coarse look,
/// to choose which are worth aligning.
///
/// What is recited from one ayah on fits as well as its best end, and all that follows it from there: so
/// the places are gone through from the last to the first, each once for all that begin before it. One
/// even pace, and silences alone.
struct LengthScan {
  /// Seconds from the start, in order; the first is where reciting starts, the last where it ends.
  private let times: [Double]
  /// For each time the logarithm of the likelihood ratio that a boundary lies there.
  private let evidence: [Double]
  /// For each time the logarithms of the seconds from it to the later ones.
  private let spans: [[Double]]
  /// Whether reciting goes on after the last.
  private let isCutOff: Bool

  /// Spread of the logarithm of durations: that of ayat, and what steps of the pace leave open.
  private static let spread = 0.17
  /// Durations are further off than this, as a logarithm, where there is no boundary.
  private static let reach = 1.2
  private static let stepsOfReach = 200
  /// Logarithm of the density of a duration by the logarithm of its ratio to the expected one; from
  /// `-reach` to `reach`.
  private static let densities: [Double] = (0...(2 * stepsOfReach)).map {
    let logRatio = (Double($0) / Double(stepsOfReach) - 1) * reach
    return log(DurationModel(spread: spread).density(exp(logRatio), expected: 1))
  }
  /// What an even pace and silences alone cost each boundary against a whole alignment, as a logarithm;
  /// without it, places with few and long ayat fit best.
  private static let costOfCoarseness = 0.6
  /// More silences than this are not looked at, only those likeliest to be boundaries.
  private static let mostTimes = 200
  /// Logarithm of how often a surah is begun without its basmalah.
  private static let withoutBasmalah = log(0.15)
  /// The ayah at whose end everything stops has taken at most so much of its time.
  private static let longestCut = 1.5

  init(_ candidates: AlignmentCandidates, _ timeline: AlignmentTimeline, seconds: Double) {
    isCutOff = timeline.duration > 1.5 * seconds
    let points = isCutOff ? timeline.prefix(seconds: seconds).points : timeline.points
    let ratios = candidates.evidence.likelihoodRatios(candidates)
    var silences = points.dropFirst().dropLast().compactMap { point -> (Double, Double)? in
      guard let candidate = point.candidate, candidates.candidates[candidate].isDip else {
        return nil
      }
      return (point.active, log(max(ratios[candidate], 1e-9)) + Self.costOfCoarseness)
    }
    if silences.count > Self.mostTimes {
      let least = silences.map(\.1).sorted(by: >)[Self.mostTimes]
      silences.removeAll { $0.1 <= least }
    }
    let end = points.last?.active ?? 0
    times = [0] + silences.map(\.0) + [end]
    evidence = [0] + silences.map(\.1) + [0]
    let times = times
    spans = times.indices.map { first in
      times[(first + 1)...].map { log(max($0 - times[first], 1e-3)) }
    }
  }

  /// For each ayah of a range how likely it is that reciting begins with it, as a logarithm.
  ///
  /// - Parameters:
  ///   - pace: seconds per unit.
  ///   - last: the last ayah recited, nil when nobody knows.
  func scores(
    of range: AyahRange, pace: Double, endingWith last: AyahReference?
  ) -> [(first: AyahReference, score: Double)] {
    let furthest =
      last ?? AyahAligner.furthest(from: range.last, seconds: times[times.count - 1])
    guard let all = AyahRange(first: range.first, last: max(furthest, range.last)) else {
      return []
    }
    let impossible = -Double.infinity
    // What follows is as likely as this, if it begins at each time.
    var after = [Double](repeating: impossible, count: times.count)
    if !isCutOff { after[times.count - 1] = 0 }
    var found: [(first: AyahReference, score: Double)] = []
    for ayah in all.reversed() {
      let isOpen = last == nil
      var here = recited(RecitedToken.units(of: ayah) * pace, after)
      if isOpen, !isCutOff { here[times.count - 1] = 0 }
      if range.contains(ayah) {
        found.append((ayah, start(ayah, here, pace: pace)))
      }
      if ayah.ayah == 1, ayah.surah.opensWithUncountedBasmalah {
        let basmalah = recited(RecitedToken.unitsOfBasmalah * pace, here)
        for time in times.indices {
          here[time] = max(basmalah[time], here[time] + Self.withoutBasmalah)
        }
      }
      after = here
    }
    return found
  }

  /// The likelihood from each time on, with something that is expected to last so many seconds.
  private func recited(_ expected: Double, _ after: [Double]) -> [Double] {
    let logExpected = log(expected)
    let end = times.count - 1
    let scale = Double(Self.stepsOfReach) / Self.reach
    let middle = Double(Self.stepsOfReach) + 0.5
    return Self.densities.withUnsafeBufferPointer { densities in
      times.indices.map { first in
        var best = -Double.infinity
        if isCutOff, times[end] - times[first] < Self.longestCut * expected { best = 0 }
        spans[first].withUnsafeBufferPointer { spans in
          for offset in spans.indices {
            let logRatio = spans[offset] - logExpected
            if logRatio < -Self.reach { continue }
            if logRatio >= Self.reach { break }
            let time = first + 1 + offset
            let score =
              densities[Int(logRatio * scale + middle)] - logExpected + evidence[time] + after[time]
            if score > best { best = score }
          }
        }
        return best
      }
    }
  }

  /// The same for all, with or without something said before.
  private func start(_ ayah: AyahReference, _ from: [Double], pace: Double) -> Double {
    let leadIn = LeadInModel(before: ayah)
    var best = from[0] + log(leadIn.likelihood(seconds: 0, isPresent: false, pace: pace))
    for time in times.indices.dropFirst() where times[time] < Self.longestLeadIn * pace {
      let likelihood = leadIn.likelihood(seconds: times[time], isPresent: true, pace: pace)
      if likelihood > 0 { best = max(best, from[time] + log(likelihood) + evidence[time]) }
    }
    return best
  }

  /// Units that are said before the first ayah at most: isti'adhah and basmalah, and some to spare.
  private static let longestLeadIn =
    2 * (RecitedToken.unitsOfBasmalah + RecitedToken.unitsOfIstiadhah)
}
