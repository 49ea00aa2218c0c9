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

  /// Less likely ones are not named.
  private static let minNamed = 0.005
  /// Proposals as sure as this are more likely right than wrong.
  private static let likely = 0.5

  private static let reasonsNotHeard = "the reference may lack it, or the recording is too short"

  /// The ayat that a reference is asked for, to hear where the recording begins.
  var referenceAyat: [AyahReference] {
    switch self {
    case .inReference: Array(AyahRange.wholeQuran)
    case .ending(let last): Array(AyahRange(first: .first, last: last) ?? AyahRange(last))
    case .within(let range, let last):
      [AyahReference.first]
        + (AyahRange(first: range.first, last: last ?? Self.furthest(from: range.last)) ?? range)
        .filter { $0 != .first }
    }
  }

  /// What a person has said is recited, for messages; nil where nothing was said.
  var saidAyat: String? {
    switch self {
    case .within(let range, _): "\(range.numericDescription) and what follows"
    case .ending(let last): "the ayat up to \(last)"
    case .inReference: nil
    }
  }

  /// What begins with an ayah is recognised by what follows it, a surah at most.
  private static func furthest(from ayah: AyahReference) -> AyahReference {
    (ayah.surah.lastAyah.next ?? ayah).surah.lastAyah
  }

  /// Places, and what told them.
  struct Found {
    /// Likeliest first.
    var proposals: [AyahProposal]
    /// Whether the sound of a reference told them, and not lengths alone.
    var isHeard: Bool
  }

  /// By the sound of a reference, or by lengths where that tells nothing.
  func places(_ aligner: AyahAligner, _ comparison: ReferenceComparison?) -> Found {
    let heard = comparison.map {
      switch self {
      case .within(let range, let last):
        aligner.propose($0, beginningIn: range, endingWith: last)
      case .ending(let last):
        aligner.propose(
          $0, beginningIn: AyahRange(first: .first, last: last) ?? AyahRange(last),
          endingWith: last)
      case .inReference: aligner.propose($0)
      }
    }
    if let heard, heard.first.map({ $0.confidence >= Self.likely }) ?? false {
      return Found(proposals: heard, isHeard: true)
    }
    let byLengths =
      switch self {
      case .within(let range, let last): aligner.propose(beginningIn: range, endingWith: last)
      case .ending(let last): aligner.propose(endingWith: last)
      case .inReference: [AyahProposal]()
      }
    let isHeard = (heard?.first?.confidence ?? 0) > (byLengths.first?.confidence ?? 0)
    return Found(proposals: isHeard ? heard ?? [] : byLengths, isHeard: isHeard)
  }

  /// Why the likeliest place may well be wrong; nil where it is more likely right.
  func doubt(_ proposals: [AyahProposal]) -> String? {
    guard let first = proposals.first, first.confidence < Self.likely else { return nil }
    return self == .inReference
      ? Self.reasonsNotHeard
      : "many places fit equally well"
  }

  /// What a person should know of the proposals; the first one is what was aligned.
  func remark(_ proposals: [AyahProposal]) -> String {
    func text(_ proposal: AyahProposal) -> String {
      let percent = Int((100 * proposal.confidence).rounded())
      return "\(proposal.first) (\(percent > 0 ? "\(percent)%" : "under 1%"))"
    }
    guard let first = proposals.first else {
      return self == .inReference
        ? "the start was not found: \(Self.reasonsNotHeard); use --start"
        : "the start was not found; use --start"
    }
    let others = proposals.dropFirst().filter { $0.confidence >= Self.minNamed }.map(text)
      .joined(separator: ", ")
    let places = text(first) + (others.isEmpty ? "" : "; else \(others)")
    guard let reason = doubt(proposals) else {
      return "assumed start: \(places); if wrong, use --start"
    }
    return "uncertain start: \(places); \(reason); use --start"
  }
}
