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
  static let isThorough = ProcessInfo.processInfo.environment["TILAWA_THOROUGH"] == "1"

  let recordings: Recordings

  init() throws { recordings = try Recordings() }

  @Test func faultsByHandCostNoFrame() throws {
    let source = try recordings.numbered(frames: 40_000)
    for seed in 0..<(Self.isThorough ? 10_000 : 300) {
      var random = SplitMix64(state: UInt64(seed))
      let stage = try Stage(period: [16, 64, 200].randomElement(using: &random)!)
      let count = Int.random(in: 500...20_000, using: &random)
      let cut = Int.random(in: 1..<count, using: &random)
      stage.session.append([item(source, 0..<cut), item(source, cut..<count)])
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let place = Int.random(in: 0...(count + 500), using: &random)
        stage.output.faults.append((place, Bool.random(using: &random) ? .underrun : .suspended))
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
    for seed in 0..<(Self.isThorough ? 400 : 12) {
      var random = SplitMix64(state: UInt64(seed) &* 77)
      let card = Card(samples: 1_000_000)
      let count = Int.random(in: 20_000...60_000, using: &random)
      var place = 0
      for _ in 0..<perSession {
        place += Int.random(in: 0...(count / perSession), using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          card.add(VIRTUAL_CARD_SUSPEND, at: place, amount: Int.random(in: 0...3, using: &random))
        case 1:
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
