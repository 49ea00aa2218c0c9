// SPDX-License-Identifier: GPL-3.0-or-later

import Library
import Quran
import ReciterSources
import Timings

/// Timings of a source that count because the user says so.
enum TrustedTimings {
  /// Lets all ayat be played by the source's timings, whatever files there are, but for those whose timings were checked
  /// with the file that is here. Timings of files with an ayah each tell when words are said. Timings that are not here
  /// yet are entered as they are fetched.
  static func enter(_ source: ReciterSource, in library: Library) throws {
    let files: [(path: String, surah: Surah?)]
    if let pattern = source.timingsAddresses {
      // One file holds all of them, unless the addresses say otherwise.
      files = (pattern.namesSurah ? Surah.all : [Surah.all[0]]).compactMap { surah in
        source.timingsFile(of: surah, in: library.folder).map {
          ($0, pattern.namesSurah ? surah : nil)
        }
      }.filter { FileKind(path: $0.path) == .file }
    } else {
      files = source.timings.map { [($0, nil)] } ?? []
    }
    let folder = try AyahFolder(of: source, in: library)
    for (path, surah) in files {
      let timings = try TimingsFile.read(path, surah: surah)
      let hasAyahFiles = !source.isBySurah && !folder.isBySurah
      guard timings.clock == .recording || hasAyahFiles else {
        throw Failure(
          code: "not_timings",
          message: "\(path): \(timings.format.title) counts from the start of each ayah's own file")
      }
      try library.enter(
        timings.clock == .recording
          ? ofSurahs(timings, in: folder) : ofAyat(timings, in: folder), of: source)
    }
  }

  private static func ofSurahs(
    _ timings: PublishedTimings, in folder: AyahFolder
  ) -> [SourceTimings] {
    timings.surahs.map { surah in
      SourceTimings(
        of: surah.ayat, published: timings.only([surah]).spans(bytes: nil), checked: nil,
        bytes: folder.surahs[surah].map { FileKind.size(of: folder.path + "/" + $0) })
    }
  }

  private static func ofAyat(
    _ timings: PublishedTimings, in folder: AyahFolder
  ) -> [SourceTimings] {
    timings.spansOfFiles(bytes: nil).map { span in
      SourceTimings(
        of: AyahRange(span.ayah), published: [span], checked: nil,
        bytes: folder.files(of: span.ayah).map { FileKind.size(of: folder.path + "/" + $0[0]) })
    }
  }
}
