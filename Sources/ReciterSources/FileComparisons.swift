// SPDX-License-Identifier: GPL-3.0-or-later

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
    guard source.timings != nil else { return }
    let compared = Dictionary(
      try library.comparisons(of: source.id).map { ($0.file, $0) },
      uniquingKeysWith: { first, _ in first })
    var hashes: [String: [UInt8]?] = [:]
    var uncompared: Set<AyahReference> = []
    for file in folder.files {
      let held = folder.ayat(in: file)
      guard ayat.map({ held.contains(where: $0.contains) }) ?? true,
        let path = source.timingsFile(of: file.ayah.surah, in: library.folder)
      else { continue }
      if hashes[path] == nil { hashes[path] = .some(SourceComparison.hash(ofTimings: path)) }
      guard let hash = hashes[path] ?? nil else { continue }
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

extension AyahFolder {
  /// What is heard in a file of it.
  public func ayat(in file: File) -> AyahRange {
    let surah = file.ayah.surah
    return surahs[surah] == file.name ? surah.ayat : ayat(heardWith: file.ayah)
  }
}
