// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import TerminalUI

/// A surah found by typing a part of its name, and the number of an ayah in it.
struct AyahPicker: Hashable, Sendable {
  private(set) var surahText = TextField()
  private(set) var ayahText = TextField()
  private(set) var choice = ListCursor()
  /// The surahs that the text may mean, the likeliest first; all while there is none.
  private(set) var candidates = Surah.all
  /// Whether the candidates are merely similar to the text: none is meant before it is chosen.
  private(set) var isGuess = false
  /// The two ayat that the text names, where it names two.
  private(set) var pair: AyahPair?
  /// What is wrong with a text that names ayat by their numbers.
  private var mistake: String?

  /// What the fields were filled with.
  private var filled: AyahReference?
  private var isAyahTyped = false
  /// Whether a person has gone through the list, so that the first in it is meant.
  private var hasChosen = false

  /// Characters; no name is longer, and long ones take long to compare.
  private static let longestName = 32

  init() {}

  init(_ ayah: AyahReference) {
    surahText = TextField(ayah.surah.name)
    ayahText = TextField("\(ayah.ayah)")
    candidates = [ayah.surah]
    filled = ayah
  }

  /// With the number of the ayah still to be typed.
  init(_ surah: Surah) {
    surahText = TextField(surah.name)
    candidates = [surah]
  }

  var surah: Surah? {
    if surahText.text.isEmpty || isGuess, choice.index == 0, !hasChosen { return nil }
    return candidates.isEmpty ? nil : candidates[min(choice.index, candidates.count - 1)]
  }

  var ayahNumber: Int? { Int(ayahText.text) }

  var reference: AyahReference? {
    guard let surah, let ayahNumber else { return nil }
    return AyahReference(surah: surah, ayah: ayahNumber)
  }

  /// What is missing, for people.
  var question: String {
    guard let surah else {
      if surahText.text.isEmpty { return "Which surah?" }
      if let mistake { return mistake }
      return candidates.isEmpty
        ? "No surah, lead-in or reason has this name"
        : "No surah has this name; choose one with down"
    }
    guard ayahNumber != nil else { return "Which ayah of \(surah.name)?" }
    return "\(surah.name) has only \(surah.ayahCount) ayat"
  }

  /// Whether the text goes on to an ayah after the surah, be it there or not.
  var saysAyah: Bool {
    let text = surahText.text
    guard text.contains(where: \.isNumber) else { return false }
    if text.contains(":") { return true }
    do throws(QuranError) {
      _ = try AyahReference(parsing: text)
      return true
    } catch {
      if case .noSuchAyah = error { return true }
      return false
    }
  }

  /// Takes a key in the surah's field.
  mutating func typeSurah(_ key: KeyEvent, replacing: Bool) -> Bool {
    if replacing, key.typed != nil { surahText.clear() }
    let before = surahText.text
    if key.typed != nil, before.count >= Self.longestName { return true }
    guard surahText.handle(key) else { return false }
    if surahText.text != before || replacing { followSurahText() }
    return true
  }

  mutating func pasteSurah(_ text: String, replacing: Bool) {
    if replacing { surahText.clear() }
    surahText.insert(String(text.prefix(max(Self.longestName - surahText.text.count, 0))))
    followSurahText()
  }

  private mutating func followSurahText() {
    choice = ListCursor()
    hasChosen = false
    isGuess = false
    mistake = nil
    let text = surahText.text
    let hasNumber = text.contains(where: \.isNumber)
    pair = hasNumber ? AyahPair(text) : nil
    // A whole reference may be typed where the surah goes: `2:255`, `baqarah 255`.
    if hasNumber, let typed = pair?.first ?? (try? AyahReference(parsing: text)) {
      ayahText = TextField("\(typed.ayah)")
      candidates = [typed.surah]
      isAyahTyped = true
    } else {
      let says = text.contains { $0.isLetter || $0.isNumber }
      let matches = says ? Surah.matching(text) : []
      candidates = text.isEmpty ? Surah.all : matches.map(\.surah)
      isGuess = matches.first?.quality == .similar
      if hasNumber, candidates.isEmpty { mistake = Self.mistake(in: text) }
      followSurah()
    }
  }

  private static func mistake(in text: String) -> String {
    if let ends = AyahPair.ends(of: text) {
      return ends.first < ends.last
        ? "One segment cannot hold \(ends.first)-\(ends.last); add a marker where \(ends.last.surah.name) begins"
        : "The second ayah must come after the first, \(ends.first)"
    }
    do throws(QuranError) {
      _ = try AyahRange(parsing: text)
    } catch {
      if error.isClear(of: text) { return "\(error)".sentence }
    }
    return "A segment takes 2:255, 2:1-5 or 2:286 3:1"
  }

  /// A number that was filled in says nothing in another surah; one that was typed is meant.
  private mutating func followSurah() {
    guard let filled, !isAyahTyped, let surah else { return }
    ayahText = TextField(surah == filled.surah ? "\(filled.ayah)" : "1")
  }

  /// Takes a key in the ayah's field.
  /// - Returns: false for what is no digit.
  mutating func typeAyah(_ key: KeyEvent, replacing: Bool) -> Bool {
    guard let typed = key.typed else { return ayahText.handle(key) }
    guard let digit = typed.decimalDigit else { return false }
    if replacing { ayahText.clear() }
    isAyahTyped = true
    if ayahText.text.count < 3 { ayahText.insert("\(digit)") }
    return true
  }

  mutating func pasteAyah(_ text: String, replacing: Bool) {
    let digits = text.compactMap(\.decimalDigit).prefix(3)
    guard !digits.isEmpty else { return }
    isAyahTyped = true
    if replacing { ayahText.clear() }
    for digit in digits where ayahText.text.count < 3 { ayahText.insert("\(digit)") }
  }

  /// Goes down the surahs, or up.
  mutating func chooseSurah(by steps: Int) {
    openList()
    // The first key shows what is first, and does not go past it.
    if surahText.text.isEmpty || isGuess, !hasChosen, steps > 0 {
      hasChosen = true
    } else {
      choice.move(by: steps, count: candidates.count)
    }
    followSurah()
  }

  /// Shows all surahs around the one that is chosen, so that another can be.
  mutating func openList() {
    guard candidates.count == 1, !isGuess, let chosen = candidates.first,
      let index = Surah.all.firstIndex(of: chosen)
    else { return }
    candidates = Surah.all
    choice = ListCursor(index)
    hasChosen = true
  }

  /// Takes the surah that is clicked in a list of the candidates, or that its scroll bar leads to.
  mutating func point(_ mouse: MouseEvent, in list: Rect) {
    var pointed = choice
    if pointed.point(mouse, in: list, count: candidates.count) {
      chooseSurah(candidates[pointed.index])
    } else if pointed != choice {
      hasChosen = true
      choice = pointed
      followSurah()
    }
  }

  mutating func chooseSurah(_ surah: Surah) {
    surahText = TextField(surah.name)
    choice = ListCursor()
    candidates = [surah]
    isGuess = false
    followSurah()
    if ayahNumber == nil { ayahText = TextField("1") }
  }

  mutating func chooseAyah(by steps: Int) {
    isAyahTyped = true
    let highest = surah?.ayahCount ?? 286
    let number = min(max((ayahNumber ?? (steps > 0 ? 0 : 2)) + steps, 1), highest)
    ayahText = TextField("\(number)")
  }
}

extension QuranError {
  /// Whether it says what is wrong with a text itself, and not with a piece that nobody would see in it.
  fileprivate func isClear(of text: String) -> Bool {
    switch self {
    case .noSuchSurah, .noSuchAyah: true
    case .unreadableReference(let piece), .unknownSurahName(let piece, _),
      .ambiguousSurahName(let piece, _):
      piece == text || !piece.contains(where: \.isNumber)
    case .noSuchPart, .missingAyah, .unreadableRange, .endsBeforeItStarts: false
    }
  }
}

/// Two ayat in one text, as people type them: `114:1-3`, `3:5-3:7`, `2:286 3:1`, `2:286 | 3:1`. With a dash the
/// ayat between belong to it, so that `2:285-3:1` is none.
struct AyahPair: Hashable, Sendable {
  let first: AyahReference
  let last: AyahReference

  private static let dashes: Set<Character> = ["-", "–", "—"]
  private static let separators = dashes.union(["|", ",", " "])

  /// Whether a text has a dash that does not belong to the name of a surah.
  static func joinsEnds(_ text: String) -> Bool {
    text.contains(where: dashes.contains) && (try? Surah(parsing: text)) == nil
  }

  init?(_ text: String) {
    guard let ends = Self.ends(of: text), ends.first < ends.last,
      !ends.isRange || ends.first.surah == ends.last.surah || ends.first.next == ends.last
    else { return nil }
    (first, last) = (ends.first, ends.last)
  }

  /// The two ayat, in whichever order they are typed, and whether those between belong to them.
  static func ends(
    of text: String
  ) -> (first: AyahReference, last: AyahReference, isRange: Bool)? {
    for index in text.indices where separators.contains(text[index]) {
      let right = text[index...].drop { separators.contains($0) }
      guard let first = try? AyahReference(parsing: String(text[..<index])) else { continue }
      let last =
        Int(right).flatMap { AyahReference(surah: first.surah, ayah: $0) }
        ?? (try? AyahReference(parsing: String(right)))
      if let last {
        return (first, last, text[index..<right.startIndex].contains(where: dashes.contains))
      }
    }
    return nil
  }
}
