// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import Quran

extension AyahAligner {
  /// Finds what a night of taraweeh holds; nil when there is no standing in it.
  ///
  /// - Parameter comparison: what it sounds like and another recitation, if there is one.
  func night(
    _ request: AlignmentRequest, _ sound: Cepstra?, _ comparison: ReferenceComparison? = nil
  ) -> PrayerNight? {
    var aligner = PrayerAligner(
      candidates: candidates, rate: rate, voice: voice, duration: length.seconds(at: rate),
      sound: sound)
    if let words = comparison.flatMap({ Self.fatiha($0.reference) }) { aligner.words.append(words) }
    let outline = aligner.outline()
    let found = aligner.night(outline)
    guard let rough = recital(aligner.portions(found.standings), request) else { return nil }
    // The endings of the ayat recited show what those of al-Fatiha are like.
    var night = aligner.night(outline, after: rough.result)
    let all = recitals(aligner.portions(night.standings), request, rough)
    night.recitals = all.recitals
    if let other = withEarlyQunut(night, request, rough, odds: all.odds) { night = other }
    if let comparison { night.recitals = night.recitals.map { guided($0, comparison) } }
    return night.recitals.isEmpty ? nil : night
  }

  /// What a night holds, with what is to be said of it.
  func alignment(
    of night: PrayerNight, _ request: AlignmentRequest, _ comparison: ReferenceComparison?
  ) -> AyahAlignment {
    let pieces = night.pieces(rate: rate) + night.recitals.flatMap { $0.pieces() }
    let last = night.recitals.first?.result.lastAyah
    var aligned = segments(of: pieces, last: last)
    judge(&aligned, night, request)
    if let recital = night.recitals.first {
      let whole = timeline(recital.portions.map(\.span))
      judgeBeginning(
        &aligned, recital.result, request, whole,
        comparison.flatMap { recital.reference == .leftAside ? nil : heardStart(recital, $0) },
        isHeard: recital.reference == .used)
    }
    if let comparison, night.recitals.first?.reference == .used {
      aligned.note(comparison.remarks(night.recitals.flatMap(\.result.tokens)), about: .other)
    }
    return aligned
  }

  /// Where the portions begin by their sound; nil where the reference does not have what was told.
  private func heardStart(
    _ recital: PrayerRecital, _ comparison: ReferenceComparison
  ) -> [AyahProposal]? {
    guard comparison.reference.ayat[recital.request.first] != nil else { return nil }
    let clock = JoinedClock(recital.portions.map(\.span), rate: rate)
    // Al-Fatiha is no part of what the portions hold.
    let ayat = comparison.reference.ayat.filter { $0.key.surah.number != 1 }
    let joined = ReferenceComparison(
      recording: clock.joined(comparison.recording), reference: ReferenceRecitation(ayat: ayat))
    return PassageSearch(
      joined, voiced: 0..<joined.recording.seconds,
      silences: candidates.candidates.map { clock.seconds(of: $0.span) }
        .filter { $0.lowerBound < $0.upperBound }, stopFlag: stopFlag
    ).proposals()
  }

  /// Puts pieces end to end around what is confirmed.
  func segments(
    of pieces: [PrayerPiece], last: AyahReference?, _ anchors: AlignmentAnchors = AlignmentAnchors()
  ) -> AyahAlignment {
    let segments = PrayerSegments(
      candidates: candidates, rate: rate, length: length, anchors: anchors)
    let list = segments.list(pieces)
    return AyahAlignment(
      segments: list.segments, boundaries: list.boundaries, pauses: pauses, last: last,
      verdict: .plausible)
  }

  private func recital(
    _ portions: [PrayerAligner.Portion], _ request: AlignmentRequest
  ) -> PrayerRecital? {
    guard !portions.isEmpty else { return nil }
    return bestAlignment(request, timeline(portions.map(\.span))).map {
      PrayerRecital(portions: portions, request: request, result: $0)
    }
  }

  private func timeline(_ spans: [Range<FramePosition>]) -> AlignmentTimeline {
    AlignmentTimeline(candidates, stretches: spans, rate: rate)
      .timed(by: JoinedClock(spans, rate: rate))
  }

  /// The same with what a reference tells, unless it is of something else.
  private func guided(
    _ recital: PrayerRecital, _ comparison: ReferenceComparison
  ) -> PrayerRecital {
    let spans = recital.portions.map(\.span)
    let clock = JoinedClock(spans, rate: rate)
    let joined = ReferenceComparison(
      recording: clock.joined(comparison.recording), reference: comparison.reference)
    let silences = candidates.candidates.map { clock.seconds(of: $0.span) }
    var recital = recital
    let compared = guided(
      recital.result, recital.request, timeline(spans), joined, silences)
    let choice = choice(recital.result, recital.result, compared, hasReference: true)
    guard let choice else { return recital }
    recital.result = choice.result
    recital.reference = choice.use
    return recital
  }

  /// Surahs that are recited in the witr, whatever came before: in its three rak'ahs, or in the last of
  /// them after two in which the night's recitation went on.
  private static let witr = [[87, 109, 112], [112]]
  /// By how much an alignment with a witr must be the likelier one, in logarithms.
  private static let leastOdds = 6.0
  /// A surah takes no more than this times as long as the pace of the night has it, and no less than the
  /// part of that.
  private static let mostRatio = 2.5
  /// Spread of the logarithm of the pace between the night's recitation and the witr.
  private static let paceSpread = 0.2

  /// What goes on from rak'ah to rak'ah, and after it what is recited in the witr, if there is one.
  private func recitals(
    _ portions: [PrayerAligner.Portion], _ request: AlignmentRequest, _ rough: PrayerRecital
  ) -> (recitals: [PrayerRecital], odds: Double) {
    guard let all = rough.portions == portions ? rough : recital(portions, request) else {
      return ([], -.infinity)
    }
    var best = [all]
    var bestOdds = all.result.logLikelihood + Self.leastOdds
    for surahs in Self.witr {
      let night = portions.dropLast(surahs.count)
      let rest = portions.suffix(surahs.count)
      let lengths = zip(rest, surahs).map { portion, surah in
        Self.isLikely(portion.span.length.seconds(at: rate), surah, all.secondsPerUnit)
      }
      guard rest.allSatisfy(\.isRakah), lengths.count == surahs.count,
        lengths.allSatisfy({ $0 }), let main = recital(Array(night), request)
      else { continue }
      let witr = zip(rest, surahs.compactMap { Surah($0) }).compactMap { portion, surah in
        recital(
          [portion],
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
    return (best, bestOdds)
  }

  /// How much likelier the night must be with a qunut before the last bow, in logarithms.
  private static let leastOddsOfQunut = 10.0

  /// The night with a qunut between the last portion and the bow, if that is much the likelier one.
  ///
  /// - Parameter odds: of the night without it.
  private func withEarlyQunut(
    _ night: PrayerNight, _ request: AlignmentRequest, _ rough: PrayerRecital, odds: Double
  ) -> PrayerNight? {
    let places = night.placesOfQunut(candidates, rate: rate)
    guard !places.isEmpty else { return nil }
    let aligner = night.aligner
    var best: PrayerNight?
    var least = odds + Self.leastOddsOfQunut
    for place in places {
      var other = night
      other.standings[place.standing].qunut = place.qunut
      other.standings[place.standing].portion =
        other.standings[place.standing].portion.lowerBound..<place.end
      let found = recitals(aligner.portions(other.standings), request, rough)
      guard found.odds > least else { continue }
      least = found.odds
      other.recitals = found.recitals
      best = other
    }
    return best
  }

  private static func isLikely(_ seconds: Double, _ surah: Int, _ pace: Double) -> Bool {
    guard let surah = Surah(surah),
      let range = AyahRange(first: surah.firstAyah, last: surah.lastAyah)
    else { return false }
    let units = RecitedToken.tokens(range).reduce(0) { $0 + $1.units }
    return abs(log(seconds / (units * pace))) < log(mostRatio)
  }

  /// The frames of al-Fatiha, if all of it is there.
  private static func fatiha(_ reference: ReferenceRecitation) -> [SpectralFrames]? {
    let ayat = (1...7).compactMap { AyahReference(surah: 1, ayah: $0) }
      .compactMap { reference.ayat[$0]?.withoutSilence }
    guard ayat.count == 7, ayat.allSatisfy({ $0.count > 0 }) else { return nil }
    let whole = SpectralFrames(joining: ayat.map { .known($0) })
    var first = 0
    return ayat.map { ayah in
      defer { first += ayah.count }
      return whole.part(first..<first + ayah.count)
    }
  }
}
