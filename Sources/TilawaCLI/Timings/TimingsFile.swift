// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Library
import Quran
import ReciterSources
import Timings

/// A file of published timings, whatever its format.
enum TimingsFile {
  /// Why a file is no published timings of a surah; nil where it is. Not safe to print as it is.
  static func problem(of path: String, _ surah: Surah) -> String? {
    do throws(Problem) {
      let timings = try content(of: path, surah: surah)
      return timings.surahs.contains(surah) ? nil : "the file has no timings of \(surah)"
    } catch {
      return error.cause
    }
  }

  /// Why a file cannot be read as timings.
  private struct Problem: Error {
    /// That of a ``Failure``.
    let code: String
    let cause: String
    let remedy: String?

    init(code: String, cause: String, remedy: String? = nil) {
      self.code = code
      self.cause = cause
      self.remedy = remedy
    }

    init(_ error: TimingsError, _ code: String = "not_timings") {
      self.init(code: code, cause: error.cause, remedy: error.remedy)
    }
  }

  /// - Parameter surah: of which surah it is, for formats that do not say so; nil where nobody has said it and the
  ///   file's name does not tell.
  static func read(_ path: String, surah: Surah? = nil) throws(Failure) -> PublishedTimings {
    do throws(Problem) {
      return try content(of: path, surah: surah)
    } catch {
      let remedy = error.remedy.map { "; \($0)" } ?? ""
      throw Failure(code: error.code, message: "\(path): \(error.cause)\(remedy)")
    }
  }

  private static func content(
    of path: String, surah: Surah?
  ) throws(Problem) -> PublishedTimings {
    guard let bytes = TextFile.bytes(of: path, limit: TimingsLimit.bytes) else {
      let code = errno
      if code == EFBIG { throw Problem(.tooLarge(bytes: TimingsLimit.bytes + 1), "too_large") }
      throw Problem(
        code: code == ENOENT ? "no_such_file" : code == EISDIR ? "not_a_file" : "io_error",
        cause: String(cString: strerror(code)),
        remedy: code == ENOENT || code == EISDIR ? "give the path of a file of timings" : nil)
    }
    do throws(TimingsError) {
      guard bytes.starts(with: "SQLite format 3\0".utf8) else {
        return try PublishedTimings(json: bytes, surah: surah ?? Self.surah(named: path))
      }
    } catch {
      throw Problem(error)
    }
    return try android(path)
  }

  private static func android(_ path: String) throws(Problem) -> PublishedTimings {
    let entries: [TimingDatabase.Entry]
    do throws(LibraryError) {
      entries = try TimingDatabase.entries(of: path)
    } catch {
      guard error.kind == .unusable else {
        throw Problem(code: Failure(error).code, cause: error.detail)
      }
      throw Problem(code: "not_timings", cause: error.detail, remedy: TimingDatabase.remedy)
    }
    do throws(TimingsError) {
      return try PublishedTimings(
        android: entries.compactMap { entry in
          let (number, ayah) = entry.numbers
          return Surah(number).map {
            .init($0, ayah: ayah, time: Int(entry.milliseconds), words: entry.words)
          }
        })
    } catch {
      throw Problem(error)
    }
  }

  /// The surah that a file's name tells: `036.mp3`, `emad_036_64kb.opus`, `36.json`; nil where it holds several numbers
  /// that may be it.
  static func surah(named path: String) -> Surah? {
    let name = path.split(separator: "/").last ?? ""
    let stem = name.prefix { $0 != "." }
    func surahs(_ numbers: [Substring]) -> [Substring: Surah] {
      let known = numbers.filter { $0.count <= 3 }.compactMap { number in
        Int(number).flatMap { Surah($0) }.map { (number, $0) }
      }
      return Dictionary(known, uniquingKeysWith: { first, _ in first })
    }
    let numbers = stem.split { !("0"..."9").contains($0) }
    let words = stem.split { !$0.isLetter && !$0.isNumber }
    // Those that touch letters are of rates, versions and formats, unless there is no other.
    let alone = surahs(words.filter { numbers.contains($0) })
    let candidates = alone.isEmpty ? surahs(numbers.filter { $0.count == 3 }) : alone
    let whole = candidates.filter { $0.key.count == 3 }
    let found = Set((whole.isEmpty ? candidates : whole).values)
    return found.count == 1 ? found.first : nil
  }

  /// Why a file whose name is as that of an ayah is not one, for people; nil for other names.
  static func faultOfAyahName(_ path: String) -> String? {
    let stem = (path.split(separator: "/").last ?? "").prefix { $0 != "." }
    guard stem.utf8.count == 6, stem.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      AyahFolder.ayah(named: stem) == nil, let surah = Int(stem.prefix(3)),
      let ayah = Int(stem.suffix(3))
    else { return nil }
    return "there is no ayah \(surah):\(ayah)"
  }

  /// What lies beside a recording: `036.json` beside `036.mp3`, else `timings.json` or `segments.json` of its folder.
  static func beside(_ recording: String) -> String? {
    let folder = parentFolder(of: recording) ?? "."
    let name = recording.split(separator: "/").last.map(String.init) ?? recording
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    return ["\(stem).json", "timings.json", "segments.json"].map { folder + "/" + $0 }
      .first { FileKind(path: $0) == .file }
  }
}
