// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// What a library is searched for: `surah:18 reciter:"X" confirmed:yes not-heard:14d length:<30s`. All terms
/// have to fit.
public struct LibraryQuery: Hashable, Sendable {
  /// What was typed.
  public let text: String
  public private(set) var range: AyahRange?
  /// As typed: a name or a part of one.
  public private(set) var reciter: String?
  public private(set) var riwayah: Riwayah?
  private var isConfirmed: Bool?
  private var heardWithin: Double?
  private var notHeardWithin: Double?
  private var longerThan: Double?
  private var shorterThan: Double?

  public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong
    case unknownTerm(String)
    case badValue(term: String, value: String, wanted: String)
    case twice(String)
    case badRange(QuranError)
    case openQuote
    case empty

    public var description: String {
      switch self {
      case .tooLong: "the query has more than \(LibraryQuery.longest) characters"
      case .unknownTerm(let term):
        "unknown term '\(term)'; use \(LibraryQuery.terms.joined(separator: ", "))"
      case .badValue(let term, let value, let wanted): "\(term) must be \(wanted), not '\(value)'"
      case .twice(let term): "\(term) appears twice"
      case .badRange(let error): "\(error)"
      case .openQuote: "a quote is not closed"
      case .empty: "the query is empty; use one of \(LibraryQuery.terms.joined(separator: ", "))"
      }
    }
  }

  public static let longest = 1000
  public static let terms = [
    "surah", "juz", "page", "ayat", "reciter", "riwayah", "confirmed", "heard", "not-heard",
    "length",
  ]

  public init(parsing text: String) throws(Problem) {
    guard text.count <= Self.longest else { throw .tooLong }
    self.text = text
    var seen: Set<String> = []
    let terms = try Self.split(text)
    guard !terms.isEmpty else { throw .empty }
    for (term, value) in terms {
      // A shortest and a longest length are two terms.
      let isBound = term == "length" && (value.first == "<" || value.first == ">")
      let name = isBound ? term + value.prefix(1) : term
      guard seen.insert(name).inserted else { throw .twice(term) }
      try take(term, value)
    }
  }

  private mutating func take(_ term: String, _ value: String) throws(Problem) {
    switch term {
    case "surah", "ayat": try narrow(to: value, term)
    case "juz", "page": try narrow(to: "\(term) \(value)", term)
    case "reciter":
      guard !value.isEmpty else {
        throw .badValue(term: term, value: value, wanted: "a name, in quotes if it contains spaces")
      }
      reciter = value
    case "riwayah":
      guard let named = Riwayah(rawValue: value) else {
        throw .badValue(
          term: term, value: value,
          wanted: "one of " + Riwayah.allCases.map(\.rawValue).joined(separator: ", "))
      }
      riwayah = named
    case "confirmed":
      guard value == "yes" || value == "no" else {
        throw .badValue(term: term, value: value, wanted: "yes or no")
      }
      isConfirmed = value == "yes"
    case "heard": heardWithin = try Self.seconds(value, of: term)
    case "not-heard": notHeardWithin = try Self.seconds(value, of: term)
    case "length":
      switch value.first {
      case "<": shorterThan = try Self.seconds(String(value.dropFirst()), of: term)
      case ">": longerThan = try Self.seconds(String(value.dropFirst()), of: term)
      default:
        throw .badValue(term: term, value: value, wanted: "a bound such as <30s or >1m")
      }
    default: throw .unknownTerm(term)
    }
  }

  private mutating func narrow(to text: String, _ term: String) throws(Problem) {
    guard range == nil else { throw .twice("surah, juz, page or ayat") }
    do throws(QuranError) {
      range = try AyahRange(parsing: text)
    } catch {
      throw .badRange(error)
    }
  }

  /// `14d`, `3h`, `30s`, `1.5m`, `2w` in seconds.
  private static func seconds(_ text: String, of term: String) throws(Problem) -> Double {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Double(text.dropLast()),
      count >= 0, count < 1e6, text.first?.isNumber ?? false
    else {
      throw .badValue(term: term, value: text, wanted: "a time such as 30s, 2h or 14d")
    }
    return count * unit
  }

  /// The terms and their values; a value in quotes may have blanks.
  private static func split(_ text: String) throws(Problem) -> [(term: String, value: String)] {
    var parts: [String] = []
    var part = ""
    var isQuoted = false
    var isOpen = false
    for character in text {
      if character == "\"" {
        isQuoted.toggle()
        isOpen = true
      } else if character.isWhitespace, !isQuoted {
        if isOpen { parts.append(part) }
        part = ""
        isOpen = false
      } else {
        part.append(character)
        isOpen = true
      }
    }
    guard !isQuoted else { throw .openQuote }
    if isOpen { parts.append(part) }
    var terms: [(String, String)] = []
    for part in parts {
      guard let colon = part.firstIndex(of: ":") else { throw .unknownTerm(part) }
      let term = part[..<colon].lowercased()
      terms.append((term, String(part[part.index(after: colon)...])))
    }
    return terms
  }
}

extension LibraryQuery {
  /// An ayah that can be heard.
  public struct Candidate: Hashable, Sendable {
    public let ayah: AyahReference
    /// By a person.
    public let isConfirmed: Bool
    public let seconds: Double
    /// Since it was last heard to its end; nil for never.
    public let secondsSinceHeard: Double?

    public init(
      ayah: AyahReference, isConfirmed: Bool, seconds: Double, secondsSinceHeard: Double?
    ) {
      self.ayah = ayah
      self.isConfirmed = isConfirmed
      self.seconds = seconds
      self.secondsSinceHeard = secondsSinceHeard
    }
  }

  /// Whether the listening log is asked.
  public var needsLog: Bool { heardWithin != nil || notHeardWithin != nil }

  /// Whether everything but reciter and riwayah fits.
  public func fits(_ candidate: Candidate) -> Bool {
    if let range, !range.contains(candidate.ayah) { return false }
    if let isConfirmed, candidate.isConfirmed != isConfirmed { return false }
    if let shorterThan, candidate.seconds >= shorterThan { return false }
    if let longerThan, candidate.seconds <= longerThan { return false }
    if let heardWithin {
      guard let since = candidate.secondsSinceHeard, since <= heardWithin else { return false }
    }
    if let notHeardWithin, let since = candidate.secondsSinceHeard, since <= notHeardWithin {
      return false
    }
    return true
  }
}
