// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import Quran
import Testing

/// The journal outlives this program's versions: these texts must stay readable.
@Suite struct CodingTests {
  static let edits: [(Edit, String)] = [
    (
      .addMarker(marker(7, at: 44, confidence: 0.5)),
      #"{"edit":"add_marker","marker":{"at":44,"confidence":0.5,"confirmed":false,"id":7,"#
        + #""origin":"detected"}}"#
    ),
    (.move(7, to: 44), #"{"at":44,"edit":"move_marker","id":7}"#),
    (.delete(7), #"{"edit":"delete_marker","id":7}"#),
    (.confirmMarker(MarkerID(7)), #"{"edit":"confirm_marker","id":7}"#),
    (.unconfirmMarker(MarkerID(7)), #"{"edit":"unconfirm_marker","id":7}"#),
    (
      .assign(.first, "2:255"),
      #"{"attribution":{"assignment":{"ayah":"2:255","kind":"ayah"},"origin":"person"},"#
        + #""confirming":false,"edit":"assign"}"#
    ),
    (.clear(.from(7)), #"{"edit":"clear","segment":7}"#),
    (.confirm(.first), #"{"edit":"confirm"}"#),
    (.confirmAll([.first, .from(7)]), #"{"edit":"confirm_all","segments":[null,7]}"#),
    (.unconfirm(.from(7)), #"{"edit":"unconfirm","segment":7}"#),
    (
      .moveJoin(.from(7), index: 1, to: FramePosition(44)),
      #"{"at":44,"edit":"move_join","join":1,"segment":7}"#
    ),
    (.setNote(.first, "a"), #"{"edit":"set_note","note":"a"}"#),
    (.setFlag(.first, true), #"{"edit":"set_flag","flag":true}"#),
    (
      .fill(SequentialFill(from: .from(7), starting: ayah("2:1"))),
      #"{"ayah":"2:1","edit":"fill","segment":7}"#
    ),
    (
      .fill(
        SequentialFill(
          from: .first, starting: ayah("2:1"), count: 3, passesConfirmed: true)),
      #"{"ayah":"2:1","count":3,"edit":"fill","past_confirmed":true}"#
    ),
    (
      .replaceSuggestions(Suggestions(in: span(0, 9), [.init(marker(7, at: 4))])),
      #"{"edit":"replace_suggestions","suggestions":{"boundaries":[{"marker":{"at":4,"#
        + #""confirmed":false,"id":7,"origin":"detected"}}],"end":9,"start":0}}"#
    ),
  ]

  static let assignments: [(Assignment, String)] = [
    (.ayah(ayah("2:1"), part: .end), #"{"ayah":"2:1","kind":"ayah","part":"end"}"#),
    (
      .crossSurah(ayah("8:75"), join: FramePosition(9), end: ayah("9:1")),
      #"{"ayah":"8:75","end":"9:1","join":9,"kind":"cross_surah"}"#
    ),
    (
      .ayat(ayat("93:1", "93:2"), joins: frames(9)),
      #"{"first":"93:1","joins":[9],"kind":"ayat","last":"93:2"}"#
    ),
    (
      .ayah(ayah("112:1"), withBasmalah: true),
      #"{"ayah":"112:1","kind":"ayah","withBasmalah":true}"#
    ),
    (
      .crossSurah(ayah("111:5"), join: FramePosition(9), end: ayah("112:1"), withBasmalah: true),
      #"{"ayah":"111:5","end":"112:1","join":9,"kind":"cross_surah","withBasmalah":true}"#
    ),
    (
      .ayat(ayat("112:1", "112:2"), joins: frames(9), withBasmalah: true),
      #"{"first":"112:1","joins":[9],"kind":"ayat","last":"112:2","withBasmalah":true}"#
    ),
    (.leadIn(.istiadhah), #"{"istiadhah":true,"kind":"lead_in"}"#),
    (
      .leadIn(.istiadhahAndBasmalah(of: Surah(2)!)),
      #"{"basmalah":2,"istiadhah":true,"kind":"lead_in"}"#
    ),
    (.leadIn(.basmalah(of: Surah(2)!)), #"{"basmalah":2,"istiadhah":false,"kind":"lead_in"}"#),
    (.unused(.ruku), #"{"kind":"unused","reason":"ruku"}"#),
  ]

  private func expect<Value: Codable & Equatable>(_ value: Value, _ text: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(Value.self, from: Data(text.utf8)) == value)
  }

  @Test(arguments: edits) func editsKeepTheirWriting(_ edit: Edit, _ text: String) throws {
    try expect(edit, text)
  }

  @Test(arguments: assignments)
  func assignmentsKeepTheirWriting(_ assignment: Assignment, _ text: String) throws {
    try expect(assignment, text)
  }

  @Test func changesKeepTheirWriting() throws {
    var document = AnnotationDocument(length: FrameCount(9), rate: rate)
    try expect(
      try document.apply(.setNote(.first, "a")),
      #"{"first":0,"new":[{"segment":{"confirmed":false,"flagged":false,"note":"a"}}],"#
        + #""old":[{"segment":{"confirmed":false,"flagged":false,"note":""}}]}"#)
  }

  @Test(arguments: [
    #"{"kind":"ayah","ayah":"2:287"}"#, #"{"kind":"ayah","ayah":"115:1"}"#,
    #"{"kind":"ayat","first":"2:2","last":"2:1","joins":[]}"#,
    #"{"kind":"lead_in","istiadhah":false}"#,
    #"{"kind":"lead_in","istiadhah":true,"basmalah":115}"#, #"{"kind":"unused","reason":"tea"}"#,
    #"{"kind":"sermon"}"#, "{}", "[]", "7",
  ])
  func refusesAssignmentsThatCannotBe(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Assignment.self, from: Data(text.utf8))
    }
  }
}
