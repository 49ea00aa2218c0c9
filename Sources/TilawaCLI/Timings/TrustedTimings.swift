// SPDX-License-Identifier: GPL-3.0-or-later

import Library
import Quran
import ReciterSources
import Timings

/// Timings of a source that count because the user says so.
enum TrustedTimings {
  /// Lets all ayat be played by the source's timings, whatever files there are. Timings of files with an ayah each tell
  /// when words are said.
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
            "\(source.name): its timings are not here yet; run 'source fetch' first"
        )
      }
    } else {
      files = source.timings.map { [($0, nil)] } ?? []
    }
    for (path, surah) in files {
      let timings = try TimingsFile.read(path, surah: surah)
      let hasAyahFiles =
        try !source.isBySurah && !AyahFolder(of: source, in: library).isBySurah
      guard timings.clock == .recording || hasAyahFiles else {
        throw Failure(
          code: "not_timings",
          message: "\(path): \(timings.format.title) counts from the start of each ayah's own file")
      }
      for surah in timings.surahs {
        let own = timings.only([surah])
        try library.replaceSpans(
          of: surah.ayat,
          with: timings.clock == .recording ? own.spans(bytes: nil) : own.spansOfFiles(bytes: nil),
          in: source.id)
      }
    }
  }
}
