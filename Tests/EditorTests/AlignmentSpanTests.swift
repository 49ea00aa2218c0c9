// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TestSupport
import Testing

@testable import Editor

/// What is aligned of a span alone.
extension AlignmentTests {
  @Test func aSpanThatIsAlignedLeavesTheRestAsItWas() throws {
    var desk = try alignedDesk()
    let known = desk.state.judgement.request
    desk.press("down V A")
    desk.send(.detected(id: try #require(requests(desk).last).id, report("2:2")))
    desk.press("enter esc home A")
    let again = try #require(requests(desk).last)
    #expect(again.span == span(0, 100_000) && again.parameters.first == ayah("2:1"))
    #expect(desk.state.judgement.request == known)
    desk.effects = []
    desk.press("esc esc end e '2:6 alt-enter")
    #expect(requests(desk).last?.isRealignment == true, "a correction mends beyond the span")
    desk.press("u u home A")
    #expect(requests(desk).last?.span == span(0, 100_000))
  }

  /// What was said of a part holds for it, whatever is corrected there or elsewhere.
  @Test func aPartIsMendedByWhatWasSaidOfIt() throws {
    var desk = try alignedDesk()
    let whole = try #require(desk.state.judgement.request)
    desk.state.selection.span = span(20_000, 60_000)
    desk.press("A '1:5")
    #expect(requests(desk).last?.span == span(20_000, 60_000))
    desk.send(
      .detected(id: try #require(requests(desk).last).id, report("1:5", (50_000, "1:6"))))
    desk.press("enter esc")
    #expect(desk.labels == ["2:1", "1:5", "1:6", "2:4", "2:5"])
    #expect(desk.state.judgement.request == whole)
    #expect(desk.state.judgement.parts.map(\.first) == [ayah("1:5")])

    desk.effects = []
    desk.press("end up enter")
    let elsewhere = try #require(requests(desk).last)
    #expect(elsewhere.span == whole.span && elsewhere.parameters.first == whole.first)
    #expect(elsewhere.others == [span(20_000, 60_000)])
    desk.send(
      .detected(
        id: elsewhere.id,
        report(
          "2:1", (20_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"), (90_000, "2:6")
        )))
    #expect(desk.labels == ["2:1", "1:5", "1:6", "2:4!", "2:5", "2:6"])

    desk.effects = []
    desk.press("home down down enter")
    let inside = try #require(requests(desk).last)
    #expect(inside.span == span(20_000, 60_000) && inside.parameters.first == ayah("1:5"))
    #expect(inside.others.isEmpty)
    desk.send(.detected(id: inside.id, report("1:5", (50_000, "1:6"))))
    #expect(desk.labels == ["2:1", "1:5", "1:6!", "2:4!", "2:5", "2:6"])
    #expect(desk.state.judgement.parts.count == 1)
    desk.press("u u u u")
    #expect(desk.state.judgement.parts.isEmpty, "undone with its edit")
  }

  /// What was remarked of a part stood there for what is no more.
  @Test func remarksOnAPartGoWithWhatTheyWereOf() throws {
    typealias Remark = AlignmentJudgement.Remark
    var desk = try alignedDesk()
    var before = desk.state.judgement
    before.remarks = [
      Remark(text: "2:2 is repeated at 0:50", seconds: 50),
      Remark(text: "2:4 is repeated at 1:10", seconds: 70), Remark(text: "the sounds of Hafs"),
    ]
    desk.state.judge(before, &desk.effects)
    desk.state.selection.span = span(20_000, 60_000)
    desk.press("A '1:5")
    var found = report("1:5", (50_000, "1:6"))
    found.remarks = [Remark(text: "1:6 is repeated at 0:55", seconds: 55)]
    desk.send(.detected(id: try #require(requests(desk).last).id, found))
    desk.press("enter esc")
    #expect(desk.state.judgement.remarks == Array(before.remarks.dropFirst()) + found.remarks)
    desk.press("end enter")
    var whole = report("2:1", (20_000, "2:2"), (40_000, "2:3"), (60_000, "2:4"), (80_000, "2:5"))
    whole.remarks = [
      Remark(text: "2:3 is missing at 0:40", seconds: 40),
      Remark(text: "2:5 is repeated at 1:20", seconds: 80),
    ]
    desk.send(.detected(id: try #require(requests(desk).last).id, whole))
    #expect(desk.state.judgement.remarks == [whole.remarks[1]] + found.remarks)
    desk.press("u home down enter")
    desk.send(
      .detected(id: try #require(requests(desk).last).id, report("1:5", (50_000, "1:6"))))
    #expect(desk.state.judgement.remarks == Array(before.remarks.dropFirst()))
  }

  /// A start that was chosen is none any more once a part before it has the first ayah.
  @Test func theFirstAyahConfirmedInAPartSettlesTheStart() throws {
    var desk = try alignedDesk()
    var before = desk.state.judgement
    before.remarks = [.init(code: "chosen_start", text: "you chose the proposed start 2:1")]
    desk.state.judge(before, &desk.effects)
    desk.state.selection.span = span(0, 40_000)
    desk.press("A '1:5")
    desk.send(
      .detected(id: try #require(requests(desk).last).id, report("1:5", (20_000, "1:6"))))
    desk.press("enter esc")
    #expect(desk.state.judgement.remarks == before.remarks)
    desk.press("home enter")
    desk.send(
      .detected(id: try #require(requests(desk).last).id, report("1:5", (20_000, "1:6"))))
    #expect(desk.state.judgement.remarks.isEmpty)
  }

  /// An end that was filled in belongs to the start that was.
  @Test func anEndBeforeTheStartThatIsTypedGoesUnlessItWasTyped() throws {
    var desk = try alignedDesk()
    desk.state.selection.span = span(20_000, 60_000)
    desk.press("A tab '1:7 up '36:1")
    #expect(desk.screen.contains("The recitation ends before it starts"), "it was typed")
    var before = desk.document
    before = try before.assigning(4, "2:4", confirming: true)
    var other = Desk(before)
    other.state.selection.span = span(20_000, 60_000)
    other.press("A")
    #expect(requests(other).last?.parameters.last == ayah("2:3"))
    other.press("'36:1")
    #expect(requests(other).last?.parameters.first == ayah("36:1"))
    #expect(requests(other).last?.parameters.last == nil)
  }

  /// A prayer is told by what follows al-Fatiha, whatever a span of it begins with.
  @Test func aSpanOfAPrayerIsAlignedFromItsPortion() throws {
    var before = try document(20_000, 40_000, 60_000, 80_000)
    for (number, text) in zip(1..., ["1:6", "1:7", "2:3", "2:4", "2:5"]) {
      before = try before.assigning(number, text)
    }
    var desk = Desk(before)
    desk.state.alignment = AlignmentMemory(
      .init(span: span(0, 100_000), first: ayah("2:3"), last: ayah("2:5"), prayer: .taraweeh),
      end: FramePosition(100_000))
    desk.state.selection.span = span(0, 100_000)
    desk.press("A")
    let whole = try #require(requests(desk).last).parameters
    #expect(whole.prayer == .taraweeh)
    #expect(whole.first == ayah("2:3"))
    desk.press("esc esc home V A")
    let fatiha = try #require(requests(desk).last).parameters
    #expect(fatiha.prayer == .none)
    #expect(fatiha.first == ayah("1:6") && fatiha.last == ayah("1:6"), "no portion is looked for")
  }
}
