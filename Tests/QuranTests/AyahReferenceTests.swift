// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import Testing

struct AyahReferenceTests {
  @Test(arguments: [(1, 0), (1, 8), (2, 287), (9, 130), (114, 7), (0, 1), (115, 1), (-1, -1)])
  func refusesWhatDoesNotExist(surah: Int, ayah: Int) {
    #expect(AyahReference(surah: surah, ayah: ayah) == nil)
    #expect(throws: QuranError.self) { try AyahReference(checking: surah, ayah: ayah) }
  }

  @Test func refusesTheLargestNumbers() {
    #expect(AyahReference(surah: .max, ayah: .max) == nil)
    #expect(AyahReference(surah: 2, ayah: .min) == nil)
    #expect(AyahReference(absoluteIndex: .max) == nil)
    #expect(AyahReference.last.advanced(by: .max) == nil)
    #expect(AyahReference.first.advanced(by: .min) == nil)
  }

  @Test func absoluteIndicesNameEveryAyahOnce() {
    var index = 0
    for surah in Surah.all {
      for ayah in 1...surah.ayahCount {
        index += 1
        let reference = AyahReference(surah: surah, ayah: ayah)
        #expect(reference?.absoluteIndex == index)
        #expect(AyahReference(absoluteIndex: index) == reference)
      }
    }
    #expect(index == 6236)
    #expect(AyahReference(absoluteIndex: 0) == nil)
    #expect(AyahReference(absoluteIndex: 6237) == nil)
  }

  @Test func nextAndPreviousUndoEachOther() {
    for ayah in AyahRange.wholeQuran {
      if let next = ayah.next {
        #expect(next.previous == ayah)
        #expect(ayah < next)
        #expect(next.absoluteIndex == ayah.absoluteIndex + 1)
      } else {
        #expect(ayah == .last)
      }
    }
    #expect(AyahReference.first.previous == nil)
    #expect(AyahReference(surah: 1, ayah: 7)?.next == AyahReference(surah: 2, ayah: 1))
    #expect(AyahReference(surah: 3, ayah: 1)?.advanced(by: -2) == AyahReference("2:285"))
  }

  @Test func descriptionsReadBack() {
    for ayah in AyahRange.wholeQuran {
      #expect(AyahReference(ayah.description) == ayah)
    }
    for ayah in AyahRange.wholeQuran where ayah.absoluteIndex % 37 == 1 {
      #expect((try? AyahReference(parsing: "\(ayah)")) == ayah)
    }
  }

  @Test(arguments: [
    "2:0255", "02:255", " 2:255", "2:255 ", "2 255", "2", "2:", ":2", "", ":", "2:287", "2:1:1",
    "baqarah:255", "٢:٢٥٥", "+2:1", "2::1",
  ])
  func strictFormTakesNothingElse(text: String) { #expect(AyahReference(text) == nil) }
}

struct AyahParsingTests {
  @Test(arguments: [
    "2:255", " 2 : 255 ", "2 255", "baqarah 255", "al-baqarah:255", "Al-Baqarah 255",
    "surah baqarah 255", "surah 2:255", "bakara:255", "the cow 255", "البقرة ٢٥٥", "٢:٢٥٥",
    "سورة البقرة 255", "baq 255", "\t2:255\n",
  ])
  func readsTheThroneAyah(text: String) throws {
    #expect(try AyahReference(parsing: text) == AyahReference("2:255"))
  }

  @Test(arguments: [
    ("2:287", "surah 2 has 286 ayat; 2:287 does not exist"),
    ("baqarah 0", "surah 2 has 286 ayat; 2:0 does not exist"),
    ("115:1", "there are 114 surahs; surah 115 does not exist"),
    ("0:1", "there are 114 surahs; surah 0 does not exist"),
    ("yasin", "Ya-Sin (36) is a whole surah; name one of its ayat, 36:1 to 36:83"),
    ("2", "Al-Baqarah (2) is a whole surah; name one of its ayat, 2:1 to 2:286"),
    ("baqra 3", "no surah is called \"baqra\"; did you mean Al-Baqarah (2) or At-Tawbah (9)?"),
    ("xyzzy 3", "no surah is called \"xyzzy\"; give its number, 1 to 114, or its name"),
    ("the dawn 1", "\"the dawn\" may be Al-Fajr (89) or Al-Falaq (113)"),
    ("fat 3", "\"fat\" may be Al-Fatihah (1), Fatir (35), Al-Fath (48) or Al-Qadr (97)"),
    ("2:x", "\"2:x\" is not an ayah; write it as 2:255 or baqarah 255"),
    ("", "\"\" is not an ayah; write it as 2:255 or baqarah 255"),
    (":", "\":\" is not an ayah; write it as 2:255 or baqarah 255"),
    ("1-1", "no surah is called \"1-1\"; give its number, 1 to 114, or its name"),
    ("1.5", "no surah is called \"1.5\"; give its number, 1 to 114, or its name"),
    (
      "2:99999999999999999999",
      "\"2:99999999999999999999\" is not an ayah; write it as 2:255 or baqarah 255"
    ),
  ])
  func saysWhatIsWrong(text: String, message: String) {
    let error = #expect(throws: QuranError.self) { try AyahReference(parsing: text) }
    #expect(error?.description == message)
  }

  @Test func messagesCarryNoControlCharacters() {
    let text = "\u{1b}[31m\u{202e}\u{7f}\u{9b}" + String(repeating: "x", count: 100) + " 1"
    let error = #expect(throws: QuranError.self) { try AyahReference(parsing: text) }
    let shown = error?.description ?? ""
    #expect(
      shown.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
      })
    #expect(shown.count < 120)
  }
}
