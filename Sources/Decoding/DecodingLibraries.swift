// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import CMpg123

/// What the decoding backends are and can do here, for people.
public struct DecodingLibrary: Hashable, Sendable {
  public let name: String
  public let version: String
  /// What it decodes in this program.
  public let purpose: String
  /// Codecs that recordings commonly use and this build of the library lacks.
  public let missingCodecs: [String]

  /// The backends, in the order in which they are considered.
  public static var all: [DecodingLibrary] {
    [
      DecodingLibrary(
        name: "libsndfile", version: SndFileLibrary.version.replacingPrefix("libsndfile-"),
        purpose: "WAV, RF64, Wave64, FLAC, AIFF, CAF, AU", missingCodecs: []),
      DecodingLibrary(
        name: "libmpg123", version: mpg123Version, purpose: "MP3, MP2, MP1", missingCodecs: []),
      DecodingLibrary(
        name: "FFmpeg", version: FFmpegLibrary.version,
        purpose: "m4a, mp4, AAC, Ogg Vorbis, Opus, WebM, Matroska, WMA and anything else",
        missingCodecs: [
          "aac", "alac", "opus", "vorbis", "flac", "wmav2", "ac3", "amrnb", "pcm_s16le",
        ]
        .filter { avcodec_find_decoder_by_name($0) == nil }),
    ]
  }

  /// libmpg123 before 1.32 cannot be asked for its own version, only for that of its interface.
  private static var mpg123Version: String { "API \(MPG123_API_VERSION)" }
}

extension String {
  fileprivate func replacingPrefix(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}
