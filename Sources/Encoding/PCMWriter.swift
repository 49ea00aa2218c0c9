// SPDX-License-Identifier: GPL-3.0-or-later

/// Takes the frames of a cut, block by block, and makes a file of them.
protocol PCMWriter: AnyObject {
  /// Samples brought back to full scale so far.
  var clippedCount: Int { get }

  /// Frames that the finished file decodes to, for those written so far.
  var frameCount: Int64 { get }

  /// Takes interleaved samples, whole frames.
  func write(_ samples: UnsafeBufferPointer<Float>) throws(EncodingError)

  /// Writes what is still held back, and the headers. Nothing may be written after it.
  func finish() throws(EncodingError)
}
