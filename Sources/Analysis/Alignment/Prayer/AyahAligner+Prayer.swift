// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import Quran

extension AyahAligner {
  /// Aligns a night of taraweeh; nil when there is no standing in it.
  func alignPrayer(_ request: AlignmentRequest) -> AyahAlignment? {
    let aligner = PrayerAligner(candidates: candidates, rate: rate, voice: voice)
    func portionAlignment(
      _ rakahs: [PrayerAligner.Rakah]
    ) -> (portions: [Range<FramePosition>], result: LengthAligner.Result)? {
      let portions = aligner.portions(rakahs).map(\.span)
      guard !portions.isEmpty else { return nil }
      let timeline = AlignmentTimeline(candidates, stretches: portions, rate: rate)
      return bestAlignment(request, timeline).map { (portions, $0) }
    }
    guard let first = portionAlignment(aligner.rakahs().rakahs) else { return nil }
    // The endings of the ayat recited show what those of al-Fatiha are like.
    let (rakahs, calls) = aligner.rakahs(after: first.result)
    guard let (portions, result) = portionAlignment(rakahs) else { return nil }
    var pieces = recitedPieces(result, portions, request)
    for rakah in rakahs { pieces += openingPieces(rakah) }
    let spoken = PrayerCalls.label(calls, between: rakahs)
    for (span, reason) in spoken {
      pieces.append(
        Piece(
          span: FramePosition(
            seconds: span.lowerBound, at: rate)..<FramePosition(seconds: span.upperBound, at: rate),
          assignment: .unused(reason), edges: (0.8, 0.8)))
    }
    return alignment(pieces, last: result.lastAyah)
  }

  /// Something heard, with how sure both its edges are.
  private struct Piece {
    var span: Range<FramePosition>
    var assignment: Assignment
    var edges: (start: Double, end: Double)
  }

  private func recitedPieces(
    _ result: LengthAligner.Result, _ portions: [Range<FramePosition>],
    _ request: AlignmentRequest
  ) -> [Piece] {
    var pieces: [Piece] = []
    if result.hypothesis.hasLeadIn, let first = portions.first {
      pieces.append(
        Piece(
          span: first.lowerBound..<result.points[0].position,
          assignment: .leadIn(.basmalah(of: request.first.surah)),
          edges: (result.probabilities[0], result.probabilities[0])))
    }
    for (index, token) in result.tokens.enumerated() {
      let start = result.points[index].position
      let end = result.points[index + 1].position
      guard start < end else { continue }
      // What begins where a portion ends begins with the next one.
      let next = portions.first { $0.lowerBound >= start }
      let isAtEdge =
        result.points[index].candidate == nil && portions.contains { $0.upperBound == start }
      let begin = isAtEdge ? next?.lowerBound ?? start : start
      guard begin < end else { continue }
      let assignment: Assignment =
        switch token.content {
        case .ayah(let ayah): .ayah(ayah)
        case .basmalah(let surah): .leadIn(.basmalah(of: surah))
        }
      pieces.append(
        Piece(
          span: begin..<end, assignment: assignment,
          edges: (result.probabilities[index], result.probabilities[index + 1])))
    }
    return pieces
  }

  /// Al-Fatiha, ameen, and the takbir that ends a standing.
  private func openingPieces(_ rakah: PrayerAligner.Rakah) -> [Piece] {
    var pieces: [Piece] = []
    func position(_ seconds: Double) -> FramePosition { FramePosition(seconds: seconds, at: rate) }
    if let fatiha = rakah.fatiha {
      for number in 1...7 {
        guard let ayah = AyahReference(surah: 1, ayah: number) else { continue }
        let span = fatiha.points[number - 1].position..<fatiha.points[number].position
        pieces.append(
          Piece(
            span: span, assignment: .ayah(ayah),
            edges: (fatiha.probabilities[number - 1], fatiha.probabilities[number])))
      }
    }
    if let ameen = rakah.ameen {
      pieces.append(
        Piece(
          span: position(ameen.lowerBound)..<position(ameen.upperBound),
          assignment: .unused(.ameen), edges: (0.8, 0.8)))
    }
    if let takbir = rakah.takbir {
      pieces.append(
        Piece(
          span: position(takbir.lowerBound)..<position(takbir.upperBound),
          assignment: .unused(.takbir), edges: (0.8, 0.8)))
    }
    return pieces
  }

  /// Puts the pieces in order, with silence where nothing is heard.
  private func alignment(_ pieces: [Piece], last: AyahReference?) -> AyahAlignment {
    var list = SegmentList(length: length)
    for piece in pieces.sorted(by: { $0.span.lowerBound < $1.span.lowerBound }) {
      let gap = (piece.span.lowerBound - list.position).seconds(at: rate)
      if gap >= Self.shortestGap {
        list.append(
          upTo: piece.span.lowerBound, .unused(list.silenceReason), edge: piece.edges.start)
      } else if gap > 0 {
        list.extend(upTo: piece.span.lowerBound)
      }
      list.append(upTo: piece.span.upperBound, piece.assignment, edge: piece.edges.end)
    }
    list.close(afterSilenceOf: Self.shortestGap, rate: rate)
    return AyahAlignment(
      segments: list.segments, boundaries: list.boundaries, pauses: pauses, last: last,
      verdict: .plausible)
  }

  /// Shorter silences belong to what precedes, in seconds.
  private static let shortestGap = 0.3
}

/// Names what is said between standings, by its place and length.
enum PrayerCalls {
  /// A salam is longer than a takbir, in seconds.
  private static let shortestSalam = 3.4
  /// Longer speech than this belongs to no prayer.
  private static let longestSalam = 9.0
  private static let waitForSalam = 6.0

  static func label(
    _ calls: [Range<Double>], between rakahs: [PrayerAligner.Rakah]
  ) -> [(Range<Double>, UnusedReason)] {
    var result: [(Range<Double>, UnusedReason)] = []
    var edges = rakahs.map(\.standing.span)
    edges.append(.greatestFiniteMagnitude..<Double.greatestFiniteMagnitude)
    var start = -Double.infinity
    var hasTakbir = false
    for (number, edge) in edges.enumerated() {
      let group = calls.filter { $0.lowerBound >= start && $0.lowerBound < edge.lowerBound }
      let salams = Set(salams(in: group))
      for (index, call) in group.enumerated() {
        let isAfterBow = number > 0 && index == (hasTakbir ? 0 : 1)
        let reason: UnusedReason =
          call.length > longestSalam
          ? .speech : salams.contains(index) ? .salam : isAfterBow ? .tasmee : .takbir
        result.append((call, reason))
      }
      guard number < rakahs.count else { break }
      start = edge.upperBound
      hasTakbir = rakahs[number].takbir != nil
    }
    return result
  }

  /// Two long calls, one soon after the other.
  private static func salams(in group: [Range<Double>]) -> [Int] {
    let range = shortestSalam...longestSalam
    for index in group.indices.dropLast()
    where range.contains(group[index].length) && range.contains(group[index + 1].length)
      && group[index + 1].lowerBound - group[index].upperBound < waitForSalam
    {
      return [index, index + 1]
    }
    return []
  }
}
