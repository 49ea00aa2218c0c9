// SPDX-License-Identifier: GPL-3.0-or-later

import Library
import Quran
import Timings

/// Timings of a source that count because the user says so.
enum TrustedTimings {
  /// Lets all ayat be played by the source's file of timings, whatever files there are.
  static func enter(_ source: ReciterSource, in library: Library) throws {
    guard let path = source.timings else { return }
    let timings = try TimingsFile.read(path)
    guard timings.clock == .recording else {
      throw Failure(
        code: "not_timings",
        message: "\(path): \(timings.format.title) counts from the start of each ayah's own file")
    }
    for surah in timings.surahs {
      try library.replaceSpans(
        of: surah, with: timings.only([surah]).spans(bytes: nil), in: source.id)
    }
  }
}
