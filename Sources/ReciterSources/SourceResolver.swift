// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Decoding
public import Library
public import Playback
public import Quran

/// Ayat from folders and from what was fetched, as the engine's resolver: files with an ayah each, and stretches of files
/// with whole surahs whose timings were checked, or are trusted.
///
/// Which files there are is looked up once, when it is made; what comes after that, a file or its timings, is found when
/// the ayah is asked for. How long one is, is looked up when it is wanted first. It never asks the network.
public struct SourceResolver: AyahResolver {
  private struct Shelf: Sendable {
    let source: ReciterSource
    let folder: AyahFolder
    /// What its server did not have lately, and what it answered.
    let absences: [AyahReference: Int]
    /// How long its files were when they were fetched.
    let fetched: [String: Int64]
    /// Where ayat lie in files of whole surahs.
    let spans: [AyahReference: SourceSpan]
    let isBySurah: Bool
  }

  /// Where an ayah is heard: whole files one after another, or a part of one in milliseconds.
  private struct Stretch {
    let folder: String
    /// Never empty.
    let names: [String]
    var milliseconds: Range<Int>?
    /// What is known of when words are said, for one of the files.
    var span: SourceSpan?

    /// From the start of the ayah; nil where nobody has published them, or for another file.
    var words: WordTimings? {
      guard let span, span.bytes == nil || span.bytes == AyahFolder.size(of: paths[0]) else {
        return nil
      }
      let words = span.words
      guard !words.isEmpty else { return nil }
      return WordTimings(words.map(\.milliseconds), numbers: words.map(\.number))
    }

    var paths: [String] { names.map { "\(folder)/\($0)" } }
    /// For people.
    var title: String { "\(folder)/" + names.joined(separator: ", ") }

    /// Nil where the file is over before it begins.
    func span(
      in length: FrameCount, at rate: SampleRate
    ) -> Range<FramePosition>? {
      let end = FramePosition.zero + length
      guard let milliseconds else { return .zero..<end }
      let from = FramePosition(seconds: Double(milliseconds.lowerBound) / 1000, at: rate)
      let until = min(FramePosition(seconds: Double(milliseconds.upperBound) / 1000, at: rate), end)
      return from < until ? from..<until : nil
    }
  }

  /// An opened file, or why it cannot be opened.
  private enum Length {
    case known(AudioFormat, FrameCount)
    case unreadable(String)
  }

  private let library: Library
  private let shelves: [Shelf]
  private let lengths = Monitor<[String: Length]>([:])
  private let timingsHashes = TimingsHashes()
  private let stopFlag: StopFlag

  public init(_ library: Library, stopFlag: StopFlag) throws(LibraryError) {
    var shelves: [Shelf] = []
    for source in try library.sources() {
      let fetched = try library.files(of: source.id).map { ($0.name, $0.bytes) }
      shelves.append(
        Shelf(
          source: source, folder: try AyahFolder(of: source, in: library),
          absences: try library.absences(in: source.id),
          fetched: Dictionary(fetched, uniquingKeysWith: { first, _ in first }),
          spans: try library.spans(of: source.id),
          isBySurah: source.isBySurah))
    }
    self.library = library
    self.shelves = shelves
    self.stopFlag = stopFlag
  }

  public func clip(of ayah: AyahReference, _ query: ResolverQuery) async -> Resolution<AyahClip> {
    // That of a source that has the ayah says more than that of one without it.
    var (lack, reason): (String?, String?) = (nil, nil)
    for shelf in shelves(query) {
      switch file(of: ayah, on: shelf, seeksArrivals: true) {
      case .failure(.lacks(let why)): lack = lack ?? why
      case .failure(.fails(let why)): reason = reason ?? why
      case .success(let stretch):
        let media = MediaKey(in: stretch.folder, stretch.names)
        guard !query.unreadable.contains(media), query.only.map({ $0 == media }) ?? true else {
          continue
        }
        switch length(of: stretch.paths) {
        case .unreadable(let why):
          reason = reason ?? "\(shelf.source.name): \(stretch.title): \(why)"
        case .known(let format, let length):
          guard let span = stretch.span(in: length, at: format.rate) else {
            reason = reason ?? "\(shelf.source.name): \(stretch.title) ends before \(ayah)"
            continue
          }
          var clip = AyahClip(
            ayah, AudioClip(media, span, format: format),
            riwayah: shelf.source.riwayah,
            reciter: shelf.source.reciter.map { ReciterID(rawValue: $0.rawValue) })
          clip.origin = .download
          let together = shelf.folder.ayat(heardWith: ayah)
          if together.count > 1, stretch.milliseconds == nil { clip.together = together }
          clip.words = stretch.words
          return .found(clip)
        }
      }
    }
    return reason.map { .failed($0) } ?? lack.map { .lacking($0) } ?? .missing
  }

  /// No published set has the basmalah apart; the engine takes 1:1 of the same reciter.
  public func basmalah(of surah: Surah, _ query: ResolverQuery) async -> Resolution<AudioClip> {
    .missing
  }

  /// Looks at names alone, so that asking for the whole Quran opens no file.
  public func missingAyat(in range: AyahRange, _ query: ResolverQuery) async -> [AyahRange] {
    let shelves = shelves(query)
    return AyahRange.runs(
      of: range.filter { ayah in
        !shelves.contains { if case .success = file(of: ayah, on: $0) { true } else { false } }
      })
  }

  /// Ayat without a file that can be heard, as far as the first bytes of files in folders tell; what was fetched was
  /// looked at then.
  public func unplayableAyat(in range: AyahRange, _ query: ResolverQuery) -> [AyahReference] {
    let shelves = shelves(query)
    return range.filter { ayah in
      !shelves.contains { shelf in
        guard case .success(let stretch) = file(of: ayah, on: shelf) else { return false }
        guard case .folder = shelf.source.place else { return true }
        return stretch.paths.allSatisfy { path in
          if MediaFile.looksLikeAudio(path: path) { return true }
          if case .known = length(of: path) { return true }
          return false
        }
      }
    }
  }

  /// Opens the files that a clip names, as one recording; nil for media of others.
  public func open(_ media: MediaKey) throws(DecodingError) -> MediaSource? {
    guard let paths = media.sourcePaths else { return nil }
    var parts: [MediaSource.Part] = []
    for path in paths {
      let source = try MediaSource(path: path, stopFlag: stopFlag)
      guard paths.count > 1 else { return source }
      parts.append(MediaSource.Part(source, try Self.frameCount(of: source)))
    }
    return try MediaSource(joining: parts)
  }

  /// The file that a clip names; nil for media of others, and where the clip is in several.
  public func path(of media: MediaKey) -> String? {
    media.sourcePaths.flatMap { $0.count == 1 ? $0[0] : nil }
  }

  /// The source that a clip is from; nil for media of others.
  public func title(of media: MediaKey) -> String? {
    guard let path = media.sourcePaths?.first else { return nil }
    return shelves.first { path.hasPrefix($0.folder.path + "/") }?.source.name
  }

  private enum Reason: Error {
    /// The source does not have it.
    case lacks(String)
    /// It has it, or may have it, and cannot play it.
    case fails(String)
  }

  /// The sources of whom is asked for, in order; of another riwayah none.
  private func shelves(_ query: ResolverQuery) -> [Shelf] {
    // A recording of the library is in no source.
    if let only = query.only, only.sourcePaths == nil { return [] }
    let fitting = shelves.filter { $0.source.riwayah == query.riwayah }
    return switch query.reciters {
    case .anybody: fitting
    case .inOrder(let order):
      order.flatMap { id in
        fitting.filter { $0.source.reciter?.rawValue == id?.rawValue }
      }
    }
  }

  /// - Parameter seeksArrivals: whether to ask the disk for a file that was not there, and the library for what it has
  ///   learnt of it since.
  private func file(
    of ayah: AyahReference, on shelf: Shelf, seeksArrivals: Bool = false
  ) -> Result<Stretch, Reason> {
    let found = knownFile(of: ayah, on: shelf, seeksArrivals: seeksArrivals)
    let source = shelf.source
    guard !source.isEnabled else { return found }
    if case .failure(.lacks) = found { return found }
    return .failure(
      .fails(
        "the source \(source.name) is disabled; 'source edit \(source.name.commandWord) --enable' enables it"
      ))
  }

  /// Whether the source is enabled or not.
  private func knownFile(
    of ayah: AyahReference, on shelf: Shelf, seeksArrivals: Bool
  ) -> Result<Stretch, Reason> {
    let (source, folder) = (shelf.source, shelf.folder)
    guard source.hasKnownNumbers(of: ayah.surah) else {
      return .failure(
        .lacks(
          "\(source.name) numbers the ayat of \(ayah.surah) differently; add a mapping with 'source edit \(source.name.commandWord) --mapping'"
        ))
    }
    let here = folder.files(of: ayah)
    if let name = folder.unusableFile(of: ayah) {
      let path = folder.path + "/" + name
      // It may have been replaced since.
      if let fault = folder.fault(ofFile: name) {
        return .failure(.fails("\(source.name): \(path): \(fault); replace the file"))
      }
    }
    if let names = here ?? (seeksArrivals ? folder.arrived(ayah) : nil) {
      if seeksArrivals, let change = change(of: names, on: shelf, heardAs: ayah) {
        return .failure(change)
      }
      var stretch = Stretch(folder: folder.path, names: names)
      // A span of a file with the whole surah is of another file.
      if names.count == 1, folder.surahs[ayah.surah] == nil {
        stretch.span =
          here == nil ? try? library.span(of: ayah, in: source.id) : shelf.spans[ayah]
      }
      return .success(stretch)
    }
    let surahFile = folder.surahs[ayah.surah] ?? (seeksArrivals ? folder.arrived(ayah.surah) : nil)
    if let surahFile {
      if seeksArrivals, let change = change(of: [surahFile], on: shelf, heardAs: ayah) {
        return .failure(change)
      }
      return stretch(
        of: ayah, in: surahFile, on: shelf, seeksArrivals: seeksArrivals)
    }
    guard source.numbering.numbers(of: ayah) != nil else {
      return .failure(.lacks("\(source.name) does not have it, according to its mapping"))
    }
    if let fault = folder.faultAndRemedy(of: source) {
      return .failure(.fails("\(source.name): \(folder.path): \(fault)"))
    }
    switch source.place {
    case .folder: return .failure(.lacks("\(source.name) has no file for it"))
    case .addresses:
      let key = shelf.isBySurah ? ayah.surah.firstAyah : ayah
      let now = seeksArrivals ? try? library.absences(in: source.id) : nil
      if let status = (now ?? shelf.absences)[key] {
        return .failure(
          .lacks("\(source.name): the server does not have it (HTTP \(status))"))
      }
      return .failure(
        .fails(
          "\(source.name) may have it, but it is not here yet; \(Self.remedy(ayah, on: shelf))"))
    }
  }

  private static func remedy(_ ayah: AyahReference, on shelf: Shelf) -> String {
    "'source fetch \(shelf.source.name.commandWord) \(shelf.isBySurah ? "\(ayah.surah.number)" : "\(ayah)")' fetches it"
  }

  /// Why files are not played that are not as long as they were when they were fetched; nil where all are.
  private func change(
    of names: [String], on shelf: Shelf, heardAs ayah: AyahReference
  ) -> Reason? {
    guard case .addresses = shelf.source.place else { return nil }
    for name in names {
      let path = shelf.folder.path + "/" + name
      func change(_ bytes: Int64?) -> AyahFolder.Changed? {
        bytes.flatMap { AyahFolder.Changed(name, at: path, fetchedBytes: $0) }
      }
      if let known = shelf.fetched[name], change(known) == nil { continue }
      // It may have been fetched since.
      let now = try? library.fetchedBytes(of: name, in: shelf.source.id)
      if let change = change(now) {
        return .fails(
          "\(shelf.source.name): \(path): \(change.description); \(Self.remedy(ayah, on: shelf))")
      }
    }
    return nil
  }

  private func stretch(
    of ayah: AyahReference, in file: String, on shelf: Shelf, seeksArrivals: Bool
  ) -> Result<Stretch, Reason> {
    let name = shelf.source.name
    let path = shelf.folder.path + "/" + file
    let now = seeksArrivals ? try? library.span(of: ayah, in: shelf.source.id) : nil
    guard let span = now ?? shelf.spans[ayah] else {
      return .failure(.fails("\(name): " + untimed(ayah, on: shelf)))
    }
    if let bytes = span.bytes, bytes != AyahFolder.size(of: path) {
      let remedy =
        shelf.source.timings == nil && !shelf.source.hasManifest(in: library)
        ? "restore it, or give it other timings with 'source edit \(name.commandWord) --timings'"
        : "'timings check \(name.commandWord)' checks them again"
      return .failure(
        .fails("\(name): \(path) has changed since its timings were checked; \(remedy)"))
    }
    return .success(
      Stretch(
        folder: shelf.folder.path, names: [file], milliseconds: span.milliseconds,
        span: span))
  }

  /// Why nobody knows where an ayah lies in the file of its surah, and what to do.
  private func untimed(_ ayah: AyahReference, on shelf: Shelf) -> String {
    let source = shelf.source
    if let reason = source.reasonWithoutTimings(of: ayah.surah, in: library) { return reason }
    let check = "'timings check \(source.name.commandWord)'"
    // Its file may have come since the folder was looked at.
    let isNew = shelf.folder.surahs[ayah.surah] == nil
    let folder = isNew ? try? AyahFolder(of: source, in: library) : shelf.folder
    let comparisons = try? FileComparisons(
      of: source, in: folder ?? shelf.folder, library, of: [ayah], timingsHashes)
    if let unfit = comparisons?.unfit.first {
      return
        "\(unfit.remark); \(check) tells more, and with --repair corrects what can be corrected"
    }
    return comparisons?.uncompared.isEmpty ?? true
      ? "the timings do not say where \(ayah) is; \(check) tells more"
      : "the timings of \(ayah.surah) are not checked yet; \(check) checks them"
  }

  private static func frameCount(of media: MediaSource) throws(DecodingError) -> FrameCount {
    if let frames = media.description.frameCount { return frames }
    return try WholeFile(media).frames
  }

  /// Of files that are heard one after another.
  private func length(of paths: [String]) -> Length {
    var (format, frames): (AudioFormat?, FrameCount) = (nil, .zero)
    for path in paths {
      switch length(of: path) {
      case .unreadable(let why): return .unreadable(why)
      case .known(let own, let count):
        guard format == nil || format == own else {
          return .unreadable(
            "the files differ in their sample rate or channels, so they cannot be played as one ayah"
          )
        }
        format = own
        frames = frames + count
      }
    }
    return format.map { .known($0, frames) } ?? .unreadable("no files")
  }

  private func length(of path: String) -> Length {
    if let known = lengths.update({ $0[path] }) { return known }
    let length: Length
    do throws(DecodingError) {
      let media = try MediaSource(path: path, stopFlag: stopFlag)
      length = .known(media.description.format, try Self.frameCount(of: media))
    } catch {
      length = .unreadable(error.explanation)
    }
    lengths.update { $0[path] = length }
    return length
  }
}

/// A surah that is here as one file, and whose timings are not.
public struct UntimedSurah: Hashable, Sendable {
  public let surah: Surah
  /// Whether the server refused them lately.
  public let isRefused: Bool
  /// Why they are not here, and what to do. Not safe to print as it is.
  public let reason: String
}

extension ReciterSource {
  /// Surahs with files in a folder of this source and without timings: those that have to be fetched, and those that
  /// nobody has given.
  public func untimed(
    in folder: AyahFolder, _ library: Library
  ) throws(LibraryError) -> [UntimedSurah] {
    guard timings != nil else {
      let timed = Set(try library.spans(of: id).keys.map(\.surah))
      let files = try library.files(of: id)
      let published = Set(manifestSpans(in: library).map(\.ayah.surah))
      return folder.surahs.keys.sorted().filter { !timed.contains($0) }.map {
        UntimedSurah(
          surah: $0, isRefused: false,
          reason: reasonWithoutAny(of: $0, files, isInManifest: published.contains($0)))
      }
    }
    guard timingsAddresses != nil else { return [] }
    let refused = try library.timingsAbsences(in: id)
    return Set(folder.files.map(\.ayah.surah)).sorted().compactMap {
      untimed($0, refused: refused, library)
    }
  }

  /// Why there are no timings of a surah that is one file, and what to do; nil where there are.
  public func reasonWithoutTimings(of surah: Surah, in library: Library) -> String? {
    timings == nil
      ? reasonWithoutAny(
        of: surah, (try? library.files(of: id)) ?? [], isInManifest: hasManifest(in: library))
      : untimed(surah, refused: (try? library.timingsAbsences(in: id)) ?? [], library)?.reason
  }

  /// Why a source without published timings has none of a surah, and what to do.
  private func reasonWithoutAny(
    of surah: Surah, _ files: [SourceFile], isInManifest: Bool
  ) -> String {
    let adding = "'source edit \(name.commandWord) --timings'"
    let checking = "'timings check \(name.commandWord)' compares those of the manifest"
    if files.contains(where: { $0.differs && $0.ayah.surah == surah }) {
      return
        "the file of \(surah) is not the one of the manifest, whose timings of it are not used;"
        + " \(checking) with it, \(adding) adds others"
    }
    return isInManifest
      ? "\(surah) is one file without checked timings; \(checking), \(adding) adds others"
      : "\(surah) is one file without timings; add them with \(adding)"
  }

  private func untimed(
    _ surah: Surah, refused: Set<Surah>, _ library: Library
  ) -> UntimedSurah? {
    guard timingsAddresses != nil,
      timingsFile(of: surah, in: library.folder).map(AyahFolder.size) ?? nil == nil
    else { return nil }
    let isRefused = refused.contains(timingsAbsenceKey(of: surah))
    return UntimedSurah(
      surah: surah, isRefused: isRefused,
      reason: isRefused
        ? "the server does not have the timings of \(surah); 'source fetch \(name.commandWord) \(surah.number) --renew-timings' asks again"
        : "the timings of \(surah) are not here yet; 'source fetch \(name.commandWord) \(surah.number)' fetches them"
    )
  }
}

extension MediaKey {
  private static let prefix = "source:"
  /// Between names of files, which are digits and an ending.
  private static let separator: Character = "+"

  fileprivate init(in folder: String, _ names: [String]) {
    self.init(
      rawValue: "\(Self.prefix)\(folder)/" + names.joined(separator: "\(Self.separator)"))
  }

  fileprivate var sourcePaths: [String]? {
    guard rawValue.hasPrefix(Self.prefix) else { return nil }
    let path = rawValue.dropFirst(Self.prefix.count)
    guard let slash = path.lastIndex(of: "/") else { return [String(path)] }
    return path[path.index(after: slash)...].split(separator: Self.separator).map {
      "\(path[...slash])\($0)"
    }
  }
}

extension Riwayah {
  /// Whether a number names the same ayah of a surah as it does in the count of Hafs. Where another count has as many
  /// ayat they are taken to be the same, but for al-Fatiha, which is divided elsewhere.
  func numbersLikeHafs(_ surah: Surah) -> Bool {
    countsAsHafs || (surah.number != 1 && ayahCount(of: surah) == surah.ayahCount)
  }
}
