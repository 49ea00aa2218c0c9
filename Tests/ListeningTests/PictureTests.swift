// SPDX-License-Identifier: GPL-3.0-or-later

import Playback
import TerminalUI
import TestSupport
import Testing

@testable import Listening

/// The picture of a video in the player.
@Suite struct PictureTests {
  private func wishes(_ effects: [Effect]) -> [PictureWish?] {
    effects.compactMap { if case .showPicture(let wish) = $0 { .some(wish) } else { nil } }
  }

  @Test(arguments: [(80, 24), (200, 50)])
  func theKeyShowsItSmallThenLargeThenNotAtAll(columns: Int, rows: Int) throws {
    var state = Table.state(columns: columns, rows: rows)
    state.hasColors = true
    #expect(state.layout.picture.isEmpty)
    let small = try #require(wishes(state.press("v")).first ?? nil)
    #expect(!state.layout.picture.isEmpty && !state.layout.queue.isEmpty)
    let large = try #require(wishes(state.press("v")).first ?? nil)
    #expect(large.width > small.width && state.layout.queue.isEmpty)
    let hidden = wishes(state.press("v"))
    #expect(hidden == [nil] && state.layout.picture.isEmpty)
  }

  @Test(arguments: [PictureSize.off, .small, .large])
  func anySizeCanBeDrawn(picture: PictureSize) {
    for columns in [60, 80, 120, 150, 170, 200, 240] {
      for rows in stride(from: 16, through: 60, by: isThoroughRun ? 1 : 4) {
        for panel in ["", "E", "?"] {
          var state = Table.state(columns: columns, rows: rows)
          state.hasColors = true
          state.settings.pictureSize = picture
          if !panel.isEmpty { _ = state.press(panel) }
          #expect(view(state).size == Size(columns: columns, rows: rows))
        }
      }
    }
  }

  @Test func withoutColoursThereIsNoneAndThatIsSaid() {
    var state = Table.state()
    state.hasColors = false
    let effects = state.press("v")
    #expect(wishes(effects).isEmpty && state.layout.picture.isEmpty)
    #expect(state.notice?.text.contains("colours") ?? false)
    _ = state.press("alt-p")
    #expect(state.notice == Notice(.warning, "Pictures need a terminal with colours"))
  }

  @Test func theAspectOfAHiddenPictureIsNotClaimedToBeSeen() {
    var state = Table.state()
    state.hasColors = true
    _ = state.press("alt-p")
    #expect(state.notice == Notice(.hint, "The picture is hidden; v shows it"))
  }

  @Test func theAspectIsAskedForAndKept() throws {
    var state = Table.state()
    state.hasColors = true
    _ = state.press("v")
    let effects = state.press("alt-p")
    #expect(wishes(effects).first??.aspect == .fill)
    let kept = effects.compactMap { if case .keep(let settings) = $0 { settings } else { nil } }
    #expect(kept.last?.pictureAspect == .fill && kept.last?.pictureSize == .small)
  }

  @Test(arguments: [(80, 24), (120, 36), (200, 50)])
  func nothingIsDrawnOverAnotherPart(columns: Int, rows: Int) {
    for size in PictureSize.allCases {
      for (hasText, hasPanel) in [(false, false), (true, false), (false, true), (true, true)] {
        let layout = Layout(
          Size(columns: columns, rows: rows), pictureSize: size, hasText: hasText,
          hasPanel: hasPanel)
        let parts = [
          layout.heading, layout.picture, layout.waveform, layout.bar, layout.words,
          layout.queueHeading, layout.queue, layout.panel,
        ].filter { !$0.isEmpty }
        for (index, part) in parts.enumerated() {
          for other in parts[..<index] { #expect(part.intersection(other).isEmpty) }
        }
        #expect(layout.panel.isEmpty == !hasPanel)
        // What plays stays in sight.
        #expect(!layout.heading.isEmpty && !layout.bar.isEmpty)
        if size != .off { #expect(layout.picture.size.rows >= (hasPanel ? 3 : 4)) }
      }
    }
  }

  @Test func whileSilenceStandsForAMissingAyahThereIsNoPicture() throws {
    var state = Table.state()
    state.hasColors = true
    let wish = try #require(wishes(state.press("v")).first ?? nil)
    let count = 3 * wish.width * wish.height
    let frame = PixelGrid(
      width: wish.width, height: wish.height, bytes: [UInt8](repeating: 90, count: count))
    _ = reduce(&state, .picture(.shown(frame, isCurrent: true)))
    var now = try #require(state.now)
    #expect(state.seesPicture && !view(state).snapshot.contains("no picture"))
    let heard = now
    now.clip = nil
    now.frame = nil
    now.state = .active(.awaitingNextAyah)
    _ = reduce(&state, .playing(now))
    #expect(!state.seesPicture)
    #expect(view(state).snapshot.contains("no picture: \(now.ayah) is missing"))
    // In the gap after an ayah that was heard the last frame stays.
    now.clip = heard.clip
    _ = reduce(&state, .playing(now))
    #expect(state.seesPicture)
    now = heard
    _ = reduce(&state, .playing(now))
    #expect(state.picture == .shown(frame, isCurrent: true) && state.seesPicture)
  }

  @Test func afterAFailureNoPictureIsAwaited() throws {
    var state = Table.state()
    state.hasColors = true
    _ = state.press("v")
    var now = try #require(state.now)
    #expect(!view(state).snapshot.contains("no picture"))
    now.frame = nil
    now.state = .failed(.renderer("the sound device is busy"))
    _ = reduce(&state, .playing(now))
    #expect(view(state).snapshot.contains("no picture: playback failed"))
  }

  @Test func theFirstPictureIsAwaitedUntilItIsTheOneThatIsHeard() {
    let frame = PixelGrid(width: 1, height: 1, bytes: [1, 2, 3])
    for picture in [Picture.waiting, .shown(frame, isCurrent: false)] {
      #expect(!picture.isSettled)
    }
    for picture in [Picture.shown(frame, isCurrent: true), .beforeStart, .missing("x")] {
      #expect(picture.isSettled)
    }
  }

  @Test(arguments: [(80, 24), (200, 50)])
  func theScreenWithAPicture(columns: Int, rows: Int) throws {
    var state = Table.state(columns: columns, rows: rows)
    state.hasColors = true
    state.text = Table.text
    _ = state.press("v")
    _ = reduce(&state, .picture(.missing("There is no picture in this recording")))
    try expectSnapshot(view(state), "picture-\(columns)x\(rows)")
  }
}
