// SPDX-License-Identifier: GPL-3.0-or-later

import Alignment
import Annotation
import Quran

/// What is known of a recording whose first ayah is not.
enum StartSearch: Hashable, Sendable {
  case within(AyahRange, last: AyahReference?)
  case ending(AyahReference)

  /// Where it is searched for.
  var range: AyahRange {
    switch self {
    case .within(let range, _): range
    case .ending(let last): AyahRange(first: .first, last: last) ?? AyahRange(last)
    }
  }

  var last: AyahReference? {
    switch self {
    case .within(_, let last): last
    case .ending(let last): last
    }
  }

  /// Less likely ones are not named.
  private static let minNamed = 0.005
  /// How many are named at most,
  private static let most = 5
  /// with those that have the same words.
  private static let mostAlike = 10

  var search: PlaceSearch { PlaceSearch(in: range, last: last) }

  /// What was found, as far as people want to know.
  struct Outcome: Hashable, Sendable {
    /// Those that are worth naming, likeliest first; the first one is what is aligned.
    var candidates: [PlaceCandidate]
    /// Whether what is heard is the text there, and not another.
    var isHeard: Bool
    /// Where it was searched for.
    let range: AyahRange
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
  init(_ report: PlaceReport, of search: StartSearch) {
    self.init(
      candidates: StartSearch.named(report.candidates), isHeard: report.isHeard,
      range: search.range)
  }

  /// Aligns from the likeliest place on; nil without candidates.
  ///
  /// Where reciting proves to begin with another ayah, that one comes first, as likely as the place was: nobody told
  /// the start, so it need not be said that it was another. The word that is heard first is that of the alignment. Where
  /// the text does not fit there, it fits nowhere in the range.
  mutating func align(
    _ aligner: AcousticAligner, last: AyahReference?, prayer: AlignmentRequest.Prayer
  ) -> (request: AlignmentRequest, alignment: AyahAlignment)? {
    guard let likeliest = candidates.first else { return nil }
    var request = AlignmentRequest(first: likeliest.first, last: last, prayer: prayer)
    var alignment = aligner.align(request)
    let other: AyahReference? =
      switch alignment.doubt {
      case .beginsWith(let first, _): first
      // It was searched for elsewhere only.
      case .soundsLike(let first, _) where !range.contains(first): first
      default: nil
      }
    if let other {
      begin(with: other)
      request.first = other
      alignment = aligner.align(request)
      isHeard = true
    }
    if let word = alignment.words.first(where: { $0.ayah == request.first }) {
      candidates[0].word = word.number - 1
    }
    if alignment.takeBackOtherText() {
      isHeard = false
    } else if alignment.doubt == nil {
      // Another passage may follow, of which the search knows nothing.
      isHeard = true
    }
    return (request, alignment)
  }

  private mutating func begin(with ayah: AyahReference) {
    var start = PlaceCandidate(first: ayah, probability: candidates[0].probability)
    if let index = candidates.firstIndex(where: { $0.first == ayah }) {
      start = candidates.remove(at: index)
      swap(&start.probability, &candidates[0].probability)
    } else {
      candidates.removeFirst()
    }
    candidates.insert(start, at: 0)
  }

  /// The probability of the passage that is aligned, wherever in it the recording begins: that is heard by more than
  /// the first words.
  private var sureness: Double {
    guard let first = candidates.first else { return 0 }
    let others = candidates.dropFirst().filter { !$0.isWordedAlike && $0.isNear(first) }
    return min(others.reduce(first.probability) { $0 + $1.probability }, 1)
  }

  /// No segment of what is aligned from there is surer than this.
  var confidence: Double {
    doubt == nil ? sureness : min(sureness, AlignmentJudgement.greatestDoubted)
  }

  /// Why the likeliest place may well be wrong; nil where it is more likely right.
  var doubt: AlignmentRemark? {
    guard let first = candidates.first else { return nil }
    if !isHeard { return .noPlace(range) }
    if !range.contains(first.first) { return .beginsOutside(first.first, range) }
    return sureness < PlaceReport.likely ? .manyPlaces : nil
  }

  /// The same as it is kept with a recording.
  var uncertainty: AlignmentJudgement.Remark? {
    doubt.map { .init(code: $0.code, text: "uncertain start: \($0.text(.editor))") }
  }

  /// A sentence lists no more besides the likeliest.
  private static let mostListed = 8

  /// What a person should know of the candidates, who acts on it at a place.
  func remark(_ place: AlignmentRemark.Place) -> String {
    func text(_ candidate: PlaceCandidate) -> String {
      let percent = Int((100 * candidate.probability).rounded())
      let sureness = percent < 1 ? "under 1%" : percent > 99 ? "over 99%" : "\(percent)%"
      let alike = candidate.isWordedAlike ? ", same wording" : ""
      return (candidate.isWithin ? "within " : "") + "\(candidate.first) (\(sureness)\(alike))"
    }
    let isCommand = place == .commandLine
    guard let first = candidates.first else {
      return "the start was not found" + (isCommand ? "; use --start" : "")
    }
    var others = candidates.dropFirst().prefix(Self.mostListed).map(text).joined(separator: ", ")
    let rest = candidates.count - 1 - Self.mostListed
    if rest > 0 { others += " and \(rest) more with the same wording" }
    let places = text(first) + (others.isEmpty ? "" : "; or \(others)")
    guard let doubt else {
      return "assumed start: \(places)" + (isCommand ? "; if wrong, use --start" : "")
    }
    return "uncertain start: \(places); \(doubt.text(place))"
  }
}
