// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Analysis
import AudioCore
import Quran
import Testing

@testable import Alignment

@Suite struct AlignmentSessionTests {
  private func ayah(_ surah: Int, _ ayah: Int) throws -> AyahReference {
    try AyahReference(checking: surah, ayah: ayah)
  }

  private func speech(_ ayat: ClosedRange<Int>, pause: Int = 14) throws -> Speech {
    var speech = Speech()
    for number in ayat {
      speech.say(try ayah(67, number))
      speech.pause(pause)
    }
    return speech
  }

  private func session(
    _ speech: Speech, _ first: Int, _ last: Int? = nil
  ) throws -> AlignmentSession {
    try AlignmentSession(
      speech.aligner(),
      AlignmentRequest(first: ayah(67, first), last: last.map { try ayah(67, $0) }))
  }

  private func span(_ alignment: AyahAlignment, _ number: Int) throws -> AyahAlignment.Segment {
    let ayah = try ayah(67, number)
    return try #require(alignment.segments.first { $0.assignment == .ayah(ayah) })
  }

  @Test func whatIsConfirmedAsItWasFoundChangesNothingElse() throws {
    var session = try session(speech(1...10), 1, 10)
    let first = session.alignment
    let segment = try span(first, 4)
    let alignment = try session.realign(
      AlignmentAnchors(spans: [.init(segment.span, segment.assignment)]))
    #expect(alignment.segments.map(\.span) == first.segments.map(\.span))
    #expect(alignment.segments.map(\.assignment) == first.segments.map(\.assignment))
    #expect(try span(alignment, 4).confidence == 1)
    #expect(alignment.words == first.words)
    #expect(try session.realign(AlignmentAnchors()) == first)
  }

  @Test func aConfirmedEdgeThatCutsAWordALittleKeepsIt() throws {
    var session = try session(speech(1...6), 1, 6)
    let first = session.alignment
    let segment = try span(first, 4)
    let words = first.words.filter { $0.ayah == segment.assignment.recited?.first }
    let edge = words[0].span.lowerBound + FrameCount(seconds: 0.04, at: Speech.rate)
    let alignment = try session.realign(
      AlignmentAnchors(spans: [.init(edge..<segment.span.upperBound, segment.assignment)]))
    let kept = alignment.words.filter { $0.ayah == segment.assignment.recited?.first }
    #expect(kept.map(\.number) == words.map(\.number))
    #expect(kept[0].span == edge..<words[0].span.upperBound)
    #expect(alignment.words.count == first.words.count)
  }

  @Test func anEdgeThatWasMovedStaysAndOnlyItsNeighboursFollow() throws {
    var session = try session(speech(1...10), 1, 10)
    let first = session.alignment
    let segment = try span(first, 4)
    let moved = segment.span.lowerBound - FrameCount(seconds: 0.2, at: Speech.rate)
    let alignment = try session.realign(
      AlignmentAnchors(places: [.init(moved, beginning: ayah(67, 4))]))
    #expect(try span(alignment, 4).span == moved..<segment.span.upperBound)
    #expect(try span(alignment, 3).span.upperBound == moved)
    #expect(
      alignment.segments.filter { $0.span.lowerBound > moved }.map(\.span)
        == first.segments.filter { $0.span.lowerBound > segment.span.lowerBound }.map(\.span))
  }

  @Test func anAyahWhoseEdgeWasMovedFarBeginsThereAlone() throws {
    for seconds in [-3.0, 3] {
      var session = try session(speech(1...10), 1, 10)
      let first = session.alignment
      let segment = try span(first, 4)
      let moved = segment.span.lowerBound + FrameCount(seconds: seconds, at: Speech.rate)
      let alignment = try session.realign(
        AlignmentAnchors(places: [.init(moved, beginning: ayah(67, 4), isAssumed: true)]))
      #expect(try span(alignment, 4).span == moved..<segment.span.upperBound)
      #expect(try span(alignment, 3).span.upperBound == moved)
      #expect(alignment.segments.map(\.assignment) == first.segments.map(\.assignment))
    }
  }

  /// The edge at its start, or at its end.
  @Test(arguments: [-3.0, 3], [true, false])
  func aConfirmedAyahWhoseEdgeWasMovedFarIsHeardOnce(_ seconds: Double, isStart: Bool) throws {
    var session = try session(speech(1...10), 1, 10)
    let first = session.alignment
    let segment = try span(first, 4)
    let by = FrameCount(seconds: seconds, at: Speech.rate)
    let moved =
      isStart
      ? segment.span.lowerBound + by..<segment.span.upperBound
      : segment.span.lowerBound..<segment.span.upperBound + by
    let alignment = try session.realign(
      AlignmentAnchors(spans: [.init(moved, segment.assignment)]))
    #expect(try span(alignment, 4).span == moved)
    #expect(try span(alignment, 3).span.upperBound == moved.lowerBound)
    #expect(try span(alignment, 5).span.lowerBound == moved.upperBound)
    #expect(alignment.segments.map(\.assignment) == first.segments.map(\.assignment))
  }

  @Test func whatIsAssumedOfAnEdgeGivesWayToWhatIsConfirmed() throws {
    var session = try session(speech(1...10), 1, 10)
    let first = session.alignment
    let confirmed = AlignmentAnchors.Span(try span(first, 5).span, .ayah(try ayah(67, 5)))
    let edge = try span(first, 4).span.lowerBound
    let alignment = try session.realign(
      AlignmentAnchors(
        places: [.init(edge, beginning: ayah(67, 6), isAssumed: true)], spans: [confirmed]))
    #expect(alignment.segments.map(\.span) == first.segments.map(\.span))
    #expect(alignment.segments.map(\.assignment) == first.segments.map(\.assignment))
  }

  @Test func aPlaceWithoutAnAyahTakesTheBoundaryThatIsNear() throws {
    var session = try session(speech(1...6), 1, 6)
    let edge = try span(session.alignment, 3).span.lowerBound
    let placed = edge + FrameCount(seconds: 0.3, at: Speech.rate)
    let alignment = try session.realign(AlignmentAnchors(places: [.init(placed)]))
    #expect(try span(alignment, 3).span.lowerBound == placed)
    #expect(alignment.boundaries.contains { $0.position == placed && $0.confidence == 1 })
    #expect(alignment.segments.count == session.alignment.segments.count)
  }

  /// The reciter begins six ayat after what was told and what the alignment can know is noise.
  @Test func whatContradictsTheFirstAlignmentIsHeardAnew() throws {
    var speech = Speech()
    for number in 1...4 {
      speech.say(try ayah(67, number))
      speech.pause(14)
    }
    // Where nothing can be recognised somebody says what it is.
    let start = speech.sounds.count
    speech.mumble(400)
    let end = speech.sounds.count
    speech.pause(14)
    for number in 8...12 {
      speech.say(try ayah(67, number))
      speech.pause(14)
    }
    var session = try session(speech, 1, 12)
    let known = AlignmentAnchors.Span(
      Speech.position(start)..<Speech.position(end + 10),
      .ayat(
        try #require(AyahRange(first: ayah(67, 5), last: ayah(67, 7))),
        joins: [Speech.position(start + 100), Speech.position(start + 200)]))
    let alignment = try session.realign(AlignmentAnchors(spans: [known]))
    #expect(
      alignment.segments.contains { $0.span == known.span && $0.assignment == known.assignment })
    for said in speech.ayat {
      let found = alignment.segments.first { $0.assignment == .ayah(said.ayah) }
      let start = try #require(found, "\(said.ayah)").span.lowerBound
      let off = (start - Speech.position(said.frames.lowerBound)).seconds(at: Speech.rate)
      #expect(abs(off) <= 0.3, "\(said.ayah)")
    }
    #expect(alignment.segments.filter { $0.assignment.isRecitation }.count == speech.ayat.count + 1)
  }

  @Test func theSameAnchorsGiveTheSameAlignmentInAnyOrder() throws {
    let speech = try speech(1...8)
    var one = try session(speech, 2, 9)
    var other = try session(speech, 2, 9)
    let spans = try [2, 5, 7].map { number in
      AlignmentAnchors.Span(try span(one.alignment, number).span, .ayah(try ayah(67, number)))
    }
    for count in 1...3 { try one.realign(AlignmentAnchors(spans: Array(spans.prefix(count)))) }
    for count in 1...3 {
      try other.realign(AlignmentAnchors(spans: Array(spans.reversed().prefix(count))))
    }
    #expect(one.alignment.segments == other.alignment.segments)
  }

  @Test func aDoubtGoesOnceAPersonHasConfirmedTheBeginning() throws {
    var session = try session(speech(3...8), 1, 8)
    #expect(session.alignment.doubt == .beginsWith(try ayah(67, 3), told: try ayah(67, 1)))
    let segment = try span(session.alignment, 3)
    try session.realign(AlignmentAnchors(spans: [.init(segment.span, segment.assignment)]))
    #expect(session.alignment.doubt == nil)
  }

  @Test func aDoubtOfTheBeginningStaysWhatIsConfirmedAfterIt() throws {
    var session = try session(speech(1...8), 2, 8)
    let doubt = AlignmentRemark.beginsWith(try ayah(67, 1), told: try ayah(67, 2))
    #expect(session.alignment.doubt == doubt)
    let later = try span(session.alignment, 3)
    try session.realign(AlignmentAnchors(spans: [.init(later.span, later.assignment)]))
    #expect(session.alignment.doubt == doubt)
  }

  /// Each portion follows al-Fatiha, whatever it begins with.
  @Test func aDoubtOfTheBeginningStaysWhereAlFatihaIsConfirmed() throws {
    var speech = Speech()
    for number in 1...7 {
      speech.say(try AyahReference(checking: 1, ayah: number))
      speech.pause(14)
    }
    speech.pause(40)
    for number in 1...6 {
      speech.say(try ayah(67, number))
      speech.pause(14)
    }
    let told = try ayah(67, 3)
    var session = try AlignmentSession(
      speech.aligner(), AlignmentRequest(first: told, prayer: .taraweeh))
    let doubt = session.alignment.doubt
    #expect(doubt == .beginsWith(try ayah(67, 1), told: told))
    let fatiha = try #require(
      session.alignment.segments.first { $0.assignment == .ayah(.first, part: nil) })
    try session.realign(AlignmentAnchors(spans: [.init(fatiha.span, fatiha.assignment)]))
    #expect(session.alignment.doubt == doubt)
  }

  /// As the last marker, named by a person, may be; the pause begins before what is searched then.
  @Test func nothingBeginsInASilenceBeforeTheEnd() throws {
    let speech = try speech(1...4, pause: 100)
    var session = try session(speech, 1)
    let said = try #require(speech.ayat.last?.frames.upperBound)
    for late in 1...12 {
      let alignment = try session.realign(
        AlignmentAnchors(places: [.init(Speech.position(said + late), beginning: ayah(67, 9))]))
      #expect(alignment.segments.last?.span.upperBound == Speech.position(speech.sounds.count))
    }
  }

  /// The witr follows.
  @Test(arguments: [(6, true), (112, false)])
  func aDoubtOfTheEndGoesWithTheAyahThatItNames(confirmed: Int, isLifted: Bool) throws {
    var speech = Speech()
    for (surah, ayat) in [(67, 1...6), (112, 1...4)] {
      for number in 1...7 {
        speech.say(try ayah(1, number))
        speech.pause(14)
      }
      speech.pause(40)
      for number in ayat {
        speech.say(try ayah(surah, number))
        speech.pause(14)
      }
      speech.pause(60)
      speech.say(.takbir)
      speech.pause(60)
    }
    var session = try AlignmentSession(
      speech.aligner(),
      AlignmentRequest(first: ayah(67, 1), last: ayah(67, 4), prayer: .taraweeh))
    let doubt = AlignmentRemark.endsWith(try ayah(67, 6), told: try ayah(67, 4))
    #expect(session.alignment.remarks.contains(doubt))
    let last = confirmed == 6 ? try ayah(67, 6) : try ayah(112, 4)
    let segment = try #require(
      session.alignment.segments.first { $0.assignment == .ayah(last, part: nil) })
    try session.realign(AlignmentAnchors(spans: [.init(segment.span, segment.assignment)]))
    #expect(session.alignment.remarks.contains(doubt) == !isLifted)
  }

  /// Doubted, it is not to be confirmed with what is sure.
  @Test func whatIsDoubtedStaysUnsure() throws {
    var session = try AlignmentSession(
      speech(1...12).aligner(), AlignmentRequest(first: ayah(36, 1), last: ayah(36, 20)))
    let doubt = try #require(session.alignment.doubt)
    #expect(doubt == .soundsLike(try ayah(67, 1), told: try ayah(36, 1)))
    let segment = try #require(session.alignment.segments.last { $0.assignment.isRecitation })
    try session.realign(AlignmentAnchors(spans: [.init(segment.span, segment.assignment)]))
    #expect(session.alignment.doubt == doubt)
    #expect(session.alignment.segments.allSatisfy { $0.confidence <= 0.5 })
  }

  @Test(arguments: [2, 6])
  func whatProvesToBeginElsewhereStaysSoAroundWhatIsConfirmed(number: Int) throws {
    var session = try AlignmentSession(
      speech(1...12).aligner(), AlignmentRequest(first: ayah(36, 1)))
    let doubt = AlignmentRemark.beginsWith(try ayah(67, 1), told: try ayah(36, 1))
    #expect(session.alignment.doubt == doubt)
    let found = session.alignment.segments
    let moved = try ayah(67, number)
    let segment = try #require(found.first { $0.assignment == .ayah(moved, part: nil) })
    let start = segment.span.lowerBound + FrameCount(9000)
    try session.realign(
      AlignmentAnchors(spans: [.init(start..<segment.span.upperBound, segment.assignment)]))
    #expect(session.alignment.doubt == doubt)
    #expect(session.alignment.segments.map(\.assignment) == found.map(\.assignment))
  }

  @Test func aSessionThatIsStoppedIsAsItWas() throws {
    var session = try session(speech(1...4), 1)
    let before = session.alignment
    let flag = StopFlag()
    flag.stop()
    #expect(throws: (any Error).self) {
      try session.realign(
        AlignmentAnchors(places: [.init(Speech.position(100), beginning: ayah(67, 3))]),
        stopFlag: flag)
    }
    #expect(session.alignment == before)
  }
}
