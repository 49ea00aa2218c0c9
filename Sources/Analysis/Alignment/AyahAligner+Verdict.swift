// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Quran

/// Whether a recording can be what it is said to be.
extension AyahAligner {
  /// Of the recordings that the model was tried on, all that were what they were said to be had a mean
  /// probability above these, without a reference and with one, but for the shortest; of those that were
  /// not nine in ten had less, and all with a reference.
  static let leastMean = 0.82
  static let leastGuidedMean = 0.9
  /// Fewer boundaries than this say nothing.
  private static let leastJudged = 6

  func isSure(_ result: LengthAligner.Result, _ least: Double) -> Bool {
    result.probabilities.count <= Self.leastJudged || result.meanProbability >= least
  }

  static func doubtOfReference(_ request: AlignmentRequest) -> AyahAlignment.Verdict {
    .doubtful(
      "the reference does not sound like \(name(of: request)) in this recording, and was left aside; "
        + "check the reference")
  }

  static func doubt(_ request: AlignmentRequest) -> AyahAlignment.Verdict {
    .doubtful("these pauses do not fit \(name(of: request)) at any steady pace; check the start")
  }

  /// Seconds per unit at which people recite; 0.09 is a fast hadr, 0.46 a slow mujawwad.
  static let possiblePaces = 0.065...0.9

  /// The same mean of a prayer, of whose boundaries many lie among takbirs.
  private static let leastPrayerMean = 0.76

  func judgedPrayer(
    _ alignment: AyahAlignment, _ request: AlignmentRequest
  ) -> AyahAlignment {
    var alignment = alignment
    let boundaries = alignment.boundaries
    let mean = boundaries.reduce(0) { $0 + $1.confidence } / Double(max(boundaries.count, 1))
    if boundaries.count >= Self.leastJudged, mean < Self.leastPrayerMean,
      alignment.verdict == .plausible
    {
      alignment.doubt(Self.doubt(request))
    }
    return alignment
  }

  /// A start near the one that was told, if that fits far better.
  func betterStart(
    _ request: AlignmentRequest, _ timeline: AlignmentTimeline, pace: Double,
    _ comparison: ReferenceComparison?
  ) -> AyahReference? {
    guard !stopFlag.isStopped else { return nil }
    guard let comparison else {
      return PlaceSearch(candidates: candidates, timeline: timeline, stopFlag: stopFlag)
        .better(than: request.first, pace: pace)
    }
    let proposals = propose(comparison)
    let told = proposals.first { $0.first == request.first }?.confidence ?? 0
    guard let likeliest = proposals.first, likeliest.first != request.first,
      comparison.reference.ayat[request.first] != nil,
      likeliest.confidence > Self.clearly * max(told, Self.leastTold)
    else { return nil }
    return likeliest.first
  }

  /// How many times likelier another start has to be by its sound; what is not among those proposed
  /// counts as this likely.
  private static let clearly = 20.0
  private static let leastTold = 0.045

  static func name(of request: AlignmentRequest) -> String {
    guard let last = request.last,
      let range = AyahRange(first: request.first, last: last)
    else { return "what follows \(request.first)" }
    return range.numericDescription
  }
}
