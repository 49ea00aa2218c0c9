// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Editor

/// Where reciting begins, when a person does not know.
@Suite struct PlacesTests {
  private func asked(_ desk: Desk) -> [StartRequest] {
    desk.effects.compactMap { if case .propose(let request) = $0 { request } else { nil } }
  }

  private func aligned(_ desk: Desk) -> [DetectionRequest] {
    desk.effects.compactMap { if case .detect(let request) = $0 { request } else { nil } }
  }

  private func report(
    _ places: (String, Double)..., doubt: String? = nil, source: String = "the sound"
  ) -> StartReport {
    StartReport(
      proposals: places.map { AyahProposal(ayah($0.0), confidence: $0.1) },
      doubt: doubt.map { .init(.init(code: "many_places", text: $0), mostConfidence: 0.2) },
      source: source)
  }

  @Test func aSurahAloneIsWhereItBeginsSomewhere() throws {
    var desk = Desk(try document())
    desk.press("A '2")
    #expect(aligned(desk).isEmpty, "nothing is aligned to a guess")
    #expect(desk.screen.contains("searches for the start in Al-Baqarah"))
    #expect(!desk.screen.contains("Searching"))
    desk.press("enter")
    let request = try #require(asked(desk).last)
    #expect(request.range == Surah(2)?.ayat)
    #expect(request.last == nil)
    #expect(request.span == span(0, 100_000))
    #expect(desk.state.context == .places)
    #expect(desk.screen.contains("Searching for the start"))
  }

  @Test func aDoubtAndAPlaceAreReadWholeInASmallTerminal() throws {
    var desk = Desk(try document(), size: Layout.minSize)
    desk.press("A enter")
    var place = AyahProposal(ayah("112:1"), confidence: 0.004)
    (place.isWithin, place.isWordedAlike) = (true, true)
    let doubt = "uncertain start: the recitation fits no place in 112:1-4 well enough to be sure"
    desk.send(
      .proposed(
        id: try #require(asked(desk).last).id,
        StartReport(
          proposals: [place], doubt: .init(.init(text: doubt), mostConfidence: 0.004),
          source: "the sound")))
    #expect(desk.screen.contains("the recitation fits no place in 112:1-4"), "\(desk.screen)")
    #expect(desk.screen.contains("well enough to be sure"), "\(desk.screen)")
    #expect(desk.screen.contains("begins within it  same wording"), "\(desk.screen)")
    let row = try #require(
      desk.screen.split(separator: "\n", omittingEmptySubsequences: false).firstIndex {
        $0.contains("same wording")
      })
    desk.click(10, row)
    #expect(aligned(desk).last?.parameters.first == ayah("112:1"))
  }

  @Test func anEndAloneIsEnough() throws {
    var desk = Desk(try document())
    desk.press("A tab '2:141 enter")
    let request = try #require(asked(desk).last)
    #expect(request.range == nil)
    #expect(request.last == ayah("2:141"))
  }

  @Test func nothingIsEnough() throws {
    var desk = Desk(try document())
    desk.press("A")
    #expect(desk.screen.contains("searches for the start in the whole Quran"))
    desk.press("enter")
    #expect(asked(desk).last?.range == nil)
    #expect(asked(desk).last?.last == nil)
  }

  @Test func inAPrayerWhatFollowsAlFatihaIsLookedFor() throws {
    var desk = Desk(try document())
    desk.press("A down down right")
    #expect(desk.screen.contains("the start of what follows al-Fatiha in the whole Quran"))
    desk.press("up up '2")
    #expect(desk.screen.contains("the start of what follows al-Fatiha in Al-Baqarah"))
    desk.press("enter")
    let request = try #require(asked(desk).last)
    #expect(request.prayer == .taraweeh)
    #expect(request.range == Surah(2)?.ayat)
    desk.send(.proposed(id: request.id, report(("2:30", 0.9))))
    desk.press("enter")
    #expect(aligned(desk).last?.parameters.prayer == .taraweeh)
    #expect(aligned(desk).last?.parameters.first == ayah("2:30"))
  }

  /// Each rak'ah begins with it.
  @Test(arguments: ["1:1", "1"]) func inAPrayerAlFatihaIsNoStart(typed: String) throws {
    var desk = Desk(try document())
    desk.press("A '\(typed) down down space")
    #expect(desk.screen.contains("the start of what follows al-Fatiha in the whole Quran"))
    desk.press("enter")
    let request = try #require(asked(desk).last)
    #expect(request.prayer == .taraweeh && request.range == nil)
  }

  /// Who prefers another place than the likeliest knows why.
  @Test(arguments: [true, false]) func theDoubtOfAProposalStays(isFirst: Bool) throws {
    var desk = Desk(try document())
    desk.press("A '55 enter")
    let doubt = "uncertain start: many places fit equally well"
    desk.send(
      .proposed(
        id: try #require(asked(desk).last).id,
        report(("55:13", 0.2), ("55:16", 0.2), doubt: doubt)))
    desk.press(isFirst ? "enter" : "down enter")
    let found = DetectionReport(
      boundaries: [
        .init(
          position: FramePosition(50_000), confidence: 0.99, origin: .aligned,
          attribution: Attribution(.ayah(ayah("55:17")), origin: .aligned, confidence: 0.99))
      ], opening: Attribution(.ayah(ayah("55:13")), origin: .aligned, confidence: 1))
    desk.send(.detected(id: try #require(aligned(desk).last).id, found))
    desk.press("enter")
    #expect(desk.state.judgement.doubt?.text == (isFirst ? doubt : nil))
    let confidences = desk.document.segments.map { $0.content.attribution?.confidence }
    #expect(confidences == (isFirst ? [0.2, 0.2] : [1, 0.99]))
    guard isFirst else { return }
    // The same said again is no surer.
    desk.press("A")
    desk.send(.detected(id: try #require(aligned(desk).last).id, found))
    desk.press("enter")
    #expect(desk.state.judgement.doubt?.text == doubt)
    #expect(desk.state.judgement.remarks.contains { $0.code == "chosen_start" })
    #expect(desk.document.segments.allSatisfy { $0.content.attribution?.confidence ?? 1 <= 0.5 })
    // What is confirmed later says nothing of the start; the first ayah does.
    for (key, expected) in [("down enter", doubt), ("home enter", nil)] {
      desk.press(key)
      if let id = aligned(desk).last?.id {
        desk.send(
          .detected(
            id: id,
            DetectionReport(
              boundaries: [],
              opening: Attribution(.ayah(ayah("55:13")), origin: .aligned, confidence: 1))))
      }
      #expect(desk.state.judgement.doubt?.text == expected, "\(key)")
      if expected != nil {
        #expect(desk.document.segments[0].content.attribution?.confidence ?? 1 <= 0.5)
      }
      let isKnown = desk.state.judgement.remarks.contains { $0.code == "chosen_start" }
      #expect(isKnown == (expected != nil), "\(key)")
    }
  }

  /// It comes back once the other one is mended.
  @Test func theDoubtOfAStartOutlastsAnother() {
    let start = AlignmentJudgement.Remark(code: "many_places", text: "many places fit")
    let other = AlignmentJudgement.Remark(code: "ends_with", text: "it ends elsewhere")
    var report = DetectionReport(boundaries: [], doubt: other)
    report.add(.init(start, mostConfidence: 0.2))
    var judgement = AlignmentJudgement(
      doubt: report.doubt, isTakenInDoubt: true, remarks: report.remarks)
    #expect(judgement.doubt == other && judgement.remarks == [start])
    let mended = DetectionReport(boundaries: [])
    var isTaken = judgement.follow(mended, isStartGiven: false, besides: [])
    #expect(isTaken && judgement.doubt == start && judgement.remarks.isEmpty)
    let doubtful = DetectionReport(boundaries: [], doubt: other)
    isTaken = judgement.follow(doubtful, isStartGiven: false, besides: [])
    #expect(isTaken && judgement.doubt == other && judgement.remarks == [start])
    isTaken = judgement.follow(mended, isStartGiven: true, besides: [])
    #expect(isTaken && judgement.isEmpty)
  }

  @Test func whatEndsBeforeTheSurahIsNotLookedFor() throws {
    var desk = Desk(try document())
    desk.press("A '36 tab '2:5 enter")
    #expect(asked(desk).isEmpty)
    #expect(desk.state.notice?.text == "The recitation ends before it starts")
  }

  @Test func theOneChosenIsAlignedAndShownFirst() throws {
    var desk = Desk(try document())
    desk.press("A '2 tab '2:141 enter")
    let id = try #require(asked(desk).last).id
    desk.send(.searching(id: id, fraction: 0.42))
    #expect(desk.screen.contains("42%"))
    desk.send(.proposed(id: id, report(("2:30", 0.62), ("2:1", 0.2), ("2:100", 0.001))))
    #expect(desk.screen.contains("2:30"))
    #expect(desk.screen.contains("62%"))
    #expect(desk.screen.contains("From the sound"))
    #expect(!desk.screen.contains("2:100"), "what is hardly possible is not named")
    desk.press("down enter")
    #expect(desk.state.context == .detection)
    let alignment = try #require(aligned(desk).last)
    #expect(alignment.parameters.first == ayah("2:1"))
    #expect(alignment.parameters.last == ayah("2:141"))
    #expect(desk.document.markers.isEmpty, "nothing is taken yet")
    desk.send(
      .detected(
        id: alignment.id,
        DetectionReport(
          boundaries: [],
          opening: Attribution(.ayah(ayah("2:1")), origin: .aligned, confidence: 0.8))))
    #expect(desk.screen.contains("You chose the proposed start 2:1, which is 20% likely"))
    desk.press("enter")
    #expect(desk.labels == ["2:1"])
    #expect(desk.state.judgement.remarks.first?.code == "chosen_start")
  }

  @Test func aStartTypedAfterwardsIsNoProposal() throws {
    var desk = Desk(try document())
    desk.press("A '2 enter")
    desk.send(.proposed(id: try #require(asked(desk).last).id, report(("2:30", 0.62))))
    desk.press("enter '2:31")
    let alignment = try #require(aligned(desk).last)
    #expect(alignment.parameters.first == ayah("2:31"))
    desk.send(
      .detected(
        id: alignment.id,
        DetectionReport(
          boundaries: [],
          opening: Attribution(.ayah(ayah("2:31")), origin: .aligned, confidence: 0.8))))
    #expect(!desk.screen.contains("proposed"))
  }

  @Test func aDoubtIsSaidOverTheList() throws {
    var desk = Desk(try document())
    desk.press("A '2 enter")
    desk.send(
      .proposed(
        id: try #require(asked(desk).last).id,
        report(
          ("2:30", 0.31), ("2:1", 0.3),
          doubt: "not sure where it begins: many places fit about as well")))
    #expect(desk.screen.contains("Not sure where it begins: many places fit about as well"))
  }

  @Test func escapeLeadsBackToWhatWasTyped() throws {
    var desk = Desk(try document())
    desk.press("A '36 enter")
    let id = try #require(asked(desk).last).id
    desk.press("esc")
    #expect(desk.effects.last == .cancelDetection)
    #expect(desk.state.context == .detection)
    #expect(desk.screen.contains("the start in Ya-Sin"))
    desk.send(.proposed(id: id, report(("36:1", 0.9))))
    #expect(desk.state.context == .detection, "it was given up")
    desk.press("esc")
    #expect(desk.state.context == .normal)
  }

  @Test func enterBeforeAnythingIsFoundDoesNothing() throws {
    var desk = Desk(try document())
    desk.press("A '36 enter enter")
    #expect(desk.state.context == .places)
    #expect(desk.state.notice?.text == "The search is still running")
  }

  @Test func whatWentWrongIsSaid() throws {
    var desk = Desk(try document())
    desk.press("A enter")
    let id = try #require(asked(desk).last).id
    desk.send(.detectionFailed(id: id, reason: "the library has published no ayah"))
    #expect(desk.screen.contains("The library has published no ayah"))
    desk.press("esc '2 enter")
    desk.send(.proposed(id: try #require(asked(desk).last).id, report()))
    #expect(desk.screen.contains("No place was found"))
    desk.press("enter")
    #expect(desk.state.context == .places)
  }

  @Test func whatIsListenedToIsCounted() throws {
    var desk = Desk(try document())
    desk.press("A '2:1")
    let id = try #require(aligned(desk).last).id
    desk.send(.searching(id: id, fraction: 0.5))
    #expect(desk.screen.contains("50%"))
    desk.send(.searching(id: id - 1, fraction: 0.9))
    #expect(!desk.screen.contains("90%"), "an older one")
  }
}
