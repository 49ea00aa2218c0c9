// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Quran

/// Reads what people and our own writers call a segment.
///
/// - one ayah: `2:5`, `2:5 (end)`, `Al-Baqarah 255`, `surah baqarah ayah 255`, `002255`;
/// - several: `93:1-3`, `108:3-109:1`, `ikhlas 1-4`, and two surahs in one breath: `2:286 | 3:1`;
/// - with the basmalah before a surah that begins there: `basmalah + 112:1`, `basmalah + ikhlas 1-4`;
/// - lead-ins: `isti'adhah`, `basmalah`, `basmalah (2)`, `isti'adhah + basmalah (Al-Baqarah)`;
/// - what is not recited: `takbir`, `unused: takbir`, `unused`;
/// - nothing yet: no text, `-`, `unassigned`, `segment 7`.
///
/// A number alone and the name of a surah alone are neither: they may mean much.
struct LabelTextParser {
  enum Reading: Hashable {
    case nothing
    case content(SpokenContent)
    case unreadable
  }

  /// Longer texts are somebody's remarks.
  private static let longestText = 120
  /// A name is compared with some two thousand; files that call their labels by more different names
  /// than this do not mean surahs.
  private static let maxNames = 300
  private var surahs: [String: Surah?] = [:]

  mutating func read(_ text: String) -> Reading {
    let text = trimmed(text[...])
    guard !text.isEmpty else { return .nothing }
    guard text.utf8.count <= Self.longestText else { return .unreadable }
    let word = folded(text)
    if word.isEmpty, text.allSatisfy({ $0 == "-" }) { return .nothing }
    if word == "unassigned" { return .nothing }
    if let number = tail(of: text, after: "segment"), number.allSatisfy(\.isNumber) {
      return .nothing
    }
    if let content = unused(text, word) ?? leadIn(text) ?? recitation(text) {
      return .content(content)
    }
    return .unreadable
  }

  // MARK: What is not recited

  private func unused(_ text: Substring, _ word: String) -> SpokenContent? {
    if word == "unused" { return .unused(.other) }
    if let reason = tail(of: text, after: "unused") {
      let named = trimmed(reason.first == ":" ? reason.dropFirst() : reason)
      return reasonWords[folded(named)].map { .unused($0) }
    }
    // What begins with a number is about an ayah.
    return text.first?.isLetter == true ? reasonWords[word].map { .unused($0) } : nil
  }

  // MARK: Lead-ins

  private mutating func leadIn(_ text: Substring) -> SpokenContent? {
    let parts = text.split(whereSeparator: { "+&,".contains($0) }).map { trimmed($0) }
    guard (1...2).contains(parts.count), let last = parts.last else { return nil }
    let isAfterIstiadhah = istiadhahWords.contains(folded(parts[0]))
    if parts.count == 1, isAfterIstiadhah { return .istiadhah }
    guard parts.count == 1 || isAfterIstiadhah else { return nil }
    let (name, bracketed) = parted(last)
    guard basmalahWords.contains(folded(name)) else { return nil }
    guard let bracketed else { return .basmalah(nil, afterIstiadhah: isAfterIstiadhah) }
    return surah(bracketed).map { .basmalah($0, afterIstiadhah: isAfterIstiadhah) }
  }

  // MARK: Ayat

  private mutating func recitation(_ text: Substring) -> SpokenContent? {
    if let plus = text.firstIndex(where: "+&,".contains),
      basmalahWords.contains(folded(text[..<plus]))
    {
      return recitation(trimmed(text[text.index(after: plus)...]))?.withBasmalah
    }
    if text.contains("|") {
      let sides = text.split(separator: "|", omittingEmptySubsequences: false)
      var ayat: [AyahReference] = []
      for side in sides {
        guard let ayah = ayah(trimmed(side)) else { return nil }
        ayat.append(ayah)
      }
      return SpokenContent(ayat)
    }
    let (whole, bracketed) = parted(text)
    if let bracketed {
      guard let part = partWords[folded(bracketed)] else { return nil }
      return ayah(whole).map { .ayah($0, part: part) }
    }
    guard let (left, right) = ends(of: text) else { return ayah(text).map { .ayah($0) } }
    guard let first = ayah(left) else { return nil }
    // More digits than three are surah and ayah in one.
    let number = right.count <= 3 ? number(right) : nil
    let last = number.map { AyahReference(surah: first.surah, ayah: $0) } ?? ayah(right)
    guard let last, let range = AyahRange(first: first, last: last) else { return nil }
    return range.count == 1 ? .ayah(first) : .ayat(range)
  }

  private mutating func ayah(_ text: Substring) -> AyahReference? {
    if text.utf8.count == 6, let digits = number(text), text.utf8.allSatisfy(isASCIIDigit) {
      return AyahReference(surah: digits / 1000, ayah: digits % 1000)
    }
    guard let end = text.lastIndex(where: { !$0.isNumber }),
      let ayah = number(
        text[text.index(after: end)...])
    else { return nil }
    var name = trimmed(text[...end])
    if name.last == ":" {
      name = trimmed(name.dropLast())
    } else if let space = name.lastIndex(where: \.isWhitespace),
      ayahWords.contains(folded(name[space...]))
    {
      name = trimmed(name[..<space])
    } else if !text[end].isWhitespace {
      return nil
    }
    return surah(name).flatMap { AyahReference(surah: $0, ayah: ayah) }
  }

  private mutating func surah(_ text: Substring) -> Surah? {
    if let number = number(text) { return Surah(number) }
    let name = String(text)
    if let known = surahs[name] { return known }
    guard surahs.count < Self.maxNames, name.contains(where: \.isLetter) else { return nil }
    let surah = try? Surah(parsing: name)
    surahs[name] = .some(surah)
    return surah
  }
}

// MARK: Words

private let reasonWords: [String: UnusedReason] = {
  var words: [String: UnusedReason] = [
    "allahuakbar": .takbir, "takbeer": .takbir, "amin": .ameen, "aameen": .ameen, "amen": .ameen,
    "rukoo": .ruku, "sajdah": .sujud, "sajda": .sujud, "sujood": .sujud, "tasmi": .tasmee,
    "tashahud": .tashahhud, "qunoot": .qunut, "taslim": .salam, "tasleem": .salam,
    "talk": .speech, "pause": .silence,
  ]
  for reason in UnusedReason.allCases { words[reason.rawValue] = reason }
  return words
}()

private let istiadhahWords: Set<String> = [
  "istiadhah", "istiadha", "istiaadhah", "istiazah", "istiaza", "taawwudh", "taawudh",
  "audhubillah", "الاستعاذة", "استعاذة",
]

private let basmalahWords: Set<String> = [
  "basmalah", "basmala", "basmallah", "bismillah", "البسملة", "بسملة",
]

private let ayahWords: Set<String> = ["ayah", "aya", "ayat", "verse", "آية", "اية"]

private let partWords: [String: AyahPart] = [
  "beginning": .beginning, "start": .beginning, "middle": .middle, "end": .end,
]

/// Letters alone, without case, accents of apostrophes and the like.
private func folded(_ text: Substring) -> String {
  String(text.lowercased().filter(\.isLetter))
}

/// What stands in brackets at the end, and what before them.
private func parted(_ text: Substring) -> (before: Substring, bracketed: Substring?) {
  guard text.last == ")", let bracket = text.lastIndex(of: "(") else { return (text, nil) }
  return (trimmed(text[..<bracket]), trimmed(text[text.index(after: bracket)...].dropLast()))
}

/// What follows a word, trimmed; nil when the text does not begin with it or nothing follows.
private func tail(of text: Substring, after word: String) -> Substring? {
  guard text.lowercased().hasPrefix(word), text.count > word.count else { return nil }
  let tail = trimmed(text.dropFirst(word.count))
  return tail.isEmpty ? nil : tail
}

/// The two sides of the first dash after a digit.
private func ends(of text: Substring) -> (Substring, Substring)? {
  var lastSeen: Character?
  for index in text.indices {
    let character = text[index]
    if "-\u{2010}\u{2011}\u{2013}\u{2014}\u{2212}".contains(character),
      lastSeen?.isNumber == true
    {
      return (trimmed(text[..<index]), trimmed(text[text.index(after: index)...]))
    }
    if !character.isWhitespace { lastSeen = character }
  }
  return nil
}

private func trimmed(_ text: Substring) -> Substring {
  var text = text
  while text.first?.isWhitespace == true { text.removeFirst() }
  while text.last?.isWhitespace == true { text.removeLast() }
  return text
}

/// Up to six decimal digits of any script as a number.
private func number(_ text: Substring) -> Int? {
  guard !text.isEmpty, text.count <= 6 else { return nil }
  var number = 0
  for character in text {
    guard let digit = character.wholeNumberValue, (0...9).contains(digit) else { return nil }
    number = number * 10 + digit
  }
  return number
}

private func isASCIIDigit(_ byte: UInt8) -> Bool {
  UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
}
