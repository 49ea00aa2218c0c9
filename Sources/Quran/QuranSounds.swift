// SPDX-License-Identifier: GPL-3.0-or-later

/// What is said in each ayah, by the rules of tajwid in Hafs an Asim and in Warsh an Nafi.
///
/// Words are those of the QPC Hafs text in both. Between surahs words are joined by the basmalah, except between al-Anfal and at-Tawbah. The table is
/// decoded when first asked for, in a few milliseconds.
public enum QuranSounds {
  /// The riwayat of which the sounds are known; of others those of Hafs are given.
  public static let riwayat: Set<Riwayah> = [.hafs, .warsh]

  /// How many words the Quran has.
  public static var wordCount: Int { WordTable.shared.ayahWords.count }

  public static func wordCount(of ayah: AyahReference) -> Int {
    WordTable.shared.wordRange(ofAyah: ayah.absoluteIndex).count
  }

  public static func words(
    of ayah: AyahReference, in riwayah: Riwayah = .hafs
  ) -> [SpokenWord] {
    Array(wordSlice(of: ayah, in: riwayah))
  }

  private static func wordSlice(
    of ayah: AyahReference, in riwayah: Riwayah
  ) -> ArraySlice<SpokenWord> {
    let table = WordTable.shared
    let words = riwayah == .warsh ? WordTable.warshWords : table.ayahWords
    return words[table.wordRange(ofAyah: ayah.absoluteIndex)]
  }

  /// The sounds of an ayah whose words are joined, given what is before and after it.
  public static func sounds(
    of ayah: AyahReference, in riwayah: Riwayah = .hafs, before: Junction = .stop,
    after: Junction = .stop
  ) -> [SpeechSound] {
    sounds(of: wordSlice(of: ayah, in: riwayah), before: before, after: after)
  }

  /// The sounds of words that are joined, given what is before and after them.
  public static func sounds(
    of words: some BidirectionalCollection<SpokenWord>, before: Junction = .stop,
    after: Junction = .stop
  ) -> [SpeechSound] {
    var sounds: [SpeechSound] = []
    // 6.1 sounds a word over the whole Quran.
    sounds.reserveCapacity(words.count * 7)
    var previous = before
    var index = words.startIndex
    while index != words.endIndex {
      let following = words.index(after: index)
      words[index].append(
        to: &sounds, before: previous, after: following == words.endIndex ? after : .join)
      previous = .join
      index = following
    }
    return sounds
  }

  /// The wordings of a formula, the usual one first.
  public static func wordings(of formula: SpokenFormula) -> [[SpokenWord]] {
    guard let packed = PhoneTable.wordings(formula) else { return [words(of: .first)] }
    return PhoneText.wordLists(packed)
  }
}
