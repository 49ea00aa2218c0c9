// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Analysis
import Annotation
import AudioCore
import Quran

/// Whether a recording is what a person said of it.
extension AcousticAligner {
  /// Whether the recording is what it was said to be, and what else is to be said of it.
  ///
  /// - Returns: what is found from another ayah on, where the recording is better heard from there.
  @discardableResult
  func judge(
    _ alignment: inout AyahAlignment, _ found: Found, _ request: AlignmentRequest
  ) -> Found? {
    if !QuranSounds.riwayat.contains(riwayah) { alignment.remark(.otherReading(riwayah)) }
    let isPrayer = request.prayer != .none
    let ayat = alignment.segments.compactMap { $0.assignment.recited?.first }
      .filter { !(isPrayer && $0.isInFatiha) }
    let beginsSurely =
      alignment.segments.first { segment in
        segment.assignment.recited.map { !(isPrayer && $0.first.isInFatiha) } ?? false
      }.map { $0.assignment.beginning == request.first && $0.confidence >= PlaceReport.likely }
      ?? false
    let beginsElsewhere = !isPrayer && ayat.first.map { $0 != request.first } ?? false
    let goesAstray = !isPrayer && alignment.goesAstray
    // What is said in the first minute and is not the text that follows may be another passage.
    let minute = section(wholeSpan, first: request.first, last: nil)
      .position(ofFrame: PlaceSearch.frames, rate: rate)
    let hasOpening = alignment.opensWithSpeech || found.regularStart.map { $0 < minute } ?? false
    let report = places(
      request, of: found, beginsSurely: beginsSurely,
      mayBeginElsewhere: beginsElsewhere || goesAstray || hasOpening)
    // A prayer is heard no better as a passage from elsewhere.
    let isHeardAsPrayer = (found.fatihasOfPrayer ?? 0) >= Self.fewestFatihas
    if !isPrayer, !isHeardAsPrayer, let report,
      let better = passageBefore(found, request)
        ?? (beginsElsewhere || goesAstray
          ? betterStart(report, found, ayat.first, mayBeFar: goesAstray, request) : nil)
    {
      alignment.remark(.beginsWith(better.place, told: request.first))
      alignment.limitConfidence()
      return better.found
    }
    var place = otherPlace(report, found, request)
    // It was followed to where it begins.
    if isPrayer, place == ayat.first { place = nil }
    if isPrayer, let place, !isFar(place, from: request.first) {
      alignment.remark(.beginsWith(place, told: request.first))
      alignment.limitConfidence()
      return nil
    }
    guard place == nil, !ayat.isEmpty, isText(found, report, request) else {
      // Which ayat of another text are said again or left out is of no interest, nor which place a
      // prayer sounds like.
      if !hintAtPrayer(&alignment, found, request) {
        alignment.remark(
          place.map { .soundsLike($0, told: request.first) } ?? .otherText(first: request.first))
        alignment.limitConfidence()
      }
      return nil
    }
    let first = ayat.first.flatMap { $0 == request.first ? nil : $0 }
    let last = request.last.flatMap {
      alignment.last(otherThan: $0, mayGoOn: isPrayer || found.isJoined)
    }
    if request.certainty == .told, found.repeats > 0 || mayHoldFatihas(alignment, request),
      // What is said again or left out follows from that.
      hintAtPrayer(&alignment, found, request)
    {
      return nil
    }
    if let first { alignment.remark(.beginsWith(first, told: request.first)) }
    if let last, let told = request.last { alignment.remark(.endsWith(last, told: told)) }
    if isPrayer, alignment.fatihas == 0 { alignment.remark(.isNoPrayer) }
    for remark in OrderRemarks.remarks(
      alignment.segments, isPrayer: isPrayer, from: origin, rate: rate)
    {
      alignment.remark(remark)
    }
    return nil
  }

  /// Where in the Quran the recording begins, where there is a reason to doubt that it begins where it was told to; of a
  /// prayer what follows al-Fatiha.
  ///
  /// - Parameters:
  ///   - found: nil where the recording cannot be what it was told to.
  ///   - beginsSurely: whether the ayah that was told is more likely than not what is recited first.
  ///   - mayBeginElsewhere: whether another ayah is heard first, or what follows that ayah is not heard next, or something
  ///     else is said before or soon after.
  func places(
    _ request: AlignmentRequest, of found: Found?, beginsSurely: Bool, mayBeginElsewhere: Bool
  ) -> PlaceReport? {
    let isSuspicious =
      found.map {
        $0.misfit > Self.suspiciousMisfit || $0.repeats > 0 || mayBeginElsewhere
          || request.prayer != .none && !beginsSurely
      } ?? true
    guard request.certainty == .told, isSuspicious else { return nil }
    return places(
      PlaceSearch(), prayer: request.prayer, threadCount: threadCount,
      isStopped: { stopFlag.isStopped })
  }

  /// Whether the words that were found are the words that are said, by the search for a place too where it hears all of
  /// the recording, and nothing else is said: a little noise fits a few words of something.
  private func isText(_ found: Found, _ report: PlaceReport?, _ request: AlignmentRequest) -> Bool {
    guard let report, isShort else { return isText(found) }
    if report.isLikely(request.first), report.misfit <= Self.greatestMisfit,
      found.likeness.isSpeech
    {
      return true
    }
    let isAll =
      request.prayer == .none && !found.pieces.contains { $0.assignment == .unused(.speech) }
    return isText(found) && (report.isHeard || !isAll)
  }

  /// The likeliest place, if it is far from where the recording was told to begin and fits much better; of a prayer
  /// near or far.
  func otherPlace(
    _ report: PlaceReport?, _ found: Found?, _ request: AlignmentRequest
  ) -> AyahReference? {
    guard let report, report.isClear, let place = report.candidates.first?.first else { return nil }
    // No portion begins in al-Fatiha; one that was not heard as such does.
    if request.prayer != .none {
      return place == request.first || place.isInFatiha ? nil : place
    }
    // What follows another passage is no other place.
    let isHeard = found.map { $0.isJoined && $0.recites(place) } ?? false
    let fitsBetter =
      found.map { report.misfit + Self.clearlyBetter < $0.misfitOfBeginning } ?? true
    return fitsBetter && !isHeard && isFar(place, from: request.first) ? place : nil
  }

  /// What is heard from another ayah on, where the first minute of a longer recording shows that it begins there: to hear
  /// all of it as what it is not first would take ten times as long.
  func beginningElsewhere(_ request: AlignmentRequest) -> BetterStart? {
    guard request.prayer == .none, request.certainty == .told,
      let minute = beginnings(of: section(wholeSpan, first: request.first, last: nil)).first,
      let told = builder(in: minute, .none).map(Found.init),
      let place = otherPlace(
        places(request, of: told, beginsSurely: false, mayBeginElsewhere: false), told, request),
      let found = passage(from: place, request), isText(found),
      found.isAllRecited(before: minute.span.upperBound)
    else { return nil }
    return (place, found)
  }

  /// The likeliest place, or what is recited after the beginning of an ayah, if the recording is better heard from there:
  /// the end of another ayah may pass for the beginning of the one that was told.
  ///
  /// - Parameters:
  ///   - first: what was heard first.
  ///   - mayBeFar: whether it comes into question however far it is from the ayah that was told.
  private func betterStart(
    _ report: PlaceReport, _ found: Found, _ first: AyahReference?, mayBeFar: Bool,
    _ request: AlignmentRequest
  ) -> BetterStart? {
    guard
      let place = report.isClear ? report.candidates.first?.first : found.falseStart?.next,
      place != first, mayBeFar || !isFar(place, from: request.first)
    else { return nil }
    return better(place, than: found, request)
  }

  /// Another passage that was taken for something else, or for ayat with a gap after them, before the one that was told.
  private func passageBefore(_ found: Found, _ request: AlignmentRequest) -> BetterStart? {
    guard let regular = found.regularStart else { return nil }
    let opening = section(wholeSpan.lowerBound..<regular, first: .first, last: nil)
    guard let report = place(in: opening.frames), report.isClear,
      let place = report.candidates.first?.first,
      let better = better(place, than: found, request),
      !better.found.recited(from: .zero).isDisjoint(with: found.recited(from: regular))
    else { return nil }
    return better
  }

  typealias BetterStart = (place: AyahReference, found: Found)

  /// What is heard from another ayah on, if that has less in it that is none of the text, or fits its beginning better.
  private func better(
    _ place: AyahReference, than found: Found, _ request: AlignmentRequest
  ) -> BetterStart? {
    guard place != request.first, let other = passage(from: place, request) else { return nil }
    let (more, less) = (found.unheard, other.unheard)
    return less < more || less == more && other.misfitOfBeginning < found.misfitOfBeginning
      ? (place, other) : nil
  }

  /// What is heard from another ayah on; nil where the recording was told to end before it.
  private func passage(from place: AyahReference, _ request: AlignmentRequest) -> Found? {
    guard request.last.map({ place <= $0 }) ?? true else { return nil }
    return found(in: section(wholeSpan, first: place, last: request.last), .none)
  }

  /// Whether the search for a place hears all of the recording.
  private var isShort: Bool {
    scores.speech(in: PlaceSearch.frames(of: scores).upperBound..<scores.count).isEmpty
  }

  func isFar(_ place: AyahReference, from other: AyahReference) -> Bool {
    abs(place.absoluteIndex - other.absoluteIndex) > RecitationGrammar.doubted
  }

  /// Nats a frame. Half of the recordings aligned rightly are below 0.45, and hardly one told another surah
  /// is below this (`Scripts/tell-wrong-hints.py`, as for the next).
  static let suspiciousMisfit = 0.5
  /// Nats a frame; 150 nats over a minute.
  static let clearlyBetter = 0.1

  /// Whether what was found of a passage leaves room for al-Fatiha as often as in a prayer, or has it in it.
  private func mayHoldFatihas(_ alignment: AyahAlignment, _ request: AlignmentRequest) -> Bool {
    let speech = alignment.segments.filter { $0.assignment == .unused(.speech) }
      .reduce(0.0) { $0 + $1.span.length.seconds(at: rate) }
    let words = AyahReference.first.surah.ayat.map(QuranSounds.wordCount).reduce(0, +)
    return alignment.fatihas > (request.first.isInFatiha ? 1 : 0)
      || Self.mostWords(in: Int(speech * Double(LogMelFrames.framesPerSecond)))
        >= (Self.fewestFatihas - alignment.fatihas) * words
  }

  /// What does not fit as a passage may be a prayer.
  ///
  /// - Returns: whether that is so.
  func hintAtPrayer(
    _ alignment: inout AyahAlignment, _ found: Found?, _ request: AlignmentRequest
  ) -> Bool {
    guard request.prayer == .none else { return false }
    // With nothing else it is al-Fatiha said again and again.
    let portion = alignment.segments.lazy.compactMap { $0.assignment.recited?.first }
      .first { !$0.isInFatiha }
    var fatihas = portion == nil ? 0 : alignment.fatihas
    if fatihas < Self.fewestFatihas {
      fatihas =
        found?.fatihasOfPrayer
        ?? self.fatihas(
          in: section(wholeSpan, first: request.first, last: request.last), portion: portion)
    }
    guard fatihas >= Self.fewestFatihas else { return false }
    alignment.remark(.isPrayer(fatihas: fatihas))
    alignment.limitConfidence()
    return true
  }

  /// How often al-Fatiha is heard in a section, if that is a prayer.
  ///
  /// - Parameter portion: what follows it, where the section is told to begin with al-Fatiha.
  func fatihas(in section: Section, portion: AyahReference?) -> Int {
    var section = section
    if section.first.isInFatiha { section.first = portion ?? section.first }
    guard let found = prayer(section), isText(found) else { return 0 }
    return AyahAlignment(found.pieces, words: [], pauses: []).fatihas
  }

  /// In what is recited at a stretch al-Fatiha is heard once at most.
  static let fewestFatihas = 2

  /// Whether the words that were found are the words that are said.
  func isText(_ found: Found) -> Bool {
    Self.isText(
      misfit: found.misfit, likeness: found.likeness, repeats: found.repeats, of: found.tokens)
  }

  func isText(_ builder: AlignmentBuilder) -> Bool {
    let margins = builder.margins
    return Self.isText(
      misfit: margins.misfitOfText, likeness: margins.likenessOfText, repeats: builder.repeats,
      of: builder.heard.count)
  }

  private static func isText(
    misfit: Double, likeness: Likeness, repeats: Int, of tokens: Int
  ) -> Bool {
    misfit <= greatestMisfit && likeness.isSpeech
      && Double(repeats) <= mostRepeats * Double(tokens) + 2
  }

  /// Nats a frame by which a path may be worse than the best sounds. Among 71 recordings aligned rightly the
  /// greatest around edges is 0.89, half are below 0.45; told another surah it is 0.6 to 1.1
  /// (`Scripts/tell-wrong-hints.py`, as for the repeats).
  static let greatestMisfit = 0.92
  /// Nats a frame by which the sounds of a text are likelier where it is heard. In recordings aligned rightly it is 1.9
  /// and more, with noise and voices as loud as the reciter 1.5 and more; in noise alone 1 to 1.35
  /// (`Scripts/measure-accuracy.py` on degraded recordings).
  static let leastLikeness = 1.4
  /// Where the words are others, the path goes back again and again to fit them somehow.
  static let mostRepeats = 0.25
}
