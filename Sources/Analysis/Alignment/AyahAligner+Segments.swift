// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import Quran

extension AyahAligner {
  /// Silences at the ends of a recording shorter than this belong to what is recited there, in seconds.
  static let shortestSilence = 1.5

  /// The alignment of a whole recording from that of its voiced stretch.
  func alignment(_ result: LengthAligner.Result, _ leadIn: LeadInModel) -> AyahAlignment {
    var spans = SegmentList(length: length)
    let start = result.points[0]
    let opening = voiceStart
    if opening.seconds(at: rate) >= Self.shortestSilence {
      spans.append(upTo: opening, .unused(.silence), edge: Self.certain)
    }
    if result.hypothesis.hasLeadIn {
      let pace = exp(result.paces.first ?? 0)
      let said = leadIn.likeliest(seconds: start.active, pace: pace)
      spans.append(
        upTo: start.position, said.map { .leadIn($0) } ?? .unused(.other),
        edge: result.probabilities[0])
    }
    for (rows, assignment) in assignments(result) {
      spans.append(
        upTo: result.points[rows.upperBound].position, assignment,
        edge: result.probabilities[rows.upperBound])
    }
    spans.close(afterSilenceOf: Self.shortestSilence, rate: rate)
    return AyahAlignment(
      segments: spans.segments, boundaries: spans.boundaries, pauses: pauses,
      last: result.lastAyah, verdict: .plausible)
  }

  /// A boundary in no pause that is less probable than this is no place that the sound gives: the ayat
  /// beside it are one segment, with a join.
  private static let leastProbability = 0.25

  /// What lies between which rows, ayat that are joined without a place to part them taken together.
  func assignments(_ result: LengthAligner.Result) -> [(rows: Range<Int>, Assignment)] {
    let tokens = result.tokens
    let points = result.points
    let there = tokens.indices.filter { points[$0].position < points[$0 + 1].position }
    var runs: [[Int]] = []
    for index in there {
      if let last = runs.last?.last, isJoin(last, index, result) {
        runs[runs.count - 1].append(index)
      } else {
        runs.append([index])
      }
    }
    return runs.map { run in
      let rows = run[0]..<(run[run.count - 1] + 1)
      let joins = run.dropFirst().map { points[$0].position }
      guard let join = joins.first, case .ayah(let first) = tokens[run[0]].content,
        case .ayah(let last) = tokens[run[run.count - 1]].content
      else { return (rows, tokens[run[0]].assignment) }
      if first.surah != last.surah { return (rows, .crossSurah(first, join: join, end: last)) }
      let range = AyahRange(first: first, last: last)
      return (rows, range.map { .ayat($0, joins: joins) } ?? tokens[run[0]].assignment)
    }
  }

  /// Whether two tokens have no place between them that the sound gives.
  private func isJoin(_ left: Int, _ right: Int, _ result: LengthAligner.Result) -> Bool {
    let (first, second) = (result.tokens[left], result.tokens[right])
    guard right == left + 1, first.part == nil, second.part == nil,
      result.probabilities[right] < Self.leastProbability,
      let candidate = result.points[right].candidate, !candidates.candidates[candidate].isDip,
      case .ayah(let ayah) = first.content, case .ayah(let next) = second.content,
      ayah.next == next
    else { return false }
    return ayah.surah == next.surah
      || (left == 0 || result.tokens[left - 1].content != first.content)
  }

  /// Nothing is known but the pauses.
  func unaligned(_ reason: String) -> AyahAlignment {
    let whole = FramePosition.zero..<(.zero + length)
    return AyahAlignment(
      segments: whole.isEmpty ? [] : [.init(whole, .unused(.other), confidence: 0)],
      boundaries: [], pauses: pauses, last: nil, verdict: .doubtful(reason))
  }

  private static let certain = 1.0

  private var voiceStart: FramePosition {
    guard let first = candidates.candidates.first(where: \.isDip),
      first.span.lowerBound.seconds(at: rate) < 0.1
    else { return .zero }
    return first.position
  }

  var pauses: [Pause] {
    candidates.dips.filter(\.isPause).map {
      Pause(span: $0.span, depth: $0.depth, confidence: PauseDetector.confidence($0))
    }
  }
}

extension LengthAligner.Result {
  var lastAyah: AyahReference? {
    for token in tokens.reversed() {
      if case .ayah(let ayah) = token.content { return ayah }
    }
    return nil
  }
}
