// SPDX-License-Identifier: GPL-3.0-or-later

/// The mean of all channels.
public enum MonoMix {
  /// - Parameters:
  ///   - samples: interleaved, `frames x channels`.
  ///   - target: takes `frames` samples; must not overlap `samples`.
  public static func mix(
    _ samples: UnsafePointer<Float>, frames: Int, channels: Int,
    into target: UnsafeMutablePointer<Float>
  ) {
    switch channels {
    case 1: target.update(from: samples, count: frames)
    case 2:
      for frame in 0..<frames {
        target[frame] = (samples[2 * frame] + samples[2 * frame + 1]) * 0.5
      }
    default:
      let scale = 1 / Float(channels)
      for frame in 0..<frames {
        var sum: Float = 0
        for channel in 0..<channels { sum += samples[frame * channels + channel] }
        target[frame] = sum * scale
      }
    }
  }
}
