// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI
import Testing

@testable import Editor

/// Small pictures of a video under the overview.
@Suite struct ThumbnailTests {
  private func desk(columns: Int = 80, rows: Int = 24) throws -> Desk {
    var desk = Desk(try document(1000, 2000), size: Size(columns: columns, rows: rows))
    desk.state.hasManyColors = true
    desk.send(.input(.focus(true)))
    return desk
  }

  private func wishes(_ desk: Desk) -> [PictureWish?] {
    desk.effects.compactMap { if case .showThumbnails(let wish) = $0 { .some(wish) } else { nil } }
  }

  private func strip(_ wish: PictureWish) -> PixelGrid {
    let count = wish.width * wish.height
    return PixelGrid(
      width: wish.width, height: wish.height, bytes: (0..<count).flatMap { _ in [200, 100, 50] })
  }

  private func cells(_ desk: Desk) -> [Point] {
    let surface = view(desk.state)
    return (0..<surface.fullSize.rows).flatMap { row in
      (0..<surface.fullSize.columns).map { Point(column: $0, row: row) }
    }.filter { surface[$0]?.style.background == .rgb(200, 100, 50) }
  }

  @Test(arguments: [(80, 24, 2), (200, 50, 3)])
  func theyAreAskedForAndTakeRoomOnceTheyAreThere(columns: Int, rows: Int, high: Int) throws {
    var desk = try desk(columns: columns, rows: rows)
    let wish = try #require(wishes(desk).last ?? nil)
    #expect(wish.width == columns && wish.height == 2 * high && wish.aspect == .stretch)
    #expect(desk.layout.thumbnails.isEmpty && cells(desk).isEmpty)
    desk.send(.thumbnails(strip(wish)))
    #expect(desk.layout.thumbnails.size == Size(columns: columns, rows: high))
    #expect(cells(desk).count == columns * high)
    #expect(cells(desk).allSatisfy(desk.layout.thumbnails.contains))
    #expect(wishes(desk).count == 1)
  }

  @Test func theKeyHidesThemAndThatIsKept() throws {
    var desk = try desk()
    desk.send(.thumbnails(strip(try #require(wishes(desk).last ?? nil))))
    desk.press("T T")
    #expect(desk.layout.thumbnails.isEmpty && cells(desk).isEmpty)
    #expect(wishes(desk).last == .some(nil))
    // What was under way comes too late.
    desk.send(.thumbnails(PixelGrid(width: 1, height: 1, bytes: [1, 2, 3])))
    #expect(desk.layout.thumbnails.isEmpty)
    let kept = desk.effects.compactMap { effect -> Settings? in
      if case .keep(let settings) = effect { settings } else { nil }
    }
    #expect(kept.last?.showsThumbnails == false)
    desk.press("T")
    #expect(wishes(desk).count == 3 && wishes(desk).last! != nil)
  }

  @Test func aRecordingWithoutAnySaysSoWhenAsked() throws {
    let reason = "This recording has a picture that is damaged and cannot be decoded"
    var desk = try desk()
    // Who opens such a recording has not asked.
    desk.send(.noThumbnails(reason: reason))
    #expect(!desk.screen.contains(reason))
    desk.press("T")
    #expect(desk.screen.contains(reason))
    #expect(desk.state.settings.showsThumbnails && !desk.state.settings.listsThumbnails)
  }

  @Test func theKeyTakesBackWhatItSaidWhereThereAreNone() throws {
    let reason = "This recording has no picture, only sound"
    var desk = try desk()
    desk.press("T T T")
    #expect(desk.screen.contains("Thumbnails of a video are under the overview"))
    desk.send(.noThumbnails(reason: reason))
    #expect(desk.screen.contains(reason))
  }

  // MARK: - In the list

  private func listWishes(_ desk: Desk) -> [ListThumbnailWish?] {
    desk.effects.compactMap {
      if case .showListThumbnails(let wish) = $0 { .some(wish) } else { nil }
    }
  }

  private func listed(columns: Int = 80, rows: Int = 24) throws -> Desk {
    var desk = Desk(
      try document(10_000, 20_000, 40_000, 60_000, 80_000), size: Size(columns: columns, rows: rows)
    )
    desk.state.hasManyColors = true
    desk.send(.input(.focus(true)))
    desk.send(.thumbnails(PixelGrid(width: 1, height: 1, bytes: [1, 2, 3])))
    desk.press("T")
    return desk
  }

  @Test(arguments: [(80, 24, 2), (200, 50, 3)])
  func theKeyPutsThemBesideTheSegmentsInSightToo(columns: Int, rows: Int, high: Int) throws {
    var desk = try listed(columns: columns, rows: rows)
    let room = desk.layout.listPictures
    #expect(desk.layout.listRowHeight == high && room.size.columns == high * 32 / 9)
    let wish = try #require(listWishes(desk).last ?? nil)
    #expect(wish.positions.count == min(desk.layout.listRows, 6))
    // The middle of each segment.
    #expect(wish.positions.prefix(2) == [FramePosition(5000), FramePosition(15_000)])
    #expect(wish.picture.height == 2 * high * wish.positions.count)
    #expect(cells(desk).isEmpty)
    desk.send(.listThumbnails(strip(wish.picture), for: wish))
    #expect(cells(desk).count == room.size.columns * high * wish.positions.count)
    #expect(cells(desk).allSatisfy(room.contains))
    // Each segment has its lines.
    let text = view(desk.state).textRows
    for (index, time) in ["0:00.000", "0:10.000"].enumerated() {
      #expect(text[desk.layout.list.origin.row + index * high].contains(time))
    }
  }

  @Test func theNamesOfTheColumnsStandAboveThem() throws {
    let desk = try listed()
    let rows = view(desk.state).textRows
    let list = desk.layout.list.origin.row
    func end(of text: String, in row: String) throws -> Int {
      let found = try #require(row.firstRange(of: text))
      return row.distance(from: row.startIndex, to: found.upperBound)
    }
    #expect(try end(of: "start", in: rows[list - 1]) == end(of: "0:00.000", in: rows[list]))
  }

  @Test func picturesOfOtherSegmentsAreNotShown() throws {
    var desk = try listed()
    let wish = try #require(listWishes(desk).last ?? nil)
    desk.send(.listThumbnails(strip(wish.picture), for: wish))
    desk.press("G")
    let other = try #require(listWishes(desk).last ?? nil)
    #expect(other.positions != wish.positions && cells(desk).isEmpty)
    desk.send(.listThumbnails(strip(wish.picture), for: wish))
    #expect(cells(desk).isEmpty)
    desk.send(.listThumbnails(strip(other.picture), for: other))
    #expect(!cells(desk).isEmpty)
    desk.press("T")
    #expect(listWishes(desk).last == .some(nil) && desk.layout.listPictures.isEmpty)
  }

  @Test func aClickOnOneOrBesideItSelectsItsSegment() throws {
    var desk = try listed()
    desk.state.settings.clicksSelect = true
    desk.click(2, desk.layout.list.origin.row + 3)
    #expect(desk.selected == 2)
    desk.click(30, desk.layout.list.origin.row + 4)
    #expect(desk.selected == 3)
  }

  @Test func aClickOnThemGoesThere() throws {
    var desk = try desk()
    desk.send(.thumbnails(strip(try #require(wishes(desk).last ?? nil))))
    desk.click(40, desk.layout.thumbnails.origin.row + 1)
    let length = Double(desk.state.document.length.frames)
    #expect(abs(Double(desk.state.transport.position.frames) / length - 40.5 / 80) < 0.01)
  }

  @Test func whereTheyWouldShowNothingThereAreNone() throws {
    var small = try desk(columns: 80, rows: 20)
    #expect(wishes(small).isEmpty)
    small.send(.input(.resize(Size(columns: 80, rows: 40))))
    #expect(wishes(small).count == 1)
    var grey = Desk(try document(1000))
    grey.state.hasManyColors = false
    grey.press("T T")
    #expect(wishes(grey).isEmpty)
    #expect(grey.screen.contains("Thumbnails need a terminal with 256 colours"))
  }

  @Test func aLargePictureLeavesNoneBesideTheSegments() throws {
    var desk = try desk()
    desk.state.settings.pictureSize = .large
    desk.press("T")
    #expect(desk.screen.contains("leaves no room for thumbnails beside the segments; P makes"))
  }

  @Test func anotherRecordingHasItsOwn() throws {
    var desk = try desk()
    desk.send(.thumbnails(strip(try #require(wishes(desk).last ?? nil))))
    desk.send(
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "other"),
          annotation: WorkingAnnotation(try document(500), access: .readWrite))))
    #expect(desk.state.thumbnails == nil && wishes(desk).count == 2)
  }

  @Test(arguments: [(60, 16), (80, 24), (120, 36), (200, 50)])
  func theyLieOverNothingElse(columns: Int, rows: Int) throws {
    for size in PictureSize.allCases {
      for (hasText, inList) in [(false, false), (true, false), (false, true), (true, true)] {
        let layout = Layout(
          size: Size(columns: columns, rows: rows), hasText: hasText, pictureSize: size,
          hasThumbnails: true, listsThumbnails: inList)
        let parts = [
          layout.title, layout.transport, layout.overview, layout.thumbnails, layout.ruler,
          layout.canvas, layout.handles, layout.labels, layout.words, layout.side, layout.picture,
          layout.listHeading, layout.list, layout.listPictures, layout.notice, layout.footer,
        ].filter { !$0.isEmpty }
        for (index, part) in parts.enumerated() {
          for other in parts[..<index] { #expect(part.intersection(other).isEmpty) }
        }
        #expect(layout.canvas.size.rows >= 3)
        #expect(size == .large || layout.list.size.rows >= 3)
      }
    }
  }
}
