// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Glibc

/// All frames of a stream, as linear decoding gave them.
struct Recording: Sendable {
  /// Interleaved.
  var samples: [Float] = []
  var warnings: [DecodingWarning] = []
  let channels: Int

  var frameCount: Int { samples.count / channels }

  /// Decodes to the end, or to `limit` frames, which is then exceeded by less than a block.
  init(
    _ decoder: any AudioDecoder, blockLength: Int = 4096, limit: Int = .max
  ) throws(DecodingError) {
    channels = decoder.format.channels
    let buffer = PCMBuffer(channels: channels, frameCapacity: blockLength)
    while frameCount < limit, try decoder.read(into: buffer) > 0 {
      samples.append(contentsOf: buffer.filled)
    }
    warnings = decoder.warnings
  }

  /// Opens a file, decodes it from its first frame on, and gathers the warnings of both.
  init(
    path: String, blockLength: Int = 4096, limit: Int = .max
  ) throws(DecodingError) {
    let source = try MediaSource(path: path)
    try self.init(source.makeDecoder(), blockLength: blockLength, limit: limit)
    warnings = source.description.warnings + warnings
  }

  /// The samples of some frames.
  func frames(_ range: Range<Int>) -> ArraySlice<Float> {
    samples[(range.lowerBound * channels)..<(range.upperBound * channels)]
  }
}

extension AudioDecoder {
  /// The next `count` frames, fewer at the end.
  func frames(_ count: Int) throws(DecodingError) -> [Float] {
    var samples: [Float] = []
    while samples.count < count * format.channels {
      let left = count - samples.count / format.channels
      let buffer = PCMBuffer(channels: format.channels, frameCapacity: left)
      guard try read(into: buffer) > 0 else { break }
      samples.append(contentsOf: buffer.filled)
    }
    return samples
  }
}

/// Whether two runs of samples are the same to the bit.
func isSame(_ left: some Collection<Float>, _ right: some Collection<Float>) -> Bool {
  guard left.count == right.count else { return false }
  let result: Bool?? = left.withContiguousStorageIfAvailable { left in
    right.withContiguousStorageIfAvailable { right -> Bool in
      guard let first = left.baseAddress, let second = right.baseAddress else { return true }
      return memcmp(first, second, left.count * 4) == 0
    }
  }
  return result.flatMap { $0 } ?? false
}

/// The largest difference between two runs of samples; infinite when they are of different lengths.
func largestDifference(
  _ left: some Collection<Float>, _ right: some Collection<Float>
) -> Float {
  guard left.count == right.count else { return .infinity }
  if isSame(left, right) { return 0 }
  return zip(left, right).reduce(0) { max($0, abs($1.0 - $1.1)) }
}
