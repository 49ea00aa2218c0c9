// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI
import TestSupport
import Testing

@testable import Editor

@Suite struct StoreTests {
  @Test func aReadOnlyEditorShowsWhatTheOtherKeeps() throws {
    let before = try document(10_000, 20_000)
    var desk = Desk(before, access: .readOnly("process 1 is editing it"))
    desk.press("end")
    var history = History()
    var after = before
    try history.apply(
      .assign(after.segments[2].id, Attribution(.ayah(ayah("2:3"))), confirming: true), to: &after)
    history.judge(AlignmentJudgement(doubt: "the recitation ends with 2:5, not 2:9"))
    desk.send(.followed(after, history, revision: 7))
    #expect(desk.labels == ["-", "-", "2:3!"])
    #expect(desk.selected == 3)
    #expect(desk.screen.contains("read-only"))
    desk.press("i")
    #expect(desk.screen.contains("History: 1 edit"))
    desk.press("esc I")
    #expect(desk.screen.contains("The recitation ends with 2:5, not 2:9"))
    var own = Desk(before)
    own.send(.followed(after, history, revision: 7))
    #expect(own.labels == ["-", "-", "-"], "what is edited here is not overwritten")
  }

  @Test func anEditIsDoneAtOnceAndMarkedKeptWhenTheStoreSaysSo() throws {
    var desk = Desk(try document(10_000))
    desk.press("down ! y")
    #expect(desk.document.segments[1].content.isFlagged)
    #expect(desk.screen.contains("2 edits not on disk yet"))
    desk.send(.kept(ticket: 1, revision: 7, publication: .nothing))
    #expect(desk.screen.contains("1 edit not on disk yet"))
    desk.send(.kept(ticket: 2, revision: 8, publication: .nothing))
    #expect(desk.state.annotation.revision == 8)
    #expect(desk.screen.contains(" saved"))
  }

  @Test func whatTheStoreRefusesIsTakenBackWithAllThatFollowed() throws {
    var desk = Desk(try document(10_000))
    let before = desk.document
    desk.press("down ! y x enter")
    desk.send(.kept(ticket: 1, revision: 1, publication: .nothing))
    desk.send(.notKept(ticket: 2, reason: "the disk is full"))
    var expected = before
    try expected.apply(.setFlag(.from(MarkerID(1)), true))
    #expect(desk.document == expected)
    #expect(
      desk.state.notice?.text == "2 edits were undone, because saving failed: the disk is full")
    #expect(desk.state.annotation.unkept == 0)
    #expect(desk.state.annotation.history.undoable.count == 1)
  }

  @Test func requestsAfterARefusalAreOfAnotherEpoch() throws {
    var desk = Desk(try document(10_000))
    desk.press("!")
    desk.send(.notKept(ticket: 1, reason: "busy"))
    desk.press("!")
    let epochs = desk.effects.compactMap { effect -> Int? in
      if case .store(let request) = effect { request.epoch } else { nil }
    }
    #expect(epochs == [0, 1])
  }

  @Test func aRefusedUndoIsDoneAgain() throws {
    var desk = Desk(try document(10_000))
    desk.press("!")
    desk.send(.kept(ticket: 1, revision: 1, publication: .nothing))
    desk.press("u")
    #expect(!desk.document.segments[0].content.isFlagged)
    desk.send(.notKept(ticket: 2, reason: "busy"))
    #expect(desk.document.segments[0].content.isFlagged)
    #expect(desk.state.annotation.canUndo)
    #expect(!desk.state.annotation.canRedo)
  }

  @Test func aRefusedEditGivesBackWhatCouldBeRedone() throws {
    var desk = Desk(try document(10_000))
    desk.press("! u down !")
    desk.send(.kept(ticket: 2, revision: 2, publication: .nothing))
    desk.send(.notKept(ticket: 3, reason: "busy"))
    #expect(desk.state.annotation.canRedo)
    desk.press("U")
    #expect(desk.document.segments[0].content.isFlagged)
  }

  @Test func editsMadeBeforeTheRecordingWasOpenedCanBeUndone() throws {
    var earlier = History()
    var before = AnnotationDocument(length: FrameCount(100_000), rate: rate)
    let marker = Marker(id: MarkerID(1), position: FramePosition(500), origin: .person)
    try earlier.apply(.addMarker(marker), to: &before)
    var state = State(size: .init(columns: 80, rows: 24))
    _ = reduce(
      &state,
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "night"), annotation: WorkingAnnotation(before))))
    _ = reduce(&state, .perform(.segmentFlag))
    _ = reduce(&state, .historyRead(earlier))
    _ = reduce(&state, .perform(.undo))
    let effects = reduce(&state, .perform(.undo))
    #expect(state.document.markers.isEmpty)
    #expect(effects.contains(.store(StoreRequest(ticket: 3, epoch: 0, step: .undo))))
  }

  @Test func untilTheHistoryIsReadUndoSaysSo() throws {
    var state = State(size: .init(columns: 80, rows: 24))
    _ = reduce(
      &state,
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "night"),
          annotation: WorkingAnnotation(try document(10_000)))))
    _ = reduce(&state, .perform(.undo))
    #expect(state.notice?.text == "Still reading the earlier edits")
  }

  @Test func nothingIsEditedWhereAnotherProcessHasTheRecording() throws {
    var desk = Desk(try document(10_000), access: .readOnly("process 12 is editing it"))
    let before = desk.document
    desk.press("down x enter m y ! 0 t e f a w . .")
    desk.wait(2000)
    desk.click(20, desk.layout.canvas.origin.row)
    desk.drag(from: 8, to: 12, row: desk.layout.handles.origin.row)
    desk.mouse(.release(.left), 12, desk.layout.handles.origin.row)
    #expect(desk.document == before)
    #expect(desk.edits.isEmpty)
    #expect(desk.screen.contains("read-only"))
    desk.press("space")
    #expect(desk.state.transport.isPlaying)
  }

  @Test func theHistoryLeadsToAnyPlaceInIt() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("! down ! down ! i")
    #expect(desk.screen.contains("History: 3 edits"))
    desk.press("up up enter")
    #expect(desk.document.segments.map(\.content.isFlagged) == [true, false, false])
    desk.press("i down down enter")
    #expect(desk.document.segments.map(\.content.isFlagged) == [true, true, true])
  }
}
