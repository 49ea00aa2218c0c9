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
          return MixedRun(count: given, isSilence: false)
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
    let bursts: [Float] = (0..<50_000).map { Self.burst($0) }
    let places: [Double] = (0..<50_000).map { Double($0) }
    #expect(samples == bursts)
    #expect(mix == places)
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
              let phase: Double = 2 * .pi * 440 * Double(next + index) / 48_000
              target[index] = Float(sin(phase))
            }
            next += count
            return MixedRun(count: count, isSilence: false)
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
            let phase: Double = 2 * .pi * 200 * Double(next + index) / 48_000
            target[index] = Float(0.5 * sin(phase))
          }
          next += count
          return MixedRun(count: count, isSilence: false)
        }
      }
      samples += buffer.prefix(run.count)
    }
    let steps = zip(samples, samples.dropFirst()).map { pair in abs(pair.0 - pair.1) }
    let steepest: Double = 2 * .pi * 200 / 48_000
    #expect(steps.max()! < Float(steepest))
  }

  @Test func theSizeOfBlocksMakesNoDifferenceToLengthOrPlace() {
    let large = stretch(frames: 30_000, block: 4096) { _ in 0.7 }
    let small = stretch(frames: 30_000, block: 333) { _ in 0.7 }
    #expect(large.samples == small.samples)
  }

  /// Sounds and silences, of which what follows is often not there yet when it is asked for.
  private func stretchLate(speed: Double, seed: UInt64?) -> [Float] {
    let stage = StretchStage(format: format(Self.hertz))
    stage.restart(atMix: 0)
    var random = SplitMix64(state: seed ?? 0)
    let silences = [20_000..<21_000, 47_700..<49_000]
    let end = 90_000
    var next = 0
    // Up to where the mix is there.
    var known = seed == nil ? end : 0
    var samples: [Float] = []
    var buffer = [Float](repeating: 0, count: 1024)
    while next < end || !stage.isEmpty {
      let run = buffer.withUnsafeMutableBufferPointer { buffer in
        stage.render(into: buffer.baseAddress!, capacity: 1024, speed: speed) { target, count in
          let silence = silences.first { next < $0.upperBound }
          let isSilence = silence?.contains(next) ?? false
          let kindEnd = (isSilence ? silence?.upperBound : silence?.lowerBound) ?? end
          let given = max(0, min(count, kindEnd - next, known - next))
          for index in 0..<given { target[index] = isSilence ? 0 : Self.burst(next + index) }
          next += given
          return MixedRun(
            count: given, isSilence: isSilence && given > 0,
            isUnfinished: given < count && next == known && known < end)
        }
      }
      if run.count == 0 { known = min(end, known + Int.random(in: 1...3000, using: &random)) }
      samples += buffer.prefix(run.count)
    }
    return samples
  }

  @Test(arguments: [0.25, 0.75, 1.0, 1.5, 2.35, 3.0])
  func whenWhatFollowsIsThereMakesNoDifference(_ speed: Double) {
    let atOnce = stretchLate(speed: speed, seed: nil)
    for seed in 1...(isThoroughRun ? 8 : 3) {
      #expect(stretchLate(speed: speed, seed: UInt64(seed)) == atOnce)
    }
  }

  @Test func whatWasGatheredForAStretcherIsHeardUntouchedAtItsOwnSpeed() {
    let stage = StretchStage(format: format(Self.hertz))
    var next = 0
    var known = 300
    var samples: [Float] = []
    var buffer = [Float](repeating: 0, count: 1024)
    for speed in [1.5, 1, 1] {
      let run = buffer.withUnsafeMutableBufferPointer { buffer in
        stage.render(into: buffer.baseAddress!, capacity: 1024, speed: speed) { target, count in
          let given = min(count, known - next)
          for index in 0..<given { target[index] = Self.burst(next + index) }
          next += given
          return MixedRun(count: given, isSilence: false, isUnfinished: given < count)
        }
      }
      samples += buffer.prefix(run.count)
      known = 1000
    }
    #expect(samples == (0..<1000).map(Self.burst))
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

  /// Sounds of 30,000 frames with silences of 24,000 between them, at speeds that change in either.
  @Test(arguments: [333, 1024]) func silenceIsNeverStretched(_ block: Int) {
    let stage = StretchStage(format: format(Self.hertz))
    let (sound, silence) = (30_000, 24_000)
    let end = 10 * (sound + silence)
    let speeds = [0.5, 1, 2, 1, 0.75, 3, 1.5]
    var next = 0
    var samples: [Float] = []
    var buffer = [Float](repeating: 0, count: block)
    while next < end || !stage.isEmpty {
      let speed = speeds[samples.count / 17_000 % speeds.count]
      let run = buffer.withUnsafeMutableBufferPointer { buffer in
        stage.render(into: buffer.baseAddress!, capacity: block, speed: speed) { target, count in
          let place = next % (sound + silence)
          let isSilence = place >= sound
          let given = min(count, (isSilence ? sound + silence : sound) - place, end - next)
          for index in 0..<given { target[index] = isSilence ? 0 : 0.5 }
          next += given
          return MixedRun(count: given, isSilence: isSilence)
        }
      }
      samples += buffer.prefix(run.count)
    }
    var lengths: [Int] = []
    var length = 0
    for sample in samples {
      if sample == 0 {
        length += 1
      } else if length > 0 {
        lengths.append(length)
        length = 0
      }
    }
    if length > 0 { lengths.append(length) }
    // The stretcher itself may round a sample to nothing at an edge of the sound.
    #expect(lengths.filter { $0 > 10 }.count == 10)
    #expect(
      lengths.filter { $0 > 10 }.allSatisfy { (silence...silence + 2).contains($0) }, "\(lengths)")
  }

  @Test func aGapKeepsItsLengthWhenTheSpeedIsChangedWithinIt() throws {
    let recordings = try Recordings()
    let source = try recordings.make(frames: 10_000) { _, _ in 0.5 }
    var loop = item(source, 0..<10_000)
    loop.repetitions = 6
    loop.gap = FrameCount(22_050)
    let after = item(source, 0..<10_000)
    let stage = try Stage()
    stage.session.append([loop, RenderItem(.silence(FrameCount(7777))), after])
    stage.session.play()
    for speed in [0.5, 1, 0.8, 2.0, 1, 3, 0.25] {
      stage.session.speed = speed
      stage.output.advance(27_000)
    }
    stage.output.advance(200_000)
    var gaps: [Int] = []
    var length = 0
    for sample in stage.output.played {
      if sample == 0 {
        length += 1
      } else {
        if length > 100 { gaps.append(length) }
        length = 0
      }
    }
    #expect(gaps == [22_050, 22_050, 22_050, 22_050, 22_050, 7777])
  }

  /// Where the session says it is when each burst is heard, against where that is in the recording.
  @Test(arguments: [0.25, 0.5, 0.8, 1.0, 1.25, 2.0, 3.0])
  func thePositionHoldsAcrossLoopsAndCrossfades(_ speed: Double) throws {
    let recordings = try Recordings()
    let source = try recordings.make(frames: 120_000) { frame, _ in Self.burst(frame) }
    var loop = item(source, 6000..<42_000)
    loop.repetitions = 3
    var second = item(source, 54_000..<102_000)
    second.crossfade = Fade(FrameCount(9600), .equalPower)
    let stage = try Stage(exact: false)
    stage.session.speed = speed
    stage.session.append([loop, second])
    stage.session.play()
    let length = Int(Double(3 * 36_000 + 48_000 - 9600) / speed)
    var positions: [RenderPosition] = []
    stage.output.settle()
    while positions.count * 64 < length {
      positions.append(try #require(stage.session.position))
      stage.output.advance(64)
    }
    let found = middles(stage.output.played).filter { $0 < length - 2000 }
    #expect(found.count >= 10)
    var worst = 0.0
    for place in found {
      let position = positions[place / 64]
      let candidates = [position.sourceFrame, position.outgoing?.sourceFrame].compactMap { $0 }
      let distances = candidates.map {
        let frame = Double($0.frames) + Double(place % 64) * speed
        return abs((frame - 240).remainder(dividingBy: 12_000))
      }
      worst = max(worst, distances.min() ?? .infinity)
    }
    // 20 ms of source time.
    #expect(worst < 960, "\(worst)")
  }
}
