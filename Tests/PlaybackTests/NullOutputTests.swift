// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Testing

@testable import Playback

/// The device `null` takes its time, unlike alsa-lib's.
@Suite struct NullOutputTests {
  @Test func itTakesNoMoreThanItsBufferAheadOfWhatIsHeard() throws {
    let rate = try #require(SampleRate(hertz: 48_000))
    let format = try #require(AudioFormat(rate: rate, channels: 2))
    let device = NullOutput(settings: RenderSettings(format: format))
    let samples = [Float](repeating: 0, count: device.bufferFrames * 2)
    func written(_ answer: DeviceAnswer) -> Int? {
      if case .frames(let count) = answer { count } else { nil }
    }
    func write() -> Int? {
      samples.withUnsafeBufferPointer { samples in
        samples.baseAddress.flatMap {
          written(device.write($0, frames: device.bufferFrames))
        }
      }
    }
    _ = device.prepare()
    #expect(write() == device.bufferFrames)
    #expect(write() == 0, "nothing is heard before it starts")
    #expect(written(device.unheard()) == device.bufferFrames)
    device.stop()
    #expect(written(device.room()) == device.bufferFrames)
    #expect(written(device.unheard()) == 0)
  }
}
