// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran
import TerminalUI
import Testing

@testable import Editor

/// The picture of a video in the editor.
@Suite struct PictureTests {
  /// One colour all over.
  private func picture(_ wish: PictureWish) -> PixelGrid {
    let count = wish.width * wish.height
    return PixelGrid(
      width: wish.width, height: wish.height, bytes: (0..<count).flatMap { _ in [200, 100, 50] })
  }

  private func wishes(_ desk: Desk) -> [PictureWish?] {
    desk.effects.compactMap { if case .showPicture(let wish) = $0 { .some(wish) } else { nil } }
  }

  private func cells(_ desk: Desk) -> [Point] {
    let surface = view(desk.state)
    return (0..<surface.fullSize.rows).flatMap { row in
      (0..<surface.fullSize.columns).map { Point(column: $0, row: row) }
    }.filter { surface[$0]?.style.background == .rgb(200, 100, 50) }
  }

  @Test func theKeyShowsItSmallThenLargeThenNotAtAll() throws {
    var desk = Desk(try document(1000, 2000))
    #expect(wishes(desk).isEmpty && desk.layout.picture.isEmpty)
    desk.press("P")
    let small = desk.layout.picture
    #expect(!small.isEmpty)
    desk.press("P")
    let large = desk.layout.picture
    #expect(large.size.rows > small.size.rows)
    #expect(desk.layout.canvas.size.rows >= 3 && desk.layout.list.isEmpty)
    desk.press("j j k")
    #expect(desk.selected == 2)
    desk.press("P")
    #expect(desk.layout.picture.isEmpty)
    let asked = wishes(desk)
    #expect(asked.map { $0?.height } == [2 * small.size.rows, 2 * large.size.rows, nil])
    #expect(asked.map { $0?.width } == [small.size.columns, large.size.columns, nil])
  }

  @Test(arguments: [PictureSize.off, .small, .large])
  func anySizeCanBeDrawn(picture: PictureSize) throws {
    var desk = Desk(try document(1000, 2000))
    desk.state.text = QuranText(ayat: (1...AyahReference.count).map { "a word of \($0)" })
    while desk.state.settings.pictureSize != picture { desk.press("P") }
    for columns in [60, 80, 120, 150, 170, 200, 240] {
      for rows in 16...60 {
        let size = Size(columns: columns, rows: rows)
        desk.send(.input(.resize(size)))
        #expect(view(desk.state).size == size)
      }
    }
  }

  @Test(arguments: [(60, 16), (80, 24), (120, 36), (200, 50)])
  func nothingIsDrawnOverAnotherPart(columns: Int, rows: Int) throws {
    for size in [PictureSize.small, .large] {
      for hasText in [false, true] {
        let layout = Layout(
          size: Size(columns: columns, rows: rows), hasText: hasText, pictureSize: size)
        let parts = [
          layout.title, layout.transport, layout.overview, layout.ruler, layout.canvas,
          layout.handles, layout.labels, layout.words, layout.side, layout.picture,
          layout.listHeading, layout.list, layout.notice, layout.footer,
        ].filter { !$0.isEmpty }
        for (index, part) in parts.enumerated() {
          for other in parts[..<index] { #expect(part.intersection(other).isEmpty) }
        }
        #expect(layout.list.isEmpty == (size == .large) && layout.canvas.size.rows >= 3)
        #expect(layout.picture.size.rows >= 4)
      }
    }
  }

  @Test func theFrameIsSeenInItsRoomAndAnOldOneIsMarked() throws {
    var desk = Desk(try document(1000))
    desk.press("P")
    let wish = try #require(wishes(desk).last ?? nil)
    desk.send(.picture(.shown(picture(wish), isCurrent: true)))
    let room = desk.layout.picture
    #expect(cells(desk).count == room.size.columns * room.size.rows)
    #expect(cells(desk).allSatisfy(room.contains))
    desk.send(.picture(.shown(picture(wish), isCurrent: false)))
    #expect(cells(desk).count == room.size.columns * room.size.rows - 3)
  }

  @Test(arguments: ["P", "P P"]) func aPanelLiesOverThePicture(keys: String) throws {
    var desk = Desk(try document(1000))
    desk.press(keys)
    desk.send(.picture(.shown(picture(try #require(wishes(desk).last ?? nil)), isCurrent: true)))
    #expect(!cells(desk).isEmpty)
    desk.press("e")
    #expect(cells(desk).isEmpty)
    desk.press("esc")
    #expect(!cells(desk).isEmpty)
  }

  @Test func withSoundAloneTheKeyIsRefused() throws {
    let reason = "This recording has no picture, only sound"
    var desk = Desk(try document(1000))
    let list = desk.layout.list
    desk.press("P")
    desk.send(.picture(.missing(reason)))
    #expect(desk.state.notice?.text == reason)
    for key in ["P", "P", "alt-p"] {
      desk.press(key)
      #expect(desk.state.notice?.text == reason)
      #expect(desk.layout.list == list)
    }
    #expect(desk.state.settings.pictureSize == .off && desk.state.settings.pictureAspect == .fit)
  }

  @Test(arguments: [PictureSize.small, .large])
  func withSoundAloneTheSegmentsHaveItsRoom(size: PictureSize) throws {
    func open(_ desk: inout Desk) throws {
      desk.send(
        .opened(
          OpenedRecording(
            card: RecordingCard(title: "other"), annotation: WorkingAnnotation(try document(500)))))
    }
    var desk = Desk(try document(1000))
    let list = desk.layout.list
    while desk.state.settings.pictureSize != size { desk.press("P") }
    try open(&desk)
    desk.send(.picture(.missing("This recording has no picture, only sound")))
    #expect(desk.layout.list == list && desk.state.notice == nil)
    // Another one may have a picture.
    try open(&desk)
    #expect(desk.layout.list != list && desk.state.settings.pictureSize == size)
  }

  @Test func aPictureThatFailsLaterSaysWhy() throws {
    var desk = Desk(try document(1000))
    desk.press("P")
    desk.send(.picture(.shown(picture(try #require(wishes(desk).last ?? nil)), isCurrent: true)))
    desk.press("j")
    desk.send(.picture(.missing("This recording is damaged")))
    #expect(desk.screen.contains("This recording is damaged") && desk.layout.picture.isEmpty)
  }

  @Test func aspectAndSizeAreKept() throws {
    var desk = Desk(try document(1000))
    desk.press("P alt-p alt-p")
    #expect(desk.state.settings.pictureAspect == .stretch)
    #expect(wishes(desk).map { $0?.aspect } == [.fit, .fill, .stretch])
    let kept = desk.effects.compactMap { effect -> Settings? in
      if case .keep(let settings) = effect { settings } else { nil }
    }
    #expect(kept.last?.pictureSize == .small)
  }

  @Test func withoutColoursThereIsNone() throws {
    var desk = Desk(try document(1000))
    desk.state.hasColors = false
    desk.press("P")
    #expect(wishes(desk).isEmpty && desk.layout.picture.isEmpty)
    #expect(desk.screen.contains("Pictures need a terminal with colours"))
  }

  @Test func theWindowIsOpenedByAKeyAndASeekInItMovesThePlayhead() throws {
    var desk = Desk(try document(1000, 20_000))
    desk.press("alt-v alt-f")
    #expect(desk.effects.suffix(2) == [.toggleWindow, .toggleFullScreen])
    desk.send(.moved(seconds: 2.5))
    #expect(desk.state.transport.position == FramePosition(2500))
    desk.send(.moved(seconds: -60))
    #expect(desk.state.transport.position == .zero)
    desk.send(.moved(seconds: .infinity))
    #expect(desk.state.transport.position == .zero)
    desk.send(.told("the window needs mpv", .failure))
    #expect(desk.screen.contains("the window needs mpv"))
  }

  @Test func anotherRecordingAsksForItsOwn() throws {
    var desk = Desk(try document(1000))
    desk.press("P")
    desk.effects = []
    desk.send(
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "other"),
          annotation: WorkingAnnotation(try document(500), access: .readWrite))))
    #expect(wishes(desk).count == 1)
    #expect(desk.state.picture == .waiting)
  }
}
