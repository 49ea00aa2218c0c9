// SPDX-License-Identifier: GPL-3.0-or-later

/// Why a file of timings was not read. The caller names the file.
public enum TimingsError: Error, Hashable, Sendable {
  /// It is no JSON; the reason with its place.
  case notJSON(String)
  case unknownFormat
  case malformed(TimingsFormat, path: String, reason: String)
  /// The format does not say of which surah it is.
  case noSurah(TimingsFormat)
  /// The file is of one surah, of which it has so many ayat, and cannot be of the one that is wanted.
  case otherSurah(TimingsFormat, ayat: Int)
  case tooLarge(bytes: Int)
  case tooMany(TimingsFormat)
  case nothing(TimingsFormat)
}

extension TimingsError: CustomStringConvertible {
  /// What is wrong and what to do about it, in one line. Not safe to print as it is.
  public var description: String { "\(cause); \(remedy)" }

  /// What is wrong. Not safe to print as it is.
  public var cause: String {
    switch self {
    case .notJSON(let reason): "not a file of timings: \(reason)"
    case .unknownFormat: "JSON, but not in a known format of timings"
    case .malformed(let format, let path, let reason):
      "not \(format.title)\(path.isEmpty ? "" : ", \(path)"): \(reason)"
    case .noSurah(let format): "\(format.title) does not name the surah"
    case .otherSurah(_, let count):
      "the timings are of one surah, which has \(count) ayat or more, and not of this one"
    case .tooLarge(let bytes): "\(bytes) bytes are more than \(TimingsLimit.bytes >> 20) MiB"
    case .tooMany(let format):
      "\(format.title) with more than \(TimingsLimit.entries) ayat or \(TimingsLimit.words) words"
    case .nothing(let format): "\(format.title) without an ayah"
    }
  }

  /// What to do.
  public var remedy: String {
    switch self {
    case .notJSON, .nothing: "check that it is the right file"
    case .unknownFormat:
      "known are " + TimingsFormat.allCases.map(\.title).joined(separator: ", ")
    case .malformed: "correct the file"
    case .otherSurah: "give each surah its own file, with {surah} in the address"
    case .noSurah: "name the file 002.json, or use --surah"
    case .tooLarge, .tooMany: "give one file for each surah"
    }
  }
}

/// What a file of timings may hold at most.
public enum TimingsLimit {
  /// The whole Quran with its 77,433 words takes 2 to 4 MB.
  public static let bytes = 32 << 20
  /// Repeats included; the Quran has 6236 ayat,
  static let entries = 25_000
  /// and 77,433 words.
  static let words = 400_000
  /// Milliseconds: 100 hours.
  static let time = 360_000_000
}
