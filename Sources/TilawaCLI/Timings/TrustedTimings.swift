// SPDX-License-Identifier: GPL-3.0-or-later

import Library
import Quran
import ReciterSources
import Timings

/// Timings of a source that count because the user says so.
enum TrustedTimings {
  /// Lets all ayat be played by the source's timings, whatever files there are.
  static func enter(_ source: ReciterSource, in library: Library) throws {
    let files: [(path: String, surah: Surah?)]
    if let pattern = source.timingsAddresses {
      // One file holds all of them, unless the addresses say otherwise.
      files = (pattern.namesSurah ? Surah.all : [Surah.all[0]]).compactMap { surah in
        source.timingsFile(of: surah, in: library.folder).map {
          ($0, pattern.namesSurah ? surah : nil)
        }
      }.filter { FileKind(path: $0.path) == .file }
      guard !files.isEmpty else {
        throw Failure(
          code: "no_timings",
          message:
            "\(source.name): its timings are not here yet; 'source fetch' fetches them, then trust them"
        )
      }
    } else {
      files = source.timings.map { [($0, nil)] } ?? []
    }
    for (path, surah) in files {
      let timings = try TimingsFile.read(path, surah: surah)
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
}
