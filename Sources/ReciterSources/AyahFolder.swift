// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import Glibc
public import Library
public import Quran

/// The files of a folder that are named by the ayah they hold, `002255.mp3`, or by the surah, `002.mp3`, as they were
/// when it was looked at.
public struct AyahFolder: Sendable {
  /// A fetched file that is not as long as it was.
  public struct Changed: Hashable, Sendable {
    public let name: String
    public let bytes: Int64
    public let fetchedBytes: Int64

    /// What has happened to it, for people.
    public var description: String {
      "the file has changed since it was fetched (\(bytes) of \(fetchedBytes) bytes)"
    }

    /// - Returns: nil for a file that is as long as it was, or is not there.
    init?(_ name: String, at path: String, fetchedBytes: Int64) {
      guard let bytes = AyahFolder.size(of: path), bytes != fetchedBytes else { return nil }
      (self.name, self.bytes, self.fetchedBytes) = (name, bytes, fetchedBytes)
    }
  }

  /// A file, and what is in it.
  public struct File: Hashable, Sendable {
    /// The first in it.
    public let ayah: AyahReference
    /// Which of the files of that ayah it is, from 1 on.
    public let part: Int
    public let name: String
  }

  /// The number of a file, as its name has it.
  private struct Number: Hashable {
    let surah: Surah
    let ayah: Int
  }

  /// Names of files by what they are named by.
  private struct Names {
    var ayat: [Number: String] = [:]
    var surahs: [Surah: String] = [:]

    /// The first of several formats counts.
    mutating func add(_ name: String, surah: Surah, ayah: Int?) {
      if let ayah {
        let number = Number(surah: surah, ayah: ayah)
        if ayat[number] == nil { ayat[number] = name }
      } else if surahs[surah] == nil {
        surahs[surah] = name
      }
    }
  }

  public let path: String
  /// Names of files with an ayah each.
  private let names: [Number: String]
  /// Names of files with whole surahs.
  public let surahs: [Surah: String]
  /// What is named as a file with sound and is none: empty, a broken link, a folder, a pipe.
  private let unusable: Names
  /// Names with the number of no surah.
  private let unnumbered: [String]
  /// Whether there is such a folder, and it can be read.
  public let isReadable: Bool
  /// Whether there is anything of that name.
  private let isThere: Bool
  /// Fetched files that are longer or shorter than they were, which count as not being there.
  public let changed: [Changed]
  private let numbering: SourceNumbering
  /// Whether a name may be a link to a file elsewhere.
  private let followsLinks: Bool

  /// Files of one ayah in several formats: the first by its name counts.
  /// - Parameters:
  ///   - fetched: how long files were when they were fetched, by their names.
  ///   - isBySurah: whether only files with whole surahs count, or only those with an ayah each; nil for both.
  ///   - followsLinks: false for a folder of the library, out of which none leads.
  public init(
    _ path: String, _ numbering: SourceNumbering = .offset(0), fetched: [String: Int64] = [:],
    isBySurah: Bool? = nil, followsLinks: Bool = true
  ) {
    self.path = path
    self.followsLinks = followsLinks
    self.numbering = numbering
    let entries = FolderListing.names(in: path)
    isReadable = entries != nil
    isThere = entries != nil || access(path.diskName, F_OK) == 0
    var usable = Names()
    var unusable = Names()
    var unnumbered: [String] = []
    var changed: [Changed] = []
    for name in (entries ?? []).sorted() {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        Self.endings.contains(parts[1].lowercased()), [3, 6].contains(parts[0].utf8.count),
        isBySurah == nil || isBySurah == SourceFile.isOfSurah(name)
      else { continue }
      if let bytes = fetched[name],
        let change = Changed(name, at: path + "/" + name, fetchedBytes: bytes)
      {
        changed.append(change)
        continue
      }
      let ayah = Int(parts[0].dropFirst(3))
      guard let surah = Int(parts[0].prefix(3)).flatMap({ Surah($0) }) else {
        unnumbered.append(name)
        continue
      }
      if Self.isSound(path + "/" + name, followsLinks: followsLinks) {
        usable.add(name, surah: surah, ayah: ayah)
      } else {
        unusable.add(name, surah: surah, ayah: ayah)
      }
    }
    names = usable.ayat
    surahs = usable.surahs
    self.unusable = unusable
    self.unnumbered = unnumbered
    self.changed = changed
  }

  /// Whether there is a file that may hold sound.
  private static func isSound(_ path: String, followsLinks: Bool) -> Bool {
    var status = stat()
    return (followsLinks ? stat : lstat)(path.diskName, &status) == 0
      && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
  }

  /// The ayah that a file is named by, such as `002255.mp3`; nil for other names.
  public static func ayah(named name: some StringProtocol) -> AyahReference? {
    let stem = name.prefix { $0 != "." }
    guard stem.utf8.count == 6, stem.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let surah = Int(stem.prefix(3)), let ayah = Int(stem.suffix(3))
    else { return nil }
    return AyahReference(surah: surah, ayah: ayah)
  }

  /// What is heard of a source without asking the network.
  public init(of source: ReciterSource, in library: Library) throws(LibraryError) {
    switch source.place {
    case .folder(let path): self.init(path, source.numbering)
    case .addresses:
      let fetched = try library.files(of: source).map { ($0.name, $0.bytes) }
      guard let path = library.fetchedFolder(of: source) else {
        self.init("", source.fetchedNumbering)
        return
      }
      self.init(
        path, source.fetchedNumbering,
        fetched: Dictionary(fetched, uniquingKeysWith: { first, _ in first }),
        // Files of the other kind came from a former address.
        isBySurah: source.isBySurah, followsLinks: false)
    }
  }

  /// What keeps anything of a source from being heard, for people; nil where nothing does. Before the first fetch there
  /// is no folder, and nothing is wrong.
  public func fault(of source: ReciterSource) -> String? {
    switch source.place {
    case .folder where isReadable:
      // No source begins so: its disk is not mounted, or the files are gone.
      names.isEmpty && surahs.isEmpty && unusable.ayat.isEmpty && unusable.surahs.isEmpty
        ? "the folder has no file of a recitation" : nil
    case .addresses where isReadable || !isThere: nil
    case .folder, .addresses: "the folder is missing or cannot be read"
    }
  }

  /// The same, and what to do about it, in one line. Not safe to print as it is.
  public func faultAndRemedy(of source: ReciterSource) -> String? {
    fault(of: source).map { fault in
      switch source.place {
      case .folder:
        "\(fault); mount or restore it, or name its new place with 'source edit \(source.name.commandWord) --folder'"
      case .addresses:
        "\(fault); make it a folder that your account can read ('ls -ld' shows what it is)"
      }
    }
  }

  static let endings: Set<String> = [
    "mp3", "m4a", "aac", "ogg", "opus", "oga", "flac", "wav", "wma", "webm", "mp4", "aiff", "aif",
    "caf",
  ]

  /// Whether there are no files with an ayah each.
  public var isBySurah: Bool { names.isEmpty && !surahs.isEmpty }

  /// Whether all files of an ayah are there, or that of its surah.
  public func has(_ ayah: AyahReference) -> Bool {
    files(of: ayah) != nil || surahs[ayah.surah] != nil
  }

  /// The files of an ayah in the order in which they are heard; nil where one is missing.
  public func files(of ayah: AyahReference) -> [String]? {
    whole(ayah) { names[Number(surah: ayah.surah, ayah: $0)] }
  }

  /// The file that should have an ayah and is none; nil where there is one, or no such name.
  func unusableFile(of ayah: AyahReference) -> String? {
    guard !has(ayah) else { return nil }
    let ofAyah = numbering.numbers(of: ayah)?.lazy.compactMap { number in
      unusable.ayat[Number(surah: ayah.surah, ayah: number)]
    }.first
    return ofAyah ?? unusable.surahs[ayah.surah]
  }

  /// Names of files that should have sound and are none, with what they should hold.
  var unusableFiles: [File] {
    Self.files(unusable, numbering).filter { file in
      SourceFile.isOfSurah(file.name) ? surahs[file.ayah.surah] == nil : !has(file.ayah)
    }
  }

  /// Names of files that are of no ayah in the counting of Hafs, an offset taken off.
  var strays: [String] {
    guard case .offset(let offset) = numbering else { return unnumbered }
    return unnumbered
      + names.filter { $0.key.ayah > $0.key.surah.ayahCount + max(0, offset) }.values.sorted()
  }

  /// Whether there is a file with an ayah of that number.
  func hasFile(of surah: Surah, number: Int) -> Bool {
    names[Number(surah: surah, ayah: number)] != nil
  }

  /// The ayat that are heard in the files of an ayah.
  public func ayat(heardWith ayah: AyahReference) -> AyahRange {
    numbering.ayat(heardWith: ayah)
  }

  /// Whether an ayah is in several files.
  public func isInParts(_ ayah: AyahReference) -> Bool {
    numbering.numbers(of: ayah).map { $0.count > 1 } ?? false
  }

  /// All files with an ayah each, without those of whole surahs.
  public var ayahFiles: [File] {
    let whole = Set(surahs.values)
    return files.filter { !whole.contains($0.name) }
  }

  /// The files of an ayah, some of which have come since the folder was looked at.
  func arrived(_ ayah: AyahReference) -> [String]? {
    whole(ayah) { arrived(Self.stem(of: ayah.surah, number: $0)) }
  }

  private func whole(
    _ ayah: AyahReference, _ name: (_ number: Int) -> String?
  ) -> [String]? {
    guard let numbers = numbering.numbers(of: ayah) else { return nil }
    let found = numbers.compactMap(name)
    return found.count == numbers.count ? found : nil
  }

  private func arrived(_ stem: String) -> String? {
    Self.endings.lazy.map { "\(stem).\($0)" }.first { access("\(path)/\($0)", R_OK) == 0 }
  }

  /// A file with a whole surah that has come since the folder was looked at.
  func arrived(_ surah: Surah) -> String? { arrived(Self.stem(of: surah)) }

  /// All files in which an ayah is heard, in order.
  public var files: [File] {
    Self.files(Names(ayat: names, surahs: surahs), numbering)
  }

  private static func files(_ names: Names, _ numbering: SourceNumbering) -> [File] {
    let ofAyat = names.ayat.compactMap { number, name -> File? in
      numbering.firstAyah(of: number.ayah, in: number.surah).flatMap { ayah in
        numbering.numbers(of: ayah).map {
          File(ayah: ayah, part: number.ayah - $0.lowerBound + 1, name: name)
        }
      }
    }
    let ofSurahs = names.surahs.map { File(ayah: $0.key.firstAyah, part: 1, name: $0.value) }
    return (ofAyat + ofSurahs).sorted { ($0.ayah, $0.part, $0.name) < ($1.ayah, $1.part, $1.name) }
  }

  /// Why a name in a folder is no file with sound, for people; nil where it may be one.
  func fault(ofFile name: String) -> String? {
    let path = path + "/" + name
    var status = stat()
    if !followsLinks, lstat(path.diskName, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
      return "is a link, and none is followed in the library"
    }
    do throws(DecodingError) {
      _ = try MediaFile(path: path)
      return nil
    } catch {
      return error.kind == .noSuchFile ? "is a broken link" : error.cause
    }
  }

  /// Nil where there is no such file.
  static func size(of path: String) -> Int64? {
    var status = stat()
    return stat(path.diskName, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// `002255`.
  static func stem(of surah: Surah, number: Int) -> String {
    String("\(1_000_000 + surah.number * 1000 + number)".dropFirst())
  }

  /// `002`.
  static func stem(of surah: Surah) -> String { String("\(1000 + surah.number)".dropFirst()) }
}

extension Library {
  /// What was fetched of a source and is of the kind that it has now: whole surahs, or an ayah each.
  func files(of source: ReciterSource) throws(LibraryError) -> [SourceFile] {
    try files(of: source.id).filter { SourceFile.isOfSurah($0.name) == source.isBySurah }
  }
}

extension ReciterSource {
  /// How fetched files are numbered: as the source's own under a mapping, else as the ayat are.
  var fetchedNumbering: SourceNumbering { mapping.map { .mapping($0) } ?? .offset(0) }

  /// Whether it is known which of its files hold an ayah of a surah.
  func hasKnownNumbers(of surah: Surah) -> Bool {
    mapping?.maps(surah) ?? false || riwayah.numbersLikeHafs(surah)
  }

  /// The addresses of its timings; nil for a file of the user's, and for none.
  public var timingsAddresses: SourcePattern? {
    timings.flatMap { SourcePattern.isAddress($0) ? try? SourcePattern(timings: $0) : nil }
  }

  /// The file of the published timings of a surah: the user's own, or where those that are fetched go.
  public func timingsFile(of surah: Surah, in folder: LibraryFolder) -> String? {
    guard let pattern = timingsAddresses else { return timings }
    let stem = pattern.namesSurah ? "timings-\(AyahFolder.stem(of: surah))" : "timings"
    return folder.fetched(of: self) + "/" + stem + ".json"
  }

  /// The ayat of which a folder has files, those of whole surahs included, without those whose number may be another
  /// ayah's.
  public func ayat(in folder: AyahFolder) -> [AyahReference] {
    AyahRange.wholeQuran.filter { folder.has($0) && hasKnownNumbers(of: $0.surah) }
  }

  /// The surahs of which a folder has files whose numbers may be other ayat's.
  public func surahsNumberedOtherwise(in folder: AyahFolder) -> [Surah] {
    Surah.all.filter { surah in
      !hasKnownNumbers(of: surah) && surah.ayat.contains { folder.has($0) }
    }
  }

  /// Names of files in a folder that no ayah has.
  public func strays(in folder: AyahFolder) -> [String] {
    riwayah.countsAsHafs ? folder.strays : []
  }

  /// What a file of its addresses holds that begins with an ayah.
  public func ayat(inFileWith ayah: AyahReference) -> AyahRange {
    isBySurah ? ayah.surah.ayat : AyahRange(ayah)
  }

  /// Whether it has addresses of files with whole surahs; a folder may hold both kinds.
  public var isBySurah: Bool {
    guard case .addresses(let text) = place else { return false }
    return (try? SourcePattern(text))?.isBySurah ?? false
  }
}
