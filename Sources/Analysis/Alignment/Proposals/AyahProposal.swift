// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
public import Quran

/// Where in the Quran a recording may begin.
public struct AyahProposal: Hashable, Sendable {
  /// The first ayah recited.
  public var first: AyahReference
  /// The last, as far as that is known.
  public var last: AyahReference?
  /// How likely it is, of those proposed; 0...1.
  public var confidence: Double

  /// How many are proposed at most.
  static let most = 5

  public init(_ first: AyahReference, last: AyahReference? = nil, confidence: Double) {
    self.first = first
    self.last = last
    self.confidence = confidence
  }
}

extension AyahAligner {
  /// Where a recording begins whose surah is known, likeliest first; empty where nothing is heard.
  ///
  /// By lengths alone: some seconds for a long surah. With few ayat many places fit about as well.
  ///
  /// - Parameters:
  ///   - range: in which it begins.
  ///   - last: the last ayah recited, nil when nobody knows.
  public func propose(
    beginningIn range: AyahRange, endingWith last: AyahReference? = nil
  ) -> [AyahProposal] {
    let stretch = voicedStretch
    guard candidates.count > 0, !stretch.isEmpty else { return [] }
    return PlaceSearch(
      candidates: candidates,
      timeline: AlignmentTimeline(candidates, stretches: [stretch], rate: rate), stopFlag: stopFlag
    ).proposals(beginningIn: range, endingWith: last)
  }

  /// Where a recording that ends with an ayah may begin.
  public func propose(endingWith last: AyahReference) -> [AyahProposal] {
    propose(beginningIn: AyahRange(first: .first, last: last) ?? AyahRange(last), endingWith: last)
  }

  /// Where a recording of which nothing is known begins, as far as a reference has it; likeliest first.
  ///
  /// What the confidences lack of 1 is that the reference does not have it. About a second for a reference
  /// of five hours.
  public func propose(_ comparison: ReferenceComparison) -> [AyahProposal] {
    let stretch = voicedStretch
    guard !stretch.isEmpty else { return [] }
    return PassageSearch(
      comparison,
      voiced: stretch.lowerBound.seconds(at: rate)..<stretch.upperBound.seconds(at: rate),
      silences: silences.filter { $0.lowerBound < $0.upperBound }, stopFlag: stopFlag
    ).proposals()
  }
}
