// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TestSupport
import Testing

@testable import Analysis

@Suite struct PrayerSessionTests {
  private static let portions = ["78:1-8", "78:9-16", "78:17-23", "78:24-30"]

  private func session(
    _ night: PlantedRecitation, _ text: String = "78:1-30"
  ) throws -> AlignmentSession {
    let range = try AyahRange(parsing: text)
    return try AlignmentSession(
      AyahAligner(night.envelope),
      AlignmentRequest(first: range.first, last: range.last, prayer: .taraweeh))
  }

  private func position(_ seconds: Double) -> FramePosition {
    FramePosition(seconds: seconds, at: PlantedRecitation.rate)
  }

  private func ayah(_ text: String) throws -> AyahReference {
    try AyahRange(parsing: text).first
  }

  /// Where the so-manieth part with a label begins.
  private func start(
    _ night: PlantedRecitation, _ label: String, _ number: Int = 0
  ) throws -> FramePosition {
    let parts = night.starts.filter { $0.label == label }
    try #require(number < parts.count)
    return position(parts[number].seconds)
  }

  private func expectWhole(_ alignment: AyahAlignment, _ night: PlantedRecitation) {
    var end = FramePosition.zero
    for segment in alignment.segments {
      #expect(segment.span.lowerBound == end)
      #expect(segment.span.upperBound > end)
      #expect((0...1).contains(segment.confidence))
      end = segment.span.upperBound
    }
    #expect(end == FramePosition.zero + night.envelope.length)
    #expect(
      alignment.boundaries.map(\.position) == alignment.segments.dropLast().map(\.span.upperBound))
  }

  private func holds(_ alignment: AyahAlignment, _ anchors: AlignmentAnchors) -> Bool {
    anchors.spans.allSatisfy { span in
      alignment.segments.contains {
        $0.span == span.span && $0.assignment == span.assignment && $0.confidence == 1
      }
    }
      && anchors.places.allSatisfy { place in
        guard let ayah = place.ayah else {
          return alignment.boundaries.contains { $0.position == place.position }
        }
        return alignment.segments.contains {
          $0.span.lowerBound == place.position && $0.assignment == .ayah(ayah)
        }
      }
  }

  @Test func whatAPortionBeginsWithIsFollowedByTheNextPortions() throws {
    // The second rak'ah leaves out what the session takes for granted.
    let night = try PlantedNight.planted(["78:1-8", "78:17-22", "78:23-30", "78:31-40"])
    var session = try session(night, "78:1-40")
    let before = night.found(by: session.alignment)
    let first = try ayah("78:17")
    let place = try start(night, "78:17")
    let anchors = AlignmentAnchors(places: [.init(place, beginning: first)])
    let alignment = try session.realign(anchors)
    expectWhole(alignment, night)
    #expect(holds(alignment, anchors))
    let after = night.starts.filter {
      $0.label.hasPrefix("78:") && position($0.seconds) >= place
    }
    let right = after.count { part in
      alignment.segments.contains {
        $0.assignment.description == part.label
          && abs($0.span.lowerBound.seconds(at: PlantedRecitation.rate) - part.seconds) < 0.4
      }
    }
    #expect(right == after.count)
    #expect(night.found(by: alignment) > before)
  }

  @Test(arguments: 0..<3)
  func confirmedPlacesStayInWhateverOrderTheyCome(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    let night = try PlantedNight.planted(Self.portions, seed: 40 + seed)
    var session = try session(night)
    let places = try night.starts.filter { $0.label.first?.isNumber == true }
      .shuffled(using: &random).prefix(5).map {
        AlignmentAnchors.Place(position($0.seconds), beginning: try ayah($0.label))
      }
    for count in 1...places.count {
      let anchors = AlignmentAnchors(places: Array(places.prefix(count)))
      let alignment = try session.realign(anchors)
      expectWhole(alignment, night)
      #expect(holds(alignment, anchors))
    }
    let step = session.alignment
    var other = session
    try other.realign(AlignmentAnchors())
    #expect(other.alignment != step)
    try other.realign(AlignmentAnchors(places: places.reversed()))
    #expect(other.alignment == step)
  }

  @Test func alFatihaIsFoundBetweenItsConfirmedAyat() throws {
    let night = try PlantedNight.planted(Self.portions)
    var session = try session(night)
    let before = session.alignment
    // Somebody says, wrongly, that an ayah of the second rak'ah's Fatiha begins two seconds early.
    let wrong = try start(night, "1:7", 1) - FrameCount(seconds: 2, at: PlantedRecitation.rate)
    let anchors = AlignmentAnchors(places: [.init(wrong, beginning: try ayah("1:7"))])
    let alignment = try session.realign(anchors)
    expectWhole(alignment, night)
    #expect(holds(alignment, anchors))
    let standing = try start(night, "1:1", 1)..<(try start(night, "78:9"))
    func outside(_ alignment: AyahAlignment) -> [AyahAlignment.Segment] {
      alignment.segments.filter {
        $0.span.upperBound < standing.lowerBound || $0.span.lowerBound >= standing.upperBound
      }
    }
    #expect(outside(alignment) == outside(before))
    for number in 1...7 {
      let label = "1:\(number)"
      #expect(alignment.segments.count { $0.assignment.description == label } == 4)
    }
  }

  @Test func whatIsSaidBetweenIsConfirmedToo() throws {
    let night = try PlantedNight.planted(Self.portions)
    var session = try session(night)
    let ameen = try start(night, "unused: ameen", 1)
    let takbir = try start(night, "unused: takbir", 1)
    func span(_ start: FramePosition, _ seconds: Double) -> Range<FramePosition> {
      start..<(start + FrameCount(seconds: seconds, at: PlantedRecitation.rate))
    }
    let anchors = AlignmentAnchors(
      places: [
        .init(
          try start(night, "unused: salam") + FrameCount(seconds: 0.5, at: PlantedRecitation.rate))
      ],
      spans: [
        .init(span(ameen, 1.8), .unused(.ameen)), .init(span(takbir, 2.3), .unused(.takbir)),
      ])
    let alignment = try session.realign(anchors)
    expectWhole(alignment, night)
    #expect(holds(alignment, anchors))
    #expect(
      alignment.segments.contains {
        $0.assignment.description == "1:7" && $0.span.upperBound == ameen
      })
    let ayat = night.starts.filter { $0.label.hasPrefix("78:") }
    let right = ayat.count { part in
      alignment.segments.contains {
        $0.assignment.description == part.label
          && abs($0.span.lowerBound.seconds(at: PlantedRecitation.rate) - part.seconds) < 0.4
      }
    }
    #expect(right == ayat.count)
  }

  @Test func whatLiesBeyondTheNeighbouringAnchorsDoesNotMove() throws {
    let night = try PlantedNight.planted(Self.portions)
    var session = try session(night)
    let places = try ["78:12", "78:26"].map {
      AlignmentAnchors.Place(try start(night, $0), beginning: try ayah($0))
    }
    let before = try session.realign(AlignmentAnchors(places: places))
    let wrong = AlignmentAnchors.Place(
      try start(night, "78:20"), beginning: try ayah("78:19"))
    let after = try session.realign(AlignmentAnchors(places: places + [wrong]))
    func outside(_ alignment: AyahAlignment) -> [AyahAlignment.Segment] {
      alignment.segments.filter {
        $0.span.upperBound < places[0].position || $0.span.lowerBound > places[1].position
      }
    }
    #expect(outside(after) == outside(before))
    #expect(after != before)
    expectWhole(after, night)
  }

  @Test func anAyahMayBeConfirmedWhereNothingWasTakenForReciting() throws {
    let night = try PlantedNight.planted(Self.portions)
    var session = try session(night)
    // The portion begins before al-Fatiha has ended, if one is to believe this.
    let early = try start(night, "1:7", 2) + FrameCount(seconds: 6, at: PlantedRecitation.rate)
    let anchors = AlignmentAnchors(places: [.init(early, beginning: try ayah("78:17"))])
    let alignment = try session.realign(anchors)
    expectWhole(alignment, night)
    #expect(holds(alignment, anchors))
  }

  @Test func whatWasTakenForSpeechMayBeRecited() throws {
    let night = try PlantedNight.planted(Self.portions, PlantedNight.Unusual(talk: 2))
    let range = try AyahRange(parsing: "78:1-30")
    var session = try AlignmentSession(
      AyahAligner(night.envelope),
      AlignmentRequest(first: range.first, last: range.last, prayer: .taraweeh),
      sound: night.sound())
    #expect(session.alignment.segments.contains { $0.assignment == .unused(.speech) })
    let anchors = AlignmentAnchors(
      places: [.init(try start(night, "talk 3"), beginning: try ayah("78:17"))])
    let alignment = try session.realign(anchors)
    expectWhole(alignment, night)
    #expect(holds(alignment, anchors))
  }

  @Test func whatAReferenceToldIsNotForgotten() throws {
    let night = try PlantedNight.planted(Self.portions, PlantedNight.Unusual(spread: 0.35))
    let range = try AyahRange(parsing: "78:1-30")
    var session = try AlignmentSession(
      AyahAligner(night.envelope),
      AlignmentRequest(first: range.first, last: range.last, prayer: .taraweeh),
      comparison: ReferenceComparison(
        recording: night.sound(), reference: PlantedNight.reference(range)))
    let before = night.found(by: session.alignment)
    let anchors = AlignmentAnchors(
      places: [.init(try start(night, "78:20"), beginning: try ayah("78:20"))])
    let alignment = try session.realign(anchors)
    expectWhole(alignment, night)
    #expect(holds(alignment, anchors))
    #expect(night.found(by: alignment) >= before)
  }

  @Test func noAnchorsAreTheFirstAlignment() throws {
    let night = try PlantedNight.planted(Self.portions)
    var session = try session(night)
    let first = session.alignment
    try session.realign(
      AlignmentAnchors(places: [.init(try start(night, "78:12"), beginning: try ayah("78:12"))]))
    #expect(try session.realign(AlignmentAnchors()) == first)
  }
}
