// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Playback

@Suite struct StretchTests {
  private static let hertz = 48_000

  /// Bursts of 10 ms every quarter of a second, on a hum that keeps the stretcher busy.
  private static func burst(_ frame: Int) -> Float {
    let inPeriod = frame % 12_000
    let hum = 0.01 * sin(2 * .pi * 150 * Double(frame) / Double(hertz))
    guard inPeriod < 480 else { return Float(hum) }
    let shape = sin(.pi * Double(inPeriod) / 480)
    return Float(hum + 0.8 * shape * sin(2 * .pi * 1500 * Double(frame) / Double(hertz)))
  }

  /// Everything that comes out of so many frames of bursts, and the frame of the mix for each.
  private func stretch(
    frames: Int, block: Int = 1024, speed: (Int) -> Double
  ) -> (samples: [Float], mix: [Double]) {
    let stage = StretchStage(format: format(Self.hertz))
    stage.restart(atMix: 0)
    var samples: [Float] = []
    var mix: [Double] = []
    var next = 0
    var buffer = [Float](repeating: 0, count: block)
    while true {
      let run = buffer.withUnsafeMutableBufferPointer { buffer in
        stage.render(into: buffer.baseAddress!, capacity: block, speed: speed(samples.count)) {
          target, count in
          let given = min(count, frames - next)
          for index in 0..<given { target[index] = Self.burst(next + index) }
          next += given
          return given
        }
      }
      if run.count == 0, stage.isEmpty, next == frames { break }
      samples += buffer.prefix(run.count)
      for index in 0..<run.count { mix.append(run.mixStart + Double(index) * run.speed) }
    }
    return (samples, mix)
  }

  /// The middles of the bursts in what came out.
  private func middles(_ samples: [Float]) -> [Int] {
    // The energy of 5 ms, above 1 kHz by a difference.
    var envelope: [Float] = []
    var sum: Float = 0
    let width = 240
    let sharp = zip(samples, samples.dropFirst()).map { pair in
      (pair.1 - pair.0) * (pair.1 - pair.0)
    }
    for (index, value) in sharp.enumerated() {
      sum += value
      if index >= width { sum -= sharp[index - width] }
      envelope.append(max(0, sum))
    }
    var result: [Int] = []
    let threshold = (envelope.max() ?? 0) / 8
    var start: Int?
    for (index, value) in envelope.enumerated() {
      if value > threshold, start == nil { start = index }
      if value < threshold, let begun = start {
        result.append((begun + index) / 2 - width / 2)
        start = nil
      }
    }
    return result
  }

  @Test(arguments: [0.25, 0.5, 0.8, 1.25, 2.0, 3.0])
  func theLengthIsTheLengthDividedByTheSpeed(_ speed: Double) {
    let (samples, _) = stretch(frames: 40_000) { _ in speed }
    #expect(abs(Double(samples.count) - 40_000 / speed) <= 1)
  }

  @Test(arguments: [0.25, 0.5, 0.8, 1.25, 2.0, 3.0])
  func aPositionIsWhereTheSoundIs(_ speed: Double) {
    let (samples, mix) = stretch(frames: 120_000) { _ in speed }
    let found = middles(samples)
    #expect(found.count >= 9)
    for place in found {
      let frame = mix[place]
      // 20 ms of source time.
      let distance = abs((frame - 240).remainder(dividingBy: 12_000))
      #expect(distance < 960, "\(frame)")
    }
  }

  @Test func aPositionStaysWhereTheSoundIsThroughManyChangesOfSpeed() {
    var random = SplitMix64(state: 9)
    var speeds: [Double] = []
    for _ in 0..<200 { speeds.append([0.5, 0.75, 1, 1, 1.5, 2].randomElement(using: &random)!) }
    let (samples, mix) = stretch(frames: 480_000) { speeds[$0 / 24_000 % 200] }
    var worst = 0.0
    for place in middles(samples) {
      let distance = abs((mix[place] - 240).remainder(dividingBy: 12_000))
      worst = max(worst, distance)
    }
    #expect(worst < 960)
    #expect(abs(mix.last! - 480_000) < 3)
  }

  @Test func atItsOwnSpeedEveryBitIsTheSame() {
    let (samples, mix) = stretch(frames: 50_000) { _ in 1 }
    #expect(samples == (0..<50_000).map(Self.burst))
    #expect(mix == (0..<50_000).map(Double.init))
  }

  @Test func afterStretchingEveryBitIsTheSameAgain() {
    let (samples, mix) = stretch(frames: 120_000) { (20_000..<60_000).contains($0) ? 0.5 : 1 }
    #expect(Array(samples.prefix(20_000)) == (0..<20_000).map(Self.burst))
    let last = samples.count - 40_000
    #expect(mix[last] == mix[last].rounded())
    #expect(samples[last...].elementsEqual((Int(mix[last])..<120_000).map(Self.burst)))
    #expect(samples.count - last == 120_000 - Int(mix[last]))
  }

  @Test func pitchIsKept() {
    for speed in [0.5, 2.0] {
      let stage = StretchStage(format: format(Self.hertz))
      var next = 0
      var samples: [Float] = []
      var buffer = [Float](repeating: 0, count: 1024)
      while samples.count < 48_000 {
        let run = buffer.withUnsafeMutableBufferPointer { buffer in
          stage.render(into: buffer.baseAddress!, capacity: 1024, speed: speed) { target, count in
            for index in 0..<count {
              target[index] = Float(sin(2 * .pi * 440 * Double(next + index) / 48_000))
            }
            next += count
            return count
          }
        }
        samples += buffer.prefix(run.count)
      }
      let settled = samples.suffix(24_000)
      let crossings = zip(settled, settled.dropFirst()).count { pair in pair.0 < 0 && pair.1 >= 0 }
      #expect(abs(crossings - 220) <= 1)
    }
  }

  @Test func changesBetweenStretchedAndNotHaveNoStep() {
    let stage = StretchStage(format: format(Self.hertz))
    var next = 0
    var samples: [Float] = []
    var buffer = [Float](repeating: 0, count: 512)
    while samples.count < 100_000 {
      let speed = samples.count / 20_000 % 2 == 0 ? 1 : 0.7
      let run = buffer.withUnsafeMutableBufferPointer { buffer in
        stage.render(into: buffer.baseAddress!, capacity: 512, speed: speed) { target, count in
          for index in 0..<count {
            target[index] = Float(0.5 * sin(2 * .pi * 200 * Double(next + index) / 48_000))
          }
          next += count
          return count
        }
      }
      samples += buffer.prefix(run.count)
    }
    let steps = zip(samples, samples.dropFirst()).map { pair in abs(pair.0 - pair.1) }
    #expect(steps.max()! < 2 * 0.5 * Float(2 * .pi * 200 / 48_000.0))
  }

  @Test func theSizeOfBlocksMakesNoDifferenceToLengthOrPlace() {
    let large = stretch(frames: 30_000, block: 4096) { _ in 0.7 }
    let small = stretch(frames: 30_000, block: 333) { _ in 0.7 }
    #expect(large.samples == small.samples)
  }

  @Test func aSessionTellsThePositionAtAnySpeed() throws {
    let recordings = try Recordings()
    let source = try recordings.make(frames: 200_000) { frame, _ in Self.burst(frame) }
    for speed in [0.5, 1.5] {
      let stage = try Stage()
      stage.session.speed = speed
      let only = item(source, 0..<200_000)
      stage.session.append([only])
      stage.session.seek(to: only.id, sourceFrame: FramePosition(12_000))
      stage.session.play()
      stage.output.advance(48_000)
      let position = try #require(stage.session.position?.sourceFrame)
      #expect(abs(Double(position.frames) - 12_000 - 48_000 * speed) <= 2)
    }
  }
}
