// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Testing

@Suite struct AudioFormatTests {
  @Test(arguments: [1, 8000, 44100, 768_000])
  func acceptsRateOfRealStreams(_ hertz: Int) {
    #expect(SampleRate(hertz: hertz)?.hertz == hertz)
  }

  @Test(arguments: [0, -1, 768_001, Int.max, Int.min])
  func refusesRateOfNoStream(_ hertz: Int) { #expect(SampleRate(hertz: hertz) == nil) }

  @Test func ratesAreOrderedByHertz() throws {
    let slow = try #require(SampleRate(hertz: 8000))
    let fast = try #require(SampleRate(hertz: 48000))
    #expect(slow < fast && !(fast < slow) && !(fast < fast))
  }

  @Test func acceptsOneTo64Channels() throws {
    let rate = try #require(SampleRate(hertz: 44100))
    for channels in [1, 2, 6, 64] {
      #expect(AudioFormat(rate: rate, channels: channels)?.channels == channels)
    }
    for channels in [0, -1, 65, Int.max] {
      #expect(AudioFormat(rate: rate, channels: channels) == nil)
    }
  }

  @Test func bufferShowsItsFilledFramesOnly() {
    let buffer = PCMBuffer(channels: 2, frameCapacity: 8)
    #expect(buffer.samples.count == 16)
    #expect(buffer.samples.allSatisfy { $0 == 0 })
    #expect(buffer.filled.isEmpty)
    for index in 0..<16 { buffer.samples[index] = Float(index) }
    buffer.frameCount = 3
    #expect(buffer.filled.elementsEqual([0, 1, 2, 3, 4, 5]))
    buffer.frameCount = 8
    #expect(buffer.filled.count == 16)
  }
}
