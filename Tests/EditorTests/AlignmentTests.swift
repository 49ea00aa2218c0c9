// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Editor

@Suite struct AlignmentTests {
  func requests(_ desk: Desk) -> [DetectionRequest] {
    desk.effects.compactMap { if case .detect(let request) = $0 { request } else { nil } }
  }

  func aligned(_ text: String) -> Attribution {
    Attribution(.ayah(ayah(text)), origin: .aligned, confidence: 0.8)
  }

  /// Ayat one after the other, the first where the search began and the others at these milliseconds.
  func report(_ first: String, _ others: (Int64, String)...) -> DetectionReport {
    DetectionReport(
      boundaries: others.map { position, text in
        .init(
          position: FramePosition(position), confidence: 0.8, origin: .aligned,
          attribution: aligned(text))
      }, opening: aligned(first))
  }

  /// 2:1 to 2:5, twenty seconds each.
  func alignedDesk() throws -> Desk {
    var desk = Desk(try document())
    desk.press("A '2:1")
    let id = try #require(requests(desk).last).id
    desk.send(
      .detected(
        id: id,
        report("2:1", (20_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"))))
    desk.press("enter")
    desk.effects = []
    return desk
  }

  @Test func aSpanThatIsConfirmedAsAWholeIsNotAligned() throws {
    var desk = Desk(
      try document(10_000, 20_000).assigning(2, "2:1", confirming: true).assigning(3, "2:2"))
    desk.press("down V A")
    #expect(desk.state.context == .normal)
    #expect(desk.state.notice?.text == "The whole span is confirmed")
    desk.press("down V A")
    #expect(desk.state.context == .detection)
  }

  @Test func onceMoreItTakesAllThatIsNotConfirmed() throws {
    var desk = try alignedDesk()
    desk.press("home enter")
    desk.press("A")
    let request = try #require(requests(desk).last)
    #expect(request.span == span(0, 100_000))
    #expect(request.parameters.first == ayah("2:1"))
    #expect(desk.screen.contains("Find each ayah in the whole recording: 1 gap, 4 segments"))
    desk.press("'3:7")
    #expect(
      requests(desk).last?.parameters.first == ayah("3:7"), "typing replaces what was filled in")
  }

  @Test func aSpanIsAlignedByItself() throws {
    var desk = try alignedDesk()
    desk.press("down V A")
    let request = try #require(requests(desk).last)
    #expect(request.span == span(20_000, 40_000))
    #expect(request.parameters.first == ayah("2:2"))
  }

  @Test func aConfirmationMendsNothingBeforeWhatWasAligned() throws {
    var desk = Desk(try document(20_000, 40_000, 60_000))
    desk.press("down A '2:1")
    #expect(requests(desk).last?.span == span(20_000, 100_000))
    desk.send(
      .detected(
        id: try #require(requests(desk).last).id,
        report("2:1", (40_000, "2:2"), (60_000, "2:3"), (80_000, "2:4"))))
    desk.press("enter")
    #expect(desk.labels == ["-", "2:1", "2:2", "2:3", "2:4"])
    desk.effects = []
    desk.press("home down down enter")
    desk.send(
      .detected(
        id: try #require(requests(desk).last).id,
        report("2:1", (41_000, "2:2"), (60_000, "2:3"), (80_000, "2:4"))))
    #expect(desk.labels == ["-", "2:1", "2:2!", "2:3", "2:4"])
    #expect(desk.boundaries.first == 20_000)
  }

  @Test func itEndsWhereSomethingIsConfirmed() throws {
    var desk = Desk(
      try document(20_000, 40_000, 60_000, 80_000).assigning(4, "2:4", confirming: true))
    desk.press("A '2:1")
    #expect(requests(desk).last?.span == span(0, 60_000))
    desk.press("esc home down down down A '2:5")
    #expect(requests(desk).last?.span == span(80_000, 100_000))
    desk.press("esc end enter '2:5 enter A")
    #expect(desk.state.context == .normal)
    #expect(desk.state.notice?.text.contains("are confirmed") == true)
  }

  @Test func acceptingAssignsAndIsUndoneAtOnce() throws {
    var desk = try alignedDesk()
    #expect(desk.labels == ["2:1", "2:2", "2:3", "2:4", "2:5"])
    desk.press("u")
    #expect(desk.labels == ["-"])
  }

  private func words(_ text: String, _ starts: Int64...) -> [TimedWord] {
    starts.enumerated().map {
      TimedWord(ayah(text), $0 + 1, FramePosition($1)..<FramePosition($1 + 1000))
    }
  }

  /// The words shown in each segment, by where they begin.
  private func shown(_ desk: Desk) -> [[Int64]] {
    desk.document.segments.map { segment in
      desk.document.words(in: segment).map(\.span.lowerBound.frames)
    }
  }

  /// Nothing is then taken back by the next undo but what was done before.
  @Test func whatFindsTheSameAgainIsNoEdit() throws {
    var desk = try alignedDesk()
    let before = desk.document
    desk.press("home A")
    desk.send(
      .detected(
        id: try #require(requests(desk).last).id,
        report("2:1", (20_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"))))
    desk.effects = []
    desk.press("enter")
    #expect(desk.document == before)
    #expect(desk.screen.contains("The same was found as before; nothing has changed"))
    #expect(!desk.effects.contains { if case .store = $0 { true } else { false } })
  }

  @Test func wordsAreKeptAndTimedAnewWhereAnEdgeMoves() throws {
    var desk = Desk(try document())
    desk.press("A '2:1")
    var first = report("2:1", (20_000, "2:2"), (40_000, "2:3"))
    first.words =
      words("2:1", 2000) + words("2:2", 21_000, 25_000, 39_000) + words("2:3", 41_000, 45_000)
    desk.send(.detected(id: try #require(requests(desk).last).id, first))
    desk.press("enter")
    #expect(shown(desk) == [[2000], [21_000, 25_000, 39_000], [41_000, 45_000]])
    // The end of 2:2 moves to before its third word.
    desk.press("home down")
    let marker = try #require(desk.document.markers.last)
    var effects: [Effect] = []
    desk.state.edit(.moveMarker(marker.id, to: FramePosition(38_000)), &effects)
    #expect(shown(desk) == [[2000], [21_000, 25_000], [41_000, 45_000]])
    desk.state.edit(.confirm(desk.state.selectedSegment.id), &effects)
    let request = try #require(
      effects.lazy.compactMap { effect -> DetectionRequest? in
        if case .detect(let request) = effect { request } else { nil }
      }.last)
    #expect(request.isRealignment)
    let before = desk.document
    var again = report("2:1", (20_000, "2:2"), (38_000, "2:3"))
    again.words =
      words("2:1", 2000) + words("2:2", 21_000, 25_000, 36_500) + words("2:3", 38_500, 45_000)
    desk.send(.detected(id: request.id, again))
    #expect(shown(desk) == [[2000], [21_000, 25_000, 36_500], [38_500, 45_000]])
    // They go with the confirmation that had them timed.
    desk.press("u")
    #expect(desk.labels == ["2:1", "2:2", "2:3"] && desk.document.words == before.words)
  }

  @Test func aDoubtIsSaidBeforeAndAfter() throws {
    var desk = Desk(try document())
    desk.press("A '2:1")
    var doubtful = report("2:1", (20_000, "2:2"))
    doubtful.doubt = "these pauses hardly fit"
    desk.send(.detected(id: try #require(requests(desk).last).id, doubtful))
    #expect(desk.screen.contains("These pauses hardly fit"))
    desk.press("enter")
    #expect(desk.state.notice == Notice(.warning, "These pauses hardly fit"))
  }

  @Test func theEdgeThatIsUnsureIsTakenInHand() throws {
    var desk = Desk(try document())
    desk.press("A '2:1")
    var found = report("2:1", (20_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"))
    for (index, confidence) in [0.9, 0.95, 0.3, 0.9].enumerated() {
      found.boundaries[index].confidence = confidence
    }
    found.boundaries[1].attribution = Attribution(
      .ayah(ayah("2:3")), origin: .aligned, confidence: 0.3)
    found.boundaries[2].attribution = Attribution(
      .ayah(ayah("2:4")), origin: .aligned, confidence: 0.3)
    desk.send(.detected(id: try #require(requests(desk).last).id, found))
    desk.press("enter n")
    #expect(desk.state.selectedMarker?.position == FramePosition(60_000))
    desk.press("n")
    #expect(
      desk.state.selectedMarker?.position == FramePosition(20_000),
      "though the edge bounds two segments that are unsure, it is visited once")
    // With its edge decided, the doubt about a segment has gone.
    #expect(desk.document.sureness(ofSegmentAt: 2) == 0.3)
    desk.press("home down down o y")
    #expect(desk.document.sureness(ofSegmentAt: 2) == 0.95)
  }

  @Test func aRecordingIsAlignedOnceMoreWithWhatItWasAlignedWith() throws {
    var before = try document(20_000, 40_000, 60_000, 80_000)
    for (index, text) in ["84:1", "84:2", "84:3", "84:4", "84:5"].enumerated() {
      try before.apply(
        .assign(
          before.segments[index].id, Attribution(.ayah(ayah(text)), origin: .aligned)))
    }
    try before.apply(.confirm(before.segments[2].id))
    var desk = Desk(before)
    desk.press("down A")
    let request = try #require(requests(desk).last)
    #expect(request.span == span(0, 100_000))
    #expect(request.parameters.first == ayah("84:1"))
    #expect(request.parameters.last == ayah("84:5"))
    #expect(request.annotation == desk.document)
    #expect(desk.screen.contains("Find each ayah in the whole recording: 2 gaps, 4 segments"))
    desk.press("esc down A")
    #expect(desk.state.context == .detection, "from a confirmed segment too")
    desk.press("esc down f enter A")
    #expect(
      desk.screen.contains("Find each ayah in the whole recording: 2 gaps, 4 segments"),
      "and from what was filled, which nobody has confirmed either")
  }

  @Test func whatIsAskedForDuringTheAnalysisWaitsForIt() throws {
    var desk = Desk(AnnotationDocument(length: FrameCount(100_000), rate: rate))
    func opened(_ isProvisional: Bool, _ document: AnnotationDocument) -> Event {
      var opened = OpenedRecording(
        card: RecordingCard(title: "night"),
        annotation: WorkingAnnotation(
          document, access: isProvisional ? .readOnly("it is analysed") : .readWrite))
      opened.isProvisional = isProvisional
      return .opened(opened)
    }
    desk.send(opened(true, desk.document))
    desk.press("e '2:255 enter")
    #expect(desk.state.context == .normal)
    #expect(desk.played.filter { $0 != .setSpeed(1) && $0.span != nil }.isEmpty)
    desk.press("A '2:1 enter")
    #expect(desk.state.context == .detection)
    #expect(requests(desk).isEmpty)
    desk.state.settings.hasSeenHint = false
    desk.send(opened(false, try document(20_000)))
    #expect(!desk.screen.contains("New here?"), "the panel has the room")
    let request = try #require(requests(desk).last)
    #expect(request.parameters.first == ayah("2:1"))
    desk.send(.detected(id: request.id, report("2:1", (20_000, "2:2"))))
    #expect(desk.labels == ["2:1", "2:2"], "it was accepted while it waited")
  }

  /// Whether the recording can be edited by now or not.
  @Test(arguments: [false, true])
  func keysAfterItsOwnAreThePanelsWhileTheAnalysisRuns(_ isProvisional: Bool) throws {
    var desk = Desk(try document())
    if isProvisional {
      var opened = OpenedRecording(
        card: RecordingCard(title: "night"),
        annotation: WorkingAnnotation(desk.document, access: .readOnly("it is analysed")))
      opened.isProvisional = true
      desk.send(.opened(opened))
    }
    desk.send(.analysed(fraction: 0.4, overview: [0.2, 0.9]))
    let before = desk.document
    let played = desk.played.count
    // Each of these is a command outside of the panel.
    desk.press("A m L u c Z q")
    #expect(desk.state.context == .detection)
    #expect(desk.document == before && desk.played.count == played)
    #expect(!desk.effects.contains(.quit))
    desk.press("esc")
    #expect(desk.state.context == .normal && desk.document == before)
  }

  /// Else a wrong answer would take the place of the right one, and what is found stays.
  @Test func theSameFoundInDoubtTakesNoAnswerAway() throws {
    var desk = Desk(try document())
    desk.press("A '2:1")
    let found = report("2:1", (20_000, "2:2"), (40_000, "2:3"))
    desk.send(.detected(id: try #require(requests(desk).last).id, found))
    desk.press("enter")
    let known = desk.state.judgement
    desk.press("home A '2:2")
    // However sure.
    var doubtful = report("2:1", (20_000, "2:2"), (40_000, "2:3"))
    doubtful.boundaries[0].confidence = 0.3
    doubtful.doubt = "the recitation begins with 2:1, not 2:2"
    desk.send(.detected(id: try #require(requests(desk).last).id, doubtful))
    desk.press("enter")
    #expect(
      desk.state.notice?.text == "The recitation begins with 2:1, not 2:2; nothing has changed")
    #expect(desk.state.judgement == known)
  }

  @Test func aDoubtStaysUntilTheAlignmentFits() throws {
    var desk = Desk(try document())
    desk.press("A '2:1")
    let ayat: [(Int64, String)] = [
      (20_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"),
    ]
    var doubtful = report("2:1", ayat[0], ayat[1], ayat[2], ayat[3])
    doubtful.doubt = "these pauses hardly fit"
    desk.send(.detected(id: try #require(requests(desk).last).id, doubtful))
    desk.press("enter end home")
    #expect(desk.screen.contains("These pauses hardly fit"), "a key does not take it away")
    #expect(desk.screen.contains("aligned, doubtful"))
    // A mend with the same doubt is taken, for it was known.
    desk.press("e '2:3 alt-enter")
    #expect(requests(desk).last?.parameters.first == ayah("2:3"), "where it starts is said anew")
    var mended = report("2:3", (20_000, "2:4"), (40_000, "2:5"), (55_000, "2:6"), (80_000, "2:7"))
    mended.doubt = "these pauses hardly fit"
    var contradicted = mended
    contradicted.isContradicted = true
    var other = desk
    other.send(.detected(id: try #require(requests(desk).last).id, contradicted))
    #expect(other.labels == ["2:3!", "2:2", "2:3", "2:4", "2:5"], "what cannot be is not taken")
    desk.send(.detected(id: try #require(requests(desk).last).id, mended))
    #expect(desk.labels == ["2:3!", "2:4", "2:5", "2:6", "2:7"])
    #expect(desk.state.notice?.text == "1 boundary moved, 3 segments renamed after 2:3")
    desk.press("home down")
    #expect(desk.screen.contains("These pauses hardly fit"))
    desk.press("enter")
    mended.doubt = nil
    desk.send(.detected(id: try #require(requests(desk).last).id, mended))
    #expect(desk.state.notice?.text == "The alignment now fits")
    desk.press("end home")
    #expect(!desk.screen.contains("hardly fit"))
    #expect(!desk.screen.contains("doubtful"))
    // Taking that back, it is judged again.
    desk.press("u")
    #expect(requests(desk).last?.parameters.first == ayah("2:3"))
    mended.doubt = "these pauses hardly fit"
    desk.send(.detected(id: try #require(requests(desk).last).id, mended))
    desk.press("end home")
    #expect(desk.screen.contains("aligned, doubtful"))
    desk.press("u")
    #expect(requests(desk).last?.parameters.first == ayah("2:1"), "as it was told at first")
  }

  @Test func aConfirmationThatMakesTheRestSurerTakesTheDoubtFromIt() throws {
    var desk = try alignedDesk()
    desk.press("home down down enter")
    let asked = try #require(requests(desk).last)
    var surer = report("2:1", (20_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"))
    surer.boundaries[0].attribution = Attribution(
      .ayah(ayah("2:2")), origin: .aligned, confidence: 0.97)
    desk.send(.detected(id: asked.id, surer))
    #expect(desk.document.segments[1].content.attribution?.confidence == 0.97)
    #expect(desk.state.notice == nil, "nothing moved")
    desk.press("u")
    #expect(desk.labels == ["2:1", "2:2", "2:3", "2:4", "2:5"])
  }

  @Test func nothingFoundBeforeIsShownBesideWhatMeansNothing() throws {
    var desk = Desk(try document())
    desk.press("A '2:1")
    let id = try #require(requests(desk).last).id
    desk.send(.detected(id: id, report("2:1", (20_000, "2:2"))))
    #expect(desk.screen.contains("2 segments with ayat found"))
    desk.press("tab '2:999")
    #expect(!desk.screen.contains("found"))
    #expect(!desk.screen.contains("Searching"))
    #expect(desk.screen.contains("Surah 2 has 286 ayat"))
    #expect(desk.effects.last == .cancelDetection)
    desk.send(.detected(id: try #require(requests(desk).last).id, report("2:1", (20_000, "2:2"))))
    #expect(!desk.screen.contains("found"), "one that was under way")
    let asked = requests(desk).count
    desk.press("ctrl-u")
    #expect(requests(desk).count == asked + 1, "as without it")
    #expect(desk.screen.contains("Searching"))
  }

  @Test func oneAyahAloneHasNoBoundary() throws {
    var desk = try alignedDesk()
    desk.press("home down enter down enter")
    desk.effects = []
    desk.press("home down down V A")
    let request = try #require(requests(desk).last)
    #expect(request.span == span(40_000, 60_000))
    desk.send(.detected(id: request.id, report("2:3")))
    #expect(desk.screen.contains("1 segment with ayat found"))
    #expect(desk.screen.contains("no boundary found"))
    #expect(!desk.screen.contains("suggest"))
    desk.press("enter")
    #expect(desk.labels[2] == "2:3")
    #expect(desk.state.banner == nil)
  }

  @Test func whereNoAyahIsFoundNothingCanBeTaken() throws {
    var desk = Desk(try document())
    desk.press("A '2:1")
    var nothing = DetectionReport(
      boundaries: [], opening: Attribution(.unused(.other), origin: .aligned, confidence: 0))
    nothing.doubt = "nothing is to be heard in this recording"
    desk.send(.detected(id: try #require(requests(desk).last).id, nothing))
    #expect(desk.screen.contains("No ayah was found here"))
    #expect(desk.screen.contains("Nothing is to be heard in this recording"))
    desk.press("enter")
    #expect(desk.labels == ["-"])
  }

  @Test func remarksAreShownBeforeAndCanBeReadAfterwards() throws {
    var desk = Desk(try document())
    desk.press("I")
    #expect(desk.state.notice?.text == "There are no remarks")
    desk.press("A '2:1")
    var found = report("2:1", (20_000, "2:2"))
    found.remarks = ["2:1 is repeated at 0:12", "compared with Night 2 (2 of 2 ayat)"]
    desk.send(.detected(id: try #require(requests(desk).last).id, found))
    #expect(desk.screen.contains("2:1 is repeated at 0:12"))
    #expect(desk.screen.contains("Compared with Night 2"))
    desk.press("enter end home")
    #expect(desk.screen.contains("I 2 remarks"))
    desk.press("I")
    #expect(desk.screen.contains("2:1 is repeated at 0:12"))
    desk.press("I")
    #expect(desk.state.context == .normal)
  }

  @Test func remarksComeBackWithTheRecordingAndGoWithAnUndo() throws {
    var desk = try alignedDesk()
    desk.press("home down down enter")
    var surer = report("2:1", (20_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"))
    surer.remarks = ["2:4 is repeated at 1:10"]
    desk.send(.detected(id: try #require(requests(desk).last).id, surer))
    #expect(desk.state.judgement.remarks == surer.remarks)
    let kept = desk.effects.compactMap { effect -> AlignmentJudgement? in
      if case .store(let request) = effect, case .judge(let judgement) = request.step {
        judgement
      } else {
        nil
      }
    }
    #expect(kept.map(\.remarks) == [surer.remarks])
    #expect(kept.first?.request?.first == ayah("2:1"))
    let (document, history) = (desk.document, desk.state.annotation.history)
    desk.send(
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "night"), annotation: WorkingAnnotation(document))))
    #expect(desk.state.judgement.isEmpty)
    desk.send(.historyRead(history))
    #expect(desk.state.judgement.remarks == surer.remarks)
    #expect(desk.screen.contains("I 1 remark"), "a person who comes back is told")
    desk.press("I")
    #expect(desk.screen.contains("2:4 is repeated at 1:10"))
    desk.press("I u")
    #expect(desk.state.judgement.isEmpty, "of what stands here now nothing was said")
    desk.press("U")
    #expect(desk.state.judgement.remarks == surer.remarks)
    // Boundaries by the pauses alone come into the place of the suggestions.
    desk.press("a")
    desk.send(
      .detected(
        id: desk.state.lastDetection,
        DetectionReport(boundaries: [.init(position: FramePosition(5000), confidence: 0.5)])))
    desk.press("enter")
    #expect(desk.state.judgement.isEmpty)
  }

  @Test func whatWasSaidOfAPrayerIsKnownWhenItIsOpenedAgain() throws {
    var desk = try alignedDesk()
    let document = desk.document
    var history = desk.state.annotation.history
    history.judge(
      AlignmentJudgement(
        request: .init(
          span: span(0, 100_000), first: ayah("2:3"), last: ayah("2:60"), prayer: .taraweeh)))
    desk.send(
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "night"), annotation: WorkingAnnotation(document))))
    desk.effects = []
    desk.send(.historyRead(history))
    let prepared = desk.effects.compactMap { effect -> DetectionRequest? in
      if case .prepare(let request) = effect { request } else { nil }
    }
    desk.effects = []
    desk.press("home down down enter")
    let realigned = try #require(requests(desk).last).parameters
    #expect(realigned.prayer == .taraweeh)
    #expect(realigned.first == ayah("2:3"))
    #expect(realigned.last == ayah("2:60"))
    #expect(
      prepared.map(\.parameters) == [realigned], "the first confirmation does not wait")
    #expect(prepared.map(\.span) == requests(desk).map(\.span))
    desk.press("u home A")
    let proposed = try #require(requests(desk).last)
    #expect(proposed.parameters == realigned, "the panel begins with what was said")
  }

  @Test func aDoubtThatWasSavedIsShownWhenTheRecordingIsOpened() throws {
    var desk = try alignedDesk()
    let document = desk.document
    var history = desk.state.annotation.history
    history.judge(
      AlignmentJudgement(doubt: "the recitation ends with 2:5, not 2:9", isTakenInDoubt: true))
    desk.send(
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "night"), annotation: WorkingAnnotation(document))))
    desk.send(.historyRead(history))
    desk.press("j")
    #expect(desk.screen.contains("The recitation ends with 2:5, not 2:9"))
  }

  @Test func aDoubtAboutASingleSegmentIsShownToo() throws {
    var annotated = try document()
    var history = History()
    try history.apply(
      .assign(
        annotated.segments[0].id,
        Attribution(.ayah(ayah("67:2")), origin: .aligned, confidence: 0.9)
      ), to: &annotated)
    history.judge(AlignmentJudgement(doubt: "the recitation begins with 67:1, not 67:2"))
    var desk = Desk(annotated)
    desk.send(
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "night"), annotation: WorkingAnnotation(annotated))))
    desk.send(.historyRead(history))
    #expect(desk.screen.contains("aligned, doubtful"))
    #expect(desk.screen.contains("The recitation begins with 67:1, not 67:2"))
    desk.press("enter")
    #expect(desk.document.segments[0].isConfirmed)
    #expect(!desk.screen.contains("The recitation begins with 67:1, not 67:2"))
  }

  @Test(arguments: [0, 4])
  func aDoubtThatWasSavedComesBeforeTheFirstHint(newBoundaries: Int) throws {
    var desk = try alignedDesk()
    let document = desk.document
    var recording = OpenedRecording(
      card: RecordingCard(title: "night"), annotation: WorkingAnnotation(document))
    recording.newBoundaries = newBoundaries
    let opened = Event.opened(recording)
    var history = desk.state.annotation.history
    history.judge(
      AlignmentJudgement(doubt: "the recitation ends with 2:5, not 2:9", isTakenInDoubt: true))
    desk.state.settings.hasSeenHint = false
    desk.send(opened)
    #expect(desk.screen.contains("New here?"))
    desk.send(.historyRead(history))
    #expect(desk.screen.contains("The recitation ends with 2:5, not 2:9"))
    #expect(!desk.screen.contains("New here?"))
    #expect(!desk.state.settings.hasSeenHint, "it is said another time")
  }

  @Test func aRemarkThatCannotBeKeptIsTakenBack() throws {
    var desk = try alignedDesk()
    desk.press("home down down enter")
    var surer = report("2:1", (20_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"))
    surer.remarks = ["2:4 is repeated at 1:10"]
    desk.send(.detected(id: try #require(requests(desk).last).id, surer))
    let ticket = try #require(
      desk.effects.compactMap { effect -> Int? in
        if case .store(let request) = effect, case .judge = request.step {
          request.ticket
        } else {
          nil
        }
      }.last)
    desk.send(.notKept(ticket: ticket, reason: "the disk is full"))
    #expect(desk.state.judgement.isEmpty)
    #expect(desk.labels == ["2:1", "2:2", "2:3!", "2:4", "2:5"])
  }

  @Test func theOrderOfAPrayerCanBeAskedFor() throws {
    var desk = Desk(try document())
    desk.press("A '2:1 tab tab right")
    #expect(requests(desk).last?.parameters.prayer == .taraweeh)
  }

  @Test func aDoubtfulOneIsNotTaken() throws {
    var desk = try alignedDesk()
    desk.press("home down down enter")
    var doubtful = report("2:1", (10_000, "2:2"))
    doubtful.doubt = "it does not fit"
    desk.send(.detected(id: try #require(requests(desk).last).id, doubtful))
    #expect(desk.boundaries.first == 20_000)
    #expect(desk.state.notice == Notice(.warning, "It does not fit"))
  }

  @Test func afterOpeningAnewTheSuggestionsSayWhatIsRecited() throws {
    var desk = try alignedDesk()
    let document = desk.document
    desk.send(
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "night"), annotation: WorkingAnnotation(document))))
    desk.effects = []
    desk.press("home down enter")
    let asked = try #require(requests(desk).last)
    #expect(asked.parameters.first == ayah("2:1"))
    #expect(asked.parameters.last == ayah("2:5"))
  }

  @Test func handMadeAssignmentsAskForNothing() throws {
    var desk = Desk(try document(20_000, 40_000))
    desk.press("e '2:1 alt-enter enter")
    #expect(requests(desk).isEmpty)
  }
}
