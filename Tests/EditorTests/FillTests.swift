// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Editor

/// Ayat are assigned one after another.
@Suite struct FillTests {
  @Test func timesLineUpInTheListsOfPanels() throws {
    var desk = Desk(
      try document(100_000, 700_000, length: 800_000).assigning(2, "2:1").assigning(3, "2:1"))
    desk.press("C")
    let columns = desk.screen.split(separator: "\n").filter { $0.contains("not confirmed: 2:1") }
      .compactMap { line in
        line.range(of: "not").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
      }
    #expect(columns.count == 2 && Set(columns).count == 1, "\(desk.screen)")
  }

  @Test func fillTakesANumberAndGoesPastConfirmedSegmentsIfWished() throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000, 40_000).assigning(2, "2:9", confirming: true))
    desk.press("f '2:8 tab '3")
    #expect(desk.screen.contains("1 segment, up to 2:8, before a confirmed segment"))
    desk.press("tab space")
    #expect(desk.screen.contains("3 segments, up to 2:11, the number asked for"))
    let rows = desk.screen.split(separator: "\n").filter { $0.contains(" 2:9 ") }
    #expect(rows.contains { $0.contains("confirmed, stays") }, "\(desk.screen)")
    desk.press("enter")
    #expect(desk.labels == ["2:8", "2:9!", "2:10", "2:11", "-"])
    desk.press("u f '2:8 tab tab 'x")
    #expect(desk.screen.contains("up to a confirmed segment"))
    #expect(desk.state.notice?.text == "space changes this")
    desk.press("esc f '2:8 tab '0 enter")
    #expect(desk.state.notice?.text == "How many segments?")
  }

  @Test func fillThatChangesNothingSaysSo() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("f '2:1 enter home f '2:1 enter")
    #expect(desk.state.notice?.text == "The segments hold that already; nothing has changed")
    desk.press("u")
    #expect(desk.labels == ["-", "-", "-"])
    #expect(desk.state.notice?.text == "Undone: filled from 2:1 in segment 1; U brings it back")
  }

  @Test func fillShowsHowLongEachLastsOfWhatItShouldAndWhereThatDoesNotFit() throws {
    // Al-Falaq at one pace, but for the third ayah, which lasts a tenth.
    var positions: [Int64] = []
    var end: Int64 = 0
    for ayah in 1...5 {
      let units = try #require(AyahReference("113:\(ayah)")).length.phoneticUnits
      end += Int64(units) * (ayah == 3 ? 10 : 100)
      positions.append(end)
    }
    var before = AnnotationDocument(length: FrameCount(end), rate: rate)
    for (index, position) in positions.dropLast().enumerated() {
      try before.apply(
        .addMarker(
          Marker(
            id: MarkerID(Int64(index + 1)), position: FramePosition(position), origin: .detected)))
    }
    var desk = Desk(before)
    desk.press("f '113:1")
    let rows = desk.screen.split(separator: "\n").filter { $0.contains("  113:") }
    #expect(rows.map { $0.contains("?") } == [false, false, true, false, false])
  }

  @Test func onTheSmallestScreenWhatIsReplacedIsReadWhole() throws {
    var desk = Desk(
      try document(100_000, 200_000, length: 300_000).assigning(1, "36:80").assigning(2, "36:81"),
      size: Size(columns: 60, rows: 16))
    desk.press("f '36:81")
    #expect(desk.screen.contains("was 36:80") && desk.screen.contains("was 36:81"))
  }

  @Test func whatIsReplacedIsReadBesideTheLengthsToo() throws {
    var before = try document(each: (1...5).map { $0 * 100_000 }, length: 700_000)
    for number in 1...6 { before = try before.assigning(number, "36:\(number + 9)") }
    var desk = Desk(before, size: Size(columns: 60, rows: 16))
    desk.press("f '36:11")
    let rows = desk.screen.split(separator: "\n").filter { $0.contains(" was ") }
    #expect(rows.count > 1 && rows.allSatisfy { $0.contains(" of ") }, "\(desk.screen)")
    for (row, number) in zip(rows, 10...) { #expect(row.contains("was 36:\(number) "), "\(row)") }
  }

  /// Reciters differ too much in pace for lengths to be expected of a few segments.
  @Test func inAShortRecordingFillSaysWhyItExpectsNoLengths() throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000), size: Size(columns: 60, rows: 16))
    desk.press("f '112:1")
    #expect(
      desk.screen.contains("4 segments, up to 112:4; too few ayat to expect lengths"),
      "\(desk.screen)")
    #expect(!desk.screen.contains(" of "))
  }

  @Test(arguments: [
    ("2", "2:1"), ("al-baqarah", "2:1"), ("juz 30", "78:1"), ("page 3", "2:6"), ("٢:٥", "2:5"),
  ])
  func fillBeginsWithTheFirstAyahOfWhatIsTyped(typed: String, first: String) throws {
    var desk = Desk(try document(10_000))
    desk.press("f")
    desk.send(.input(.paste(typed)))
    desk.press("enter")
    #expect(desk.labels.first == first, "\(desk.state.notice?.text ?? "")")
  }

  @Test func fillSaysWhatItTakes() throws {
    var desk = Desk(try document(10_000))
    desk.press("f")
    for (typed, words) in [
      ("basmalah", "Begin with an ayah or a surah (2:1, 36); e assigns anything else"),
      ("silence", "Begin with an ayah or a surah (2:1, 36); e assigns anything else"),
      ("2:1-20", "Type the first ayah alone, 2:1, and how many segments below"),
      ("juz 29-30", "Type the first ayah alone, 67:1, and how many segments below"),
      ("2:286 3:1", "Type the first ayah alone, 2:286, and how many segments below"),
      ("2:287", "Surah 2 has 286 ayat; 2:287 does not exist"),
    ] {
      desk.press("ctrl-u")
      desk.send(.input(.paste(typed)))
      desk.press("enter")
      #expect(desk.state.notice?.text == words)
      #expect(desk.screen.contains(words), "the rim has room for it")
    }
    #expect(desk.edits.isEmpty)
  }

  @Test func fillOffersTheAyahThatIsDueThere() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000, 40_000).assigning(1, "84:5"))
    desk.press("down down down f")
    #expect(desk.screen.contains("beginning with 84:6"))
  }

  @Test func theSurahOfTheTitleIsFilledAfterWhatIsNotRecited() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000))
    desk.state.card = RecordingCard(title: "036")
    desk.press("down f")
    #expect(desk.screen.contains("beginning with 36:1"), "the first may be the basmalah")
    desk.press("esc down f")
    #expect(!desk.screen.contains("beginning with 36:"), "how many are before it, nobody knows")
    desk.press("esc home 0 enter 0 enter down down")
    #expect(desk.labels.prefix(2).allSatisfy { $0 != "-" })
    desk.state.select(desk.document.segments[2])
    desk.press("f")
    #expect(desk.screen.contains("beginning with 36:1"))
  }

  @Test(arguments: [
    ("2:5", "2:7 in segments 3 and 4"), ("2:3", "2:6 missing before segment 4"),
    ("2:9", "2:7 comes after 2:11 in segment 4"),
  ])
  func fillSaysWhatWouldBeOdd(_ first: String, _ oddity: String) throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000, 40_000).assigning(4, "2:7", confirming: true))
    desk.press("f '\(first)")
    #expect(desk.screen.contains(oddity))
  }

  @Test func fillIsShownBeforeItIsDoneAndStopsBeforeAConfirmedSegment() throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000, 40_000).assigning(4, "3:1", confirming: true))
    desk.press("f '2:284")
    #expect(desk.labels == ["-", "-", "-", "3:1!", "-"])
    #expect(desk.screen.contains("3 segments, up to 2:286, before a confirmed segment"))
    desk.press("enter")
    #expect(desk.labels == ["2:284", "2:285", "2:286", "3:1!", "-"])
    desk.press("u")
    #expect(desk.labels == ["-", "-", "-", "3:1!", "-"])
  }

  @Test func fillGoesOnWithTheRestOfAnAyah() throws {
    var before = try document(10_000, 20_000)
    try before.apply(.assign(.first, Attribution(.ayah(ayah("2:5"), part: .beginning))))
    var desk = Desk(before)
    desk.press("down f")
    #expect(desk.screen.contains("2:5 (end)"))
    desk.press("enter")
    #expect(desk.document.segments[1].assignment == .ayah(ayah("2:5"), part: .end))
    #expect(desk.document.segments[2].assignment == .ayah(ayah("2:6")))
    #expect(desk.state.notice?.text.contains("from 2:5 (end)") == true)
  }
}
