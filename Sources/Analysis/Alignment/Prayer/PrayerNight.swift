// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import Quran

/// What a night holds, with all that it takes to find al-Fatiha and the portions again around what a
/// person confirms.
struct PrayerNight {
  var aligner: PrayerAligner
  var standings: [PrayerAligner.Standing]
  var calls: PrayerCalls
  var fatihas: FatihaFinder.Finding
  /// What goes on from rak'ah to rak'ah, and then what is recited in the witr.
  var recitals: [PrayerRecital] = []

  /// A pause of the last standing after which the qunut may be said.
  struct PlaceOfQunut {
    var standing: Int
    /// Seconds at which reciting ends.
    var end: Double
    var qunut: Range<Double>
  }

  /// How long the pause before the qunut is, and the qunut itself, at least, in seconds; and how many pauses
  /// are looked at, the longest ones.
  private static let shortestPause = 0.7
  private static let shortestQunut = 15.0
  private static let mostPlaces = 5
  /// The last sound goes on so long in a pause, and what is said begins so long before the voice, in seconds.
  private static let decay = 0.4
  private static let lead = 0.1

  /// Where a qunut before the bow may begin: in the last rak'ah of a witr, which has one or three.
  func placesOfQunut(_ candidates: AlignmentCandidates, rate: SampleRate) -> [PlaceOfQunut] {
    guard let last = standings.lastIndex(where: { $0.kind == .rakah }),
      last == standings.count - 1 || standings[last + 1].kind == .speech
    else { return [] }
    var count = 0
    for number in (0...last).reversed() {
      if number < last {
        let between = calls.between(
          standings[number].structure.span.upperBound,
          standings[number + 1].structure.span.lowerBound)
        if calls.salams(in: between) != nil { break }
      }
      if standings[number].kind == .rakah { count += 1 }
    }
    guard count % 2 == 1 else { return [] }
    let portion = standings[last].portion
    let pauses = candidates.candidates.filter {
      $0.isDip && $0.span.length.seconds(at: rate) >= Self.shortestPause
        && $0.span.lowerBound.seconds(at: rate) >= portion.lowerBound
          + PrayerAligner.shortestPortion
        && $0.span.upperBound.seconds(at: rate) <= portion.upperBound - Self.shortestQunut
    }.sorted { $0.span.length > $1.span.length }
    return pauses.prefix(Self.mostPlaces).map { pause in
      let length = pause.span.length.seconds(at: rate)
      return PlaceOfQunut(
        standing: last,
        end: pause.span.lowerBound.seconds(at: rate) + min(Self.decay, length / 2),
        qunut: (pause.span.upperBound.seconds(at: rate) - Self.lead)..<portion.upperBound)
    }
  }

  /// How sure the edges of what is only told by its place are.
  private static let sureOfPlace = 0.8

  /// All but the portions.
  func pieces(rate: SampleRate) -> [PrayerPiece] {
    standings.flatMap { pieces($0, rate) } + callPieces(rate)
  }

  private func piece(
    _ span: Range<Double>, _ reason: UnusedReason, _ rate: SampleRate,
    silence: UnusedReason = .silence
  ) -> PrayerPiece {
    PrayerPiece(
      span: FramePosition(
        seconds: max(span.lowerBound, 0), at: rate)..<FramePosition(
          seconds: max(span.upperBound, 0), at: rate),
      assignment: .unused(reason), edges: (Self.sureOfPlace, Self.sureOfPlace), silence: silence)
  }

  /// Al-Fatiha and ameen, or what is no reciting.
  private func pieces(
    _ standing: PrayerAligner.Standing, _ rate: SampleRate
  ) -> [PrayerPiece] {
    switch standing.kind {
    case .supplication: return [piece(standing.structure.span, .qunut, rate)]
    case .speech: return [piece(standing.structure.span, .speech, rate)]
    case .rakah, .continuation: break
    }
    var pieces: [PrayerPiece] = []
    if let opening = standing.opening { pieces.append(piece(opening, .takbir, rate)) }
    if let fatiha = standing.fatiha {
      for number in 1...7 {
        let span = fatiha.points[number - 1].position..<fatiha.points[number].position
        guard let ayah = AyahReference(surah: 1, ayah: number), !span.isEmpty else { continue }
        pieces.append(
          PrayerPiece(
            span: span, assignment: .ayah(ayah),
            edges: (fatiha.probabilities[number - 1], fatiha.probabilities[number])))
      }
    }
    if let ameen = standing.ameen { pieces.append(piece(ameen, .ameen, rate)) }
    if let qunut = standing.qunut { pieces.append(piece(qunut, .qunut, rate)) }
    return pieces
  }

  private func callPieces(_ rate: SampleRate) -> [PrayerPiece] {
    var pieces = calls.labels(
      calls.between(-.infinity, standings.first?.structure.span.lowerBound ?? .infinity),
      after: .speech, hasTakbir: false, isProstration: false
    ).map { piece($0.span, $0.reason, rate, silence: $0.silence) }
    for (number, standing) in standings.enumerated() {
      let next = number + 1 < standings.count ? standings[number + 1] : nil
      let isProstration =
        next?.kind == .continuation && standing.portion.length >= PrayerAligner.shortestPortion
      if let takbir = standing.takbir {
        pieces.append(piece(takbir, .takbir, rate, silence: isProstration ? .sujud : .ruku))
      }
      let group = calls.between(
        standing.structure.span.upperBound, next?.structure.span.lowerBound ?? .infinity)
      pieces += calls.labels(
        group, after: standing.kind, hasTakbir: standing.takbir != nil,
        isProstration: isProstration
      ).map { piece($0.span, $0.reason, rate, silence: $0.silence) }
    }
    return pieces
  }
}

/// What is recited in some portions, one after the other.
struct PrayerRecital {
  var portions: [PrayerAligner.Portion]
  var request: AlignmentRequest
  /// In seconds of the portions put end to end.
  var result: LengthAligner.Result
  var reference = ReferenceUse.none

  /// The logarithm of seconds per unit.
  var pace: Double { result.paces.reduce(0, +) / Double(max(result.paces.count, 1)) }
  var secondsPerUnit: Double { exp(pace) }

  /// - Parameter starts: where portions begin now that began elsewhere.
  func pieces(starts: [FramePosition: FramePosition] = [:]) -> [PrayerPiece] {
    var pieces: [PrayerPiece] = []
    func start(_ position: FramePosition) -> FramePosition { starts[position] ?? position }
    if result.hypothesis.hasLeadIn, let first = portions.first {
      pieces.append(
        PrayerPiece(
          span: min(
            start(first.span.lowerBound), result.points[0].position)..<result.points[0]
            .position,
          assignment: .leadIn(.basmalah(of: request.first.surah)),
          edges: (result.probabilities[0], result.probabilities[0])))
    }
    for (index, token) in result.tokens.enumerated() {
      let point = result.points[index]
      let end = result.points[index + 1].position
      guard point.position < end else { continue }
      // What begins where a portion ends begins with the next one.
      let next = portions.first { $0.span.lowerBound >= point.position }?.span.lowerBound
      let isAtEdge =
        point.candidate == nil && portions.contains { $0.span.upperBound == point.position }
      let begin = start(isAtEdge ? next ?? point.position : point.position)
      guard begin < end else { continue }
      pieces.append(
        PrayerPiece(
          span: begin..<end, assignment: token.assignment,
          edges: (result.probabilities[index], result.probabilities[index + 1])))
    }
    return pieces
  }
}
