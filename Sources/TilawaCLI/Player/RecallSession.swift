// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Library
import Listening
import Playback
import Quran
import TerminalDriver
import TerminalUI

/// Reciting by heart at work: takes in what the person does and what is heard, has the pure part reduce it, carries out
/// its effects and draws. Belongs to one thread, which it blocks.
final class RecallSession {
  private var state: RecallState
  private let screen: TerminalScreen
  private let engine: PlaybackEngine
  private let library: Library
  private let recorder: ListeningRecorder
  private let notices: EventInbox<PlaybackNotice>
  private var isDone = false
  private var needsDrawing = true
  private var shown: NowPlaying?

  /// As often as sound and screen are looked at.
  private static let pace = Duration.milliseconds(50)

  init(
    _ state: RecallState, _ engine: PlaybackEngine, _ library: Library,
    _ recorder: ListeningRecorder, on screen: TerminalScreen
  ) {
    self.state = state
    self.engine = engine
    self.library = library
    self.recorder = recorder
    self.screen = screen
    notices = EventInbox(waiting { await engine.notices() })
  }

  /// Goes on until the person leaves.
  ///
  /// - Parameter problem: what went wrong before it began.
  func run(telling problem: Notice? = nil) throws(TerminalError) {
    carryOut(.setSpeed(state.speed))
    take(.begin(at: Self.now))
    if let notice = problem ?? screen.startNotice { take(.told(notice)) }
    defer { leave() }
    while !isDone {
      for notice in notices.take() { tell(notice) }
      look()
      if needsDrawing {
        do throws(TerminalError) {
          try screen.draw(view(state))
        } catch {
          // The terminal has gone; its end is the next event.
          if error != .hungUp { throw error }
        }
        needsDrawing = false
      }
      switch try screen.nextEvent(timeout: Self.pace) {
      case .input(let input): take(.input(input, at: Self.now))
      case .stopRequested: isDone = true
      case .woken, .pixels, nil: break
      }
    }
  }

  private static var now: Int { Int(Date().timeIntervalSince1970) }

  private func look() {
    guard var now = NowPlaying(engine.moment.position, title: "") else { return }
    recorder.look(now, queue: [])
    now.frame = nil
    guard now != shown else { return }
    shown = now
    take(.playing(now))
  }

  private func take(_ event: RecallEvent) {
    let effects = reduce(&state, event)
    needsDrawing = true
    for effect in effects { carryOut(effect) }
  }

  private func tell(_ notice: PlaybackNotice) {
    guard let told = Notice(notice) else { return }
    // Nothing is lost by it: what stands there is of more interest.
    if notice == .ranDry, state.notice != nil { return }
    take(.told(told))
  }

  private func carryOut(_ effect: RecallEffect) {
    let engine = engine
    switch effect {
    case .play(let request):
      shown = nil
      waiting { await engine.play(request) }
    case .stop: _ = waiting { await engine.stop() }
    case .togglePause: waiting { _ = await engine.togglePause() }
    case .setSpeed(let speed): waiting { _ = await engine.setSpeed(speed) }
    case .keep(let range, let grade, let time): keep(range, grade, at: time)
    case .forget(let id):
      do throws(LibraryError) {
        try library.removeHifzReview(id)
        take(.forgotten(id: id))
      } catch {
        take(.told(Notice(.failure, "Cannot undo the grade: \(error)")))
      }
    case .suspend:
      waiting { _ = await engine.interrupt(.suspension) }
      screen.suspend()
      waiting { _ = await engine.endInterruption() }
    case .redraw: screen.redrawAll()
    case .quit: isDone = true
    }
  }

  private func keep(_ range: AyahRange, _ grade: RecallGrade, at time: Int) {
    let review = HifzReview(
      range, at: Date(timeIntervalSince1970: Double(time)), grade: grade.rawValue)
    do throws(LibraryError) {
      try library.addHifzReviews([review])
      take(.kept(range, id: review.id))
    } catch {
      take(.notKept(range, reason: "\(error)"))
    }
  }

  private func leave() {
    let engine = engine
    recorder.finish(NowPlaying(engine.moment.position, title: ""), queue: [])
    _ = waiting { await engine.stop() }
  }
}
