// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import Quran

extension AyahAligner {
  /// Aligns a night of taraweeh; nil when there is no standing in it.
  ///
  /// - Parameter comparison: what it sounds like and another recitation, if there is one.
  func alignPrayer(
    _ request: AlignmentRequest, _ sound: Cepstra?, _ comparison: ReferenceComparison? = nil
  ) -> AyahAlignment? {
    var aligner = PrayerAligner(
      candidates: candidates, rate: rate, voice: voice, duration: length.seconds(at: rate),
      sound: sound)
    if let words = comparison.flatMap({ Self.fatiha($0.reference) }) { aligner.words = words }
    let first = aligner.portions(aligner.standings().standings).map(\.span)
    guard let rough = recital(first, request) else { return nil }
    // The endings of the ayat recited show what those of al-Fatiha are like.
    let (standings, calls) = aligner.standings(after: rough.result)
    var recitals = recitals(aligner.portions(standings), request)
    if let comparison { recitals = recitals.map { guided($0, comparison) } }
    guard let main = recitals.first, let last = main.result.lastAyah else { return nil }
    let pieces =
      recitals.flatMap { recitedPieces($0) } + standings.flatMap { standingPieces($0) }
      + spokenPieces(calls, standings)
    var aligned = alignment(pieces, last: last)
    if main.isReferenceLeftAside {
      aligned.verdict = Self.doubtOfReference(request)
    } else if let comparison {
      aligned.remarks += comparison.remarks(recitals.flatMap(\.result.tokens))
    }
    return aligned
  }

  /// What is recited in some portions.
  private struct Recital {
    var portions: [Range<FramePosition>]
    var request: AlignmentRequest
    /// In seconds of the portions put end to end.
    var result: LengthAligner.Result
    var isReferenceLeftAside = false

    var pace: Double { result.paces.reduce(0, +) / Double(max(result.paces.count, 1)) }
  }

  private func recital(
    _ portions: [Range<FramePosition>], _ request: AlignmentRequest
  ) -> Recital? {
    guard !portions.isEmpty else { return nil }
    return bestAlignment(request, timeline(portions)).map {
      Recital(portions: portions, request: request, result: $0)
    }
  }

  private func timeline(_ portions: [Range<FramePosition>]) -> AlignmentTimeline {
    AlignmentTimeline(candidates, stretches: portions, rate: rate)
      .timed(by: JoinedClock(portions, rate: rate))
  }

  /// The same with what a reference tells, unless it is of something else.
  private func guided(_ recital: Recital, _ comparison: ReferenceComparison) -> Recital {
    let clock = JoinedClock(recital.portions, rate: rate)
    let joined = ReferenceComparison(
      recording: clock.joined(comparison.recording), reference: comparison.reference)
    let silences = candidates.candidates.map { clock.seconds(of: $0.span) }
    var recital = recital
    let compared = guided(
      recital.result, recital.request, timeline(recital.portions), joined, silences)
    guard let compared else { return recital }
    if isSure(compared, Self.leastGuidedMean) || !isSure(recital.result, Self.leastMean) {
      recital.result = compared
    } else {
      recital.isReferenceLeftAside = true
    }
    return recital
  }

  /// Surahs that are recited in the witr, whatever came before: in its three rak'ahs, or in the last of
  /// them after two in which the night's recitation went on.
  private static let witr = [[87, 109, 112], [112]]
  /// By how much an alignment with a witr must be the likelier one, in logarithms.
  private static let leastOdds = 6.0
  /// Spread of the logarithm of the pace between the night's recitation and the witr.
  private static let paceSpread = 0.2

  /// What goes on from rak'ah to rak'ah, and after it what is recited in the witr, if there is one.
  private func recitals(
    _ portions: [PrayerAligner.Portion], _ request: AlignmentRequest
  ) -> [Recital] {
    guard let all = recital(portions.map(\.span), request) else { return [] }
    var best = [all]
    var bestOdds = all.result.logLikelihood + Self.leastOdds
    for surahs in Self.witr {
      let night = portions.dropLast(surahs.count)
      let rest = portions.suffix(surahs.count)
      guard rest.allSatisfy(\.isRakah), let main = recital(night.map(\.span), request) else {
        continue
      }
      let witr = zip(rest, surahs.compactMap { Surah($0) }).compactMap { portion, surah in
        recital(
          [portion.span],
          AlignmentRequest(first: surah.firstAyah, last: surah.lastAyah, prayer: request.prayer))
      }
      guard witr.count == surahs.count else { continue }
      let odds = witr.reduce(main.result.logLikelihood) { odds, recital in
        let deviation = (recital.pace - main.pace) / Self.paceSpread
        return odds + recital.result.logLikelihood - deviation * deviation / 2
      }
      if odds > bestOdds {
        best = [main] + witr
        bestOdds = odds
      }
    }
    return best
  }

  /// The frames of al-Fatiha, if all of it is there.
  private static func fatiha(_ reference: ReferenceRecitation) -> [SpectralFrames]? {
    let ayat = (1...7).compactMap { AyahReference(surah: 1, ayah: $0) }
      .compactMap { reference.ayat[$0]?.withoutSilence }
    guard ayat.count == 7, ayat.allSatisfy({ $0.count > 0 }) else { return nil }
    let whole = SpectralFrames(joining: ayat.map { .known($0) })
    var first = 0
    return ayat.map { ayah in
      let range = (first * SpectralFrames.width)..<((first + ayah.count) * SpectralFrames.width)
      first += ayah.count
      return SpectralFrames(values: Array(whole.values[range]))
    }
  }

  /// Something heard, with how sure both its edges are.
  private struct Piece {
    var span: Range<FramePosition>
    var assignment: Assignment
    var edges: (start: Double, end: Double)
    /// What the silence after it is.
    var silence = UnusedReason.silence

    var isEndOfFatiha: Bool {
      if case .ayah(let ayah, _) = assignment {
        ayah == ayah.surah.lastAyah && ayah.surah.number == 1
      } else {
        false
      }
    }
  }

  /// How sure the edges of what is only told by its place are.
  private static let sureOfPlace = 0.8

  private func piece(
    _ span: Range<Double>, _ reason: UnusedReason, silence: UnusedReason = .silence
  ) -> Piece {
    Piece(
      span: FramePosition(
        seconds: max(span.lowerBound, 0), at: rate)..<FramePosition(
          seconds: max(span.upperBound, 0), at: rate),
      assignment: .unused(reason), edges: (Self.sureOfPlace, Self.sureOfPlace), silence: silence)
  }

  private func recitedPieces(_ recital: Recital) -> [Piece] {
    let (result, portions) = (recital.result, recital.portions)
    var pieces: [Piece] = []
    if result.hypothesis.hasLeadIn, let first = portions.first {
      pieces.append(
        Piece(
          span: first.lowerBound..<result.points[0].position,
          assignment: .leadIn(.basmalah(of: recital.request.first.surah)),
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

  /// Al-Fatiha, ameen, the takbir that ends a standing, or what is no reciting.
  private func standingPieces(_ standing: PrayerAligner.Standing) -> [Piece] {
    switch standing.kind {
    case .supplication: return [piece(standing.structure.span, .qunut)]
    case .speech: return [piece(standing.structure.span, .speech)]
    case .rakah, .continuation: break
    }
    var pieces: [Piece] = []
    if let fatiha = standing.fatiha {
      for number in 1...7 {
        let span = fatiha.points[number - 1].position..<fatiha.points[number].position
        guard let ayah = AyahReference(surah: 1, ayah: number), !span.isEmpty else { continue }
        pieces.append(
          Piece(
            span: span, assignment: .ayah(ayah),
            edges: (fatiha.probabilities[number - 1], fatiha.probabilities[number])))
      }
    }
    if let ameen = standing.ameen { pieces.append(piece(ameen, .ameen)) }
    return pieces
  }

  private func spokenPieces(
    _ calls: PrayerCalls, _ standings: [PrayerAligner.Standing]
  ) -> [Piece] {
    var pieces = calls.labels(
      calls.between(-.infinity, standings.first?.structure.span.lowerBound ?? .infinity),
      after: .speech, hasTakbir: false, isProstration: false
    ).map { piece($0.span, $0.reason, silence: $0.silence) }
    for (number, standing) in standings.enumerated() {
      let next = number + 1 < standings.count ? standings[number + 1] : nil
      let isProstration =
        next?.kind == .continuation && standing.portion.length >= PrayerAligner.shortestPortion
      if let takbir = standing.takbir {
        pieces.append(piece(takbir, .takbir, silence: isProstration ? .sujud : .ruku))
      }
      let group = calls.between(
        standing.structure.span.upperBound, next?.structure.span.lowerBound ?? .infinity)
      pieces += calls.labels(
        group, after: standing.kind, hasTakbir: standing.takbir != nil,
        isProstration: isProstration
      ).map { piece($0.span, $0.reason, silence: $0.silence) }
    }
    return pieces
  }

  /// Puts the pieces in order, with silence where nothing is heard.
  private func alignment(_ pieces: [Piece], last: AyahReference?) -> AyahAlignment {
    var list = SegmentList(length: length)
    var previous: Piece?
    for var piece in pieces.sorted(by: { $0.span.lowerBound < $1.span.lowerBound }) {
      if !piece.assignment.isRecitation || previous?.isEndOfFatiha == true,
        let end = endOfReciting(before: piece.span.lowerBound, previous)
      {
        list.shorten(to: end)
      }
      let gap = (piece.span.lowerBound - list.position).seconds(at: rate)
      if gap >= Self.shortestGap {
        list.append(
          upTo: piece.span.lowerBound, .unused(previous?.silence ?? .silence),
          edge: piece.edges.start)
      } else if gap > 0, !piece.assignment.isRecitation, !piece.span.isEmpty {
        piece.span = list.position..<piece.span.upperBound
      } else if gap > 0 {
        list.extend(upTo: piece.span.lowerBound)
      }
      list.append(upTo: piece.span.upperBound, piece.assignment, edge: piece.edges.end)
      previous = piece
    }
    list.close(afterSilenceOf: Self.shortestGap, rate: rate)
    return AyahAlignment(
      segments: list.segments, boundaries: list.boundaries, pauses: pauses, last: last,
      verdict: .plausible)
  }

  /// Where a piece of reciting that something else follows falls silent: not, as between ayat, just before
  /// the voice returns.
  private func endOfReciting(before next: FramePosition, _ piece: Piece?) -> FramePosition? {
    guard let piece, piece.assignment.isRecitation else { return nil }
    let margin = FrameCount(seconds: Self.decay, at: rate)
    let pause = candidates.candidates.last {
      $0.isDip && $0.span.lowerBound < piece.span.upperBound
        && $0.span.upperBound + margin > piece.span.upperBound
    }
    guard let pause, pause.span.lowerBound > piece.span.lowerBound else { return nil }
    let half = FrameCount(pause.span.length.frames / 2)
    return pause.span.lowerBound + min(half, margin)
  }

  /// How long the last sound goes on within a silence, in seconds.
  private static let decay = 0.4
  /// Shorter silences belong to what is beside them, in seconds.
  private static let shortestGap = 0.9
}
