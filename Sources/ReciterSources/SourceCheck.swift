// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Decoding
public import Library
public import Quran

/// Something wrong with a file of a source.
public struct SourceProblem: Hashable, Sendable {
  /// The ayah that the file holds, or the first of its surah; nil where it is the whole folder.
  public let ayah: AyahReference?
  public let file: String
  /// What is wrong and what to do, in one line. Not safe to print as it is.
  public let message: String
  /// Whether something is lost or wrong, and not only missing.
  public let isDamage: Bool
}

extension ReciterSource {
  /// Looks at the files of a source.
  ///
  /// - Parameters:
  ///   - isThorough: reads every file to its end, and compares what was fetched with what it was then. Otherwise only
  ///     looks at what was fetched: whether it is there, and as long as it was.
  ///   - progress: gets the share done and says whether to go on.
  /// - Throws: `LibraryError`: `.cancelled`, or what keeps the library from being read.
  public func check(
    in library: Library, isThorough: Bool, stopFlag: StopFlag, progress: (Double) -> Bool
  ) throws(LibraryError) -> [SourceProblem] {
    let folder = try AyahFolder(of: self, in: library)
    if case .folder(let path) = place, !folder.isReadable {
      return [
        SourceProblem(
          ayah: nil, file: path,
          message: "\(AyahFolder.missing); \(AyahFolder.missingRemedy(self))", isDamage: false)
      ]
    }
    var problems: [SourceProblem] = []
    let fetched = try library.files(of: self)
    let known = Dictionary(
      fetched.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    // Names may differ from those of who has published it, such as in their format.
    let published = Dictionary(
      (SourceManifest.imported(with: self, in: library)?.files ?? []).map { ($0.place, $0) },
      uniquingKeysWith: { first, _ in first })
    let here = folder.files
    // In another format it is there all the same.
    func stem(_ name: String) -> Substring { name.prefix { $0 != "." } }
    let changed = Dictionary(
      folder.changed.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let stems = Set(here.map { stem($0.name) } + changed.keys.map(stem))
    let gone = fetched.filter {
      !stems.contains(stem($0.name)) || changed[$0.name] != nil
    }.map {
      AyahFolder.File(ayah: $0.ayah, part: 1, name: $0.name)
    }
    let all = (here + gone).sorted { ($0.ayah, $0.part) < ($1.ayah, $1.part) }
    for (index, file) in all.enumerated() {
      guard progress(Double(index) / Double(all.count)), !stopFlag.isStopped else {
        throw LibraryError(.cancelled, self.name)
      }
      let path = folder.path + "/" + file.name
      if let change = changed[file.name] {
        problems.append(
          SourceProblem(
            ayah: file.ayah, file: path,
            message: "\(change.description); 'source fetch' fetches it again", isDamage: true))
      } else if !stems.contains(stem(file.name)) {
        problems.append(
          SourceProblem(
            ayah: file.ayah, file: path,
            message: "a fetched file is missing; 'source fetch' fetches it again", isDamage: false)
        )
      } else if let reason = Self.damage(
        of: path, fetched: known[file.name], published: published[.init(file)],
        isThorough: isThorough, stopFlag: stopFlag)
      {
        guard !stopFlag.isStopped else { throw LibraryError(.cancelled, self.name) }
        problems.append(
          SourceProblem(ayah: file.ayah, file: path, message: reason, isDamage: true))
      }
    }
    // What of an address is not here has not been fetched; a folder should have what is said to be in it.
    if isThorough, case .folder = place {
      let places = Set(here.map(SourceManifest.File.Place.init))
      problems += published.values.filter { !places.contains($0.place) }.map {
        SourceProblem(
          ayah: AyahReference($0.ayah), file: folder.path + "/" + $0.name,
          message: "the manifest lists this file, and it is missing", isDamage: false)
      }.sorted { ($0.ayah ?? .first, $0.file) < ($1.ayah ?? .first, $1.file) }
    }
    return problems
  }

  private static func damage(
    of path: String, fetched: SourceFile?, published: SourceManifest.File?, isThorough: Bool,
    stopFlag: StopFlag
  ) -> String? {
    guard isThorough || fetched != nil else { return nil }
    do throws(DecodingError) {
      let file = try MediaFile(path: path)
      if let fetched {
        let hash = isThorough ? try SourceCache.hash(of: file) : fetched.hash
        if file.size != fetched.bytes || hash != fetched.hash {
          return "the file has changed since it was fetched; delete it and run 'source fetch'"
        }
      }
      guard isThorough else { return nil }
      if let published, try published.differs(from: file) {
        return "the size or SHA-256 differs from the manifest"
      }
      return WholeFile.problem(of: path, stopFlag: stopFlag)
    } catch {
      return error.explanation
    }
  }
}
