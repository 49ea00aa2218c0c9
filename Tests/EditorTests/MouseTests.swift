// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI
import Testing

@testable import Editor

/// At 80 columns a column of the whole recording of 100 s is 1,250 ms.
@Suite struct MouseTests {
  /// A double click on a row is no click into the panel that its first half opens.
  @Test func theSecondOfTwoClicksIsNotForThePanelThatTheFirstOpened() throws {
    var desk = Desk(try document(10_000, 20_000, 30_000).assigning(3, "112:2"))
    let row = desk.layout.list.origin.row + 2
    desk.click(20, row)
    let opened = desk.screen
    #expect(desk.state.context == .assignment)
    desk.click(20, row)
    #expect(desk.screen == opened)
    desk.wait(500)
    desk.click(20, row)
    #expect(desk.state.context == .assignment, "later clicks are for the panel")
    #expect(desk.screen != opened)
  }

  @Test func aClickOnTheCanvasAddsAMarkerInTheMiddleOfTheColumn() throws {
    var desk = Desk(try document(50_000))
    desk.click(10, desk.layout.canvas.origin.row + 2)
    #expect(desk.boundaries == [13_125, 50_000])
    #expect(desk.document.markers[0].origin == .person)
    #expect(!desk.document.markers[0].isConfirmed)
    #expect(desk.state.selectedMarker?.position == FramePosition(13_125))
  }

  @Test func aClickBesideTheHandlesMovesThePlayhead() throws {
    var desk = Desk(try document(50_000))
    desk.click(10, desk.layout.handles.origin.row)
    #expect(desk.boundaries == [50_000])
    #expect(desk.state.transport.position == FramePosition(13_125))
  }

  @Test func draggingAMarkerShowsItsPlaceAndIsOneEdit() throws {
    var desk = Desk(try document(10_000, 50_000))
    let row = desk.layout.handles.origin.row
    desk.drag(from: 8, to: 12, row: row)
    #expect(desk.state.movedMarker?.position == FramePosition(15_625))
    #expect(desk.boundaries == [10_000, 50_000])
    #expect(desk.screen.contains("Marker at 0:15.625"))
    #expect(desk.screen.contains("lengths 15.6 s | 34.4 s"))
    desk.mouse(.release(.left), 12, row)
    #expect(desk.edits == [.moveMarker(MarkerID(1), to: FramePosition(15_625))])
    #expect(desk.document.markers[0].isConfirmed)
  }

  @Test func aDragSnapsUnlessAltIsHeld() throws {
    for (modifiers, place) in [(Modifiers(), 15_560), (Modifiers.alt, 15_625)] {
      var desk = Desk(try document(10_000, 50_000))
      desk.send(levels(length: 100_000, quiet: [15_500..<15_620]))
      let row = desk.layout.handles.origin.row
      desk.drag(from: 8, to: 12, row: row, modifiers)
      desk.mouse(.release(.left), 12, row, modifiers)
      #expect(desk.boundaries == [Int64(place), 50_000])
    }
  }

  @Test func theWheelWithAltMovesTheMarkerToThePauseBeforeOrAfter() throws {
    var desk = Desk(try document(50_000))
    desk.send(.pauses([span(40_000, 40_400), span(60_000, 60_400)]))
    desk.press("n")
    #expect(desk.state.notice?.text.hasPrefix("This edge is") == true)
    desk.press("Z n")
    let row = desk.layout.canvas.origin.row
    desk.mouse(.wheel(.down), 40, row, .alt)
    #expect(desk.boundaries == [60_300])
    #expect(
      desk.state.notice?.text.hasPrefix("Marker at 1:00.300") == true,
      "what was said of the edge is no longer so")
    desk.mouse(.wheel(.up), 40, row, .alt)
    #expect(desk.boundaries == [40_300])
    desk.mouse(.wheel(.up), 40, row, .alt)
    #expect(desk.state.notice?.text == "No pause without a marker found before")
  }

  @Test func aClickOnANumberTakesThatPause() throws {
    var desk = Desk(try document(50_000))
    desk.send(.pauses([span(40_000, 40_400), span(60_000, 60_400)]))
    desk.press("down #")
    let column = try #require(desk.state.viewport.column(of: FramePosition(60_300)))
    desk.click(column, desk.layout.ruler.origin.row)
    #expect(desk.boundaries == [60_300])
    desk.press("#")
    desk.click(3, desk.layout.ruler.origin.row)
    #expect(desk.boundaries == [60_300] && desk.state.numberedPauses.isEmpty)
    #expect(desk.state.transport.position < FramePosition(10_000), "a click elsewhere seeks")
  }

  @Test func anotherKeyFinishesADrag() throws {
    var desk = Desk(try document(10_000, 50_000))
    let row = desk.layout.handles.origin.row
    desk.drag(from: 8, to: 12, row: row)
    desk.press("!")
    #expect(desk.boundaries == [15_625, 50_000])
    desk.mouse(.release(.left), 12, row)
    #expect(desk.edits.count == 2)
  }

  @Test func escapeLetsADragGo() throws {
    var desk = Desk(try document(10_000, 50_000))
    let row = desk.layout.handles.origin.row
    desk.drag(from: 8, to: 12, row: row)
    desk.press("esc")
    desk.mouse(.release(.left), 12, row)
    #expect(desk.boundaries == [10_000, 50_000])
    #expect(desk.edits.isEmpty)
  }

  @Test func escapeLetsASpanBeingDrawnGo() throws {
    var desk = Desk(try document(50_000))
    let row = desk.layout.canvas.origin.row
    desk.drag(from: 20, to: 10, row: row)
    desk.press("esc")
    desk.mouse(.drag(.left), 8, row)
    desk.mouse(.release(.left), 8, row)
    #expect(desk.state.selection.span == nil)
  }

  @Test func aLongPressOnAMarkerAsksToDeleteIt() throws {
    var desk = Desk(try document(10_000, 50_000))
    desk.mouse(.press(.left), 8, desk.layout.handles.origin.row)
    #expect(desk.state.tickInterval != nil)
    desk.wait(400)
    #expect(desk.state.context == .normal)
    desk.wait(500)
    #expect(desk.state.context == .deletion)
    desk.mouse(.release(.left), 8, desk.layout.handles.origin.row)
    desk.press("enter")
    #expect(desk.boundaries == [50_000])
  }

  @Test func aPressThatMovesIsNoLongPress() throws {
    var desk = Desk(try document(10_000, 50_000))
    let row = desk.layout.handles.origin.row
    desk.drag(from: 8, to: 9, row: row)
    desk.wait(2000)
    #expect(desk.state.context == .normal)
  }

  @Test func aClickOnASegmentOpensItsAssignmentAndLoopsIt() throws {
    var desk = Desk(try document(10_000, 50_000))
    desk.click(20, desk.layout.list.origin.row + 1)
    #expect(desk.state.context == .assignment)
    #expect(desk.selected == 2)
    #expect(
      desk.played == [
        .play(span: span(10_000, 50_000), from: FramePosition(10_000), looping: true)
      ])
  }

  @Test func aDragOverTheCanvasSelectsASpan() throws {
    var desk = Desk(try document(50_000))
    let row = desk.layout.canvas.origin.row
    desk.drag(from: 20, to: 10, row: row)
    desk.mouse(.release(.left), 10, row)
    #expect(desk.state.selection.span == span(13_125, 25_625))
    #expect(desk.edits.isEmpty)
    desk.press("esc")
    #expect(desk.state.selection.span == nil)
  }

  @Test func theWheelScrollsAndWithControlZoomsAtThePointer() throws {
    var desk = Desk(try document(50_000))
    let row = desk.layout.canvas.origin.row
    let before = desk.state.viewport.position(ofColumn: 60)
    for _ in 0..<4 { desk.mouse(.wheel(.up), 60, row, .control) }
    let viewport = desk.state.viewport
    #expect(viewport.span.length < FrameCount(30_000))
    let after = viewport.position(ofColumn: 60)
    #expect(abs(after.frames - before.frames) <= 2 * 1250)
    desk.mouse(.wheel(.down), 60, row)
    #expect(desk.state.viewport.start > viewport.start)
  }

  @Test(arguments: [true, false])
  func aClickOnOverviewOrRulerMovesThePlayhead(isRuler: Bool) throws {
    var desk = Desk(try document(50_000))
    let row = (isRuler ? desk.layout.ruler : desk.layout.overview).origin.row
    desk.click(10, row)
    #expect(desk.state.transport.position == FramePosition(13_125))
    desk.drag(from: 10, to: 20, row: row)
    #expect(desk.state.transport.position == FramePosition(25_625))
    #expect(desk.boundaries == [50_000])
  }

  @Test func aRightClickMovesThePlayheadAnywhere() throws {
    let places: [KeyPath<Layout, Rect>] = [\.overview, \.ruler, \.canvas, \.handles, \.labels]
    for place in places {
      var desk = Desk(try document(50_000))
      desk.mouse(.press(.right), 10, desk.layout[keyPath: place].origin.row)
      #expect(desk.state.transport.position == FramePosition(13_125), "\(place)")
    }
    var desk = Desk(try document(10_000, 50_000))
    desk.mouse(.press(.right), 10, desk.layout.list.origin.row + 1)
    #expect(desk.state.transport.position == FramePosition(10_000))
    #expect(desk.state.context == .normal)
  }

  @Test func oneSettingTurnsClicksRound() throws {
    var desk = Desk(try document(10_000, 50_000))
    desk.send(.perform(.toggleClicks))
    let canvas = desk.layout.canvas.origin.row + 2
    desk.click(20, canvas)
    #expect(desk.boundaries == [10_000, 50_000])
    #expect(desk.selected == 2)
    #expect(desk.state.transport.position == FramePosition(25_625))
    desk.wait(1000)
    desk.click(20, canvas)
    #expect(desk.boundaries == [10_000, 50_000], "two clicks far apart are no double click")
    desk.click(20, canvas)
    #expect(desk.boundaries == [10_000, 25_625, 50_000])
    let row = desk.layout.list.origin.row + 3
    desk.click(20, row)
    #expect(desk.state.context == .normal)
    #expect(desk.selected == 4)
    desk.click(20, row)
    #expect(desk.state.context == .assignment)
  }

  @Test func aDragOnTheOverviewMovesTheView() throws {
    var desk = Desk(try document(50_000))
    desk.press("X")
    let row = desk.layout.overview.origin.row
    desk.drag(from: 10, to: 60, row: row)
    #expect(desk.state.viewport.span.contains(FramePosition(75_000)))
  }

  @Test func whatTheFooterShowsCanBeClicked() throws {
    var desk = Desk(try document())
    let item = try #require(desk.state.footerItems.first { $0.action == .openDetection })
    desk.click(item.columns.lowerBound + 1, desk.layout.footer.origin.row)
    #expect(desk.state.context == .detection)
  }

  @Test func theScrollBarOfTheListScrollsIt() throws {
    var desk = Desk(try document(each: (1...40).map { $0 * 1000 }))
    let list = desk.layout.list
    let bar = list.columns.upperBound - 1
    #expect(desk.state.listTop == 0)
    desk.click(bar, list.rows.upperBound - 1)
    #expect(desk.state.context == .normal && desk.selected == 1)
    #expect(desk.state.listTop == 41 - list.size.rows)
    // From the thumb, wherever the pointer goes.
    desk.mouse(.press(.left), bar, list.rows.upperBound - 1)
    desk.mouse(.drag(.left), bar - 30, list.origin.row - 5)
    #expect(desk.state.listTop == 0)
    desk.mouse(.drag(.left), bar, list.origin.row + list.size.rows / 2)
    #expect((10...30).contains(desk.state.listTop))
    desk.mouse(.release(.left), bar, list.origin.row + list.size.rows / 2)
    #expect(desk.played.isEmpty && desk.edits.isEmpty)
    let top = desk.state.listTop
    desk.click(10, list.origin.row)
    #expect(desk.selected == top + 1)
  }

  @Test func theScrollBarOfAPanelsListOpensNothing() throws {
    var desk = Desk(try document(each: (1...40).map { $0 * 1000 }).assigning(1, "2:1"))
    desk.press("f enter C")
    let list = desk.layout.largePanel.inset(columns: 2, rows: 1)
    desk.mouse(.press(.left), list.columns.upperBound - 1, list.rows.upperBound - 1)
    #expect(desk.state.context == .completion)
    #expect(desk.screen.contains("not confirmed: 2:41"), "\(desk.screen)")
    desk.mouse(.drag(.left), list.columns.upperBound - 1, list.origin.row)
    #expect(!desk.screen.contains("not confirmed: 2:41"), "\(desk.screen)")
    desk.press("esc ?")
    desk.mouse(.press(.left), list.columns.upperBound - 1, list.rows.upperBound - 1)
    #expect(desk.screen.contains("set all sliders to the middle"))
  }

  @Test func theWheelOverTheListScrollsItAndLeavesTheSelection() throws {
    var desk = Desk(try document(each: (1...40).map { $0 * 1000 }))
    desk.mouse(.wheel(.down), 10, desk.layout.list.origin.row)
    #expect(desk.state.listTop == 3)
    #expect(desk.selected == 1)
    desk.press("down")
    #expect(desk.state.listTop <= 1)
  }
}
