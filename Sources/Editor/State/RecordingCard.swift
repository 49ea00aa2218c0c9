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
  /// The first ayah of what the title names, as files and recordings are named: `036.mp3`, `emad_036`, `79`,
  /// `Surah Ya-Sin`, `An-Nazi'at, Afasy`, `Nazi'at - Afasy`, `002_255`, `night_2_1-74`.
  var namedStart: AyahReference? {
    let name = title.prefix { $0 != "." }.lowercased()
    return Self.start(ofAyatIn: name) ?? Self.surah(in: name)?.firstAyah
  }

  /// Of a surah and the ayat in it; they are told from other numbers by an end that comes after, or by three digits each.
  private static func start(ofAyatIn name: String) -> AyahReference? {
    let ayat = /(?:^|[^0-9])([0-9]{1,3})[_:]([0-9]{1,3})(?:-([0-9]{1,3}))?(?:[^0-9]|$)/
    guard let match = name.firstMatch(of: ayat), let surah = Int(match.1), let first = Int(match.2),
      let start = AyahReference(surah: surah, ayah: first)
    else { return nil }
    guard let last = match.3.flatMap({ Int($0) }) else {
      return match.1.count == 3 && match.2.count == 3 ? start : nil
    }
    return first < last && last <= start.surah.lastAyah.ayah ? start : nil
  }

  private static func surah(in name: String) -> Surah? {
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
