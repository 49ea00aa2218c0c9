// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg

/// FFmpeg as a whole: its version and its log.
enum FFmpegLibrary {
  /// Keeps FFmpeg from writing to the terminal; evaluated once.
  static let silence: Void = av_log_set_level(AV_LOG_QUIET)

  static var version: String { String(cString: av_version_info()) }
}
