// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TestSupport
import Testing

@testable import Analysis

@Suite struct PrayerTests {
  /// Units of al-Fatiha as one may recite it: the last ayah is drawn out.
  private static let fatiha = [28, 30, 18, 24, 32, 22, 92]

  /// What makes a night unlike others.
  private struct Unusual {
    var hasAmeen = true
    var hasSilence = true
    /// The number of the portion after which nothing is said before the next, as after a prostration.
    var prostration: Int?
    /// The number of the portion before which somebody speaks.
    var talk: Int?
    var hasQunut = false
  }

  /// A night, with all that is said between.
  private func night(
    _ portions: [String], _ unusual: Unusual = Unusual(), seed: UInt64 = 21
  ) throws -> PlantedRecitation {
    var night = PlantedRecitation(random: SplitMix64(state: seed))
    var isGoingOn = false
    for (number, portion) in portions.enumerated() {
      if unusual.talk == number {
        for sentence in 0..<12 { night.recite("talk \(sentence)", units: 40) }
        night.silence(8)
      }
      if !isGoingOn {
        night.recite("unused: takbir", units: 16)
        night.silence(5)
        for (ayah, units) in Self.fatiha.enumerated() {
          night.recite("1:\(ayah + 1)", units: units)
        }
        if unusual.hasAmeen { night.recite("unused: ameen", units: 13) }
        if unusual.hasSilence { night.silence(2.2) }
      }
      night.recite(try AyahRange(parsing: portion))
      isGoingOn = unusual.prostration == number
      night.recite("unused: takbir", units: 16)
      night.silence(7)
      if isGoingOn {
        night.recite("unused: takbir", units: 16)
        night.silence(2)
        continue
      }
      night.recite("unused: tasmee", units: 22)
      if unusual.hasQunut, number == portions.count - 1 {
        night.silence(1.5)
        for sentence in 0..<12 { night.recite("qunut \(sentence)", units: 40) }
      }
      night.silence(3)
      for _ in 0..<3 {
        night.recite("unused: takbir", units: 16)
        night.silence(6.5)
      }
      if number % 2 == 1 {
        night.silence(18)
        night.recite("unused: salam", units: 34)
        night.silence(1.4)
        night.recite("unused: salam", units: 34)
        night.silence(15)
      }
    }
    return night
  }

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
    let night = try night(portions)
    let alignment = try align(night, "78:1-40", hearing: true)
    for ayah in 1...7 { #expect(labels(alignment, "1:\(ayah)") == 20) }
    #expect(found(night, alignment) > 0.95)
    #expect(labels(alignment, "unused: salam") == 20)
    #expect(labels(alignment, "unused: tasmee") == 20)
    #expect(labels(alignment, "unused: ameen") == 20)
  }

  @Test(arguments: [true, false])
  func aProstrationOfRecitationIsNoRakah(hearing: Bool) throws {
    let night = try night(
      ["32:1-7", "32:8-15", "32:16-30", "33:1-6", "33:7-12"], Unusual(prostration: 1))
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
    let night = try night(
      ["2:6-12", "2:13-19", "2:20-25", "2:26-30"], Unusual(hasAmeen: false, hasSilence: false))
    let alignment = try align(night, "2:6-30", hearing: true)
    #expect(found(night, alignment) > 0.95)
  }

  @Test func aTalkBetweenPrayersIsSpeech() throws {
    let night = try night(["2:6-12", "2:13-19", "2:20-25", "2:26-30"], Unusual(talk: 2))
    let alignment = try align(night, "2:6-30", hearing: true)
    #expect(found(night, alignment) > 0.95)
    #expect(labels(alignment, "unused: speech") == 1)
  }

  @Test func theWitrHasItsSurahsAndItsQunut() throws {
    let night = try night(
      ["2:6-12", "2:13-19", "2:20-25", "2:26-30", "87:1-19", "109:1-6", "112:1-4"],
      Unusual(hasQunut: true))
    let alignment = try align(night, "2:6-30", hearing: true)
    #expect(found(night, alignment) > 0.9)
    #expect(labels(alignment, "unused: qunut") == 1)
    #expect(alignment.last == AyahReference(surah: 2, ayah: 30))
  }

  @Test(arguments: [40.0, 75.0, 120.0])
  func aRecordingMayBeginInMidPrayer(cut: Double) throws {
    var night = try night(["2:6-12", "2:13-19", "2:20-25", "2:26-30"])
    night.cut(from: cut, to: night.seconds)
    let first = try #require(
      night.starts.first { $0.label.hasPrefix("2:") }.map { String($0.label.dropFirst(2)) })
    let alignment = try align(night, "2:\(first)-30", hearing: true)
    #expect(found(night, alignment) > 0.9)
  }

  @Test(arguments: [0.93, 0.8, 0.55])
  func aRecordingMayEndInMidPrayer(share: Double) throws {
    var night = try night(["2:6-12", "2:13-19", "2:20-25", "2:26-30"])
    night.cut(from: 0, to: night.seconds * share)
    let last = try #require(
      night.starts.last { $0.label.hasPrefix("2:") }.map { String($0.label.dropFirst(2)) })
    let alignment = try align(night, "2:6-\(last)", hearing: true)
    #expect(found(night, alignment) > 0.9)
  }

  @Test func findsAlFatihaInEachRakahAndThePortions() throws {
    let night = try night(["2:6-12", "2:13-19", "2:20-25", "2:26-30"])
    let alignment = try align(night, "2:6-30")
    for ayah in 1...7 { #expect(labels(alignment, "1:\(ayah)") == 4) }
    for ayah in 6...30 { #expect(labels(alignment, "2:\(ayah)") == 1) }
    #expect(found(night, alignment) >= 0.9)
    #expect(labels(alignment, "unused: salam") == 4)
    #expect(labels(alignment, "unused: tasmee") == 4)
  }

  @Test func segmentsOfAPrayerTileTheRecording() throws {
    let night = try night(["2:6-12", "2:13-19"], Unusual(hasAmeen: false))
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
