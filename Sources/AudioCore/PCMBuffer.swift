// SPDX-License-Identifier: GPL-3.0-or-later

/// Room for a block of interleaved frames, allocated once and reused.
///
/// Samples are 32-bit floats, `frameCapacity x channels`, frame by frame. A buffer has one owner at a
/// time; it is not safe to share between threads.
public final class PCMBuffer {
  public let channels: Int
  public let frameCapacity: Int
  /// Frames that hold audio; the rest is undefined.
  public var frameCount = 0
  public let samples: UnsafeMutableBufferPointer<Float>

  public init(channels: Int, frameCapacity: Int) {
    precondition(channels > 0 && frameCapacity > 0)
    self.channels = channels
    self.frameCapacity = frameCapacity
    samples = .allocate(capacity: channels * frameCapacity)
    samples.initialize(repeating: 0)
  }

  deinit { samples.deallocate() }

  /// The samples of the frames that hold audio.
  public var filled: UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(rebasing: samples[0..<(frameCount * channels)])
  }
}
