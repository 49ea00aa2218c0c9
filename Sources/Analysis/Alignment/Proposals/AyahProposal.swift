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
    guard hearsVoice else { return [] }
    return PlaceSearch(
      candidates: candidates,
      timeline: AlignmentTimeline(candidates, stretches: [voicedStretch], rate: rate),
      stopFlag: stopFlag
    ).proposals(beginningIn: range, endingWith: last)
  }

  /// Where a recording that ends with an ayah may begin.
  public func propose(endingWith last: AyahReference) -> [AyahProposal] {
    propose(beginningIn: AyahRange(first: .first, last: last) ?? AyahRange(last), endingWith: last)
  }

  /// Where a recording begins, as far as a reference has it; likeliest first.
  ///
  /// What the confidences lack of 1 is that the reference does not have it there. About a second for a
  /// reference of five hours.
  ///
  /// - Parameters:
  ///   - range: in which it begins.
  ///   - last: the last ayah recited, nil when nobody knows.
  public func propose(
    _ comparison: ReferenceComparison, beginningIn range: AyahRange = .wholeQuran,
    endingWith last: AyahReference? = nil
  ) -> [AyahProposal] {
    guard hearsVoice else { return [] }
    let stretch = voicedStretch
    let furthest = last ?? Self.furthest(from: range.last, seconds: PassageSearch.seconds)
    let near = ReferenceRecitation(
      ayat: comparison.reference.ayat.filter {
        $0.key == .first || range.first <= $0.key && $0.key <= furthest
      })
    return PassageSearch(
      ReferenceComparison(recording: comparison.recording, reference: near),
      voiced: stretch.lowerBound.seconds(at: rate)..<stretch.upperBound.seconds(at: rate),
      silences: silences.filter { $0.lowerBound < $0.upperBound }, stopFlag: stopFlag
    ).proposals().filter { range.contains($0.first) }.map {
      AyahProposal($0.first, last: last, confidence: $0.confidence)
    }
  }
}
