// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Testing

@testable import Acoustics

@Suite("LogMelAnalyzer")
struct LogMelAnalyzerTests {
  @Test(
    "A tone in the middle of a band has its level there, and next to nothing three bands away",
    arguments: [8000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000])
  func tonesLandInTheirBands(rate: Int) throws {
    for band in [0, 5, 12, 20, 25] {
      let hertz = LogMelFrames.corners[band + 1]
      let signal = try Signal.tones([hertz], amplitude: 0.5, rate: rate, seconds: 0.6)
      let frames = signal.logMel()
      for frame in 3..<frames.count {
        let levels = Array(frames.levels[frame * 26..<(frame + 1) * 26])
        #expect(levels.firstIndex(of: levels.max() ?? 0) == band)
        for other in levels.indices where abs(other - band) > 3 {
          #expect(Int(levels[other]) + 100 < Int(levels[band]), "band \(other)")
        }
      }
    }
  }

  @Test("Doubling the amplitude adds 6 dB, which is twelve steps")
  func levels() throws {
    let soft = try Signal.tones([1000], amplitude: 0.1, rate: 44_100, seconds: 0.4).logMel()
    let loud = try Signal.tones([1000], amplitude: 0.2, rate: 44_100, seconds: 0.4).logMel()
    for index in 26 * 3..<soft.levels.count where soft.levels[index] > 60 {
      #expect(abs(Int(loud.levels[index]) - Int(soft.levels[index]) - 12) <= 1)
    }
  }

  @Test(
    "The same sound has the same levels at every usual rate",
    arguments: [
      (22_050, 1), (32_000, 1), (44_100, 2), (48_000, 1), (96_000, 2), (192_000, 1),
    ])
  func rates(rate: Int, channels: Int) throws {
    let hertz = [150, 420, 900, 1700, 2600, 3500.0]
    let usual = try Signal.tones(hertz, amplitude: 0.1, rate: 16_000, seconds: 1).logMel()
    let other = try Signal.tones(
      hertz, amplitude: 0.1, rate: rate, seconds: 1, channels: channels
    ).logMel()
    #expect(other.count == usual.count)
    for frame in 3..<usual.count {
      for band in 0..<26 where usual.levels[frame * 26 + band] > 130 {
        let (one, two) = (usual.levels[frame * 26 + band], other.levels[frame * 26 + band])
        // A decibel, for windows that do not fall on the same samples.
        #expect(abs(Int(one) - Int(two)) <= 2, "frame \(frame), band \(band)")
      }
    }
  }

  @Test(
    "What lies above 3.8 kHz does not fold into the bands", arguments: [44_100, 48_000, 96_000])
  func aliases(rate: Int) throws {
    for hertz in stride(from: 4_500, to: Double(rate) / 2 - 100, by: 731) {
      let frames = try Signal.tones([hertz], amplitude: 0.5, rate: rate, seconds: 0.2).logMel()
      // 60 dB below what a tone in a band would have: -12 dBFS are 196.
      let most = frames.levels[26 * 3..<26 * frames.count].max() ?? 0
      #expect(most < 76, "\(hertz) Hz")
    }
  }

  @Test(
    "Blocks of any size give the same frames, bit for bit",
    arguments: [(8000, 1), (11_025, 2), (44_100, 1), (44_100, 2), (44_056, 3), (96_000, 2)])
  func chunkSizesMakeNoDifference(rate: Int, channels: Int) throws {
    let signal = try Signal.noise(rate: rate, seconds: 0.77, channels: channels)
    let whole = signal.logMel()
    #expect(whole.count == 20)
    #expect(Set(whole.levels).count > 30)
    for chunk in [1, 7, 441, 5000] { #expect(signal.logMel(chunk: chunk) == whole) }
  }

  @Test(
    "Parts that are primed give the frames of the whole, wherever they are cut",
    arguments: [8000, 44_100, 44_056, 48_000, 96_000])
  func primingIsAsGoodAsReadingOn(rate: Int) throws {
    let signal = try Signal.noise(rate: rate, seconds: 1.3, channels: 2)
    let whole = signal.logMel()
    for cut in [1, 2, 3, 5, 7, 31, 77, 128] {
      // Where hops of 10 ms begin.
      let place = cut * rate / 100
      var joined = signal.logMel(to: place)
      joined.levels += signal.logMel(from: place).levels
      #expect(joined == whole, "after hop \(cut)")
    }
  }

  @Test("A frame that is not full counts, and no frame is made of nothing")
  func lastFrame() throws {
    for (frames, count) in [(0, 0), (1, 1), (1763, 1), (1764, 1), (1765, 2), (44_100, 25)] {
      var signal = try Signal.noise(rate: 44_100, seconds: 1)
      signal.samples.removeLast(44_100 - frames)
      #expect(signal.logMel().count == count, "\(frames) frames")
      #expect(LogMelFrames.count(covering: (frames + 440) / 441) == count)
    }
  }

  @Test("Digital silence is zero, and samples beyond all measure are no trap")
  func extremes() throws {
    let format = try Signal.format(44_100)
    let silence = Signal(format: format, samples: [Float](repeating: 0, count: 22_050)).logMel()
    #expect(silence.levels.allSatisfy { $0 == 0 })
    for sample in [Float.greatestFiniteMagnitude, 1e30, -3e38] {
      let signal = Signal(format: format, samples: [Float](repeating: sample, count: 8000))
      #expect(signal.logMel().count == 5)
    }
  }

  @Test("At rates that hold less, the bands above are silent", arguments: [100, 1000, 4000])
  func lowRates(rate: Int) throws {
    let signal = try Signal.noise(rate: rate, seconds: 1)
    let frames = signal.logMel()
    #expect(frames.count == 25)
    for frame in 0..<frames.count {
      for band in 0..<26 where LogMelFrames.corners[band] > Double(rate) / 2 {
        #expect(frames.levels[frame * 26 + band] == 0)
      }
    }
  }
}

@Suite("LogMelFrames")
struct LogMelFramesTests {
  @Test("A recording that is louder by 10 dB, or dull, is the same once normalised")
  func levelsAndColourGoAway() throws {
    let signal = try Signal.noise(rate: 16_000, seconds: 8)
    let frames = signal.logMel()
    var other = frames
    for index in other.levels.indices {
      other.levels[index] = UInt8(Int(other.levels[index]) + 20 - index % 26)
    }
    #expect(frames.normalized() == other.normalized())
  }

  @Test("Voiced frames have mean 0 and a deviation of 31; silence does not count")
  func moments() throws {
    let signal = try Signal.noise(rate: 16_000, seconds: 20)
    var frames = signal.logMel()
    let voiced = frames.count
    frames.levels += [UInt8](repeating: 0, count: 26 * 400)
    let normalized = frames.normalized()
    for band in 0..<26 {
      let values = (0..<voiced).map { Double(normalized[$0 * 26 + band]) }
      let mean = values.reduce(0, +) / Double(voiced)
      let square = values.reduce(0) { $0 + $1 * $1 } / Double(voiced)
      #expect(abs(mean) < 3, "band \(band)")
      #expect(abs((square - mean * mean).squareRoot() - 31) < 6, "band \(band)")
    }
    #expect(normalized.suffix(26 * 400).allSatisfy { $0 == -124 })
  }

  @Test("Nothing, silence and a single frame are no trap")
  func extremes() {
    #expect(LogMelFrames().normalized().isEmpty)
    #expect(
      LogMelFrames(levels: [UInt8](repeating: 0, count: 260)).normalized()
        == .init(repeating: 0, count: 260))
    #expect(
      LogMelFrames(levels: [UInt8](repeating: 255, count: 26)).normalized()
        == .init(repeating: 0, count: 26))
  }
}
