// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import Testing

struct AyahLengthTests {
  @Test func theBasmalahHasFourWordsAndNineteenLetters() {
    #expect(
      AyahLength.basmalah
        == AyahLength(words: 4, letters: 19, phoneticUnits: 32, waqfMarks: 0))
  }

  @Test func theIstiadhahIsEstimatedAtThePaceOfTheBasmalah() {
    let basmalah = AyahLength.basmalah
    let byLetters = AyahLength.istiadhah.letters * basmalah.phoneticUnits / basmalah.letters
    #expect(AyahLength.istiadhah.phoneticUnits == byLetters)
  }

  @Test func totalsAreKnown() {
    #expect(
      AyahRange.wholeQuran.length
        == AyahLength(
          words: 77433, letters: 330709, phoneticUnits: 652400, waqfMarks: 4291,
          maddSigns: 5376))
  }

  @Test func lengthOfARangeIsTheSumOfItsAyat() throws {
    for text in ["1", "2:255", "2:255-3:9", "juz 30", "page 604", "114:6", "2", "1:1-2:1"] {
      let range = try AyahRange(parsing: text)
      #expect(range.length == range.reduce(.zero) { $0 + $1.length })
    }
  }

  @Test func everyAyahHasSoundsWordsAndLetters() {
    for length in AyahRange.wholeQuran.map(\.length) {
      #expect(length.words >= 1 && length.letters >= 2 && length.phoneticUnits >= 7)
      #expect(length.waqfMarks <= length.words)
    }
  }
}
