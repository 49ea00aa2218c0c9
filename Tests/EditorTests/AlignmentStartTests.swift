// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import Testing

@testable import Editor

/// Where an alignment begins that a person asks for.
@Suite struct AlignmentStartTests {
  @Test(arguments: [
    ("emad_036.opus", "36:1"), ("084", "84:1"), ("Surah Al-Mulk", "67:1"), ("night 12", nil),
    ("79", "79:1"), ("An-Nazi'at", "79:1"), ("An-Nazi'at, Afasy", "79:1"), ("النازعات", "79:1"),
    ("Nazi'at - Afasy", "79:1"), ("79 - An-Nazi'at", "79:1"), ("Afasy (Ya-Sin)", "36:1"),
    ("Night, 3", nil), ("Al-Mulk, Al-Qalam", nil), ("115", nil), ("Muhammad Ayyub", nil),
    ("emad_002_001-141", "2:1"), ("taraweeh_emad_2_1-74", "2:1"), ("002_255.mp3", "2:255"),
    ("18:10-20", "18:10"), ("night_2026_11-28", nil), ("part_2_3", nil), ("2_80-74", nil),
    ("112_002-009", nil), ("115_001", nil),
  ]) func whatTheTitleNamesIsProposed(title: String, first: String?) throws {
    var desk = Desk(try document())
    desk.state.card = RecordingCard(title: title)
    desk.press("A")
    guard case .detection(let panel)? = desk.state.panel else {
      Issue.record("no panel")
      return
    }
    #expect(panel.parameters.first == first.map(ayah))
  }

  @Test func whereTheSelectedSegmentIsConfirmedItBeginsWithTheNextThatIsNot() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("e '84:1 enter home A")
    guard case .detection(let panel)? = desk.state.panel else {
      Issue.record("no panel")
      return
    }
    #expect(panel.span == span(10_000, 100_000))
    #expect(panel.parameters.first == ayah("84:2"))
  }

  /// 36:10 to 36:14, ten seconds each, suggested.
  private func desk(confirming number: Int? = nil) throws -> Desk {
    var document = try document(10_000, 20_000, 30_000, 40_000)
    for index in document.segments.indices {
      document = try document.assigning(index + 1, "36:\(10 + index)")
      if index + 1 != number {
        try document.apply(
          .assign(
            document.segments[index].id,
            Attribution(.ayah(ayah("36:\(10 + index)")), origin: .aligned, confidence: 0.9)))
      }
    }
    return Desk(document)
  }

  private func panel(of desk: Desk) throws -> DetectionPanel {
    guard case .detection(let panel)? = desk.state.panel else {
      throw EditRefusal.documentChanged
    }
    return panel
  }

  private func mark(_ start: Int64, _ end: Int64, _ desk: inout Desk) {
    desk.state.selection.select(desk.document.segment(containing: FramePosition(end)))
    desk.state.selection.span = span(start, end)
  }

  @Test func aSpanBeginsWithTheAyahThatIsRecitedAtItsBeginning() throws {
    var desk = try desk()
    mark(2000, 45_000, &desk)
    desk.press("A")
    let first = try panel(of: desk)
    #expect(first.span == span(0, 100_000), "no ayah is cut")
    #expect(first.parameters.first == ayah("36:10"))
    #expect(first.parameters.last == nil, "a suggestion may be what is wrong")
    desk.press("esc end enter")
    mark(2000, 45_000, &desk)
    desk.press("A")
    #expect(try panel(of: desk).parameters.first == ayah("36:10"))
    #expect(try panel(of: desk).parameters.last == ayah("36:14"))
    desk.press("esc")
    mark(2000, 40_000, &desk)
    desk.press("A")
    #expect(try panel(of: desk).parameters.last == ayah("36:13"))
  }

  @Test func theRestOfAnAyahThatWasCutBeginsWithIt() throws {
    var desk = try desk()
    desk.state.transport.position = FramePosition(5000)
    desk.press("m V A")
    #expect(try panel(of: desk).parameters.first == ayah("36:10"))
  }

  private func find(_ first: String, _ others: (Int64, String)..., at desk: inout Desk) {
    func aligned(_ text: String) -> Attribution {
      Attribution(.ayah(ayah(text)), origin: .aligned, confidence: 0.9)
    }
    desk.press("A '\(first)")
    let report = DetectionReport(
      boundaries: others.map { position, text in
        .init(
          position: FramePosition(position), confidence: 0.9, origin: .aligned,
          attribution: aligned(text))
      }, opening: aligned(first))
    let ids = desk.effects.compactMap {
      if case .detect(let request) = $0 { request.id } else { nil }
    }
    desk.send(.detected(id: ids.last ?? 0, report))
    desk.press("enter")
  }

  @Test func aSpanThatCutsSegmentsLeavesTheirAyatWhole() throws {
    var desk = try desk()
    mark(12_000, 35_000, &desk)
    find("36:11", (21_000, "36:12"), (30_000, "36:13"), at: &desk)
    #expect(desk.labels == ["36:10", "36:11", "36:12", "36:13", "36:14"])
    #expect(desk.boundaries == [10_000, 21_000, 30_000, 40_000])
    mark(12_000, 15_000, &desk)
    find("36:11", at: &desk)
    #expect(desk.labels == ["36:10", "36:11", "36:12", "36:13", "36:14"])
  }

  @Test func aSpanWithinWhatIsUnassignedHasMarkersAtItsEnds() throws {
    var desk = Desk(try document())
    let before = desk.document
    mark(20_000, 50_000, &desk)
    find("36:10", (30_000, "36:11"), at: &desk)
    #expect(desk.labels == ["-", "36:10", "36:11", "-"])
    #expect(desk.boundaries == [20_000, 30_000, 50_000])
    desk.press("u")
    #expect(desk.document == before)
  }

  @Test func aSpanThatBeginsWithSilenceBeginsWithTheAyahAfterIt() throws {
    var desk = try desk()
    desk.press("home down 0 s")
    mark(11_000, 45_000, &desk)
    desk.press("A")
    #expect(try panel(of: desk).parameters.first == ayah("36:12"))
  }
}
