// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Testing

@testable import Analysis

@Suite("WaveformAnalyzer")
struct WaveformAnalyzerTests {
  @Test(
    "Blocks of any size give the same hops, bit for bit",
    arguments: [(8000, 1), (11025, 2), (44100, 1), (44100, 2), (44056, 3), (96000, 2)])
  func chunkSizesMakeNoDifference(rate: Int, channels: Int) throws {
    let sound = try Sound.noise(
      amplitude: 0.7, rate: rate, frames: rate / 4 + 37, channels: channels)
    let whole = sound.hops()
    #expect(Set(whole.map(\.bands)).count > whole.count / 2)
    for chunk in [1, 7, 441, 4096] { #expect(sound.hops(chunk: chunk) == whole) }
  }

  @Test("A sine of amplitude A has mean square A^2/2 and extremes -A and A", arguments: [1, 2, 6])
  func sine(channels: Int) throws {
    let sound = try Sound.sine(
      1000, amplitude: 0.5, rate: 48000, seconds: 0.5, channels: channels)
    for hop in sound.hops() {
      #expect(abs(hop.meanSquare - 0.125) < 1e-5)
      #expect(abs(Int(hop.minimum) + 16384) <= 1)
      #expect(abs(Int(hop.maximum) - 16384) <= 1)
    }
  }

  @Test("Stereo with equal channels measures as mono does")
  func equalChannels() throws {
    let mono = try Sound.noise(amplitude: 0.6, rate: 44100, frames: 22050)
    let stereo = Sound(
      format: try Sound.format(44100, channels: 2), samples: mono.samples.flatMap { [$0, $0] })
    for (left, right) in zip(mono.hops(), stereo.hops()) {
      #expect(abs(left.meanSquare - right.meanSquare) <= left.meanSquare * 1e-5)
      #expect(left.minimum == right.minimum && left.maximum == right.maximum)
      #expect(left.bands == right.bands)
    }
  }

  @Test("Mean square is over all channels, so one of two silent ones halves it")
  func oneSilentChannel() throws {
    let mono = try Sound.sine(500, amplitude: 0.8, rate: 16000, seconds: 0.2)
    let stereo = Sound(
      format: try Sound.format(16000, channels: 2), samples: mono.samples.flatMap { [$0, 0] })
    for hop in stereo.hops() { #expect(abs(hop.meanSquare - 0.16) < 1e-4) }
  }

  @Test("Digital silence is zero in everything")
  func silence() throws {
    let hops = try Sound.silence(rate: 44100, frames: 4410, channels: 2).hops()
    #expect(hops.count == 10)
    for hop in hops {
      #expect(hop.meanSquare == 0 && hop.minimum == 0 && hop.maximum == 0 && hop.bands == 0)
      for part in 0..<Hop.partCount { #expect(hop.meanSquare(ofPart: part) == 0) }
    }
  }

  @Test("Samples beyond full scale are clipped in the extremes and not in the mean square")
  func beyondFullScale() throws {
    let sound = Sound(
      format: try Sound.format(8000), samples: (0..<80).map { $0 % 2 == 0 ? 2 : -2 })
    let hop = try #require(sound.hops().first)
    #expect(hop.meanSquare == 4)
    #expect(hop.minimum == -32768 && hop.maximum == 32767)
  }

  @Test("The last hop has the frames that are left", arguments: [1, 100, 440])
  func lastPartialHop(rest: Int) throws {
    var sound = try Sound.silence(rate: 44100, frames: 441 * 3 + rest)
    for frame in (441 * 3)..<sound.frameCount { sound.samples[frame] = 0.5 }
    let hops = sound.hops(chunk: 100)
    #expect(hops.count == 4)
    #expect(hops[2].meanSquare == 0)
    #expect(abs(hops[3].meanSquare - 0.25) < 1e-6)
    #expect(hops[3].minimum == 16384 && hops[3].maximum == 16384)
  }

  @Test("Nothing pushed gives no hop")
  func nothing() throws { #expect(try Sound.silence(rate: 8000, frames: 0).hops().isEmpty) }

  @Test(
    "The greatest numbers there are, as a broken float file has them, are just loud",
    arguments: [(8000, 1), (44100, 2)])
  func greatestNumbers(rate: Int, channels: Int) throws {
    var sound = try Sound.silence(rate: rate, frames: rate / 5, channels: channels)
    for index in 0..<(sound.samples.count / 2) {
      sound.samples[index] = (index / 5 % 2 == 0 ? 1 : -1) * .greatestFiniteMagnitude
    }
    let hops = sound.hops()
    #expect(hops[3].meanSquare == .greatestFiniteMagnitude)
    #expect(hops[3].bands == 0xFFFF_FFFF)
    #expect(try #require(hops.last).bands == 0)
  }

  @Test("Rates so low that some hops have no frame go well", arguments: [1, 50, 99, 150])
  func veryLowRates(rate: Int) throws {
    var sound = try Sound.silence(rate: rate, frames: 3 * rate)
    for frame in 0..<sound.frameCount { sound.samples[frame] = 0.5 }
    let hops = sound.hops()
    #expect(hops.count == sound.envelope.grid.hopCount(covering: sound.envelope.length))
    #expect(hops.allSatisfy { $0.meanSquare == 0 || $0.meanSquare == 0.25 })
    #expect(hops.count { $0.meanSquare == 0.25 } == min(3 * rate, 300))
  }

  @Test(
    "An analyzer that begins later and is primed gives the same hops from there on",
    arguments: [(8000, 1), (11025, 1), (44100, 2), (44056, 1), (96000, 1)], [1, 5, 17])
  func priming(of: (rate: Int, channels: Int), firstHop: Int) throws {
    let sound = try Sound.noise(
      amplitude: 0.5, rate: of.rate, frames: of.rate / 3, channels: of.channels)
    let whole = sound.hops()
    var analyzer = WaveformAnalyzer(format: sound.format, firstHop: firstHop)
    let start = Int(analyzer.grid.start(ofHop: firstHop).frames)
    let memory = Int(WaveformAnalyzer.primingLength(at: sound.format.rate).frames)
    let from = max(0, start - memory) * of.channels
    var hops: [Hop] = []
    sound.samples.withUnsafeBufferPointer { samples in
      analyzer.prime(UnsafeBufferPointer(rebasing: samples[from..<(start * of.channels)]))
      analyzer.push(
        UnsafeBufferPointer(rebasing: samples[(start * of.channels)...]), into: &hops)
    }
    analyzer.finish(into: &hops)
    #expect(hops == Array(whole[firstHop...]))
  }
}

@Suite("The bands of a hop")
struct HopBandTests {
  private func levels(_ hop: Hop) -> [Double] {
    (0..<Hop.bandCount).map { decibels(hop.meanSquare(ofBand: $0)) }
  }

  @Test(
    "A tone shows in its band within 0.6 dB, in the last within 3, and 30 dB lower in the others",
    arguments: [8000, 11025, 16000, 22050, 44056, 44100, 48000, 96000],
    [(200.0, 0), (800, 1), (1000, 1), (1600, 2), (3000, 3)])
  func tones(rate: Int, tone: (hertz: Double, band: Int)) throws {
    let sound = try Sound.sine(tone.hertz, amplitude: 0.5, rate: rate, seconds: 0.2)
    let own = decibels(0.125)
    for hop in sound.hops()[6..<19] {
      let levels = levels(hop)
      for band in levels.indices {
        if band == tone.band {
          #expect(abs(levels[band] - own) <= (band == 3 ? 3 : 0.6))
        } else {
          #expect(levels[band] <= own - 30)
        }
      }
    }
  }

  @Test(
    "A tone above the bands does not fold into them",
    arguments: [(44100, 5600.0), (44100, 8020), (48000, 8200), (48000, 7000), (96000, 9000)])
  func tonesAbove(rate: Int, hertz: Double) throws {
    let sound = try Sound.sine(hertz, amplitude: 0.5, rate: rate, seconds: 0.2)
    for hop in sound.hops()[6..<19] {
      for level in levels(hop) { #expect(level < decibels(0.125) - 45) }
    }
  }

  @Test("A level's code is true to a quarter of a decibel between -100 and 27 dBFS")
  func codes() {
    for step in 0...1270 {
      let level = Double(step) / 10 - 100
      let code = Hop.bandCode(Float(pow(10, level / 10)))
      var hop = Hop(meanSquare: 0, minimum: 0, maximum: 0, fine: 0)
      for band in 0..<Hop.bandCount {
        hop.bands = code << UInt32(8 * band)
        // Below -95 dBFS the term that keeps the logarithm finite shows.
        let tolerance = level < -80 ? 3.1 : 0.26
        #expect(abs(decibels(hop.meanSquare(ofBand: band)) - level) < tolerance)
      }
    }
    #expect(Hop.bandCode(0) == 0)
    #expect(Hop.bandCode(.infinity) == 255)
    #expect(Hop.bandCode(.nan) == 255)
  }
}

@Suite("The eighths of a hop")
struct HopPartTests {
  @Test("A sound that begins within a hop is found in its eighth", arguments: 0..<8)
  func step(part: Int) throws {
    // 480 frames a hop, 60 an eighth.
    var sound = try Sound.silence(rate: 48000, frames: 1440)
    for frame in (480 + 60 * part)..<960 { sound.samples[frame] = 0.5 }
    let hop = sound.hops()[1]
    for eighth in 0..<Hop.partCount {
      let power = hop.meanSquare(ofPart: eighth)
      #expect(eighth < part ? power == 0 : power == 0.25)
    }
  }

  @Test("An eighth's power is true to the next lower step of 3 dB, down to 33 dB below the mean")
  func accuracy() throws {
    let sound = try Sound.noise(amplitude: 0.5, rate: 8000, frames: 8000)
    for (index, hop) in sound.hops().enumerated() {
      for part in 0..<Hop.partCount {
        let samples = sound.samples[(80 * index + 10 * part)..<(80 * index + 10 * part + 10)]
        let power = samples.reduce(0) { $0 + $1 * $1 } / 10
        let told = hop.meanSquare(ofPart: part)
        #expect(told <= power * 1.0001 && power <= told * 2.0001)
      }
    }
  }

  @Test("A very quiet eighth beside a loud one is zero")
  func quietEighth() throws {
    var sound = try Sound.silence(rate: 8000, frames: 80)
    for frame in 0..<80 { sound.samples[frame] = frame < 10 ? 0.001 : 0.9 }
    #expect(sound.hops()[0].meanSquare(ofPart: 0) == 0)
    #expect(sound.hops()[0].meanSquare(ofPart: 1) > 0.4)
  }
}
