// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TestSupport
import Testing

@testable import Analysis

@Suite struct AyahAlignerTests {
  private func range(_ text: String) throws -> AyahRange { try AyahRange(parsing: text) }

  private func align(
    _ recitation: PlantedRecitation, _ text: String, isEndTold: Bool = true
  ) throws -> AyahAlignment {
    let range = try range(text)
    return try AyahAligner(recitation.envelope).align(
      AlignmentRequest(first: range.first, last: isEndTold ? range.last : nil))
  }

  @Test func findsEachAyahAmongBreaths() throws {
    var recitation = PlantedRecitation()
    recitation.recite(try range("67:1-30"))
    let alignment = try align(recitation, "67:1-30")
    #expect(recitation.found(by: alignment) >= 29)
  }

  @Test func followsAyatThatAreJoinedWithoutAPause() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 7), spread: 0.05, joined: 0.2)
    recitation.recite(try range("78:1-40"))
    let alignment = try align(recitation, "78:1-40")
    #expect(recitation.found(by: alignment) >= 30)
    #expect(alignment.segments.count >= 40)
  }

  @Test(arguments: [0.07, 0.12, 0.25])
  func findsWhereItEndsAtAnyPace(pace: Double) throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 3), pace: pace)
    recitation.recite(try range("75:1-40"))
    let alignment = try align(recitation, "75:1-40", isEndTold: false)
    #expect(alignment.last == AyahReference(surah: 75, ayah: 40))
    #expect(recitation.found(by: alignment) >= 37)
  }

  @Test(arguments: [true, false])
  func alFatihaIsKnownByItsSounds(isEndTold: Bool) throws {
    for seed in [11, 12, 13] as [UInt64] {
      var recitation = PlantedRecitation(
        random: SplitMix64(state: seed), spread: 0.35, joined: 0.6)
      recitation.recite(try range("1:1-7"))
      let aligner = try AyahAligner(recitation.envelope)
      let first = try #require(AyahReference(surah: 1, ayah: 1))
      let request = AlignmentRequest(first: first, last: isEndTold ? first.surah.lastAyah : nil)
      let heard = aligner.align(request, sound: recitation.sound())
      #expect(recitation.found(by: heard) == 7, "\(seed)")
      #expect(heard.remarks.isEmpty)
    }
  }

  @Test func aRecordingThatEndsBeforeTheAyahToldIsDoubted() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 21))
    recitation.recite(try range("67:1-8"))
    let alignment = try align(recitation, "67:1-30")
    guard case .doubtful(let reason) = alignment.verdict else {
      Issue.record("nothing is said")
      return
    }
    #expect(reason.contains("ends before 67:30"))
    #expect(alignment.segments.allSatisfy { $0.confidence <= 0.5 })
  }

  @Test func findsTheBasmalahBeforeTheFirstAyah() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 5))
    recitation.recite("basmalah", units: AyahLength.basmalah.phoneticUnits)
    recitation.recite(try range("93:1-11"))
    let alignment = try align(recitation, "93:1-11")
    #expect(recitation.found(by: alignment) >= 11)
    #expect(alignment.segments.first?.assignment == .leadIn(.basmalah(of: Surah(93)!)))
  }

  @Test func findsTheBasmalahBetweenSurahs() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 6))
    recitation.recite(try range("91:1-15"))
    recitation.recite("basmalah", units: AyahLength.basmalah.phoneticUnits)
    recitation.recite(try range("92:1-21"))
    let alignment = try align(recitation, "91:1-92:21")
    #expect(recitation.found(by: alignment) >= 34)
    #expect(alignment.segments.contains { $0.assignment == .leadIn(.basmalah(of: Surah(92)!)) })
  }

  @Test func leavesOutTheBasmalahBetweenSurahsWhenNoneIsSaid() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 8))
    recitation.recite(try range("91:1-92:21"))
    let alignment = try align(recitation, "91:1-92:21")
    #expect(recitation.found(by: alignment) >= 33)
    #expect(!alignment.segments.contains { $0.assignment == .leadIn(.basmalah(of: Surah(92)!)) })
  }

  @Test func silenceAtTheEndsIsUnused() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 9))
    recitation.silence(6)
    recitation.recite(try range("97:1-5"))
    recitation.silence(8)
    let alignment = try align(recitation, "97:1-5")
    #expect(alignment.segments.first?.assignment == .unused(.silence))
    #expect(alignment.segments.last?.assignment == .unused(.silence))
    #expect(recitation.found(by: alignment) == 5)
  }

  @Test func aLongSilenceWithinDoesNotCountAsReciting() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 10))
    recitation.recite(try range("88:1-13"))
    recitation.silence(25)
    recitation.recite(try range("88:14-26"))
    let alignment = try align(recitation, "88:1-26")
    #expect(recitation.found(by: alignment) >= 25)
  }

  @Test(arguments: [11, 12, 13])
  func segmentsTileTheRecording(seed: UInt64) throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: seed), joined: 0.3)
    recitation.recite(try range("79:1-46"))
    let alignment = try align(recitation, "79:1-46", isEndTold: seed != 12)
    var position = FramePosition.zero
    for segment in alignment.segments {
      #expect(segment.span.lowerBound == position)
      #expect(segment.span.upperBound > position)
      #expect((0...1).contains(segment.confidence))
      position = segment.span.upperBound
    }
    #expect(position == FramePosition.zero + recitation.envelope.length)
    #expect(
      alignment.boundaries.map(\.position) == alignment.segments.dropLast().map(\.span.upperBound))
    let ayat = alignment.segments.compactMap { segment -> AyahReference? in
      if case .ayah(let ayah, _) = segment.assignment { ayah } else { nil }
    }
    #expect(ayat == ayat.sorted())
  }

  @Test func theSameRecordingIsAlignedTheSameWay() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 14), joined: 0.2)
    recitation.recite(try range("84:1-25"))
    #expect(try align(recitation, "84:1-25") == align(recitation, "84:1-25"))
  }

  @Test func saysWhenTheRecordingIsSomethingElse() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 15))
    recitation.recite(try range("79:1-46"))
    #expect(try align(recitation, "79:1-46").verdict == .plausible)
    #expect(try align(recitation, "2:1-2:150").verdict != .plausible)
  }

  @Test func saysThatNothingIsToBeHeard() throws {
    var recitation = PlantedRecitation()
    recitation.silence(0.5)
    let silent = Envelope(
      rate: PlantedRecitation.rate, length: FrameCount(16_000),
      hops: [Hop](
        repeating: Hop(meanSquare: 0, minimum: 0, maximum: 0, fine: 0), count: 100))
    let first = try #require(AyahReference(surah: 1, ayah: 1))
    let alignment = try AyahAligner(silent).align(AlignmentRequest(first: first))
    #expect(alignment.verdict != .plausible)
    #expect(alignment.segments.map(\.assignment) == [.unused(.other)])
  }
}
