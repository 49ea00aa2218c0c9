// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg

/// Copies decoded samples of any of FFmpeg's formats into interleaved floats.
///
/// Integers are scaled so that full scale is -1; this is exact for up to 24 bits.
enum SampleConversion {
  /// Writes `count` frames of `frame`, from its frame `offset` on, to `target`.
  ///
  /// `target` has room for `count x channels` samples. A frame with fewer channels has its last one
  /// repeated; with more, the rest is left out. Returns false for a sample format that is not known.
  static func interleave(
    _ frame: UnsafeMutablePointer<AVFrame>, from offset: Int, count: Int,
    into target: UnsafeMutablePointer<Float>, channels: Int
  ) -> Bool {
    let format = AVSampleFormat(rawValue: frame.pointee.format)
    switch format {
    case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP:
      copy(frame, Float.self, offset, count, target, channels) { $0 }
    case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P:
      copy(frame, Int16.self, offset, count, target, channels) { Float($0) * 0x1p-15 }
    case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P:
      copy(frame, Int32.self, offset, count, target, channels) { Float($0) * 0x1p-31 }
    case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP:
      copy(frame, Double.self, offset, count, target, channels) { Float($0) }
    case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P:
      copy(frame, UInt8.self, offset, count, target, channels) { (Float($0) - 128) * 0x1p-7 }
    default: return false
    }
    return true
  }

  @inline(__always)
  private static func copy<Sample>(
    _ frame: UnsafeMutablePointer<AVFrame>, _: Sample.Type, _ offset: Int, _ count: Int,
    _ target: UnsafeMutablePointer<Float>, _ channels: Int, _ scale: (Sample) -> Float
  ) {
    let sourceChannels = max(1, Int(frame.pointee.ch_layout.nb_channels))
    let isPlanar = av_sample_fmt_is_planar(AVSampleFormat(rawValue: frame.pointee.format)) != 0
    let planes = frame.pointee.extended_data!
    func plane(_ channel: Int) -> UnsafePointer<Sample> {
      let index = isPlanar ? min(channel, sourceChannels - 1) : 0
      return UnsafeRawPointer(planes[index]!).assumingMemoryBound(to: Sample.self)
    }
    if isPlanar, channels == 2 {
      let left = plane(0) + offset
      let right = plane(1) + offset
      for index in 0..<count {
        target[2 * index] = scale(left[index])
        target[2 * index + 1] = scale(right[index])
      }
    } else {
      let step = isPlanar ? 1 : sourceChannels
      for channel in 0..<channels {
        let source =
          plane(channel) + offset * step + (isPlanar ? 0 : min(channel, sourceChannels - 1))
        for index in 0..<count {
          target[index * channels + channel] = scale(source[index * step])
        }
      }
    }
  }
}
