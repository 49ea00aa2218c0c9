// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TestSupport
import Testing

@testable import Analysis

@Suite struct AlignmentSessionTests {
  private func range(_ text: String) throws -> AyahRange { try AyahRange(parsing: text) }

  private func session(
    _ recitation: PlantedRecitation, _ text: String, isEndTold: Bool = true
  ) throws -> AlignmentSession {
    let range = try range(text)
    return try AlignmentSession(
      AyahAligner(recitation.envelope),
      AlignmentRequest(first: range.first, last: isEndTold ? range.last : nil))
  }

  private func position(_ seconds: Double) -> FramePosition {
    FramePosition(seconds: seconds, at: PlantedRecitation.rate)
  }

  /// Where an ayah really begins.
  private func place(
    _ part: (label: String, seconds: Double)
  ) throws -> AlignmentAnchors.Place {
    AlignmentAnchors.Place(
      position(part.seconds), beginning: try AyahRange(parsing: part.label).first)
  }

  private func expectWhole(_ alignment: AyahAlignment, _ recitation: PlantedRecitation) {
    var end = FramePosition.zero
    var last: AyahReference?
    for segment in alignment.segments {
      #expect(segment.span.lowerBound == end)
      #expect(segment.span.upperBound > end)
      #expect((0...1).contains(segment.confidence))
      end = segment.span.upperBound
      if case .ayah(let ayah, _) = segment.assignment {
        #expect(last.map { $0 < ayah } ?? true)
        last = ayah
      }
    }
    #expect(end == FramePosition.zero + recitation.envelope.length)
    #expect(
      alignment.boundaries.map(\.position) == alignment.segments.dropLast().map(\.span.upperBound))
  }

  @Test(arguments: 0..<4)
  func confirmedPlacesStayInWhateverOrderTheyCome(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    var recitation = PlantedRecitation(
      random: SplitMix64(state: 100 + seed), spread: 0.15, joined: 0.2)
    recitation.recite(try range("79:1-46"))
    var session = try session(recitation, "79:1-46", isEndTold: seed.isMultiple(of: 2))
    let places = try recitation.starts.dropFirst().shuffled(using: &random).prefix(4).map {
      try place($0)
    }
    for count in 1...places.count {
      let alignment = try session.realign(AlignmentAnchors(places: Array(places.prefix(count))))
      expectWhole(alignment, recitation)
      for place in places.prefix(count) {
        let segment = try #require(
          alignment.segments.first { $0.span.lowerBound == place.position })
        #expect(segment.assignment == place.ayah.map { .ayah($0) })
      }
    }
    let step = session.alignment
    var other = session
    try other.realign(AlignmentAnchors())
    #expect(other.alignment != step || places.isEmpty)
    try other.realign(AlignmentAnchors(places: places.reversed()))
    #expect(other.alignment == step)
  }

  @Test func whatLiesBeyondTheNeighbouringAnchorsDoesNotMove() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 21), spread: 0.2, joined: 0.3)
    recitation.recite(try range("78:1-40"))
    var session = try session(recitation, "78:1-40")
    let left = try place(recitation.starts[12])
    let right = try place(recitation.starts[25])
    let before = try session.realign(AlignmentAnchors(places: [left, right]))
    // Somebody says, wrongly, that an ayah begins where the one after it does.
    let wrong = AlignmentAnchors.Place(
      position(recitation.starts[19].seconds), beginning: AyahReference(surah: 78, ayah: 19))
    let after = try session.realign(AlignmentAnchors(places: [left, right, wrong]))
    func outside(_ alignment: AyahAlignment) -> [AyahAlignment.Segment] {
      alignment.segments.filter {
        $0.span.upperBound < left.position || $0.span.lowerBound > right.position
      }
    }
    #expect(outside(after) == outside(before))
    #expect(after != before)
  }

  @Test func aFewConfirmationsMendTheRest() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 31))
    recitation.recite(try range("77:1-20"))
    // Something else is said in between, which lengths cannot know.
    recitation.recite("speech", units: 300)
    recitation.recite(try range("77:21-50"))
    var session = try session(recitation, "77:1-50")
    let first = recitation.found(by: session.alignment)
    let speech = recitation.starts[20].seconds
    let next = recitation.starts[21].seconds
    let span = position(speech)..<position(next)
    try session.realign(AlignmentAnchors(spans: [.init(span, .unused(.speech))]))
    #expect(recitation.found(by: session.alignment) >= 47)
    #expect(recitation.found(by: session.alignment) > first)
    #expect(
      session.alignment.segments.contains {
        $0.span == span && $0.assignment == .unused(.speech) && $0.confidence == 1
      })
  }

  @Test func aPlaceWithoutAnAyahIsABoundary() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 41), spread: 0.2, joined: 0.5)
    recitation.recite(try range("80:1-42"))
    var session = try session(recitation, "80:1-42")
    let places = [8, 17, 30].map { position(recitation.starts[$0].seconds) }
    let alignment = try session.realign(
      AlignmentAnchors(places: places.map { AlignmentAnchors.Place($0) }))
    for place in places { #expect(alignment.boundaries.contains { $0.position == place }) }
    expectWhole(alignment, recitation)
  }

  @Test func confirmedSegmentsStayAsTheyAre() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 51))
    recitation.recite("basmalah", units: AyahLength.basmalah.phoneticUnits)
    recitation.recite(try range("90:1-20"))
    var session = try session(recitation, "90:1-20")
    let starts = recitation.starts.map { position($0.seconds) }
    let joined = Assignment.ayat(try range("90:9-11"), joins: [starts[10], starts[11]])
    let spans: [AlignmentAnchors.Span] = [
      .init(starts[0]..<starts[1], .leadIn(.basmalah(of: try #require(Surah(90))))),
      .init(starts[9]..<starts[12], joined),
      .init(starts[15]..<starts[16], .ayah(try #require(AyahReference(surah: 90, ayah: 15)))),
    ]
    let alignment = try session.realign(AlignmentAnchors(spans: spans))
    for span in spans {
      #expect(
        alignment.segments.contains {
          $0.span == span.span && $0.assignment == span.assignment && $0.confidence == 1
        })
    }
    #expect(recitation.found(by: alignment) >= 16)
  }

  @Test func anAyahThatWasRepeatedMayBeConfirmedTwice() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 61))
    recitation.recite(try range("87:1-9"))
    recitation.recite(try range("87:9-19"))
    var session = try session(recitation, "87:1-19")
    let ninth = try #require(AyahReference(surah: 87, ayah: 9))
    let spans = [8, 9].map {
      AlignmentAnchors.Span(
        position(recitation.starts[$0].seconds)..<position(recitation.starts[$0 + 1].seconds),
        .ayah(ninth))
    }
    let alignment = try session.realign(AlignmentAnchors(spans: spans))
    #expect(alignment.segments.filter { $0.assignment == .ayah(ninth) }.count == 2)
    #expect(recitation.found(by: alignment) >= 19)
  }

  /// A breath before the first ayah is no segment of its own, whatever is confirmed.
  @Test(arguments: [0.15, 0.4, 1.2], [2, 19])
  func aShortSilenceAtTheStartBelongsToTheFirstAyah(seconds: Double, confirmed: Int) throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 81))
    recitation.silence(seconds)
    recitation.recite(try range("81:1-29"))
    var session = try session(recitation, "81:1-29")
    let first = try #require(session.alignment.segments.first)
    #expect(first.assignment.description == "81:1")
    let place = try place(recitation.starts[confirmed])
    let after = try session.realign(AlignmentAnchors(places: [place]))
    #expect(after.segments.first?.assignment == first.assignment)
    #expect(after.segments.first?.span.lowerBound == .zero)
    expectWhole(after, recitation)
    let start = recitation.starts[confirmed].seconds
    let end = recitation.starts[confirmed + 1].seconds
    let span = AlignmentAnchors.Span(
      position(start)..<position(end),
      .ayah(try #require(AyahReference(surah: 81, ayah: confirmed + 1))))
    let confirming = try session.realign(AlignmentAnchors(spans: [span]))
    #expect(confirming.segments.first?.assignment == first.assignment)
    #expect(confirming.segments.first?.span.lowerBound == .zero)
  }

  @Test func aLongSilenceAtTheStartStaysOne() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 82))
    recitation.silence(4)
    recitation.recite(try range("81:1-29"))
    var session = try session(recitation, "81:1-29")
    let before = try #require(session.alignment.segments.first)
    #expect(!before.assignment.isRecitation)
    let after = try session.realign(
      AlignmentAnchors(places: [try place(recitation.starts[10])]))
    #expect(after.segments.first?.span.upperBound == before.span.upperBound)
    #expect(after.segments.first?.assignment == before.assignment)
    #expect(after.segments.dropFirst().first?.assignment.description == "81:1")
  }

  @Test func onlyRemarksThatStillHoldAreMade() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 61), isAlike: true)
    recitation.recite(try range("67:1-8"))
    recitation.recite(try range("67:8-20"))
    let passage = try range("67:1-20")
    var session = try AlignmentSession(
      AyahAligner(recitation.envelope),
      AlignmentRequest(first: passage.first, last: passage.last), sound: recitation.sound())
    let again = try #require(
      session.alignment.segments.last { $0.assignment.description == "67:8" })
    let remark = try #require(session.alignment.remarks.first)
    #expect(remark.hasPrefix("67:8 is heard again at "))
    let elsewhere = try session.realign(
      AlignmentAnchors(places: [try place(recitation.starts[15])]))
    #expect(elsewhere.remarks == [remark])
    var aligner = try AyahAligner(recitation.envelope)
    aligner.origin = position(3600)
    var later = try AlignmentSession(
      aligner, AlignmentRequest(first: passage.first, last: passage.last),
      sound: recitation.sound())
    let clock = try #require(remark.split(separator: " ").last)
    let hour = "67:8 is heard again at 1:" + String(repeating: "0", count: 5 - clock.count) + clock
    #expect(later.alignment.remarks == [hour])
    try later.realign(AlignmentAnchors(places: [try place(recitation.starts[15])]))
    #expect(later.alignment.remarks == [hour], "by the recording's clock")
    let speech = try session.realign(
      AlignmentAnchors(spans: [.init(again.span, .unused(.speech))]))
    #expect(!speech.remarks.contains { $0.contains("heard again") }, "\(speech.remarks)")
  }

  @Test func givesUpWhenTheFlagIsRaised() throws {
    var recitation = PlantedRecitation(random: SplitMix64(state: 71))
    recitation.recite(try range("92:1-21"))
    var session = try session(recitation, "92:1-21")
    let before = session
    let flag = StopFlag()
    flag.stop()
    let anchors = AlignmentAnchors(places: [try place(recitation.starts[5])])
    #expect(throws: AnalysisError.cancelled) { try session.realign(anchors, stopFlag: flag) }
    #expect(session.alignment == before.alignment)
    #expect(session.anchors.isEmpty)
    #expect(throws: AnalysisError.cancelled) {
      try AlignmentSession(AyahAligner(recitation.envelope), session.request, stopFlag: flag)
    }
  }

  @Test func anAnnotationTellsWhatIsConfirmed() throws {
    let rate = PlantedRecitation.rate
    var document = AnnotationDocument(length: FrameCount(160_000), rate: rate)
    let ayah = try #require(AyahReference(surah: 112, ayah: 1))
    let places = [1.0, 4.0, 7.0].map { FramePosition(seconds: $0, at: rate) }
    for (id, place) in places.enumerated() {
      let origin: Origin = id == 1 ? .person : .aligned
      _ = try document.apply(
        .addMarker(Marker(id: MarkerID(Int64(id + 1)), position: place, origin: origin)))
    }
    _ = try document.apply(.assign(.from(MarkerID(2)), Attribution(.ayah(ayah))))
    _ = try document.apply(.assign(.from(MarkerID(3)), Attribution(.unused(.speech))))
    _ = try document.apply(.confirm(.from(MarkerID(3))))
    let anchors = AlignmentAnchors(document)
    #expect(anchors.places.contains(.init(places[1], beginning: ayah)))
    #expect(!anchors.places.contains { $0.position == places[0] })
    #expect(anchors.spans == [.init(places[2]..<FramePosition(160_000), .unused(.speech))])
  }
}
