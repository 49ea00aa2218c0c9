// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Playback

@Suite struct RingTests {
  /// A ring and the word that ends a test of two threads.
  private final class Shared: Sendable {
    let ring: FrameRing
    let isDone = Atomic<Bool>(false)
    init(_ capacity: Int) { ring = FrameRing(channels: 2, capacity: capacity) }
  }

  @Test func framesComeOutAsTheyWentIn() {
    let ring = FrameRing(channels: 2, capacity: 100)
    #expect(ring.capacity == 128)
    var next: Float = 0
    var expected: Float = 0
    for count in [100, 20, 128, 1, 127, 64] {
      var frames: [Float] = []
      for _ in 0..<count {
        frames += [next, -next]
        next += 1
      }
      ring.write(frames, frames: count)
      #expect(ring.unclaimed == count)
      let first = ring.claimedIndex()
      let claimed = ring.claim(upTo: 1000)
      #expect(claimed == count)
      for frame in first..<(first + count) {
        let (left, right) = (ring.sample(frame, 0), ring.sample(frame, 1))
        #expect(left == expected && right == -expected)
        expected += 1
      }
      #expect(ring.room == 128 - count)
      ring.release(before: ring.claimedIndex())
      #expect(ring.room == 128)
    }
  }

  @Test func framesCanBeTakenBackUntilTheyAreClaimed() {
    let ring = FrameRing(channels: 1, capacity: 64)
    ring.write([Float](repeating: 1, count: 50), frames: 50)
    let claimed = ring.claim(upTo: 20)
    #expect(claimed == 20)
    let answers = [ring.retract(to: 19), ring.retract(to: 20), ring.retract(to: 20)]
    #expect(answers == [false, true, true])
    #expect(ring.unclaimed == 0 && ring.writtenIndex == 20)
    ring.write([7], frames: 1)
    let (count, sample) = (ring.claim(upTo: 5), ring.sample(20, 0))
    #expect(count == 1 && sample == 7)
  }

  @Test func twoThreadsLoseNothingWhileFramesAreTakenBack() throws {
    let shared = Shared(256)
    let end = 300_000
    let writer = WorkerThread {
      var random = SplitMix64(state: 3)
      var next = 0
      while next < end {
        let count = min(shared.ring.room, Int.random(in: 1...100, using: &random), end - next)
        if count > 0 {
          let frames = (next..<(next + count)).flatMap { [Float($0), Float($0)] }
          shared.ring.write(frames, frames: count)
          next += count
        }
        // Taken back, and written again: the reader must not notice.
        let back = max(0, next - Int.random(in: 0...60, using: &random))
        if shared.ring.retract(to: back) { next = back }
      }
      shared.isDone.store(true, ordering: .releasing)
    }
    var expected = 0
    var isRight = true
    while true {
      let isDone = shared.isDone.load(ordering: .acquiring)
      let first = shared.ring.claimedIndex()
      let count = shared.ring.claim(upTo: 64)
      for frame in first..<(first + count) {
        isRight = isRight && shared.ring.sample(frame, 0) == Float(expected)
        expected += 1
      }
      shared.ring.release(before: shared.ring.claimedIndex())
      if count == 0, isDone { break }
    }
    try #require(writer).join()
    #expect(isRight && expected == end)
  }

  /// What the feeder does at a seek, as fast as it can, beside a device that plays on.
  @Test func everyGenerationIsHeardFromItsFirstFrame() throws {
    let bus = try OutputBus(format: format(48000), ringFrames: 1024, cutFade: 0)
    bus.transport.store(OutputBus.Transport.playing.rawValue, ordering: .releasing)
    let generations = isThoroughRun ? 20_000 : 5000
    let feeder = WorkerThread {
      var random = SplitMix64(state: 5)
      for generation in 1...generations {
        let frames = (1...200).map { Float(generation * 256 + $0) / 16_777_216 }
        while bus.ring.room < frames.count { sched_yield() }
        bus.generation.store(generation, ordering: .releasing)
        while !bus.ring.retract(to: bus.ring.writtenIndex - bus.ring.unclaimed) {}
        bus.generationStart.store(bus.ring.writtenIndex, ordering: .releasing)
        bus.readyGeneration.store(generation, ordering: .releasing)
        bus.ring.write(frames, frames: frames.count)
        for _ in 0..<Int.random(in: 0...2000, using: &random) {
          atomicMemoryFence(ordering: .releasing)
        }
      }
      bus.isClosing.store(true, ordering: .releasing)
    }
    let device = ManualOutput(format: format(48000))
    let loop = OutputLoop(bus: bus, device: device, stallTimeout: 1e9)
    device.cycle = loop.cycle
    while !bus.isClosing.load(ordering: .acquiring) { device.advance(1) }
    device.advance(1000)
    try #require(feeder).join()
    var previous = 0
    var lost: [Int] = []
    for number in numbers(device.played) {
      if number != previous + 1, number % 256 != 1 { lost.append(number) }
      previous = number
    }
    #expect(lost.isEmpty)
    #expect(previous == generations * 256 + 200)
  }

  @Test func parametersArriveWholeAndTheNewestWins() throws {
    let exchange = Handed(ParameterExchange())
    let before = exchange.value.read()
    #expect(before == nil)
    let writer = WorkerThread {
      for number in 1...100_000 {
        var parameters = OutputParameters()
        parameters.preamp = Double(number)
        parameters.volume = Double(number)
        exchange.value.write(parameters)
      }
    }
    var last = 0.0
    while last < 100_000 {
      guard let parameters = exchange.value.read()?.pointee else { continue }
      #expect(parameters.preamp == parameters.volume && parameters.preamp > last)
      last = parameters.preamp
    }
    try #require(writer).join()
    let after = exchange.value.read()
    #expect(after == nil)
  }

  private final class Handed: Sendable {
    let value: ParameterExchange
    init(_ value: consuming ParameterExchange) { self.value = value }
  }
}

@Suite struct TimelineTests {
  @Test func whatWasToldIsForgottenWithinAChunkThatGoesOn() {
    var timeline = Timeline()
    let ids = (0..<10).map { _ in RenderItem(.silence(FrameCount(10))).id }
    for (number, id) in ids.enumerated() {
      timeline.append(
        ProgramSpan(
          mixStart: number * 10, count: 10,
          place: ProgramPlace(item: id, repetition: 0, frame: 0)))
    }
    timeline.append(RingChunk(generation: 0, ringStart: 0, count: 100, mixStart: 0, speed: 1))
    timeline.forgetSpans(beforeRing: 55)
    #expect(timeline.spans.map(\.mixStart) == [50, 60, 70, 80, 90])
    #expect(timeline.span(atRing: 55)?.place.item == ids[5])
  }
}
