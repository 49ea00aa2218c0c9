// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
public import Library
public import Quran

/// The files of a folder that are named by the ayah they hold, `002255.mp3`, or by the surah, `002.mp3`, as they were
/// when it was looked at.
public struct AyahFolder: Sendable {
  public let path: String
  /// Names in the folder.
  public let names: [AyahReference: String]
  /// Names of files with whole surahs.
  public let surahs: [Surah: String]
  /// Whether there is such a folder, and it can be read.
  public let isReadable: Bool
  private let offset: Int

  /// Files of one ayah in several formats: the first by its name counts.
  /// - Parameter offset: what is added to an ayah's number to have the file's.
  public init(_ path: String, offset: Int = 0) {
    self.path = path
    self.offset = offset
    let entries = try? FileManager.default.contentsOfDirectory(atPath: path)
    isReadable = entries != nil
    var names: [AyahReference: String] = [:]
    var surahs: [Surah: String] = [:]
    for name in (entries ?? []).sorted() {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        Self.endings.contains(parts[1].lowercased()), let surah = Int(parts[0].prefix(3))
      else { continue }
      switch parts[0].utf8.count {
      case 3:
        if let surah = Surah(surah), surahs[surah] == nil { surahs[surah] = name }
      case 6:
        guard let number = Int(parts[0].suffix(3)),
          let ayah = AyahReference(surah: surah, ayah: number - offset), names[ayah] == nil
        else { continue }
        names[ayah] = name
      default: continue
      }
    }
    self.names = names
    self.surahs = surahs
  }

  /// What is heard of a source without asking the network.
  public init(of source: ReciterSource, in folder: LibraryFolder) {
    switch source.place {
    case .folder(let path): self.init(path, offset: source.ayahOffset)
    // What is fetched is named by our own numbers.
    case .addresses: self.init(folder.fetched(of: source))
    }
  }

  static let endings: Set<String> = [
    "mp3", "m4a", "aac", "ogg", "opus", "oga", "flac", "wav", "wma", "webm", "mp4", "aiff", "aif",
    "caf",
  ]

  /// How many ayat there are files of, those in files of whole surahs included.
  public var ayahCount: Int {
    names.keys.count { surahs[$0.surah] == nil } + surahs.keys.reduce(0) { $0 + $1.ayahCount }
  }

  /// What an ayah is in: a file of its own, or that of its surah; nil for none.
  public func file(of ayah: AyahReference) -> String? { names[ayah] ?? surahs[ayah.surah] }

  /// A file with one ayah that has come since the folder was looked at.
  func arrived(_ ayah: AyahReference) -> String? {
    // A number beyond three digits would be another file's.
    guard (1...999).contains(ayah.ayah + offset) else { return nil }
    return arrived(Self.stem(surah: ayah.surah.number, ayah: ayah.ayah + offset))
  }

  private func arrived(_ stem: String) -> String? {
    Self.endings.lazy.map { "\(stem).\($0)" }.first { access("\(path)/\($0)", R_OK) == 0 }
  }

  /// A file with a whole surah that has come since the folder was looked at.
  func arrived(_ surah: Surah) -> String? { arrived(Self.stem(of: surah)) }

  /// All files by the first ayah in them.
  public var files: [AyahReference: String] {
    names.merging(surahs.map { ($0.key.firstAyah, $0.value) }) { ayah, _ in ayah }
  }

  /// `002255`.
  static func stem(of ayah: AyahReference) -> String {
    stem(surah: ayah.surah.number, ayah: ayah.ayah)
  }

  private static func stem(surah: Int, ayah: Int) -> String {
    String("\(1_000_000 + surah * 1000 + ayah)".dropFirst())
  }

  /// `002`.
  static func stem(of surah: Surah) -> String { String("\(1000 + surah.number)".dropFirst()) }
}

extension ReciterSource {
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

  /// Whether it has addresses of files with whole surahs; a folder may hold both kinds.
  public var isBySurah: Bool {
    guard case .addresses(let text) = place else { return false }
    return (try? SourcePattern(text))?.isBySurah ?? false
  }
}
