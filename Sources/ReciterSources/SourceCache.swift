// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Fetch
public import Library
import Quran

/// What was fetched of a source, and what the library knows of it.
final class SourceCache {
  private let library: Library
  private let source: ReciterSource
  /// What the manifest says that the source was imported from.
  private lazy var published = Dictionary(
    (SourceManifest.imported(with: source, in: library)?.files ?? []).map { ($0.place, $0) },
    uniquingKeysWith: { first, _ in first })

  init(library: Library, source: ReciterSource) {
    self.library = library
    self.source = source
  }

  private var path: String { library.folder.fetched(of: source) }

  /// Enters whole files that nobody had come to enter when the program ended. To be called with the source locked.
  func mend() throws {
    let records = Set((FolderListing.names(in: path) ?? []).filter(Downloader.isRecord))
    guard !records.isEmpty else { return }
    for record in records {
      let name = String(record.dropLast(Downloader.record(of: "").count))
      guard AyahFolder.size(of: path + "/" + name) != nil,
        Downloader.leftRecord(of: path + "/" + name) != nil
      else { continue }
      try setOtherFormatsAside(than: name)
      // Timings are entered nowhere.
      if name.hasPrefix("timings") { Downloader.forgetRecord(of: path + "/" + name) }
    }
    for file in AyahFolder(path, source.fetchedNumbering).files {
      guard records.contains(Downloader.record(of: file.name)),
        let left = Downloader.leftRecord(of: path + "/" + file.name)
      else { continue }
      try enter(file, url: left.url, etag: left.etag)
    }
  }

  /// Enters a whole file. Where it is not the one of the manifest, no timings of it count that are known: they were
  /// checked with another file.
  /// - Returns: whether it is.
  @discardableResult
  func enter(_ entry: AyahFolder.File, url: String, etag: String?) throws -> Bool {
    let (ayah, name) = (entry.ayah, entry.name)
    let file = try MediaFile(path: path + "/" + name)
    let differs = try published[.init(entry)]?.differs(from: file) ?? false
    try library.enter(
      SourceFile(
        ayah: ayah, name: name, url: url, bytes: file.size, hash: try Self.hash(of: file),
        etag: etag, differs: differs),
      of: source.id)
    if differs {
      try library.replaceSpans(
        of: source.isBySurah ? ayah.surah.ayat : AyahRange(ayah), with: [], in: source.id)
    }
    try setOtherFormatsAside(than: name)
    Downloader.forgetRecord(of: path + "/" + name)
    return !differs
  }

  /// What was fetched before under another ending would be heard in place of a file.
  private func setOtherFormatsAside(than name: String) throws {
    let stem = name.prefix { $0 != "." }
    for other in AyahFolder.endings.map({ "\(stem).\($0)" }) where other != name {
      guard AyahFolder.size(of: path + "/" + other) != nil else { continue }
      try library.setAside(other, in: path)
      for file in try library.files(of: source.id) where file.name == other {
        try library.forget(file, of: source.id)
      }
    }
  }

  static func hash(of file: MediaFile) throws(DecodingError) -> [UInt8] {
    var hash = ContentHash()
    try read(file) { hash.update($0) }
    return hash.digest()
  }

  static func sha256(of file: MediaFile) throws(DecodingError) -> String {
    var hash = SHA256()
    try read(file) { hash.update($0) }
    return hash.digest()
  }

  private static func read(
    _ file: MediaFile, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(DecodingError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while offset < file.size {
      let count = try file.read(at: offset, into: buffer)
      guard count > 0 else { break }
      take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
  }
}

extension SourceComparison {
  /// What tells files of timings apart; nil for one that is not here or cannot be read.
  public static func hash(ofTimings path: String) -> [UInt8]? {
    do throws(DecodingError) {
      return try SourceCache.hash(of: MediaFile(path: path))
    } catch {
      return nil
    }
  }
}
