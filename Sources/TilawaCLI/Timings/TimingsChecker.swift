// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Library
import Quran
import ReciterSources
import Timings
import Workflows

/// Reads published timings, and compares them with the sound of their recordings. Blocks.
final class TimingsChecker {
  private let sidecars: SidecarFolder?
  private let stopFlag: StopFlag
  private let isQuiet: Bool
  private var read: [String: PublishedTimings] = [:]
  /// Of files whose times count from the start of each ayah's own file.
  private var words: [String: [AyahReference: PublishedTimings.Ayah]] = [:]
  private var hashes: [String: [UInt8]?] = [:]
  private var manifests: [ReciterSource.ID: [AyahReference: PublishedTimings.Ayah]] = [:]

  /// - Parameters:
  ///   - sidecars: where what is measured is kept; nil keeps nothing.
  ///   - isQuiet: whether nothing is written to standard error, where a screen may be.
  init(sidecars: SidecarFolder?, isQuiet: Bool = false, stopFlag: StopFlag = Interrupt.flag) {
    self.sidecars = sidecars
    self.isQuiet = isQuiet
    self.stopFlag = stopFlag
  }

  /// Each file is read once, except formats that do not say of which surah they are.
  func timings(
    _ path: String, of recording: String, surah: Surah?
  ) throws(Failure) -> PublishedTimings {
    if let known = read[path], known.format != .mp3quran { return known }
    let found = try TimingsFile.read(
      path,
      // The name of a file of timings may hold other numbers, such as that of its format.
      surah: surah ?? TimingsFile.surah(named: recording) ?? TimingsFile.surah(named: path))
    if read.updateValue(found, forKey: path) == nil, !isQuiet {
      TimingsReport.tell(found.remarks, of: path)
    }
    return found
  }

  /// When the words of an ayah are said in a file of its own, by a file of timings; nil where that says nothing of them.
  func words(of ayah: AyahReference, in path: String) throws(Failure) -> PublishedTimings.Ayah? {
    if let known = words[path] { return known[ayah] }
    let timings = try timings(path, of: path, surah: ayah.surah)
    guard timings.clock == .ayah else { return nil }
    let all = Dictionary(
      timings.ayat.filter { !$0.words.isEmpty }.map { ($0.ayah, $0) },
      uniquingKeysWith: { first, _ in first })
    words[path] = all
    return all[ayah]
  }

  /// That a file of a source was compared with timings; nil where these cannot be read.
  func comparison(_ path: String, with timings: String) -> SourceComparison? {
    let hash = hashes[timings] ?? SourceComparison.hash(ofTimings: timings)
    hashes[timings] = .some(hash)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return hash.map {
      SourceComparison(file: name, bytes: FileKind.size(of: path), timings: $0)
    }
  }

  /// A file with an ayah of a source, with its published words if they are here.
  /// - Parameter timings: the file to check instead of the source's own.
  func subject(
    _ file: AyahFolder.File, of source: ReciterSource, in folder: AyahFolder, _ library: Library,
    timings: String? = nil
  ) throws(Failure) -> AyahFileSubject {
    var subject = AyahFileSubject(file, of: source, in: folder)
    if timings == nil, source.timings == nil {
      // What was checked elsewhere is of other files, perhaps.
      let path = source.manifestPath(in: library)
      let words = subject.ayah.flatMap { manifestTimings(of: source, library)[$0] }
      if let words, !words.words.isEmpty { subject.words = (words, path) }
    }
    if let ayah = subject.ayah,
      let path = timings ?? source.timingsFile(of: ayah.surah, in: library.folder),
      FileKind(path: path) == .file
    {
      subject.words = try words(of: ayah, in: path).map { ($0, path) }
      subject.comparison = comparison(subject.path, with: path)
    }
    return subject
  }

  /// The file of a source that holds a surah.
  /// - Parameter timings: the file to check instead of the source's own.
  func subject(
    _ surah: Surah, of source: ReciterSource, in library: Library, timings: String? = nil
  ) throws(Failure) -> TimingsSubject {
    let own = timings ?? source.timingsFile(of: surah, in: library.folder)
    let ofManifest =
      own == nil ? manifestTimings(of: source, library).filter { $0.key.surah == surah } : [:]
    guard let timings = own ?? (ofManifest.isEmpty ? nil : source.manifestPath(in: library)) else {
      throw Failure(
        code: "no_timings",
        message:
          "the source has no timings; use --timings FILE, or 'source edit \(source.name.commandWord) --timings'"
      )
    }
    // It may be another file than the source's own.
    if FileKind(path: timings) == .nothing,
      let reason = source.reasonWithoutTimings(of: surah, in: library)
    {
      throw Failure(code: "no_timings", message: reason)
    }
    let folder: AyahFolder
    do throws(LibraryError) {
      folder = try AyahFolder(of: source, in: library)
    } catch {
      throw Failure(error)
    }
    guard let file = folder.surahs[surah] else {
      throw Failure(
        code: "no_such_file", message: "no file of \(surah) is here yet")
    }
    let path = folder.path + "/" + file
    let published =
      own == nil
      ? PublishedTimings(
        .segments, clock: .recording, tokenisation: .qpcHafs,
        ayat: ofManifest.values.sorted { $0.ayah < $1.ayah })
      : try self.timings(timings, of: file, surah: surah)
    if source.timingsAddresses?.namesSurah != true {
      try Self.check(published, at: timings, mayBeOf: surah)
    }
    var subject = try TimingsSubject(
      "\(source.name) \(file)", path: path, timings: published, at: timings, surah: surah,
      source: source)
    if own != nil { subject.comparison = comparison(path, with: timings) }
    return subject
  }

  /// What the manifest says that a source was imported from.
  private func manifestTimings(
    of source: ReciterSource, _ library: Library
  ) -> [AyahReference: PublishedTimings.Ayah] {
    if let known = manifests[source.id] { return known }
    let ayat = source.manifestSpans(in: library).map { span in
      let start = span.milliseconds.lowerBound
      return PublishedTimings.Ayah(
        span.ayah, start: start, end: span.milliseconds.upperBound,
        words: span.words.map {
          .init(
            $0.number...$0.number,
            start + $0.milliseconds.lowerBound..<start + $0.milliseconds.upperBound)
        })
    }
    let found = Dictionary(ayat.map { ($0.ayah, $0) }, uniquingKeysWith: { first, _ in first })
    manifests[source.id] = found
    return found
  }

  /// - Throws: where one file is given for several surahs, has one, and does not say which, and that can hardly be this.
  static func check(
    _ timings: PublishedTimings, at path: String, mayBeOf surah: Surah
  ) throws(Failure) {
    let named = TimingsFile.surah(named: path)
    guard timings.format == .mp3quran, named != surah else { return }
    let count = timings.ayat.map(\.ayah.ayah).max() ?? 0
    // A name may hold other numbers, such as that of its format.
    guard surah.ayahCount != count || named?.ayahCount == count else { return }
    let error = TimingsError.otherSurah(.mp3quran, ayat: count)
    throw Failure(code: "not_timings", message: "\(path): \(error.cause); \(error.remedy)")
  }

  /// Checks several recordings side by side, each on one thread.
  func check(
    _ subjects: [TimingsSubject]
  ) throws(Failure) -> [Result<TimingsCheck, Failure>] {
    try sideBySide(subjects, name: \.name) { subject, workflow throws(AnalysisError) in
      let recording = try workflow.measure(path: subject.path, track: subject.track)
      return try workflow.check(subject.timings, of: recording)
    }
  }

  /// Checks several files with an ayah each side by side.
  func check(
    _ subjects: [AyahFileSubject]
  ) throws(Failure) -> [Result<AyahFileCheck, Failure>] {
    try sideBySide(subjects, name: \.path) { subject, workflow throws(AnalysisError) in
      var workflow = workflow
      workflow.riwayah = subject.riwayah
      var check = try workflow.checkAyahFile(
        subject.path, holds: subject.ayat, words: subject.words?.published)
      if subject.isPart {
        check.findings.removeAll { $0.isOfEdge }
        (check.startMissing, check.endMissing) = (nil, nil)
      }
      return check
    }
  }

  private func sideBySide<Subject: Sendable, Check: Sendable>(
    _ subjects: [Subject], name: any KeyPath<Subject, String> & Sendable,
    _ check:
      @escaping @Sendable (Subject, AlignmentWorkflow) throws(AnalysisError) -> Check
  ) throws(Failure) -> [Result<Check, Failure>] {
    let threads = min(ProcessorCores.count, subjects.count)
    let workflow = AlignmentWorkflow(
      network: try OwnWeights.network(),
      threadCount: max(1, ProcessorCores.count / max(1, threads)), sidecars: sidecars,
      stopFlag: stopFlag)
    let done = Monitor(0)
    let display = isQuiet ? nil : ProgressDisplay()
    defer { display?.finish() }
    return WorkerThread.map(subjects.count, among: threads) { number in
      let subject = subjects[number]
      let outcome = Result { () throws(Failure) in
        try Failure.wrapping { () throws(AnalysisError) in try check(subject, workflow) }
      }
      let share = done.update { done in
        done += 1
        return Double(done) / Double(subjects.count)
      }
      display?.update(label: subject[keyPath: name], fraction: share)
      return outcome
    }
  }
}

extension TimingsReport {
  /// Lets what fits be played from the file of a source.
  /// - Parameter isRepairing: whether what was corrected counts as well.
  /// - Returns: by which timings it may be played now; nil where it is no file of a source.
  @discardableResult
  func keep(
    in library: Library, isRepairing: Bool = false
  ) throws(LibraryError) -> SourceTimings.Standing? {
    guard let (source, surah) = subject.source else { return nil }
    let isUsable = isRepairing ? check.isRepairable : check.verdict == .fits
    let bytes = FileKind.size(of: subject.path)
    var comparison = subject.comparison
    comparison?.remark = unusedBecause
    let timings = SourceTimings(
      of: surah.ayat, published: subject.timings.spans(bytes: nil),
      checked: isUsable ? check.repaired.spans(bytes: bytes) : nil, bytes: bytes,
      comparison: comparison)
    return try library.enter([timings], of: source).first
  }
}

extension PublishedTimings {
  /// Where each ayah is heard first, for playing.
  func spans(bytes: Int64?) -> [SourceSpan] {
    var known: Set<AyahReference> = []
    return ayat.enumerated().compactMap { index, ayah in
      let next = ayat[(index + 1)...].lazy.compactMap(\.start).first
      // Some begin a little before the file does.
      guard let start = ayah.start.map({ max($0, 0) }), let end = ayah.end ?? next, start < end,
        known.insert(ayah.ayah).inserted
      else { return nil }
      return SourceSpan(
        ayah.ayah, start..<end, bytes: bytes, words: ayah.spokenWords(from: start, to: end))
    }
  }

  /// When the words are said of ayat that have files of their own, for playing.
  func spansOfFiles(bytes: Int64?) -> [SourceSpan] {
    var known: Set<AyahReference> = []
    return ayat.compactMap { ayah in
      let words = ayah.spokenWords(from: 0, to: .max)
      guard let last = words.last, known.insert(ayah.ayah).inserted else { return nil }
      return SourceSpan(
        ayah.ayah, 0..<last.milliseconds.upperBound, bytes: bytes, words: words)
    }
  }
}

extension PublishedTimings.Ayah {
  /// Its words from its own start, in the order of time and each until the next at most. None where they are counted
  /// otherwise than in our text: others would be highlighted than are said.
  fileprivate func spokenWords(from start: Int, to end: Int) -> [SourceSpan.Word] {
    guard words.map(\.numbers.upperBound).max() == QuranSounds.wordCount(of: ayah) else {
      return []
    }
    // The first may begin a little before the file does.
    let inside = words.map {
      (numbers: $0.numbers, start: max($0.span.lowerBound, 0), end: $0.span.upperBound)
    }
    .filter { start <= $0.start && $0.start < end }
    .sorted { $0.start < $1.start }
    return inside.indices.compactMap { index in
      let word = inside[index]
      let next = index + 1 < inside.count ? inside[index + 1].start : end
      let until = min(word.end, next, end)
      guard word.start < until else { return nil }
      return SourceSpan.Word(word.numbers.lowerBound, word.start - start..<until - start)
    }
  }
}
