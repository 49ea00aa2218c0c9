// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// Addresses of files with one ayah each, or one surah, with fields for the numbers:
/// `https://example.org/{surah:3}{ayah:3}.mp3`, `https://example.org/{surah:3}.mp3`.
///
/// A field may say how many digits it has at least; without that it has none before its first.
public struct SourcePattern: Hashable, Sendable, CustomStringConvertible {
  private enum Part: Hashable {
    case text(String)
    case surah(digits: Int)
    case ayah(digits: Int)
  }

  public let description: String
  private let parts: [Part]
  /// Whether a file holds a whole surah.
  public let isBySurah: Bool
  /// Whether there is a file for each surah, and not one for all.
  public let namesSurah: Bool

  /// Why a text is no pattern, for people.
  public struct Problem: Error, Hashable, Sendable {
    public let description: String
  }

  /// Addresses of files with sound.
  public init(_ text: String) throws(Problem) {
    try self.init(parsing: text)
    guard namesSurah else {
      throw Problem(
        description: "the pattern needs {surah:3}, and {ayah:3} unless a file holds a whole surah")
    }
  }

  /// Addresses of files with timings: one for all surahs, or one for each.
  public init(timings text: String) throws(Problem) {
    try self.init(parsing: text)
    guard isBySurah else {
      throw Problem(description: "the field {ayah} is not allowed for timings")
    }
  }

  /// Whether a text is an address, and not the path of a file.
  public static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("https://") || text.hasPrefix("http://")
  }

  private init(parsing text: String) throws(Problem) {
    description = text
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw Problem(description: "a { without }")
      }
      parts.append(.text(String(rest[..<open])))
      let words = rest[rest.index(after: open)..<close].split(
        separator: ":", omittingEmptySubsequences: false)
      let digits = words.count == 2 ? Int(words[1]) : words.count == 1 ? 1 : nil
      guard let digits, (1...9).contains(digits) else {
        throw Problem(
          description:
            "{\(words.joined(separator: ":"))} is no field; use {surah:3} and {ayah:3}, where 3 is the count of digits, from 1 to 9"
        )
      }
      switch words[0] {
      case "surah": parts.append(.surah(digits: digits))
      case "ayah": parts.append(.ayah(digits: digits))
      default:
        throw Problem(description: "unknown field {\(words[0])}; use {surah} and {ayah}")
      }
      rest = rest[rest.index(after: close)...]
    }
    parts.append(.text(String(rest)))
    self.parts = parts
    namesSurah = parts.contains { if case .surah = $0 { true } else { false } }
    let hasAyah = parts.contains { if case .ayah = $0 { true } else { false } }
    isBySurah = !hasAyah
    guard Self.isAddress(text) else {
      throw Problem(description: "it must begin with https://")
    }
    guard !Self.isAmbiguous(parts) else {
      throw Problem(
        description:
          "{surah} and {ayah} beside each other need digits, {surah:3}{ayah:3}; 1:11 and 11:1 would have one address"
      )
    }
    // Whoever gets the pattern by 'source export' would get the password.
    let authority = text.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
    guard !authority.isEmpty, authority.first != ":" else {
      throw Problem(description: "it has no host, such as example.org")
    }
    guard !authority.contains("@") else {
      throw Problem(description: "it contains a user name or password, which are not used")
    }
    guard !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else {
      throw Problem(description: "spaces are not allowed; write %20")
    }
  }

  /// Whether two numbers stand side by side, of which neither has always as many digits.
  private static func isAmbiguous(_ parts: [Part]) -> Bool {
    let parts = parts.filter { $0 != .text("") }
    return zip(parts, parts.dropFirst()).contains { pair in
      switch pair {
      case (.surah(let first), .ayah(let second)), (.ayah(let first), .surah(let second)):
        max(first, second) < 3
      default: false
      }
    }
  }

  /// Whether nothing of it is encrypted on the way.
  public var isInsecure: Bool { description.hasPrefix("http://") }

  /// The address of a file whose number is the ayah's own.
  public func url(of ayah: AyahReference) -> String { url(of: ayah.surah, number: ayah.ayah) }

  /// The address of a file by the source's own number; of one with a whole surah by any.
  public func url(of surah: Surah, number: Int) -> String {
    func padded(_ number: Int, _ digits: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    return parts.map { part in
      switch part {
      case .text(let text): text
      case .surah(let digits): padded(surah.number, digits)
      case .ayah(let digits): padded(number, digits)
      }
    }.joined()
  }

  /// What reciters had before there were sources: `https://example.org/` and `SSSAAA.mp3`.
  static func converted(base: String, name: String) -> String {
    var text = base.hasSuffix("/") ? base : base + "/"
    var rest = name[...]
    while let first = rest.first {
      let run = rest.prefix { $0 == first }
      switch first {
      case "S": text += run.count == 1 ? "{surah}" : "{surah:\(run.count)}"
      case "A": text += run.count == 1 ? "{ayah}" : "{ayah:\(run.count)}"
      default: text += run
      }
      rest = rest[run.endIndex...]
    }
    return text
  }
}
