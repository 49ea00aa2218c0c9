// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// A kind of audio file that can be written.
public enum AudioFileKind: String, Hashable, Sendable, CaseIterable {
  case wav, flac, mp3, m4a, opus
  /// Vorbis in Ogg.
  case ogg

  public var fileExtension: String { rawValue }

  /// Whether decoding gives back the very samples that went in, as far as the depth goes.
  public var isLossless: Bool { self == .wav || self == .flac }

  /// Bits per second that suffice for recitation.
  ///
  /// Per channel: 64 kb/s for MP3 and Vorbis, 80 kb/s for AAC, since FFmpeg's encoder loses much at 64,
  /// and 40 kb/s for Opus; at 32 kHz and above. Below that in proportion to the rate, because there is
  /// less to code.
  public func usualBitRate(for format: AudioFormat) -> Int? {
    let perChannel: Int
    switch self {
    case .wav, .flac: return nil
    case .mp3, .ogg: perChannel = 64_000
    case .m4a: perChannel = 80_000
    case .opus: perChannel = 40_000
    }
    let share = min(1, max(0.25, Double(format.rate.hertz) / 32_000))
    return Int(Double(perChannel * format.channels) * share)
  }
}

/// How the samples of a WAV or FLAC file are kept.
public enum SampleDepth: Hashable, Sendable, CaseIterable {
  case bits16, bits24
  /// 32-bit float; WAV alone.
  case float32

  /// Bits of a sample.
  public var bits: Int {
    switch self {
    case .bits16: 16
    case .bits24: 24
    case .float32: 32
    }
  }
}

/// What a cut is encoded as.
public struct EncodingSettings: Hashable, Sendable {
  public var kind: AudioFileKind
  /// Bits per second for all channels; nil for `AudioFileKind.usualBitRate(for:)`. Lossy kinds alone.
  public var bitRate: Int?
  /// Nil for what the recording has; WAV and FLAC alone.
  public var depth: SampleDepth?

  public init(_ kind: AudioFileKind, bitRate: Int? = nil, depth: SampleDepth? = nil) {
    self.kind = kind
    self.bitRate = bitRate
    self.depth = depth
  }
}
