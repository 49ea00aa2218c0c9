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
  /// Candidates as likely as this are more likely right than wrong.
  private static let likely = 0.5
  /// How many are named at most.
  private static let most = 5

  var search: PlaceSearch {
    switch self {
    case .within(let range, let last): PlaceSearch(in: range, last: last)
    case .ending(let last):
      PlaceSearch(in: AyahRange(first: .first, last: last) ?? AyahRange(last), last: last)
    }
  }

  /// The candidates that are worth naming, likeliest first.
  static func named(_ report: PlaceReport?) -> [PlaceCandidate] {
    guard let candidates = report?.candidates, let first = candidates.first else { return [] }
    // All that have the same words, however many.
    return [first]
      + candidates.dropFirst().enumerated().filter { rank, candidate in
        candidate.probability >= minNamed && (rank < most - 1 || candidate.isWordedAlike)
      }.map(\.element)
  }

  /// Why the likeliest place may well be wrong; nil where it is more likely right.
  static func doubt(_ candidates: [PlaceCandidate]) -> String? {
    guard let first = candidates.first, first.probability < likely else { return nil }
    return "many places fit equally well"
  }

  /// What a person should know of the candidates; the first one is what was aligned.
  static func remark(_ candidates: [PlaceCandidate]) -> String {
    func text(_ candidate: PlaceCandidate) -> String {
      let percent = Int((100 * candidate.probability).rounded())
      let sureness = percent > 0 ? "\(percent)%" : "under 1%"
      let alike = candidate.isWordedAlike ? ", worded alike" : ""
      return (candidate.isWithin ? "within " : "") + "\(candidate.first) (\(sureness)\(alike))"
    }
    guard let first = candidates.first else { return "the start was not found; use --start" }
    let others = candidates.dropFirst().map(text).joined(separator: ", ")
    let places = text(first) + (others.isEmpty ? "" : "; else \(others)")
    guard let reason = doubt(candidates) else {
      return "assumed start: \(places); if wrong, use --start"
    }
    return "uncertain start: \(places); \(reason); use --start"
  }
}
