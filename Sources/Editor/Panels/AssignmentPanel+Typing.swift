// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Quran
import TerminalUI

// Text that is typed belongs to the surah, or names a lead-in or a reason: it is taken where it belongs.
extension AssignmentPanel {
  var leadIns: [String] { Self.leadIns }

  private static let leadIns = ["Isti'adhah", "Basmalah", "Isti'adhah and basmalah"]

  /// The first lead-in, or reason, whose name begins with some letters.
  static func leadIn(named letters: String) -> Int? {
    leadIns.firstIndex { Self.letters($0).hasPrefix(letters) }
  }

  static func reason(named letters: String) -> Int? {
    UnusedReason.allCases.firstIndex { $0.rawValue.hasPrefix(letters) }
  }

  private static func letters(_ text: String) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  private static func isWholeName(_ letters: String) -> Bool {
    leadIns.contains { Self.letters($0) == letters }
      || UnusedReason.allCases.contains { $0.rawValue == letters }
  }

  /// Whether a lead-in or a reason has a name that begins like a text.
  static func isBeginningOfName(_ text: String) -> Bool {
    let letters = letters(text)
    return !letters.isEmpty && (leadIn(named: letters) ?? reason(named: letters)) != nil
  }

  var unknownName: String {
    kind == .leadIn
      ? "No lead-in is called \(typedName); choose with up and down"
      : "No reason is called \(typedName); choose with up and down"
  }

  mutating func forgetName() {
    typedName = ""
    leadInBefore = nil
    kindBeforeName = nil
  }

  // MARK: Where there is no field for it

  /// Names a lead-in or a reason where one is chosen, else goes to the surah's field.
  mutating func typeInNoField(_ key: KeyEvent) -> [PanelRequest] {
    if key.key == .backspace, !typedName.isEmpty {
      typedName.removeLast()
      return typedName.isEmpty ? takeBackName() : followName()
    }
    guard let typed = key.typed, !typed.isWhitespace else { return [] }
    guard typed.isLetter || typed.isNumber else {
      // Signs within a name are left out; ayat are typed as the surah.
      return kind == .leadIn || kind == .unused
        ? [] : [.notify(Notice(.hint, "Type 2:255, 2:1-5 or 2:286 3:1 as the surah"))]
    }
    switch kind {
    case .leadIn, .unused: return typeName(typed)
    case .ayah, .several, .crossSurah: return startSurah(String(typed))
    }
  }

  private mutating func typeName(_ letter: Character) -> [PanelRequest] {
    let before = typedName
    typedName += letter.lowercased()
    if kind == .leadIn { leadInBefore = leadInBefore ?? leadIn }
    let isNamed = kind == .leadIn && Self.leadIn(named: typedName) != nil
    guard !isNamed else { return followName() }
    // What follows a whole name is the surah; else all of it is, and the lead-in is that chosen before.
    let isNext = Self.isWholeName(before)
    if !isNext { leadIn = leadInBefore ?? leadIn }
    if let kind = kindBeforeName, !isNext, self.kind == .leadIn {
      let text = typedName
      become(kind)
      return startSurah(text)
    }
    if fields.contains(.surah) {
      let text = isNext ? letter.lowercased() : typedName
      forgetName()
      return startSurah(text)
    }
    guard letter.isNumber else { return followName() }
    // No name has a number in it: an ayah is typed.
    become(.ayah)
    return startSurah(before.isEmpty || isNext ? String(letter) : "\(before) \(letter)")
  }

  /// Goes back to where a name was typed that is deleted again.
  private mutating func takeBackName() -> [PanelRequest] {
    guard let kind = kindBeforeName else { return [] }
    become(kind)
    return startSurah("")
  }

  @discardableResult
  private mutating func startSurah(_ text: String) -> [PanelRequest] {
    field = .surah
    surah.pasteSurah(text, replacing: true)
    followSurahText()
    isFresh = false
    return []
  }

  /// Chooses what the letters typed name, in the list that is shown or else in the other one.
  private mutating func followName() -> [PanelRequest] {
    let name = typedName
    if kind == .unused, let index = Self.reason(named: name) {
      reason = ListCursor(index)
    } else if kind == .leadIn, let index = Self.leadIn(named: name) {
      leadIn = ListCursor(index)
    } else if Self.isWholeName(name) {
      goTo(name)
    } else {
      return [.notify(Notice(.warning, unknownName))]
    }
    return []
  }

  // MARK: In the surah's field

  mutating func typeSurah(_ key: KeyEvent, replacing: Bool) -> [PanelRequest] {
    _ = surah.typeSurah(key, replacing: replacing)
    followSurahText()
    proposeOther()
    return []
  }

  /// Goes to the kind that the text belongs to: two ayat are several or across surahs, an ayah is no lead-in, and what
  /// names no surah may name a lead-in or a reason.
  mutating func followSurahText() {
    if let pair = surah.pair {
      kindBefore = kindBefore ?? kind
      if pair.first.surah == pair.last.surah {
        kind = .several
        last = AyahPicker(pair.last)
      } else {
        kind = .crossSurah
        isOtherGiven = true
        other = AyahPicker(pair.last)
      }
      return
    }
    if let kind = kindBefore { self.kind = kind }
    kindBefore = nil
    if kind == .leadIn, surah.saysAyah {
      kindBefore = kind
      kind = .ayah
      return
    }
    let name = Self.letters(surah.surahText.text)
    guard !name.isEmpty, surah.candidates.isEmpty || surah.isGuess && Self.isWholeName(name) else {
      return
    }
    goTo(name)
  }

  // MARK: In the other fields

  /// Two ayat are both meant wherever they are typed: the surah's field takes them.
  mutating func followOtherText() {
    let text = other.surahText.text
    if AyahPair.ends(of: text) != nil {
      startSurah(text)
    } else if other.saysAyah, let first = surah.reference, let end = other.reference,
      first.surah == end.surah, first < end
    {
      startSurah("\(first) \(end)")
    }
  }

  /// Takes what is typed in the field of an ayah's number for a surah with its ayah, or for two ayat.
  /// - Returns: false where the key is no sign of that.
  mutating func typeReference(_ key: KeyEvent) -> Bool {
    let first = surah.reference
    switch (field, key.typed) {
    case (.ayah, ":"):
      guard let number = surah.ayahNumber else { return false }
      startSurah("\(number):")
    case (.ayah, "-"):
      guard let first else { return false }
      startSurah("\(first)-")
    case (.lastAyah, ":"):
      guard let first, let number = last.ayahNumber else { return false }
      startSurah("\(first)-\(number):")
    case (.otherAyah, ":"):
      guard let first, let number = other.ayahNumber else { return false }
      startSurah("\(first) \(number):")
    default: return false
    }
    return true
  }

  /// - Returns: false for a number alone.
  mutating func pasteReference(_ text: String) -> Bool {
    guard text.contains(":") else { return false }
    if field != .ayah, AyahPair.ends(of: text) == nil, let first = surah.reference {
      startSurah("\(first)\(field == .lastAyah ? "-" : " ")\(text)")
    } else {
      startSurah(text)
    }
    return true
  }

  /// Goes to the lead-in or the reason with a name that begins so, if there is one.
  private mutating func goTo(_ name: String) {
    let before = kind
    if let index = Self.leadIn(named: name) {
      become(.leadIn)
      leadIn = ListCursor(index)
      surah = proposedSurah.map { AyahPicker($0.firstAyah) } ?? AyahPicker()
    } else if let index = Self.reason(named: name) {
      become(.unused)
      reason = ListCursor(index)
    } else {
      return
    }
    typedName = name
    if before != .leadIn, before != .unused { kindBeforeName = before }
  }
}
