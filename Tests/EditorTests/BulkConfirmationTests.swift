// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Editor

/// Many segments are confirmed at once.
@Suite struct BulkConfirmationTests {
  @Test func allThatAreSureEnoughAreConfirmedTogetherAndUndoneTogether() throws {
    var desk = Desk(
      try document(fitting: "2:1", count: 5, confidences: [0.95, 0.8, 0.95, 0.95]))
    desk.press("f '2:1 enter B")
    #expect(desk.screen.contains("at least 90 % sure  3 segments, under 1 expected wrong"))
    desk.press("left '80")
    #expect(desk.screen.contains("at least 80 % sure  5 segments, under 1 expected wrong"))
    desk.press("enter")
    #expect(desk.labels == ["2:1!", "2:2!", "2:3!", "2:4!", "2:5!"])
    #expect(desk.state.notice?.text == "Confirmed 5 segments; u undoes that")
    #expect(desk.state.settings.sureEnough == 80)
    desk.press("u")
    #expect(desk.labels == ["2:1", "2:2", "2:3", "2:4", "2:5"])
    #expect(
      desk.state.notice?.text
        == "Undone: 5 segments confirmed from segment 1 on; U brings it back")
  }

  /// What a person filled in is as sure as the rest of the recording lets it be.
  @Test func whatDoesNotGoWithTheRestIsNotConfirmedWithTheSure() throws {
    var before = try document(10_000, 20_000, 30_000, confidences: [0.95, 0.95, 0.95])
    for (number, text) in zip(1..., ["112:1", "112:1", "112:2", "112:4"]) {
      before = try before.assigning(number, text)
    }
    var desk = Desk(before)
    desk.press("B")
    #expect(desk.screen.contains("at least 90 % sure  1 segment, under 1 expected wrong"))
    desk.press("down down down")
    #expect(desk.screen.contains("all in view         4 segments, about 2 expected wrong"))
    desk.press("up up up enter")
    #expect(desk.labels == ["112:1", "112:1", "112:2!", "112:4"])
  }

  /// Where an edge was deleted, nobody has said what the two segments hold together.
  @Test func aDoubtOfWhatASegmentHoldsIsCountedAndGoneTo() throws {
    var before = try document(20_000, 40_000, 60_000, confidences: [0.98, 0.3, 0.97])
    let segments = before.segments
    for (segment, (text, confidence)) in zip(
      segments, [("2:1", 0.98), ("2:2", 0.3), ("2:3", 0.3), ("2:4", 0.97)])
    {
      try before.apply(
        .assign(
          segment.id,
          Attribution(.ayah(ayah(text)), origin: .aligned, confidence: confidence)))
    }
    var desk = Desk(before)
    desk.press("n x")
    #expect(desk.labels == ["2:1", "2:2", "2:4"])
    #expect(desk.state.notice?.text == "Marker deleted; the segment is now 2:2; u restores it")
    desk.press("n")
    #expect(desk.state.notice?.text.hasPrefix("This edge is 50% sure; 1 more from 97% on") == true)
    desk.press("end B '90")
    #expect(desk.screen.contains("at least 90 % sure  2 segments"), "\(desk.screen)")
    #expect(desk.screen.contains("up to here          3 segments"))
    #expect(desk.state.confirmable(.upToHere, percent: 90).expectedWrong > 0.5)
  }

  @Test func whatIsExpectedWrongIsWhatTheSuggestionsLackOfCertainty() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000, confidences: [0.5, 0.5, 0.5]))
    desk.press("f '2:1 enter B '50")
    #expect(desk.screen.contains("4 segments, about 2 expected wrong"))
    desk.press("backspace '1")
    #expect(desk.screen.contains("at least 51 % sure  nothing"))
    desk.press("enter")
    #expect(desk.state.context == .confirmation)
    #expect(desk.state.notice?.text == "No unconfirmed segment is that sure")
  }

  @Test func backspaceTakesOneDigitOfAPercentageAndTypingGoesOn() throws {
    var desk = Desk(try document(10_000).assigning(1, "2:1"))
    desk.press("B backspace")
    #expect(desk.screen.contains("at least 9 % sure"))
    desk.press("'5")
    #expect(desk.screen.contains("at least 95 % sure"))
    desk.press("backspace backspace '80")
    #expect(desk.screen.contains("at least 80 % sure"))
    desk.press("right '7")
    #expect(desk.screen.contains("at least 7 % sure"), "after an arrow a digit begins anew")
  }

  @Test func bulkConfirmationIsReadWholeOnTheSmallestScreen() throws {
    var desk = Desk(
      try document(10_000, 20_000, 30_000, 40_000), size: Layout.minSize)
    desk.press("f '2:1 enter down ! down down B down")
    #expect(desk.screen.contains("1, under 1 wrong, after the flag"), "\(desk.screen)")
  }

  @Test func bulkConfirmationNeverGoesPastAFlag() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000, 40_000))
    desk.press("f '2:1 enter down ! down down B down")
    #expect(desk.screen.contains("1 segment, under 1 expected wrong, after the flag"))
    #expect(desk.screen.contains("2 segments, under 1 expected wrong, 3 left out"))
    #expect(desk.screen.contains("Left out: flagged segments"))
    desk.press("enter")
    #expect(desk.labels == ["2:1", "2:2", "2:3", "2:4!", "2:5"])
  }

  @Test func bulkConfirmationLeavesTheEdgesOfAFlaggedSegmentUndecided() throws {
    var desk = Desk(try document(fitting: "2:1", count: 5))
    desk.press("f '2:1 enter down down ! B '50 enter")
    #expect(desk.labels == ["2:1!", "2:2", "2:3", "2:4", "2:5!"])
    #expect(desk.document.markers.map(\.isConfirmed) == [true, false, false, true])
    desk.press("n")
    #expect(desk.state.notice?.text.hasPrefix("This edge is") == true)
    // Edges that are decided hold nothing back.
    desk.press("home down down y o y B '50 enter")
    #expect(desk.labels == ["2:1!", "2:2!", "2:3", "2:4!", "2:5!"])
  }

  @Test func partsOfPrayerTheViewAndASpanAreConfirmedTogether() throws {
    var before = try document(10_000, 20_000, 30_000, 40_000)
    try before.apply(.fill(SequentialFill(from: .first, starting: ayah("2:1"))))
    try before.apply(.markUnused(before.segments[1].id, .ruku))
    try before.apply(.markUnused(before.segments[3].id, .sujud))
    var desk = Desk(before)
    desk.press("B down down enter")
    #expect(desk.labels == ["2:1", "unused: ruku!", "2:3", "unused: sujud!", "2:5"])
    desk.press("u home down down z B down down down enter")
    #expect(desk.labels == ["2:1", "unused: ruku", "2:3!", "unused: sujud", "2:5"])
    desk.press("home V B down down down down enter")
    #expect(desk.labels == ["2:1!", "unused: ruku", "2:3!", "unused: sujud", "2:5"])
    desk.press("esc B down down down down enter")
    #expect(desk.state.notice?.text == "No span of time is selected")
  }

  @Test(arguments: [
    ("80", 80), ("950", 95), ("150", 15), ("1007", 100), ("100", 100), ("05", 5), ("٩٥", 95),
  ])
  func digitsAreAPercentageAndOneTooManyIsLeftOut(typed: String, percent: Int) throws {
    var desk = Desk(try document(10_000).assigning(1, "2:1"))
    desk.press("B '\(typed)")
    #expect(desk.screen.contains("at least \(percent) % sure"), "\(desk.screen)")
  }

  /// Nights whose edges are wrong as often as their confidences say.
  @Test(arguments: [0, 50, 80, 90])
  func whatIsExpectedWrongIsAboutWhatIsWrong(percent: Int) throws {
    var random = SplitMix64(state: 7)
    var said = 0.0
    var real = 0
    for _ in 0..<40 {
      let confidences = (0..<200).map { _ in
        1 - pow(Double.random(in: 0...1, using: &random), 4) * 0.9
      }
      let isWrong = confidences.map { Double.random(in: 0...1, using: &random) > $0 }
      var night = try document(
        each: (1...200).map { $0 * 400 }, confidences: confidences)
      for (index, segment) in Array(night.segments).enumerated() {
        let held = Attribution(
          .ayah(AyahReference(absoluteIndex: index + 1)!), origin: .aligned, confidence: 1)
        try night.apply(.assign(segment.id, held, confirming: false))
      }
      let confirmation = Desk(night).state.confirmable(.sure, percent: percent)
      said += confirmation.expectedWrong
      let taken = Set(confirmation.segments.compactMap(night.index(of:)))
      real += (1...200).count { isWrong[$0 - 1] && (taken.contains($0) || taken.contains($0 - 1)) }
    }
    #expect(real > 40, "enough to tell")
    #expect(said < 2 * Double(real) && said > Double(real) / 2, "said \(said), wrong \(real)")
  }
}
