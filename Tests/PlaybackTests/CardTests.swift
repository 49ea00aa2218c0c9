// SPDX-License-Identifier: GPL-3.0-or-later

import AllocationCounter
import AudioCore
import CALSA
import Decoding
import Glibc
import TestSupport
import Testing
import VirtualCard

@testable import Playback

/// Playing through alsa-lib on the virtual card, with all threads.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CardTests {
  let recordings: Recordings

  init() throws { recordings = try Recordings() }

  @Test func playsALoopAThousandTimes() async throws {
    let source = try recordings.numbered(frames: 1000)
    let card = Card()
    let session = try RenderSession(card.output, settings: .forCard(format(48000)))
    let log = EventLog(session, card)
    var loop = item(source, 100..<377)
    loop.repetitions = 1000
    session.append([loop])
    session.play()
    _ = await log.next { $0 == .drained }
    let once = Array(101...377)
    #expect(numbers(card.played) == (0..<1000).flatMap { _ in once })
    #expect(log.all.filter { if case .looped = $0 { true } else { false } }.count == 999)
  }

  @Test func recoversWithoutLosingOrRepeatingAFrame() async throws {
    let source = try recordings.numbered(frames: 30_000)
    let card = Card()
    for frame in [0, 1, 63, 64, 1000, 1001, 1300, 20_000, 29_999] {
      card.add(VIRTUAL_CARD_XRUN, at: frame, amount: 3)
    }
    let session = try RenderSession(card.output, settings: .forCard(format(48000)))
    let log = EventLog(session, card)
    session.append([item(source, 0..<30_000)])
    session.play()
    #expect(await log.next { $0 == .drained } == .drained)
    #expect(numbers(card.played) == Array(1...30_000))
    #expect(card.faults == 9)
    #expect(log.all.contains(.recovered(.underrun)))
  }

  @Test(arguments: [
    (VIRTUAL_CARD_SUSPEND, OutputFault.suspended), (VIRTUAL_CARD_UNPLUG, .disconnected),
    (VIRTUAL_CARD_STALL, .stalled),
    (VIRTUAL_CARD_EIO, .failing), (VIRTUAL_CARD_DEAD, .failing), (VIRTUAL_CARD_ORPHAN, .failing),
  ])
  func aLostDevicePausesAtTheFrameAndGoesOnWhereAsked(
    _ fault: virtual_card_fault, _ expected: OutputFault
  ) async throws {
    let source = try recordings.numbered(frames: 30_000)
    let card = Card()
    card.add(fault, at: 12_345, amount: -1)
    let session = try RenderSession(
      card.output, settings: .forCard(format(48000), stallTimeout: 0.15))
    let log = EventLog(session, card)
    session.append([item(source, 0..<30_000)])
    session.play()
    let event = await log.next { if case .deviceLost = $0 { true } else { false } }
    guard case .deviceLost(let cause, let position) = event else {
      Issue.record("the device was not lost")
      return
    }
    #expect(cause == expected)
    let heard = numbers(card.played)
    #expect(heard == Array(1...heard.count))
    // A device that is gone cannot be asked: what counts is what it said last, and between two times of
    // asking lies a wait for a period.
    let known = Int(try #require(position?.sourceFrame).frames)
    let doubt = fault == VIRTUAL_CARD_UNPLUG ? 64 + 17 : 0
    #expect((heard.count - doubt...heard.count).contains(known))
    #expect(session.position == position)
    // The same device once more, then another.
    card.plug()
    try session.switchOutput(to: card.output)
    session.play()
    while card.playedFrames < 20_000 { await Task.yield() }
    let other = Card()
    try session.switchOutput(to: other.output)
    _ = await log.next { $0 == .drained }
    session.close()
    let all = numbers(card.played) + numbers(other.played)
    #expect(Array(all.prefix(heard.count)) == heard)
    #expect(Array(all.dropFirst(heard.count)) == Array((known + 1)...30_000))
  }

  @Test func aDeviceMayVanishInAnyCall() async throws {
    let count = 2000
    let source = try recordings.numbered(frames: count)
    // Many at a time, since each of them mostly waits for its card.
    var (first, wereLost) = (1, true)
    while wereLost {
      wereLost = try await withThrowingTaskGroup(of: Bool.self) { group in
        for call in first..<first + 32 {
          group.addTask { try await Self.vanishes(inCall: call, of: source, frames: count) }
        }
        return try await group.reduce(true) { $0 && $1 }
      }
      first += 32
    }
  }

  /// False where there is no such call.
  private static func vanishes(
    inCall call: Int, of source: MediaSource, frames count: Int
  ) async throws -> Bool {
    let card = Card()
    let session = try RenderSession(card.output, settings: .forCard(format(48000)))
    let log = EventLog(session, card)
    card.unplug(atCall: call)
    session.append([item(source, 0..<count)])
    session.play()
    let event = await log.next { if case .deviceLost = $0 { true } else { $0 == .drained } }
    let heard = numbers(card.played)
    #expect(heard == Array(1...count).prefix(heard.count).map(\.self))
    // It has been gone in every call that there is.
    guard case .deviceLost(let cause, let position) = event else {
      #expect(heard.count == count && call > 100, "\(heard.count), call \(call)")
      return false
    }
    #expect(cause == .disconnected, "call \(call)")
    let known = Int(position?.sourceFrame?.frames ?? 0)
    #expect((heard.count - 64 - 17...heard.count).contains(known), "call \(call)")
    card.plug()
    try session.switchOutput(to: card.output)
    session.play()
    #expect(await log.next { $0 == .drained } == .drained, "call \(call)")
    #expect(
      Array(numbers(card.played).dropFirst(heard.count)) == Array(known + 1..<count + 1),
      "call \(call)")
    return true
  }

  /// In samples of whole numbers each is the nearest to what a card of floats plays, cut off at full scale.
  @Test(arguments: [
    (VIRTUAL_CARD_S32, 31), (VIRTUAL_CARD_S24, 23), (VIRTUAL_CARD_S16, 15),
  ])
  func samplesOfWholeNumbersAreTheNearest(_ format: virtual_card_format, _ bits: Int) async throws {
    let count = 5000
    let source = try recordings.make(frames: count, channels: 2) { frame, channel in
      frame < 4
        ? [1, -1, 1, -0.999_999][frame] : Float(sin(Double(frame * (channel + 1)) / 40)) * 0.9
    }
    let exact = try decoded(source, 0..<count)
    let card = Card()
    card.take(format)
    let session = try RenderSession(
      card.output, settings: .forCard(PlaybackTests.format(48000, 2)))
    let log = EventLog(session, card)
    session.append([item(source, 0..<count)])
    session.play()
    #expect(await log.next { $0 == .drained } == .drained)
    let played = Array(card.played.prefix(2 * count))
    let scale = Double(1 << bits)
    let nearest = exact.map { sample in
      Float(max(-scale, min(scale - 1, (Double(sample) * scale).rounded())) / scale)
    }
    #expect(played.count == nearest.count)
    #expect(zip(played, nearest).allSatisfy { $0 == $1 })
  }

  @Test func aShortStallIsNoLoss() async throws {
    let source = try recordings.numbered(frames: 10_000)
    let card = Card()
    card.add(VIRTUAL_CARD_STALL, at: 5000, amount: 20)
    let session = try RenderSession(card.output, settings: .forCard(format(48000)))
    let log = EventLog(session, card)
    session.append([item(source, 0..<10_000)])
    session.play()
    #expect(await log.next { $0 == .drained } == .drained)
    #expect(numbers(card.played) == Array(1...10_000))
  }

  @Test func aDeviceThatIsNotThereIsAnErrorWithAlsasOwnWords() throws {
    _ = Card()
    // As recording and the watch for headphones do, whenever they begin.
    #expect(tilawa_catch_alsa_messages() >= 0)
    let error = #expect(throws: PlaybackError.self) {
      try RenderSession(.alsa("no-such-device"), settings: RenderSettings(format: format(48000)))
    }
    #expect(error?.kind == .noSuchDevice)
    #expect(error?.detail?.contains("no-such-device") == true)
  }

  @Test func nothingStaleIsHeardAfterASeek() async throws {
    let source = try recordings.numbered(frames: 1_000_000)
    let card = Card(samples: 8_000_000)
    let session = try RenderSession(card.output, settings: .forCard(format(48000)))
    defer { session.close() }
    // Round and round, so that a card that is far ahead of this thread never comes to the end.
    var only = item(source, 0..<1_000_000)
    only.repetitions = nil
    session.append([only])
    session.play()
    var random = SplitMix64(state: 11)
    var targets = [0]
    for _ in 0..<50 {
      await playOn(card, frames: Int.random(in: 0..<5000, using: &random))
      targets.append(Int.random(in: 1..<900_000, using: &random))
      session.seek(to: only.id, sourceFrame: FramePosition(Int64(targets.last!)))
    }
    await playOn(card, frames: 20_000)
    session.close()
    // Runs of consecutive numbers, each from one of the targets, in order.
    var runs: [Int] = []
    var previous = -1
    for number in numbers(card.played) {
      let isRound = number == 1 && previous == 1_000_000
      if number != previous + 1, !isRound { runs.append(number - 1) }
      previous = number
    }
    var left = targets[...]
    for start in runs {
      while let target = left.first, target != start { left.removeFirst() }
      #expect(left.first == start)
      left = left.dropFirst()
    }
    // On a busy machine the card may have played more than it keeps.
    if card.playedFrames < 8_000_000 { #expect(runs.last == targets.last) }
  }

  /// Waits until the card has played so many frames more.
  private func playOn(_ card: Card, frames: Int) async {
    let goal = card.playedFrames + frames
    while card.playedFrames < goal { await Task.yield() }
  }

  @Test(.enabled(if: allocation_counter_works(), "a sanitizer has the allocator"))
  func theOutputThreadAllocatesNothing() async throws {
    let source = try recordings.numbered(frames: 48_000)
    let card = Card(samples: 100)
    let session = try RenderSession(
      card.output, settings: .forCard(format(48000), exact: false))
    defer { session.close() }
    session.equaliser = Equaliser(bands: [0.7, 0.6, 0.5, 0.4, 0.3, 0.9], preamp: 0.4)
    var loop = item(source, 0..<48_000)
    loop.repetitions = nil
    session.append([loop])
    session.play()
    while card.writer == 0 { await Task.yield() }
    allocation_counter_watch(card.writer)
    // A minute, with changes and faults in it.
    let end = card.playedFrames + 60 * 48_000
    var step = 0
    while card.playedFrames < end {
      step += 1
      session.volume = Double(step % 10) / 10
      if step % 50 == 0 { session.seek(to: loop.id) }
      if step % 77 == 0 { card.add(VIRTUAL_CARD_XRUN, at: card.playedFrames + 1000) }
      try await Task.sleep(for: .milliseconds(2))
    }
    let count = allocation_counter_count()
    // That it does count: this thread allocates.
    allocation_counter_watch(UInt(pthread_self()))
    let text = String(repeating: "x", count: card.faults + 100)
    #expect(allocation_counter_count() > 0 && !text.isEmpty)
    allocation_counter_watch(0)
    #expect(count == 0)
  }
}
