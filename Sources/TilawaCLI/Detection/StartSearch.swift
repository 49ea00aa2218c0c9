// SPDX-License-Identifier: GPL-3.0-or-later

import Alignment
import Quran

/// What is known of a recording whose first ayah is not.
enum StartSearch: Hashable, Sendable {
  case within(AyahRange, last: AyahReference?)
  case ending(AyahReference)

  var last: AyahReference? {
    switch self {
    case .within(_, let last): last
    case .ending(let last): last
    }
  }

  /// Less likely ones are not named.
  private static let minNamed = 0.005
  /// How many are named at most.
  private static let most = 5

  var search: PlaceSearch {
    switch self {
    case .within(let range, let last): PlaceSearch(in: range, last: last)
    case .ending(let last):
      PlaceSearch(in: AyahRange(first: .first, last: last) ?? AyahRange(last), last: last)
    }
  }

  /// What was found, as far as people want to know.
  struct Outcome: Hashable, Sendable {
    /// Those that are worth naming, likeliest first; the first one is what is aligned.
    var candidates: [PlaceCandidate]
    /// Whether what is heard is the text there, and not another.
    var isHeard: Bool
  }

  /// The candidates that are worth naming, likeliest first.
  fileprivate static func named(_ candidates: [PlaceCandidate]) -> [PlaceCandidate] {
    guard let first = candidates.first else { return [] }
    // All that have the same words, however many.
    return [first]
      + candidates.dropFirst().enumerated().filter { rank, candidate in
        candidate.probability >= minNamed && (rank < most - 1 || candidate.isWordedAlike)
      }.map(\.element)
  }
}

extension StartSearch.Outcome {
  init(_ report: PlaceReport) {
    self.init(candidates: StartSearch.named(report.candidates), isHeard: report.isHeard)
  }

  /// Candidates as likely as this are more likely right than wrong.
  private static let likely = 0.5

  /// Why the likeliest place may well be wrong; nil where it is more likely right.
  var doubt: String? {
    guard let first = candidates.first else { return nil }
    if !isHeard { return "the recitation fits no place in the Quran well" }
    return first.probability < Self.likely ? "many places fit equally well" : nil
  }

  /// What a person should know of the candidates.
  var remark: String {
    func text(_ candidate: PlaceCandidate) -> String {
      let percent = Int((100 * candidate.probability).rounded())
      let sureness = percent > 0 ? "\(percent)%" : "under 1%"
      let alike = candidate.isWordedAlike ? ", same wording" : ""
      return (candidate.isWithin ? "within " : "") + "\(candidate.first) (\(sureness)\(alike))"
    }
    guard let first = candidates.first else { return "the start was not found; use --start" }
    let others = candidates.dropFirst().map(text).joined(separator: ", ")
    let places = text(first) + (others.isEmpty ? "" : "; or \(others)")
    guard let doubt else { return "assumed start: \(places); if wrong, use --start" }
    return "uncertain start: \(places); \(doubt); use --start"
  }
}
