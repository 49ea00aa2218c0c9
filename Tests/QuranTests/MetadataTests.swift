// SPDX-License-Identifier: GPL-3.0-or-later

@testable import Quran
import Testing

/// The packed tables against the files they were made from.
@Suite(.enabled(if: MetadataTables.arePresent, "metadata tables not present"))
struct MetadataTests {
  @Test func surahsAreThoseOfTheTable() throws {
    let rows = try MetadataTables.rows("surahs.csv")
    try #require(rows.count == 114)
    for (surah, row) in zip(Surah.all, rows) {
      #expect(row["surah"] == "\(surah.number)")
      #expect(row["ayahs"] == "\(surah.ayahCount)")
      #expect(row["name_ar"] == surah.arabicName)
      #expect([row["translit_qurancom"], row["translit_tanzil"]] == surah.transliterations)
      #expect([row["english_qurancom"], row["english_tanzil"]] == surah.englishNames)
      #expect(row["place"]?.lowercased() == surah.revelationPlace.rawValue)
      #expect(row["revelation_order"] == "\(surah.revelationOrder)")
      #expect(row["rukus"] == "\(surah.rukuCount)")
      #expect(row["start_page"] == "\(surah.startPage)")
      #expect(row["first_ayah_abs"] == "\(surah.firstAbsoluteIndex)")
    }
  }

  @Test(arguments: [
    (QuranDivision.juz, "juz30.csv"), (.hizb, "hizb60.csv"), (.rub, "rub240.csv"),
    (.page, "pages604.csv"), (.manzil, "manzil7.csv"), (.ruku, "rukus_tanzil.csv"),
  ])
  func divisionStartsAreThoseOfTheTable(division: QuranDivision, file: String) throws {
    let rows = try MetadataTables.rows(file)
    try #require(rows.count == division.count)
    for (number, row) in zip(1..., rows) {
      let start = try division.start(of: number)
      #expect(row["index"] == "\(number)")
      #expect(row["surah"] == "\(start.surah.number)")
      #expect(row["ayah"] == "\(start.ayah)")
      #expect(row["abs"] == "\(start.absoluteIndex)")
    }
  }

  @Test func sajdahsAreThoseOfTheTable() throws {
    let rows = try MetadataTables.rows("sajdah15.csv")
    try #require(rows.count == Sajdah.all.count)
    for (sajdah, row) in zip(Sajdah.all, rows) {
      #expect(row["index"] == "\(sajdah.number)")
      #expect(row["surah"] == "\(sajdah.ayah.surah.number)")
      #expect(row["ayah"] == "\(sajdah.ayah.ayah)")
      #expect(row["type_tanzil"] == sajdah.ruling.rawValue)
    }
  }

  @Test func countsOfEveryRiwayahAreThoseOfTheTable() throws {
    let rows = try MetadataTables.rows("ayah_counts_by_riwayah.csv")
    try #require(rows.count == 114)
    for (surah, row) in zip(Surah.all, rows) {
      for riwayah in Riwayah.allCases {
        let column = riwayah.rawValue.prefix(1).uppercased() + riwayah.rawValue.dropFirst()
        #expect(row[column] == "\(riwayah.ayahCount(of: surah))")
      }
    }
  }

  @Test func lengthsAreThoseOfTheTable() throws {
    let rows = try MetadataTables.rows("ayah_stats.csv")
    try #require(rows.count == AyahReference.count)
    for (ayah, row) in zip(AyahRange.wholeQuran, rows) {
      let length = ayah.length
      // Letters take longer than the table has it.
      let drawn = ayah.drawnOpeningLetters * AyahLength.unitsOfDrawnLetter
      #expect(
        row["abs"] == "\(ayah.absoluteIndex)" && row["words"] == "\(length.words)"
          && row["letters"] == "\(length.letters)"
          && row["phonetic_units"] == "\(length.phoneticUnits - drawn)"
          && row["waqf_marks"] == "\(length.waqfMarks)"
          && row["madd_signs"] == "\(length.maddSigns)",
        "\(ayah)")
    }
  }
}
