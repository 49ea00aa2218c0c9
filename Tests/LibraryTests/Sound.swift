// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation

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
    func little(_ value: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let bytes = UInt32(samples.count * 2)
    var file = Data("RIFF".utf8) + little(36 + bytes, 4) + Data("WAVEfmt ".utf8)
    file += little(16, 4) + little(1, 2) + little(1, 2) + little(UInt32(rate.hertz), 4)
    file += little(UInt32(rate.hertz * 2), 4) + little(2, 2) + little(16, 2)
    file += Data("data".utf8) + little(bytes, 4)
    var body = [UInt8](repeating: 0, count: samples.count * 2)
    for (index, sample) in samples.enumerated() {
      let value = UInt16(bitPattern: Int16(max(-1, min(sample, 1)) * 32767))
      body[2 * index] = UInt8(truncatingIfNeeded: value)
      body[2 * index + 1] = UInt8(truncatingIfNeeded: value >> 8)
    }
    try (file + body).write(to: URL(filePath: path))
  }
}
