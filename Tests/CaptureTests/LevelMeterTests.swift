// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Encoding
import Foundation
import Testing

@testable import Capture

@Suite struct LevelMeterTests {
  private func levels(
    _ samples: [Int32], hertz: Int = 48_000, channels: Int = 1, depth: SampleDepth = .bits24,
    block: Int = .max
  ) -> (levels: [CaptureLevel], clipped: Int) {
    var meter = LevelMeter(format: format(hertz, channels), depth: depth)
    var levels: [CaptureLevel] = []
    samples.withUnsafeBufferPointer { samples in
      var start = 0
      while start < samples.count {
        let end = samples.count - start <= block ? samples.count : start + block
        meter.add(UnsafeBufferPointer(rebasing: samples[start..<end])) { levels.append($0) }
        start = end
      }
    }
    return (levels, meter.clippedCount)
  }

  @Test func sineHasItsPeakAndItsRootMeanSquare() {
    let amplitude = pow(10, -6.0 / 20)
    let samples = (0..<4_800).flatMap { index -> [Int32] in
      let sine = sin(2 * .pi * Double(index) / 48)
      return [Int32(sine * 0x1.fffffep30), Int32(sine * amplitude * 0x1p31)]
    }
    let measured = levels(samples, channels: 2).levels
    #expect(measured.map(\.end) == [FramePosition(2_400), FramePosition(4_800)])
    for level in measured {
      #expect(abs(level.channels[0].peak) < 0.01)
      #expect(abs(level.channels[0].rms + 3.01) < 0.01)
      #expect(abs(level.channels[1].peak + 6) < 0.01)
      #expect(abs(level.channels[1].rms + 9.01) < 0.01)
      #expect(level.channels[1].clippedCount == 0)
    }
  }

  @Test func silenceIsTheFloor() {
    let level = levels(Array(repeating: 0, count: 2_400)).levels[0].channels[0]
    #expect(level.peak == CaptureLevel.floor && level.rms == CaptureLevel.floor)
    #expect(level.clippedCount == 0)
  }

  @Test(arguments: [(SampleDepth.bits16, Int32(16)), (.bits24, 8)])
  func countsSamplesAtFullScaleOnly(_ depth: SampleDepth, _ shift: Int32) {
    let highest = (Int32.max >> shift) << shift
    let step = Int32(1) << shift
    var samples = [Int32](repeating: 0, count: 2_400)
    samples.replaceSubrange(5..<9, with: [highest, .min, highest - step, .min + step])
    let measured = levels(samples, depth: depth)
    #expect(measured.levels[0].channels[0].clippedCount == 2)
    #expect(measured.clipped == 2)
    // A window that is not full yet counts in the sum.
    #expect(levels(Array(samples.prefix(100)), depth: depth).clipped == 2)
  }

  @Test(arguments: [2, 14, 4_096])
  func blocksOfAnyLengthGiveTheSame(_ block: Int) {
    let samples = signal(frames: 10_000, channels: 2, bits: 24)
    #expect(
      levels(samples, channels: 2, block: block).levels == levels(samples, channels: 2).levels)
  }

  @Test func gapsAreSkipped() {
    var meter = LevelMeter(format: format(8_000, 1), depth: .bits16)
    meter.skip(frames: 1_000)
    var ends: [FramePosition] = []
    [Int32](repeating: 1 << 20, count: 800).withUnsafeBufferPointer {
      meter.add($0) { ends.append($0.end) }
    }
    #expect(ends == [FramePosition(1_400), FramePosition(1_800)])
  }
}

@Suite struct GapClockTests {
  private let rate = SampleRate(hertz: 44_100)!

  @Test func countsFromTheLastFrameReadToTheRestart() {
    var clock = GapClock(rate: rate, startedAt: 1_000_000_000)
    #expect(clock.didRead(at: 3_000_000_000, waiting: 100) == 0)
    clock.didRestart(at: 3_500_000_000)
    #expect(clock.didRead(at: 3_550_000_000, waiting: 0) == 22_050 + 100)
    #expect(clock.didRead(at: 3_560_000_000, waiting: 0) == 0)
  }

  @Test func addsUpRestartsBetweenWhichNothingCame() {
    var clock = GapClock(rate: rate, startedAt: 0)
    for time in 1...10 { clock.didRestart(at: Int64(time) * 100_000_000) }
    #expect(clock.didRead(at: 1_000_000_000, waiting: 7) == 44_100)
    clock.didRestart(at: 1_000_000_000)
    #expect(clock.didRead(at: 1_100_000_000, waiting: 0) == 7)
  }

  @Test func countsFromTheStartWhenNothingWasRead() {
    var clock = GapClock(rate: rate, startedAt: 0)
    clock.didRestart(at: 36_000_000_000_000)
    #expect(clock.didRead(at: 36_000_000_000_001, waiting: 0) == 36_000 * 44_100)
  }

  @Test func clockThatStandsStillLosesNothing() {
    var clock = GapClock(rate: rate, startedAt: 5)
    #expect(clock.didRead(at: 5, waiting: -32) == 0)
    clock.didRestart(at: 5)
    clock.didRestart(at: 4)
    #expect(clock.didRead(at: 5, waiting: 0) == 0)
  }
}
