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

  /// A night of four rak'ahs, with all that is said between.
  private func night(_ portions: [String], hasAmeen: Bool = true) throws -> PlantedRecitation {
    var night = PlantedRecitation(random: SplitMix64(state: 21))
    for (number, portion) in portions.enumerated() {
      night.recite("unused: takbir", units: 16)
      night.silence(5)
      for (ayah, units) in Self.fatiha.enumerated() {
        night.recite("1:\(ayah + 1)", units: units)
      }
      if hasAmeen { night.recite("unused: ameen", units: 13) }
      night.silence(2.2)
      night.recite(try AyahRange(parsing: portion))
      night.recite("unused: takbir", units: 16)
      night.silence(7)
      night.recite("unused: tasmee", units: 22)
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

  private func align(_ night: PlantedRecitation, _ text: String) throws -> AyahAlignment {
    let range = try AyahRange(parsing: text)
    return try AyahAligner(night.envelope).align(
      AlignmentRequest(first: range.first, last: range.last, prayer: .taraweeh))
  }

  private func labels(_ alignment: AyahAlignment, _ label: String) -> Int {
    alignment.segments.count { $0.assignment.description == label }
  }

  @Test func findsAlFatihaInEachRakahAndThePortions() throws {
    let night = try night(["2:6-12", "2:13-19", "2:20-25", "2:26-30"])
    let alignment = try align(night, "2:6-30")
    for ayah in 1...7 { #expect(labels(alignment, "1:\(ayah)") == 4) }
    for ayah in 6...30 { #expect(labels(alignment, "2:\(ayah)") == 1) }
    let ayat = night.starts.filter { !$0.label.hasPrefix("unused") }
    let right = ayat.count { part in
      alignment.segments.contains {
        $0.assignment.description == part.label
          && abs($0.span.lowerBound.seconds(at: PlantedRecitation.rate) - part.seconds) < 0.4
      }
    }
    #expect(right >= ayat.count * 9 / 10)
    #expect(labels(alignment, "unused: salam") == 4)
    #expect(labels(alignment, "unused: tasmee") == 4)
  }

  @Test func segmentsOfAPrayerTileTheRecording() throws {
    let night = try night(["2:6-12", "2:13-19"], hasAmeen: false)
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
