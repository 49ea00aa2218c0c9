// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TestSupport
import Testing

@testable import Analysis

@Suite struct PrayerTests {
  private func align(
    _ night: PlantedRecitation, _ text: String, hearing: Bool = false
  ) throws -> AyahAlignment {
    let range = try AyahRange(parsing: text)
    return try AyahAligner(night.envelope).align(
      AlignmentRequest(first: range.first, last: range.last, prayer: .taraweeh),
      sound: hearing ? night.sound() : nil)
  }

  private func labels(_ alignment: AyahAlignment, _ label: String) -> Int {
    alignment.segments.count { $0.assignment.description == label }
  }

  /// The share of the ayat planted that are found with the right beginning.
  private func found(_ night: PlantedRecitation, _ alignment: AyahAlignment) -> Double {
    let ayat = night.starts.filter { $0.label.first?.isNumber == true }
    let right = ayat.count { part in
      alignment.segments.contains {
        $0.assignment.description == part.label
          && abs($0.span.lowerBound.seconds(at: PlantedRecitation.rate) - part.seconds) < 0.4
      }
    }
    return Double(right) / Double(max(ayat.count, 1))
  }

  @Test func twentyRakahsAreHeardAlike() throws {
    let portions = (0..<20).map { "78:\($0 * 2 + 1)-\($0 * 2 + 2)" }
    let night = try PlantedNight.planted(portions)
    let alignment = try align(night, "78:1-40", hearing: true)
    for ayah in 1...7 { #expect(labels(alignment, "1:\(ayah)") == 20) }
    #expect(found(night, alignment) > 0.95)
    #expect(labels(alignment, "unused: salam") == 20)
    #expect(labels(alignment, "unused: tasmee") == 20)
    #expect(labels(alignment, "unused: ameen") == 20)
  }

  @Test(arguments: [true, false])
  func aProstrationOfRecitationIsNoRakah(hearing: Bool) throws {
    let night = try PlantedNight.planted(
      ["32:1-7", "32:8-15", "32:16-30", "33:1-6", "33:7-12"], PlantedNight.Unusual(prostration: 1))
    let alignment = try align(night, "32:1-33:12", hearing: hearing)
    for ayah in 1...7 { #expect(labels(alignment, "1:\(ayah)") == 4) }
    #expect(found(night, alignment) > 0.9)
    let prostration = try #require(night.starts.first { $0.label == "32:16" })
    let before = alignment.segments.last {
      $0.assignment == .unused(.sujud)
        && $0.span.upperBound.seconds(at: PlantedRecitation.rate) < prostration.seconds
    }
    #expect(before != nil)
  }

  @Test func alFatihaJoinedToWhatFollowsEndsWhereItSoundsLikeIt() throws {
    let night = try PlantedNight.planted(
      ["2:6-12", "2:13-19", "2:20-25", "2:26-30"],
      PlantedNight.Unusual(hasAmeen: false, hasSilence: false))
    let alignment = try align(night, "2:6-30", hearing: true)
    #expect(found(night, alignment) > 0.95)
  }

  @Test func theTakbirBeforeAlFatihaIsNoneOfItHoweverSoonItFollows() throws {
    let night = try PlantedNight.planted(
      ["2:6-12", "2:13-19", "2:20-25", "2:26-30"], PlantedNight.Unusual(wait: 1.1))
    let alignment = try align(night, "2:6-30", hearing: true)
    #expect(found(night, alignment) > 0.95)
    for segment in alignment.segments where segment.assignment.description == "1:1" {
      let before = alignment.segments.last { $0.span.upperBound <= segment.span.lowerBound }
      #expect([.unused(.takbir), .unused(.silence)].contains(before?.assignment))
    }
  }

  @Test func aTalkBetweenPrayersIsSpeech() throws {
    let night = try PlantedNight.planted(
      ["2:6-12", "2:13-19", "2:20-25", "2:26-30"], PlantedNight.Unusual(talk: 2))
    let alignment = try align(night, "2:6-30", hearing: true)
    #expect(found(night, alignment) > 0.95)
    #expect(labels(alignment, "unused: speech") == 1)
  }

  @Test func theWitrHasItsSurahsAndItsQunut() throws {
    let night = try PlantedNight.planted(
      ["2:6-12", "2:13-19", "2:20-25", "2:26-30", "87:1-19", "109:1-6", "112:1-4"],
      PlantedNight.Unusual(hasQunut: true))
    let alignment = try align(night, "2:6-30", hearing: true)
    #expect(found(night, alignment) > 0.9)
    #expect(labels(alignment, "unused: qunut") == 1)
    #expect(alignment.last == AyahReference(surah: 2, ayah: 30))
  }

  @Test func aReferenceTellsWhatLengthsDoNot() throws {
    let night = try PlantedNight.planted(
      ["2:6-12", "2:13-19", "2:20-25", "2:26-30"], PlantedNight.Unusual(spread: 0.35, joined: 0.4))
    let range = try AyahRange(parsing: "2:6-30")
    let request = AlignmentRequest(first: range.first, last: range.last, prayer: .taraweeh)
    let sound = night.sound()
    let aligner = try AyahAligner(night.envelope)
    let alone = aligner.align(request, sound: sound)
    let compared = aligner.align(
      request,
      comparison: ReferenceComparison(
        recording: sound, reference: PlantedNight.reference(range)))
    #expect(found(night, compared) > 0.9)
    #expect(found(night, compared) > found(night, alone) + 0.1)
    for ayah in 1...7 { #expect(labels(compared, "1:\(ayah)") == 4) }
  }

  @Test(arguments: [("2:6", ""), ("2:8", "2:6"), ("2:4", "2:6")])
  func aReferenceTellsWhereThePortionsBegin(told: String, better: String) throws {
    let night = try PlantedNight.planted(["2:6-12", "2:13-19", "2:20-25", "2:26-30"])
    let first = try AyahRange(parsing: told).first
    let alignment = try AyahAligner(night.envelope).align(
      AlignmentRequest(
        first: first, last: try AyahRange(parsing: "2:30").first, prayer: .taraweeh),
      comparison: ReferenceComparison(
        recording: night.sound(), reference: PlantedNight.reference(AyahRange(parsing: "2:1-30"))))
    let remark = alignment.remarks.first { "\($0)".contains("the beginning fits") }
    guard !better.isEmpty else {
      #expect(remark == nil)
      return
    }
    #expect(remark.map { "\($0)".contains("fits \(better) better than \(told)") } ?? false)
    let beginning = alignment.segments.first { $0.assignment == .ayah(first) }
    #expect(try #require(beginning).confidence <= 0.5)
  }

  @Test func aReferenceOfOtherWordsIsLeftAside() throws {
    let night = try PlantedNight.planted(["2:6-12", "2:13-19", "2:20-25", "2:26-30"])
    let range = try AyahRange(parsing: "2:6-30")
    let request = AlignmentRequest(first: range.first, last: range.last, prayer: .taraweeh)
    let sound = night.sound()
    let aligner = try AyahAligner(night.envelope)
    func align(_ reference: ReferenceRecitation) -> AyahAlignment {
      aligner.align(
        request, comparison: ReferenceComparison(recording: sound, reference: reference))
    }
    let right = PlantedNight.reference(range)
    #expect(align(right).verdict == .plausible)
    var wrong = right
    let others = try AyahRange(parsing: "3:6-30")
    let said = PlantedNight.reference(others)
    for (ayah, other) in zip(range, others) { wrong.ayat[ayah] = said.ayat[other] }
    let alignment = align(wrong)
    #expect(alignment.verdict != .plausible)
    #expect(found(night, alignment) > 0.9)
  }

  @Test func theQunutMayComeBeforeTheBow() throws {
    let night = try PlantedNight.planted(
      ["2:6-12", "2:13-19", "87:1-19", "109:1-6", "112:1-4"],
      PlantedNight.Unusual(isQunutEarly: true))
    let alignment = try align(night, "2:6-19", hearing: true)
    #expect(found(night, alignment) > 0.9)
    #expect(labels(alignment, "unused: qunut") == 1)
    #expect(alignment.last == AyahReference(surah: 2, ayah: 19))
  }

  @Test func theQunutMayFollowWhatGoesOnInTheLastRakah() throws {
    let night = try PlantedNight.planted(
      ["2:6-12", "2:13-19", "2:20-25"], PlantedNight.Unusual(isQunutEarly: true))
    let alignment = try align(night, "2:6-25", hearing: true)
    #expect(found(night, alignment) > 0.9)
    #expect(labels(alignment, "unused: qunut") == 1)
  }

  @Test(arguments: [40.0, 75.0, 120.0])
  func aRecordingMayBeginInMidPrayer(cut: Double) throws {
    var night = try PlantedNight.planted(["2:6-12", "2:13-19", "2:20-25", "2:26-30"])
    night.cut(from: cut, to: night.seconds)
    let first = try #require(
      night.starts.first { $0.label.hasPrefix("2:") }.map { String($0.label.dropFirst(2)) })
    let alignment = try align(night, "2:\(first)-30", hearing: true)
    #expect(found(night, alignment) > 0.9)
  }

  @Test(arguments: [0.93, 0.8, 0.55])
  func aRecordingMayEndInMidPrayer(share: Double) throws {
    var night = try PlantedNight.planted(["2:6-12", "2:13-19", "2:20-25", "2:26-30"])
    night.cut(from: 0, to: night.seconds * share)
    let last = try #require(
      night.starts.last { $0.label.hasPrefix("2:") }.map { String($0.label.dropFirst(2)) })
    let alignment = try align(night, "2:6-\(last)", hearing: true)
    #expect(found(night, alignment) > 0.9)
  }

  @Test func findsAlFatihaInEachRakahAndThePortions() throws {
    let night = try PlantedNight.planted(["2:6-12", "2:13-19", "2:20-25", "2:26-30"])
    let alignment = try align(night, "2:6-30")
    for ayah in 1...7 { #expect(labels(alignment, "1:\(ayah)") == 4) }
    for ayah in 6...30 { #expect(labels(alignment, "2:\(ayah)") == 1) }
    #expect(found(night, alignment) >= 0.9)
    #expect(labels(alignment, "unused: salam") == 4)
    #expect(labels(alignment, "unused: tasmee") == 4)
  }

  @Test(arguments: [
    ("2:6", ""), ("2:8", "fits 2:6 better than 2:8"), ("36:1", "do not fit"),
    ("18:1", "do not fit"),
  ])
  func saysWhenANightBeginsWithSomethingElse(told: String, saying: String) throws {
    let night = try PlantedNight.planted(["2:6-12", "2:13-19", "2:20-25", "2:26-30"])
    let alignment = try AyahAligner(night.envelope).align(
      AlignmentRequest(first: try AyahRange(parsing: told).first, prayer: .taraweeh))
    var said = alignment.remarks
    if case .doubtful(let reason) = alignment.verdict { said.append(reason) }
    #expect(said.contains { saying.isEmpty || $0.contains(saying) } == !saying.isEmpty, "\(said)")
  }

  @Test func segmentsOfAPrayerTileTheRecording() throws {
    let night = try PlantedNight.planted(
      ["2:6-12", "2:13-19"], PlantedNight.Unusual(hasAmeen: false))
    let alignment = try align(night, "2:6-19")
    var position = FramePosition.zero
    for segment in alignment.segments {
      #expect(segment.span.lowerBound == position)
      #expect(segment.span.upperBound > position)
      position = segment.span.upperBound
    }
    #expect(position == FramePosition.zero + night.envelope.length)
    #expect(
      alignment.boundaries.map(\.position)
        == alignment.segments.dropLast().map(\.span.upperBound))
  }

  @Test func saysThatThereIsNoPrayer() throws {
    var short = PlantedRecitation()
    short.recite("takbir", units: 16)
    short.silence(10)
    let alignment = try align(short, "2:6-10")
    #expect(alignment.verdict != .plausible)
  }
}
