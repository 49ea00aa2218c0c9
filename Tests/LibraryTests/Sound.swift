// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import TestSupport

/// One channel of a recording, to be changed and written to a WAV file.
struct Sound {
  var samples: [Float] = []
  let rate: SampleRate

  /// Decodes a file's first channel.
  init(_ path: String) throws {
    let decoder = try MediaSource(path: path).makeDecoder()
    rate = decoder.format.rate
    let channels = decoder.format.channels
    let buffer = PCMBuffer(channels: channels, frameCapacity: 8192)
    while try decoder.read(into: buffer) > 0 {
      for frame in stride(from: 0, to: buffer.filled.count, by: channels) {
        samples.append(buffer.filled[frame])
      }
    }
  }

  /// Writes 16 bits a sample.
  func write(to path: String) throws {
    try Data(WaveFile.bytes(rounding: samples, rate: rate.hertz)).write(to: URL(filePath: path))
  }
}
