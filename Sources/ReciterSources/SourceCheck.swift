// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Decoding
public import Library
public import Quran

/// Something wrong with a file of a source.
public struct SourceProblem: Hashable, Sendable {
  /// What the file holds; nil where it is the whole folder.
  public let ayat: AyahRange?
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
  ///   - depth: how closely.
  ///   - progress: gets the share done and says whether to go on.
  /// - Throws: `LibraryError`: `.cancelled`, or what keeps the library from being read.
  public func check(
    in library: Library, _ depth: SourceCheckDepth, stopFlag: StopFlag,
    progress: (Double) -> Bool = { _ in true }
  ) throws(LibraryError) -> [SourceProblem] {
    let folder = try AyahFolder(of: self, in: library)
    if let message = folder.faultAndRemedy(of: self) {
      return [SourceProblem(ayat: nil, file: folder.path, message: message, isDamage: false)]
    }
    var problems: [SourceProblem] = []
    let fetched = try library.files(of: self)
    let known = Dictionary(
      fetched.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    // Names may differ from those of who has published it, such as in their format.
    let published =
      depth == .lengths
      ? [:]
      : Dictionary(
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
      let held = ayat(in: file, of: folder)
      func note(_ message: String, isDamage: Bool) {
        problems.append(
          SourceProblem(
            ayat: held, file: folder.path + "/" + file.name,
            message: message, isDamage: isDamage))
      }
      if let change = changed[file.name] {
        note("\(change.description); \(fetching(held))", isDamage: true)
      } else if !stems.contains(stem(file.name)) {
        note("a fetched file is missing; \(fetching(held))", isDamage: false)
      } else if let reason = damage(
        of: folder.path + "/" + file.name, holding: held, fetched: known[file.name],
        published: published[.init(file)], depth, stopFlag: stopFlag)
      {
        guard !stopFlag.isStopped else { throw LibraryError(.cancelled, self.name) }
        note(reason, isDamage: true)
      }
    }
    problems += folder.unusableFiles.compactMap { file in
      let path = folder.path + "/" + file.name
      return folder.fault(ofFile: file.name).map { fault in
        let held = ayat(in: file, of: folder)
        return SourceProblem(
          ayat: held, file: path, message: "\(fault); \(replacement(of: held))", isDamage: true)
      }
    }
    // What of an address is not here has not been fetched; a folder should have what is said to be in it.
    if case .folder = place {
      let places = Set(here.map(SourceManifest.File.Place.init))
      problems += published.values.filter { !places.contains($0.place) }.map {
        SourceProblem(
          ayat: AyahReference($0.ayah).map(AyahRange.init), file: folder.path + "/" + $0.name,
          message: "the manifest lists this file, and it is missing", isDamage: false)
      }.sorted { ($0.ayat?.first ?? .first, $0.file) < ($1.ayat?.first ?? .first, $1.file) }
    }
    return problems
  }

  /// What is in a file, or was.
  private func ayat(in file: AyahFolder.File, of folder: AyahFolder) -> AyahRange {
    SourceFile.isOfSurah(file.name) ? file.ayah.surah.ayat : folder.ayat(heardWith: file.ayah)
  }

  /// What is wrong with a file that is here, and what to do.
  private func damage(
    of path: String, holding ayat: AyahRange, fetched: SourceFile?, published: SourceManifest.File?,
    _ depth: SourceCheckDepth, stopFlag: StopFlag
  ) -> String? {
    guard depth != .lengths || fetched != nil else { return nil }
    let isRead = depth == .content
    do throws(DecodingError) {
      let file = try MediaFile(path: path)
      if let fetched {
        let hash = isRead ? try SourceCache.hash(of: file) : fetched.hash
        if file.size != fetched.bytes || hash != fetched.hash {
          return "the file has changed since it was fetched; \(replacement(of: ayat))"
        }
      }
      if let published, try published.differs(from: file, isRead: isRead, known: fetched?.differs) {
        return
          "the size or SHA-256 differs from the manifest; listen to it, or ask who exported the manifest"
      }
      guard isRead else { return nil }
      return WholeFile.problem(of: path, stopFlag: stopFlag).map {
        "\($0); \(replacement(of: ayat))"
      }
    } catch {
      return error.explanation
    }
  }

  /// What to do about a file that is no recitation.
  private func replacement(of ayat: AyahRange) -> String {
    switch place {
    case .folder: "replace the file"
    case .addresses: fetching(ayat, option: " --renew")
    }
  }

  private func fetching(_ ayat: AyahRange, option: String = "") -> String {
    "'source fetch \(name.commandWord) \(ayat.numericDescription)\(option)' fetches it again"
  }
}

/// How closely the files of a source are looked at.
public enum SourceCheckDepth: Hashable, Sendable {
  /// Whether what was fetched is there, and as long as it was.
  case lengths
  /// Besides, whether files are those of the manifest that the source was imported from, as far as their lengths and
  /// earlier comparisons tell.
  case manifest
  /// Every file to its end, what was fetched compared with what it was then, and all with the manifest.
  case content
}
