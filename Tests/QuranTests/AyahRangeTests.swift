// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import TestSupport
import Testing

struct AyahRangeTests {
  @Test(arguments: [
    ("2:255", "2:255", "2:255"), ("baqarah 255", "2:255", "2:255"),
    ("2:1-2:20", "2:1", "2:20"), ("2:1-20", "2:1", "2:20"), (" 2:1 - 20 ", "2:1", "2:20"),
    ("2:1–20", "2:1", "2:20"), ("baqarah 1-20", "2:1", "2:20"),
    ("al-baqarah:1-20", "2:1", "2:20"), ("al-baqarah 280 - ali imran 5", "2:280", "3:5"),
    ("2:280-3:5", "2:280", "3:5"), ("36", "36:1", "36:83"), ("yasin", "36:1", "36:83"),
    ("ya-sin", "36:1", "36:83"), ("يس", "36:1", "36:83"), ("surah 36", "36:1", "36:83"),
    ("78-114", "78:1", "114:6"), ("mulk - nas", "67:1", "114:6"), ("36-37:5", "36:1", "37:5"),
    ("2:255 - ali imran", "2:255", "3:200"), ("juz 30", "78:1", "114:6"),
    ("Juz' 30", "78:1", "114:6"), ("juz30", "78:1", "114:6"), ("juz 29-30", "67:1", "114:6"),
    ("جزء ٣٠", "78:1", "114:6"), ("page 5", "2:25", "2:29"), ("pages 1-2", "1:1", "2:5"),
    ("hizb 3", "2:142", "2:202"), ("rub 7", "2:106", "2:123"), ("manzil 2", "5:1", "9:129"),
    ("ruku 556", "114:1", "114:6"), ("٢:١-٢٠", "2:1", "2:20"),
  ])
  func reads(text: String, first: String, last: String) throws {
    let range = try AyahRange(parsing: text)
    #expect(range.first == AyahReference(first))
    #expect(range.last == AyahReference(last))
  }

  @Test(arguments: [
    ("2:20-2:1", "2:1 comes before 2:20; write the earlier ayah first"),
    ("3-2", "2:286 comes before 3:1; write the earlier ayah first"),
    ("2:1-287", "surah 2 has 286 ayat; 2:287 does not exist"),
    ("juz 31", "juz 31 does not exist; they are numbered 1 to 30"),
    ("page 605", "page 605 does not exist; they are numbered 1 to 604"),
    ("hizb 0", "hizb 0 does not exist; they are numbered 1 to 60"),
    ("115", "there are 114 surahs; surah 115 does not exist"),
    (
      "juz",
      "\"juz\" is not a range of ayat; write it as 2:1-20, 2:280-3:5, 36, yasin or juz 30"
    ),
    (
      "2:1-",
      "\"2:1-\" is not a range of ayat; write it as 2:1-20, 2:280-3:5, 36, yasin or juz 30"
    ),
    ("", "\"\" is not a range of ayat; write it as 2:1-20, 2:280-3:5, 36, yasin or juz 30"),
  ])
  func saysWhatIsWrong(text: String, message: String) {
    let error = #expect(throws: QuranError.self) { try AyahRange(parsing: text) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    ("2:255", "2:255", "2:255"), ("2:1-2:20", "2:1-20", "2:1-20"),
    ("2:280-3:5", "2:280-3:5", "2:280-3:5"), ("36:1-83", "36", "36:1-83"),
    ("juz 30", "78-114", "78:1-114:6"), ("1:1-2:5", "1:1-2:5", "1:1-2:5"),
  ])
  func prints(text: String, shortest: String, numeric: String) throws {
    let range = try AyahRange(parsing: text)
    #expect(range.description == shortest)
    #expect(range.numericDescription == numeric)
  }

  @Test func everyPrintedFormReadsBack() throws {
    var random = SplitMix64(state: 1)
    for _ in 0..<2000 {
      let one = try #require(AyahReference(absoluteIndex: .random(in: 1...6236, using: &random)))
      let other = try #require(AyahReference(absoluteIndex: .random(in: 1...6236, using: &random)))
      let range = try #require(AyahRange(first: min(one, other), last: max(one, other)))
      #expect(try AyahRange(parsing: range.description) == range)
      #expect(try AyahRange(parsing: range.numericDescription) == range)
    }
    for surah in Surah.all { #expect(try AyahRange(parsing: surah.ayat.description) == surah.ayat) }
  }

  @Test func refusesToEndBeforeItStarts() {
    #expect(AyahRange(first: .last, last: .first) == nil)
    #expect(AyahRange(first: .first, last: .first) == AyahRange(.first))
  }

  @Test func iteratesOverItsAyatAcrossSurahs() throws {
    let range = try AyahRange(parsing: "1:6-2:2")
    #expect(range.map(\.description) == ["1:6", "1:7", "2:1", "2:2"])
    #expect(range.count == 4)
    #expect(Array(AyahRange.wholeQuran).count == 6236)
    #expect(AyahRange.wholeQuran.count == 6236)
    #expect(Array(AyahRange(.last)) == [.last])
  }

  @Test func containsWhatLiesBetweenItsEnds() throws {
    let range = try AyahRange(parsing: "2:280-3:5")
    for ayah in AyahRange.wholeQuran {
      #expect(range.contains(ayah) == (287...298).contains(ayah.absoluteIndex))
    }
    #expect(range.contains(try AyahRange(parsing: "2:286-3:1")))
    #expect(!range.contains(try AyahRange(parsing: "2:279-3:1")))
  }

  @Test func intersectsInWhatBothContain() throws {
    let juz = try QuranDivision.juz.range(of: 1)
    let baqarah = try #require(Surah(2)).ayat
    #expect(juz.intersection(baqarah)?.description == "2:1-141")
    #expect(baqarah.intersection(juz)?.description == "2:1-141")
    #expect(juz.intersection(try AyahRange(parsing: "36")) == nil)
    #expect(juz.intersection(.wholeQuran) == juz)
  }

  @Test func severalOnACommandLineAreTakenOneByOne() throws {
    func ranges(_ line: String) throws -> [String] {
      var found: [String] = []
      var rest = line.split(separator: " ").map(String.init)[...]
      while !rest.isEmpty {
        let (range, count) = try AyahRange.leading(rest)
        found.append(range.description)
        rest = rest.dropFirst(count)
      }
      return found
    }
    #expect(try ranges("1 2") == ["1", "2"])
    #expect(try ranges("112 juz 30 al baqarah 255") == ["112", "78-114", "2:255"])
    #expect(try ranges("juz 29 juz 30") == ["67-77", "78-114"])
    #expect(throws: QuranError.self) { try ranges("112 juz") }
    #expect(try ranges("cow baqarah 2") == ["2", "2:2"])
    #expect(try AyahRange.leading(["al-Layl 3"]).range.description == "92:3")
    // What is named so is a recording, if anything.
    for words in [["Night 3"], ["Night", "3"], ["Night 1-3"], ["The Night:3", "67"]] {
      #expect(throws: QuranError.self, "\(words)") { try AyahRange.leading(words[...]) }
    }
  }

  @Test func splitsAtSurahs() throws {
    let parts = try AyahRange(parsing: "1:5-3:2").bySurah
    #expect(parts.map(\.description) == ["1:5-7", "2", "3:1-2"])
    #expect(AyahRange.wholeQuran.bySurah == Surah.all.map(\.ayat))
    #expect(AyahRange(.last).bySurah == [AyahRange(.last)])
  }
}
