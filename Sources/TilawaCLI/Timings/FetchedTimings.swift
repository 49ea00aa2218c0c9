// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Library
import Playback
import Quran
import ReciterSources
import Timings

/// Published timings of a source, compared with the sound as soon as both are here: what fits of whole surahs is played,
/// and words that fit of files with an ayah each are highlighted.
final class FetchedTimings {
  private let source: ReciterSource
  private let library: Library
  private let checker: TimingsChecker
  private var lines: [String] = []
  /// Ayat with files of their own whose published words do not fit.
  private var unusable: [AyahReference] = []

  /// - Parameter stopsWith: ends it early while other things are seen and heard, of which it shows nothing; nil for a
  ///   command that does nothing else.
  init(of source: ReciterSource, in library: Library, stopsWith flag: StopFlag? = nil) {
    self.source = source
    self.library = library
    checker = TimingsChecker(
      sidecars: UserFolders.sidecars, isQuiet: flag != nil, stopFlag: flag ?? Interrupt.flag)
  }

  /// What may not be played and why, a line each; not safe to print as it is.
  var remarks: [String] {
    guard !unusable.isEmpty else { return lines }
    let ayat = PlainText.ranges(AyahRange.runs(of: unusable.sorted()))
    return lines + [
      "\(source.name): the published words of \(ayat) are not used;"
        + " 'timings check \(source.name)' says why"
    ]
  }

  /// Blocks until the files that begin with an ayah have been heard. Those that are not here or have no timings are left
  /// out.
  /// - Throws: where what was found cannot be kept; `.cancelled` where it was interrupted.
  func compare(_ ayah: AyahReference) throws(LibraryError) {
    // That they did not come has been said.
    guard let path = source.timingsFile(of: ayah.surah, in: library.folder),
      source.timingsAddresses == nil || FileKind(path: path) == .file
    else { return }
    let folder = try AyahFolder(of: source, in: library)
    if let file = folder.surahs[ayah.surah], ayah == ayah.surah.firstAyah {
      try compare(file, of: ayah.surah, path, in: folder)
    }
    for file in folder.ayahFiles where file.ayah == ayah {
      try compare(file, path, in: folder)
    }
  }

  private func compare(
    _ file: String, of surah: Surah, _ path: String, in folder: AyahFolder
  ) throws(LibraryError) {
    let subject: TimingsSubject
    let outcome: Result<TimingsCheck, Failure>
    do throws(Failure) {
      subject = try checker.subject(surah, of: source, in: library)
      outcome = try checker.check([subject])[0]
    } catch {
      return try note(
        error, of: "\(source.name) \(file): \(error.message)", file, path, in: folder)
    }
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
      try note(failure, of: "\(subject.name): \(failure.message)", file, path, in: folder)
    }
  }

  private func compare(
    _ file: AyahFolder.File, _ path: String, in folder: AyahFolder
  ) throws(LibraryError) {
    let subject: AyahFileSubject
    let outcome: Result<AyahFileCheck, Failure>?
    do throws(Failure) {
      subject = try checker.subject(file, of: source, in: folder, library)
      outcome = subject.words == nil ? nil : try checker.check([subject])[0]
    } catch {
      return try note(
        error, of: "\(source.name): \(error.message)", file.name, path, in: folder)
    }
    switch outcome {
    case nil: try noteComparison(of: file.name, path, in: folder)
    case .success(let check):
      let report = AyahFileReport(subject: subject, check: check)
      if try report.keep(in: library, isRepairing: false) == .unused { unusable.append(file.ayah) }
    case .failure(let failure):
      try note(
        failure, of: "\(subject.path): \(failure.message)", file.name, path, in: folder)
    }
  }

  /// Remembers why a file cannot be compared; what may pass is tried again by the next fetch.
  private func note(
    _ failure: Failure, of line: String, _ file: String, _ path: String, in folder: AyahFolder
  ) throws(LibraryError) {
    if failure.code == Failure.interrupted { throw LibraryError(.cancelled, source.name) }
    if !lines.contains(line) { lines.append(line) }
    guard Failure.exitCode(for: failure.code) != ExitStatus.inputOutput else { return }
    try noteComparison(of: file, path, in: folder)
  }

  private func noteComparison(
    of file: String, _ path: String, in folder: AyahFolder
  ) throws(LibraryError) {
    let comparison = checker.comparison(folder.path + "/" + file, with: path)
    try library.enter(comparison.map { [$0] } ?? [], of: source.id)
  }
}
