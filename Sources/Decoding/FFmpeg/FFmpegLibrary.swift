// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg

/// FFmpeg as a whole: its version and its log.
enum FFmpegLibrary {
  /// Keeps FFmpeg from writing to the terminal and from taking memory for what a header claims; evaluated
  /// once.
  static let preparation: Void = {
    av_log_set_level(AV_LOG_QUIET)
    av_max_alloc(largestBlock)
  }()

  /// The largest block that FFmpeg may allocate, in bytes. The largest that a recording needs is the table
  /// of the packets of an m4a, with 24 bytes for each: this is enough for 50 hours of AAC at 48 kHz.
  static let largestBlock = 192 << 20

  static var version: String { String(cString: av_version_info()) }
}
