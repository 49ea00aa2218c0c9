// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
public import Library
public import Quran

/// Which files of a source were compared with its timings, and what came of it.
public struct FileComparisons: Sendable {
  /// A file whose timings do not count.
  public struct Unfit: Hashable, Sendable {
    /// What is heard in it.
    public let ayat: AyahRange
    /// Why, without what file it is. Not safe to print as it is.
    public let remark: String

    public init(_ ayat: AyahRange, _ remark: String) {
      self.ayat = ayat
      self.remark = remark
    }
  }

  /// The first ayat of files that were never compared with the timings that are here now.
  public private(set) var uncompared: [AyahReference] = []
  public private(set) var unfit: [Unfit] = []

  /// - Parameters:
  ///   - folder: of the source.
  ///   - ayat: of the files to look at; nil for all.
  public init(
    of source: ReciterSource, in folder: AyahFolder, _ library: Library,
    of ayat: Set<AyahReference>? = nil
  ) throws(LibraryError) {
    try self.init(of: source, in: folder, library, of: ayat, TimingsHashes())
  }

  /// The same, with what is known of files of timings.
  init(
    of source: ReciterSource, in folder: AyahFolder, _ library: Library,
    of ayat: Set<AyahReference>?, _ hashes: TimingsHashes
  ) throws(LibraryError) {
    guard source.timings != nil else { return }
    let compared = Dictionary(
      try library.comparisons(of: source.id).map { ($0.file, $0) },
      uniquingKeysWith: { first, _ in first })
    var uncompared: Set<AyahReference> = []
    for file in folder.files {
      let held = folder.ayat(in: file)
      guard ayat.map({ held.contains(where: $0.contains) }) ?? true,
        let path = source.timingsFile(of: file.ayah.surah, in: library.folder),
        let hash = hashes[path]
      else { continue }
      let bytes = AyahFolder.size(of: folder.path + "/" + file.name) ?? 0
      if let known = compared[file.name], known.bytes == bytes, known.timings == hash {
        if let remark = known.remark { unfit.append(Unfit(held, remark)) }
      } else {
        uncompared.insert(file.ayah)
      }
    }
    self.uncompared = uncompared.sorted()
  }

  /// Leaves files out.
  /// - Parameter isOut: gets the first ayah of each.
  func leavingOut(_ isOut: (AyahReference) -> Bool) -> FileComparisons {
    var rest = self
    rest.uncompared.removeAll(where: isOut)
    rest.unfit.removeAll { isOut($0.ayat.first) }
    return rest
  }
}

/// What tells files of timings apart, read once as long as they do not change.
final class TimingsHashes: Sendable {
  private struct Known: Sendable {
    let modified: timespec
    let bytes: off_t
    let hash: [UInt8]?
  }

  private let known = Monitor<[String: Known]>([:])

  /// Nil for a file that is not here or cannot be read.
  subscript(path: String) -> [UInt8]? {
    var status = stat()
    guard stat(path.diskName, &status) == 0 else { return nil }
    if let last = known.update({ $0[path] }), last.bytes == status.st_size,
      last.modified.tv_sec == status.st_mtim.tv_sec,
      last.modified.tv_nsec == status.st_mtim.tv_nsec
    {
      return last.hash
    }
    let hash = SourceComparison.hash(ofTimings: path)
    known.update { $0[path] = Known(modified: status.st_mtim, bytes: status.st_size, hash: hash) }
    return hash
  }
}

extension AyahFolder {
  /// What is heard in a file of it.
  public func ayat(in file: File) -> AyahRange {
    let surah = file.ayah.surah
    return surahs[surah] == file.name ? surah.ayat : ayat(heardWith: file.ayah)
  }
}
