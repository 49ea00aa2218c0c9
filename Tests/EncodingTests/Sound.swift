// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Encoding
import Glibc
import TestSupport

/// Decoded frames, interleaved.
struct Sound {
  let format: AudioFormat
  private(set) var samples: [Float] = []
  private(set) var warnings: [DecodingWarning] = []

  var frameCount: Int { samples.count / format.channels }

  /// All frames of a file, or those of a span.
  init(path: String, _ span: Range<Int>? = nil) throws {
    try self.init(MediaSource(path: path), span)
  }

  init(_ source: MediaSource, _ span: Range<Int>? = nil) throws {
    let decoder = try source.makeDecoder()
    format = decoder.format
    if let span { try decoder.seek(to: FramePosition(Int64(span.lowerBound))) }
    let wanted = (span?.count ?? .max / 64) * format.channels
    let buffer = PCMBuffer(channels: format.channels, frameCapacity: 4096)
    while samples.count < wanted, try decoder.read(into: buffer) > 0 {
      samples += buffer.filled.prefix(wanted - samples.count)
    }
    warnings = source.description.warnings + decoder.warnings
  }

  /// Frames from one on, as their channels' sum.
  func mono(from frame: Int = 0) -> [Float] {
    stride(from: frame * format.channels, to: samples.count, by: format.channels).map { start in
      samples[start..<(start + format.channels)].reduce(0, +)
    }
  }
}

/// How alike two runs of samples are, 1 for the same shape, over the frames that both have.
func correlation(_ left: [Float], _ right: [Float]) -> Double {
  var product = 0.0
  var leftEnergy = 0.0
  var rightEnergy = 0.0
  for (first, second) in zip(left, right) {
    product += Double(first) * Double(second)
    leftEnergy += Double(first) * Double(first)
    rightEnergy += Double(second) * Double(second)
  }
  return product / max((leftEnergy * rightEnergy).squareRoot(), .leastNormalMagnitude)
}

/// The place of `part` in `whole`, at most `reach` frames from where it should be, that fits best.
func bestOffset(of part: [Float], in whole: [Float], around place: Int, reach: Int) -> Int {
  let candidates = (-reach...reach).filter {
    place + $0 >= 0 && place + $0 + part.count <= whole.count
  }
  return candidates.max { first, second in
    correlation(part, Array(whole[(place + first)..<(place + first + part.count)]))
      < correlation(part, Array(whole[(place + second)..<(place + second + part.count)]))
  } ?? .max
}

func frames(_ range: Range<Int>) -> Range<FramePosition> {
  FramePosition(Int64(range.lowerBound))..<FramePosition(Int64(range.upperBound))
}

func fixture(_ name: String) throws -> MediaSource {
  try MediaSource(path: FixtureFolder.path(name))
}
