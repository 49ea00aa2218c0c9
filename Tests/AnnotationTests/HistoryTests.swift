// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import TestSupport
import Testing

@Suite struct HistoryTests {
  @Test func oneDragIsOneStepBack() throws {
    var document = try document(10_000)
    let before = document
    var history = History()
    try history.apply(.move(1, to: 12_000), to: &document)
    let undone = try #require(try history.undo(&document))
    #expect(undone.edit == .move(1, to: 12_000))
    #expect(document == before)
    try history.redo(&document)
    #expect(document.boundaries == [12_000])
  }

  @Test func aNewEditEndsWhatCouldBeRedone() throws {
    var document = try document(10_000)
    var history = History()
    try history.apply(.setFlag(.first, true), to: &document)
    try history.undo(&document)
    try history.apply(.setNote(.first, "cough"), to: &document)
    #expect(history.redoable.isEmpty)
    #expect(try history.redo(&document) == nil)
  }

  @Test func whatChangesNothingIsNotRecorded() throws {
    var document = try document(10_000)
    var history = History()
    try history.apply(.setFlag(.first, true), to: &document)
    try history.undo(&document)
    #expect(try history.apply(.setFlag(.first, false), to: &document).isEmpty)
    #expect(history.undoable.isEmpty && history.redoable.count == 1)
  }

  @Test func whatIsRefusedIsNotRecorded() throws {
    var document = try document(10_000)
    var history = History()
    #expect(throws: EditRefusal.nothingToConfirm) {
      try history.apply(.confirm(.first), to: &document)
    }
    #expect(history == History())
  }

  @Test func refusesToUndoWhatSomethingElseHasChanged() throws {
    var document = try document(10_000)
    var history = History()
    try history.apply(.setNote(.first, "mine"), to: &document)
    try document.apply(.setNote(.first, "theirs"))
    #expect(throws: EditRefusal.documentChanged) { try history.undo(&document) }
    #expect(document.segments[0].content.note == "theirs" && history.undoable.count == 1)
  }

  @Test func aChangeNamesOnlyWhatItTouched() throws {
    var document = try document(10_000, 20_000, confirmed: true)
    try document.apply(.assign(.from(1), "2:1"))
    let change = try document.apply(.confirm(.from(1)))
    #expect(change.first == 1 && change.old.count == 1 && change.new.count == 1)
  }

  @Test func whatAnAlignmentSaysGoesAndComesBackWithItsEdit() throws {
    var document = try document(10_000)
    var history = History()
    let isKept = history.judge(AlignmentJudgement(remarks: ["nothing to keep it with"]))
    #expect(!isKept)
    let first = AlignmentJudgement(doubt: "it hardly fits", remarks: ["2:1 is repeated"])
    try history.apply(.setFlag(.first, true), to: &document)
    history.judge(first)
    try history.apply(.setNote(.first, "a cough"), to: &document)
    #expect(history.judgement == first, "a note changes nothing about it")
    let second = AlignmentJudgement(remarks: ["2:3 is not heard"])
    history.judge(second)
    try history.undo(&document)
    #expect(history.judgement == first)
    try history.undo(&document)
    #expect(history.judgement == nil)
    try history.redo(&document)
    try history.redo(&document)
    #expect(history.judgement == second)
    let copy = try JSONDecoder().decode(History.self, from: JSONEncoder().encode(history))
    #expect(copy == history)
  }

  @Test func otherSuggestionsEndWhatWasSaidOfTheOnesBefore() throws {
    var document = try document(10_000)
    var history = History()
    try history.apply(.setFlag(.first, true), to: &document)
    history.judge(AlignmentJudgement(remarks: ["2:1 is repeated"]))
    let whole = FramePosition.zero..<(.zero + document.length)
    try history.apply(.replaceSuggestions(Suggestions(in: whole, [])), to: &document)
    #expect(history.judgement == nil)
    try history.undo(&document)
    #expect(history.judgement != nil)
  }
}
