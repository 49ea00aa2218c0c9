// SPDX-License-Identifier: GPL-3.0-or-later

/// A name stripped of what people write differently.
struct Spelling: Hashable, Sendable {
  /// Latin letters a-z and digits as ASCII, Arabic letters as `0x80 + scalar - U+0620`. Case, accents,
  /// apostrophes, hyphens, spaces, vowel signs and hamzas are gone; forms of alef are one letter, and
  /// so are yeh and alef maksura, heh and teh marbuta.
  let plain: [UInt8]

  /// `plain` with the ways to transliterate a sound made one: "baqarah" and "bakara", "yaseen" and
  /// "ya-sin", "kawthar" and "kausar". Nothing that a person should see.
  let skeleton: [UInt8]

  init(plain: [UInt8]) {
    self.plain = plain
    skeleton = Quran.skeleton(of: plain)
  }

  /// Whether there are letters that no name contains, of another script for example.
  var hasUnknownLetters: Bool { plain.contains(unknownLetter) }

  /// `text` as `plain` has it.
  static func plain(_ text: Substring) -> [UInt8] { text.unicodeScalars.compactMap(letter) }

  /// The words of a name, divided by spaces and hyphens, each as `plain` has it.
  static func words(of name: String) -> [[UInt8]] {
    name.unicodeScalars.split { $0 == " " || $0 == "-" }
      .map { plain(Substring($0)) }
      .filter { !$0.isEmpty }
  }

  /// The hyphen and what is typed or pasted in its place.
  static let dashes: [Unicode.Scalar] = [
    "-", "\u{2010}", "\u{2011}", "\u{2013}", "\u{2014}", "\u{2212}",
  ]
}

private func letter(_ scalar: Unicode.Scalar) -> UInt8? {
  switch scalar {
  case "a"..."z", "0"..."9": return UInt8(scalar.value)
  case "A"..."Z": return UInt8(scalar.value) | 0x20
  case "\u{622}", "\u{623}", "\u{625}", "\u{671}": return arabic("\u{627}")  // alef
  case "\u{624}": return arabic("\u{648}")  // waw
  case "\u{626}", "\u{649}", "\u{6cc}": return arabic("\u{64a}")  // yeh
  case "\u{629}": return arabic("\u{647}")  // heh
  case "\u{6a9}": return arabic("\u{643}")  // kaf
  case "\u{640}": return nil  // tatweel
  case "\u{627}"..."\u{64a}": return arabic(scalar)
  default: break
  }
  if let digit = decimalDigit(scalar) { return UInt8(ascii: "0") + UInt8(digit) }
  switch scalar.properties.generalCategory {
  case .uppercaseLetter, .lowercaseLetter: return unaccentedLetter(scalar) ?? unknownLetter
  case .otherLetter where scalar != "\u{621}": return unknownLetter
  default: return nil
  }
}

/// Stands for a letter that no name contains.
private let unknownLetter: UInt8 = 0xff

private func arabic(_ scalar: Unicode.Scalar) -> UInt8 { UInt8(0x80 + scalar.value - 0x620) }

/// The letter under the accents, by the name that Unicode gives: LATIN SMALL LETTER A WITH MACRON.
private func unaccentedLetter(_ scalar: Unicode.Scalar) -> UInt8? {
  let words = (scalar.properties.name ?? "").split(separator: " ")
  guard words.count >= 4, words[0] == "LATIN", words[2] == "LETTER" else { return nil }
  let base = words[3] == "DOTLESS" ? words[words.count - 1] : words[3]
  guard base.utf8.count == 1, let ascii = base.utf8.first else { return nil }
  return ascii | 0x20
}

private func skeleton(of plain: [UInt8]) -> [UInt8] {
  var skeleton: [UInt8] = []
  skeleton.reserveCapacity(plain.count)
  var index = 0
  while index < plain.count {
    let next = index + 1 < plain.count ? plain[index + 1] : 0
    let sound: Unicode.Scalar
    switch (Unicode.Scalar(plain[index]), Unicode.Scalar(next)) {
    case ("t", "h"): (sound, index) = ("s", index + 1)
    case ("d", "h"): (sound, index) = ("d", index + 1)
    case ("k", "h"): (sound, index) = ("h", index + 1)
    case ("g", "h"): (sound, index) = ("g", index + 1)
    case ("d", "j"): (sound, index) = ("j", index + 1)
    case ("c", "h"): sound = "s"  // and the h stays: sh
    case ("q", _): sound = "k"
    case ("e", _), ("y", _): sound = "i"
    case ("o", _), ("v", _), ("w", _): sound = "u"
    case (let letter, _): sound = letter
    }
    index += 1
    let letter = UInt8(truncatingIfNeeded: sound.value)
    if skeleton.last != letter { skeleton.append(letter) }
  }
  // The teh marbuta that some write and some do not.
  if skeleton.count > 2, skeleton[skeleton.count - 2] == UInt8(ascii: "a"),
    skeleton[skeleton.count - 1] == UInt8(ascii: "h")
  {
    skeleton.removeLast()
  }
  return skeleton
}
