// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Library
import Quran
import ReciterSources
import Timings

/// Published timings of whole surahs, compared with the sound as soon as both are here, so that what fits is played.
struct FetchedTimings {
  private let library: Library
  private let checker: TimingsChecker

  /// - Parameter stopsWith: ends it early while other things are seen and heard, of which it shows nothing; nil for a
  ///   command that does nothing else.
  init(_ library: Library, stopsWith flag: StopFlag? = nil) {
    self.library = library
    checker = TimingsChecker(
      sidecars: UserFolders.sidecars, isQuiet: flag != nil, stopFlag: flag ?? Interrupt.flag)
  }

  /// Blocks until the surahs of a source have been heard. Surahs without a file or without timings are left out, and so
  /// is a source that has no timings.
  ///
  /// - Returns: what may not be played and why, a line each; not safe to print as it is.
  func check(_ surahs: [Surah], of source: ReciterSource) throws -> [String] {
    guard source.timings != nil else { return [] }
    let here = AyahFolder(of: source, in: library.folder).surahs
    var lines: [String] = []
    var subjects: [TimingsSubject] = []
    for surah in Set(surahs).sorted() where here[surah] != nil {
      do throws(Failure) {
        subjects.append(try checker.subject(surah, of: source, in: library))
      } catch {
        lines.append(error.message)
      }
    }
    for (subject, outcome) in zip(subjects, try checker.check(subjects)) {
      switch outcome {
      case .success(let check):
        let report = TimingsReport(subject: subject, check: check)
        if try report.keep(in: library) { continue }
        lines.append(
          "\(subject.name): timings not used: \(report.summary);"
            + " 'timings check \(source.name) --repair' corrects them")
      case .failure(let failure):
        if failure.code == Failure.interrupted { throw failure }
        lines.append("\(subject.name): \(failure.message)")
      }
    }
    return lines
  }
}
