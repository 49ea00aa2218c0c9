// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Library
import Playback
import Quran
import ReciterSources
import Timings

/// Published timings, compared with the sound as soon as both are here: what fits of whole surahs is played, and words
/// that fit of files with an ayah each are highlighted.
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

  /// Blocks until the files of a source with some ayat have been heard. Those that are not here or have no timings are
  /// left out.
  ///
  /// - Returns: what may not be played and why, a line each; not safe to print as it is.
  func check(_ ayat: [AyahReference], of source: ReciterSource) throws -> [String] {
    guard source.timings != nil else { return [] }
    let folder = try AyahFolder(of: source, in: library)
    return try checkSurahs(of: ayat, in: folder, of: source)
      + checkWords(of: ayat, in: folder, of: source)
  }

  private func checkSurahs(
    of ayat: [AyahReference], in folder: AyahFolder, of source: ReciterSource
  ) throws -> [String] {
    var lines: [String] = []
    var subjects: [TimingsSubject] = []
    for surah in Set(ayat.map(\.surah)).sorted() where folder.surahs[surah] != nil {
      // That they did not come has been said.
      guard let path = source.timingsFile(of: surah, in: library.folder),
        source.timingsAddresses == nil || FileKind(path: path) == .file
      else { continue }
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
        switch try report.keep(in: library) {
        case .checked, nil: break
        case .checkedBefore:
          lines.append(
            "\(subject.name): the published timings do not fit (\(report.summary));"
              + " those that were checked earlier stay in use")
        case .trusted:
          lines.append(
            "\(subject.name): timings used without correction, as you trust them: \(report.summary);"
              + " 'timings check \(source.name) --repair' corrects them")
        case .unused:
          lines.append(
            "\(subject.name): timings not used: \(report.summary);"
              + " 'timings check \(source.name) --repair' corrects them")
        }
      case .failure(let failure):
        if failure.code == Failure.interrupted { throw failure }
        lines.append("\(subject.name): \(failure.message)")
      }
    }
    return lines
  }

  private func checkWords(
    of ayat: [AyahReference], in folder: AyahFolder, of source: ReciterSource
  ) throws -> [String] {
    let ayat = Set(ayat)
    var subjects: [AyahFileSubject] = []
    for file in folder.ayahFiles where ayat.contains(file.ayah) {
      let subject: AyahFileSubject
      do throws(Failure) {
        subject = try checker.subject(file, of: source, in: folder, library)
      } catch {
        return [error.message]
      }
      if subject.words != nil { subjects.append(subject) }
    }
    var (lines, unusable): ([String], [AyahReference]) = ([], [])
    for (subject, outcome) in zip(subjects, try checker.check(subjects)) {
      switch outcome {
      case .success(let check):
        let report = AyahFileReport(subject: subject, check: check)
        if try report.keep(in: library, isRepairing: false) == .unused {
          unusable.append(subject.ayat.first)
        }
      case .failure(let failure):
        if failure.code == Failure.interrupted { throw failure }
        lines.append("\(subject.path): \(failure.message)")
      }
    }
    if !unusable.isEmpty {
      lines.append(
        "\(source.name): the published words of \(PlainText.ranges(AyahRange.runs(of: unusable))) are not used;"
          + " 'timings check \(source.name)' says why")
    }
    return lines
  }
}
