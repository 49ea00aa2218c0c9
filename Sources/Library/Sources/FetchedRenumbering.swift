// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Quran

/// Fetched files with an ayah each that a changed offset makes those of other ayat: they are kept under our numbers, or
/// under the source's where a mapping tells which ayat these are.
///
/// They are out of use before the source is changed, so that a kill between the two leaves ayat to fetch and none that is
/// heard for another; and nobody fetches of the source until they have their new names.
struct FetchedRenumbering {
  private let lock: SourceLock
  private let folder: String
  private let files: [(file: SourceFile, number: Int, aside: String)]

  /// Takes them out of use.
  /// - Parameter changed: as the source is to be.
  /// - Returns: nil where no file gets another number.
  /// - Throws: `.held` when another process fetches the source.
  init?(of changed: ReciterSource, in library: Library) throws(LibraryError) {
    guard let old = try library.sources().first(where: { $0.id == changed.id }),
      old.fetchedOffset != changed.fetchedOffset, let path = library.fetchedFolder(of: old)
    else { return nil }
    let fetched = try library.files(of: old.id).filter { !SourceFile.isOfSurah($0.name) }
    guard !fetched.isEmpty else { return nil }
    lock = try library.hold(old)
    folder = path
    var files: [(SourceFile, Int, String)] = []
    for file in fetched {
      if access("\(path)/\(file.name)".diskName, F_OK) == 0 {
        let aside = try library.setAside(file.name, in: path)
        if let number = Int(file.name.dropFirst(3).prefix(3)) {
          files.append((file, number + old.fetchedOffset, aside))
        }
      }
      try library.forget(file, of: old.id)
    }
    self.files = files
  }

  /// Gives those back that come from an address that the changed source has for an ayah. The others stay out of use: which
  /// ayah another publisher has under a number, nobody has said.
  func finish(as changed: ReciterSource, in library: Library) throws(LibraryError) {
    guard case .addresses(let text) = changed.place, let pattern = try? SourcePattern(text) else {
      return
    }
    var renamed: [SourceFile] = []
    for (file, number, aside) in files {
      let kept = number - changed.fetchedOffset
      guard let ayah = changed.numbering.firstAyah(of: number, in: file.ayah.surah),
        pattern.url(of: file.ayah.surah, number: number) == file.url,
        AyahMapping.numbers.contains(kept)
      else { continue }
      let stem = String(String(1000 + kept).dropFirst())
      let name = "\(file.name.prefix(3))\(stem)\(file.name.dropFirst(6))"
      guard access("\(folder)/\(name)".diskName, F_OK) != 0 else { continue }
      try FileMove.rename("\(folder)/\(aside)", to: "\(folder)/\(name)")
      renamed.append(
        SourceFile(
          ayah: ayah, name: name, url: file.url, bytes: file.bytes, hash: file.hash,
          etag: file.etag, differs: file.differs, fetchedAt: file.fetchedAt))
    }
    try library.write { db in
      for file in renamed {
        try Library.insert(file, fetchedAt: file.fetchedAt, of: changed.id, db)
        try SourceComparison.forget(file: file.name, of: changed.id, db)
      }
    }
    withExtendedLifetime(lock) {}
  }
}
