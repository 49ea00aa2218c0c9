// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Library
import Quran
import Timings

/// A file of published timings, whatever its format.
enum TimingsFile {
  /// Why a file is no published timings of a surah; nil where it is. Not safe to print as it is.
  static func problem(of path: String, _ surah: Surah) -> String? {
    do throws(Failure) {
      let timings = try read(path, surah: surah)
      return timings.surahs.contains(surah) ? nil : "the file has no timings of \(surah)"
    } catch {
      return error.message
    }
  }

  /// - Parameter surah: of which surah it is, for formats that do not say so; nil where nobody has said it and the
  ///   file's name does not tell.
  static func read(_ path: String, surah: Surah? = nil) throws(Failure) -> PublishedTimings {
    guard let bytes = TextFile.bytes(of: path, limit: TimingsLimit.bytes) else {
      let code = errno
      if code == EFBIG {
        throw Failure(
          code: "too_large",
          message: "\(path): \(TimingsError.tooLarge(bytes: TimingsLimit.bytes + 1))")
      }
      throw Failure(
        code: code == ENOENT ? "no_such_file" : code == EISDIR ? "not_a_file" : "io_error",
        message: "\(path): \(String(cString: strerror(code)))")
    }
    do throws(TimingsError) {
      guard bytes.starts(with: "SQLite format 3\0".utf8) else {
        return try PublishedTimings(json: bytes, surah: surah ?? Self.surah(named: path))
      }
    } catch {
      throw Failure(code: "not_timings", message: "\(path): \(error)")
    }
    return try android(path)
  }

  private static func android(_ path: String) throws(Failure) -> PublishedTimings {
    let entries: [TimingDatabase.Entry]
    do throws(LibraryError) {
      entries = try TimingDatabase.entries(of: path)
    } catch {
      throw Failure(error)
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
      throw Failure(code: "not_timings", message: "\(path): \(error)")
    }
  }

  /// The surah that a file's name tells: `036.mp3`, `emad_036.opus`, `36.json`.
  static func surah(named path: String) -> Surah? {
    let name = path.split(separator: "/").last ?? ""
    let stem = name.prefix { $0 != "." }
    let runs = stem.split { !("0"..."9").contains($0) }
    guard let number = runs.last, number.count <= 3, let surah = Int(number) else { return nil }
    return Surah(surah)
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
