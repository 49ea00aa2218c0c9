// SPDX-License-Identifier: GPL-3.0-or-later

extension AyahAligner {
  /// A place where an ayah may end, with what tells boundaries from breaths there.
  package struct MeasuredCandidate {
    /// Seconds.
    package var time: Double
    package var isDip: Bool
    /// Named as in `Scripts/fit-alignment-weights.py`.
    package var features: [(name: String, value: Double)]
  }

  /// Every candidate in order.
  package var measuredCandidates: [MeasuredCandidate] {
    candidates.candidates.indices.map { index in
      let candidate = candidates.candidates[index]
      return MeasuredCandidate(
        time: candidate.time, isDip: candidate.isDip,
        features: zip(AlignmentCandidates.Feature.allCases, candidates.features(of: index)).map {
          (String(describing: $0), $1)
        })
    }
  }
}
