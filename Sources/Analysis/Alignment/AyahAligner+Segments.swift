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
    for (index, token) in result.tokens.enumerated() {
      let end = result.points[index + 1]
      guard end.position > result.points[index].position else { continue }
      spans.append(upTo: end.position, token.assignment, edge: result.probabilities[index + 1])
    }
    spans.close(afterSilenceOf: Self.shortestSilence, rate: rate)
    return AyahAlignment(
      segments: spans.segments, boundaries: spans.boundaries, pauses: pauses,
      last: result.lastAyah, verdict: .plausible)
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
