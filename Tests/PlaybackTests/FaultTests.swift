// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import TestSupport
import Testing
import VirtualCard

@testable import Playback

/// Seeded faults of the device, between seeded actions of the listener: whatever happens, each frame is
/// heard exactly once and in order.
@Suite(.serialized, .timeLimit(.minutes(30))) struct FaultTests {

  let recordings: Recordings

  init() throws { recordings = try Recordings() }

  /// What is under way when something goes wrong: loops, gaps, silences, crossfades, and now and then a
  /// speed. Whatever happens, what is heard is what is heard when nothing does, bit for bit.
  @Test func faultsInEveryStateChangeNothing() throws {
    let source = try recordings.numbered(frames: 40_000)
    for seed in 0..<(isThoroughRun ? 10_000 : 150) {
      var random = SplitMix64(state: UInt64(seed) &* 31 &+ 7)
      let items = schedule(of: source, &random)
      let speed = seed % 10 == 0 ? [0.5, 0.75, 2].randomElement(using: &random)! : 1
      let period = [16, 64, 200].randomElement(using: &random)!
      let isExact = Bool.random(using: &random)
      let expected = try heard(items, speed, isExact, period) { $0.output.advance(60_000) }
      let stage = try Stage(exact: isExact, period: period)
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let place = Int.random(in: 0...(expected.count + 100), using: &random)
        stage.output.faults.append((place, .underrun))
      }
      stage.output.faults.sort { $0.at < $1.at }
      let played = try heard(items, speed, isExact, period, on: stage) { stage in
        // A pause would add the silence that the device plays after it.
        for _ in 0..<Int.random(in: 0...20, using: &random) {
          if Bool.random(using: &random) { stage.output.isFeeding.toggle() }
          stage.output.advance(Int.random(in: 0...3000, using: &random))
        }
        stage.output.isFeeding = true
        stage.output.advance(80_000)
      }
      let isSame = played == expected
      #expect(isSame, "seed \(seed)")
    }
  }

  private func schedule(
    of source: MediaSource, _ random: inout SplitMix64
  ) -> [RenderItem] {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let length = Int.random(in: 1...3000, using: &random)
      if Int.random(in: 0..<5, using: &random) == 0 {
        return RenderItem(.silence(FrameCount(Int64(length))))
      }
      let start = Int.random(in: 0...37_000, using: &random)
      var item = item(source, start..<start + length)
      item.repetitions = Int.random(in: 1...3, using: &random)
      if Bool.random(using: &random) {
        item.gap = FrameCount(Int64.random(in: 1...1000, using: &random))
      }
      if Bool.random(using: &random) {
        item.crossfade = Fade(
          FrameCount(Int64.random(in: 1...1000, using: &random)), .equalPower)
      }
      return item
    }
  }

  /// What a stage plays of a schedule, without the silence after it.
  private func heard(
    _ items: [RenderItem], _ speed: Double, _ isExact: Bool, _ period: Int, on given: Stage? = nil,
    _ run: (Stage) -> Void
  ) throws -> [Float] {
    let stage = try given ?? Stage(exact: isExact, period: period)
    stage.session.speed = speed
    stage.session.append(items)
    stage.session.play()
    run(stage)
    let end = stage.output.played.lastIndex { $0 != 0 }
    return Array(stage.output.played.prefix(end.map { $0 + 1 } ?? 0))
  }

  @Test func faultsByHandCostNoFrame() throws {
    let source = try recordings.numbered(frames: 40_000)
    for seed in 0..<(isThoroughRun ? 10_000 : 300) {
      var random = SplitMix64(state: UInt64(seed))
      let stage = try Stage(period: [16, 64, 200].randomElement(using: &random)!)
      let count = Int.random(in: 500...20_000, using: &random)
      let cut = Int.random(in: 1..<count, using: &random)
      stage.session.append([item(source, 0..<cut), item(source, cut..<count)])
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let place = Int.random(in: 0...(count + 500), using: &random)
        stage.output.faults.append((place, .underrun))
      }
      stage.output.faults.sort { $0.at < $1.at }
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        act(stage, &random)
      }
      stage.output.isFeeding = true
      stage.session.play()
      stage.output.advance(count * 2 + 40_000)
      #expect(numbers(stage.output.played) == Array(1...count), "seed \(seed)")
    }
  }

  private func act(_ stage: Stage, _ random: inout SplitMix64) {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: stage.session.pause()
    case 1: stage.output.isFeeding.toggle()
    default: stage.session.play()
    }
    stage.output.advance(Int.random(in: 0...3000, using: &random))
  }

  @Test func faultsOfACardCostNoFrame() async throws {
    let source = try recordings.numbered(frames: 400_000)
    let perSession = 25
    for seed in 0..<(isThoroughRun ? 400 : 12) {
      var random = SplitMix64(state: UInt64(seed) &* 77)
      let card = Card(samples: 1_000_000)
      let count = Int.random(in: 20_000...60_000, using: &random)
      var place = 0
      for _ in 0..<perSession {
        place += Int.random(in: 0...(count / perSession), using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          card.add(VIRTUAL_CARD_STALL, at: place, amount: Int.random(in: 1...10, using: &random))
        default: card.add(VIRTUAL_CARD_XRUN, at: place)
        }
      }
      let session = try RenderSession(card.output, settings: .forCard(format(48000)))
      let log = EventLog(session, card)
      var loop = item(source, 0..<count)
      loop.repetitions = 2
      session.append([loop])
      session.play()
      for _ in 0..<Int.random(in: 0...10, using: &random) {
        let until = card.playedFrames + Int.random(in: 0...5000, using: &random)
        while card.playedFrames < min(until, count) { await Task.yield() }
        if card.playedFrames >= count { break }
        session.pause()
        let isPaused = await log.next { if case .paused = $0 { true } else { false } } != nil
        #expect(isPaused)
        session.play()
      }
      #expect(await log.next { $0 == .drained } == .drained, "seed \(seed)")
      let heard = numbers(card.played)
      #expect(heard == Array(1...count) + Array(1...count), "seed \(seed)")
      #expect(card.faults == perSession, "seed \(seed)")
    }
  }
}
