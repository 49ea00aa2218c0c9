// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Quran

/// What is known of a recording whose first ayah is not.
enum StartSearch: Hashable, Sendable {
  case within(AyahRange, last: AyahReference?)
  case ending(AyahReference)
  /// As far as the reference has it.
  case inReference

  var last: AyahReference? {
    switch self {
    case .within(_, let last): last
    case .ending(let last): last
    case .inReference: nil
    }
  }

  /// Likeliest first.
  func proposals(_ aligner: AyahAligner, _ comparison: ReferenceComparison?) -> [AyahProposal] {
    switch self {
    case .within(let range, let last): aligner.propose(beginningIn: range, endingWith: last)
    case .ending(let last): aligner.propose(endingWith: last)
    case .inReference: comparison.map { aligner.propose($0) } ?? []
    }
  }

  /// What a person should know of the proposals; the first one is what was aligned.
  static func remark(_ proposals: [AyahProposal]) -> String {
    func text(_ proposal: AyahProposal) -> String {
      let percent = Int((100 * proposal.confidence).rounded())
      return "\(proposal.first) (\(percent)%)"
    }
    guard let first = proposals.first else { return "where it starts was not found; say --start" }
    let others = proposals.dropFirst().map(text).joined(separator: ", ")
    return "taken to start at \(text(first))"
      + (others.isEmpty ? "" : "; else at \(others)") + "; if it does not, say --start"
  }
}
