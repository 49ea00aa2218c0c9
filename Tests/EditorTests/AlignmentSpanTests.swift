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
    desk.send(.detected(id: inside.id, report("1:5", (50_000, "1:6"))))
    #expect(desk.labels == ["2:1", "1:5", "1:6!", "2:4!", "2:5", "2:6"])
    #expect(desk.state.judgement.parts.count == 1)
    desk.press("u u u u")
    #expect(desk.state.judgement.parts.isEmpty, "undone with its edit")
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
