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
  private var unfit: [FileComparisons.Unfit] = []

  /// - Parameter stopsWith: ends it early while other things are seen and heard, of which it shows nothing; nil for a
  ///   command that does nothing else.
  init(of source: ReciterSource, in library: Library, stopsWith flag: StopFlag? = nil) {
    self.source = source
    self.library = library
    checker = TimingsChecker(
      sidecars: UserFolders.sidecars, isQuiet: flag != nil, stopFlag: flag ?? Interrupt.flag)
  }

  /// What may not be played and why, a line each; not safe to print as it is.
  var remarks: [String] { lines + source.lines(of: unfit) }

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
      return try note(error, of: file, surah.ayat, path, in: folder)
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
            + " 'timings check \(source.name.commandWord) --repair' corrects them")
      case .unused: unfit.append(.init(surah.ayat, report.unusedBecause))
      }
    case .failure(let failure): try note(failure, of: file, surah.ayat, path, in: folder)
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
      return try note(error, of: file.name, folder.ayat(in: file), path, in: folder)
    }
    switch outcome {
    case nil: try noteComparison(of: file.name, path, nil, in: folder)
    case .success(let check):
      let report = AyahFileReport(subject: subject, check: check)
      if try report.keep(in: library, isRepairing: false) == .unused {
        unfit.append(.init(AyahRange(file.ayah), AyahFileReport.unusedBecause))
      }
    case .failure(let failure):
      try note(failure, of: file.name, folder.ayat(in: file), path, in: folder)
    }
  }

  /// Remembers why a file cannot be compared; what may pass is tried again by the next fetch.
  private func note(
    _ failure: Failure, of file: String, _ ayat: AyahRange, _ path: String, in folder: AyahFolder
  ) throws(LibraryError) {
    if failure.code == Failure.interrupted { throw LibraryError(.cancelled, source.name) }
    unfit.append(.init(ayat, failure.message))
    guard Failure.exitCode(for: failure.code) != ExitStatus.inputOutput else { return }
    try noteComparison(of: file, path, failure.message, in: folder)
  }

  private func noteComparison(
    of file: String, _ path: String, _ remark: String?, in folder: AyahFolder
  ) throws(LibraryError) {
    var comparison = checker.comparison(folder.path + "/" + file, with: path)
    comparison?.remark = remark
    try library.enter(comparison.map { [$0] } ?? [], of: source.id)
  }
}

extension ReciterSource {
  /// Files whose timings do not count, a line for each reason; not safe to print as they are.
  func lines(of unfit: [FileComparisons.Unfit]) -> [String] {
    var reasons: [String] = []
    for file in unfit where !reasons.contains(file.remark) { reasons.append(file.remark) }
    return reasons.map { reason in
      let ayat = unfit.filter { $0.remark == reason }.flatMap { Array($0.ayat) }
      return "\(name) \(PlainText.ranges(AyahRange.runs(of: ayat.sorted()))): \(reason);"
        + " 'timings check \(name.commandWord)' tells more, and with --repair corrects what can be corrected"
    }
  }
}
