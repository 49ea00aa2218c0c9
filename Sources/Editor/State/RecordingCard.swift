// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// What the title says of the recording; texts are as they came, and made safe where they are drawn.
public struct RecordingCard: Hashable, Sendable {
  public var title: String
  public var reciter: String
  public var riwayah: Riwayah

  public init(title: String, reciter: String = "", riwayah: Riwayah = .hafs) {
    self.title = title
    self.reciter = reciter
    self.riwayah = riwayah
  }
}

extension RecordingCard {
  /// The surah that the title names, as files and recordings are named: `036.mp3`, `emad_036`, `79`,
  /// `Surah Ya-Sin`, `An-Nazi'at, Afasy`, `Nazi'at - Afasy`.
  var namedSurah: Surah? {
    let name = title.prefix { $0 != "." }.lowercased()
    let numbers: [Substring] = name.split { !($0.isASCII && $0.isNumber) }
    let long = numbers.filter { $0.count == 3 }
    if long.count == 1, let number = Int(long[0]) { return Surah(number) }
    if let number = Int(name.filter { !$0.isWhitespace }) { return Surah(number) }
    let words: [Substring] = name.split { $0 == " " || $0 == "_" }
    if let index = words.firstIndex(where: { $0 == "surah" || $0 == "surat" }) {
      let rest = words[(index + 1)...].joined(separator: " ")
      if let surah = rest.isEmpty ? nil : try? Surah(parsing: rest) { return surah }
    }
    let named = Set(Self.parts(of: name).compactMap(Self.surah(called:)))
    return named.count == 1 ? named.first : nil
  }

  /// What stands between commas, brackets and the like, and between dashes that belong to no name.
  private static func parts(of name: String) -> [String] {
    var name = name
    for dash in [" - ", " – ", " — "] { name = name.replacing(dash, with: ",") }
    return name.split { ",;:|/()[]_".contains($0) }.map(String.init)
  }

  /// The surah with a whole name in Arabic, in any letters. In English many are everyday words, such as Night.
  private static func surah(called text: String) -> Surah? {
    guard text.contains(where: \.isLetter), let surah = try? Surah(parsing: text),
      let match = Surah.matching(text).first(where: { $0.surah == surah }),
      match.quality <= .spelling, !match.isEnglish
    else { return nil }
    return surah
  }
}
