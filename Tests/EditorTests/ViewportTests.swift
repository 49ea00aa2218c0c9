// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import Editor

@Suite struct ViewportTests {
  private let viewport = Viewport(length: FrameCount(100_000), rate: rate, columns: 80)

  @Test func atFirstAllIsShown() {
    #expect(viewport.span == span(0, 100_000))
    #expect(viewport.showsAll)
  }

  @Test func zoomingKeepsThePlaceUnderThePointer() {
    var zoomed = viewport
    let place = FramePosition(60_000)
    for _ in 0..<6 {
      zoomed.zoom(by: 2, at: place)
      #expect(abs((zoomed.column(of: place) ?? 0) - 48) <= 1)
    }
  }

  @Test func columnsKeepTheirFramesWhileTheViewScrolls() {
    var scrolled = viewport
    scrolled.show(seconds: 2, around: FramePosition(50_000))
    let frames = scrolled.frames(ofColumn: 10)
    scrolled.scroll(columns: 7)
    #expect(scrolled.frames(ofColumn: 3) == frames)
  }

  @Test func twoSecondsAreTwoSeconds() {
    var close = viewport
    close.show(seconds: 2, around: FramePosition(50_000))
    #expect(close.span == span(49_000, 51_000))
  }

  @Test func whateverIsDoneItStaysInsideTheRecording() {
    var random = SplitMix64(state: 5)
    var viewport = viewport
    for _ in 0..<20_000 {
      let position = FramePosition(.random(in: -10...110_000, using: &random))
      switch Int.random(in: 0...7, using: &random) {
      case 0: viewport.resize(columns: .random(in: -1...300, using: &random))
      case 1: viewport.scroll(columns: .random(in: -500...500, using: &random))
      case 2: viewport.showAll()
      case 3: viewport.zoom(by: .random(in: 0...5, using: &random), at: position)
      case 4: viewport.center(on: position)
      case 5: viewport.reveal(position)
      case 6: viewport.follow(position)
      default:
        let other = FramePosition(.random(in: 0...100_000, using: &random))
        viewport.show(min(position, other)..<max(position, other))
      }
      if !viewport.isSound { Issue.record("\(viewport)") }
    }
  }

  @Test func extremesDoNotTrap() {
    var viewport = Viewport(length: FrameCount(1), rate: rate, columns: 1)
    viewport.scroll(columns: .max)
    viewport.scroll(columns: .min)
    viewport.zoom(by: .infinity, at: .zero)
    viewport.zoom(by: 0, at: .zero)
    viewport.zoom(by: .nan, at: .zero)
    #expect(viewport.isSound)
    viewport = Viewport(length: .zero, rate: rate, columns: 80)
    viewport.zoom(by: 2, at: .zero)
    viewport.scroll(columns: 5)
    #expect(viewport.isSound)
  }
}

extension Viewport {
  /// Whether its promises hold.
  var isSound: Bool {
    columns >= 1 && framesPerColumn >= 1 && start >= .zero
      && start.frames % framesPerColumn == 0
      && (start < .zero + length || length == .zero && start == .zero)
      && span.upperBound <= .zero + length && (length == .zero || !span.isEmpty)
  }
}
