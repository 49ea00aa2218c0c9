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
          words: 77433, letters: 330709, phoneticUnits: 653236, waqfMarks: 4291,
          maddSigns: 5376))
  }

  @Test(arguments: [("2:1", 8.64, 0.122), ("19:1", 9.28, 0.096), ("36:1", 2.57, 0.114)])
  func openingLettersAreExpectedToTakeAboutAsLongAsTheyDo(
    ayah: String, seconds: Double, pace: Double
  ) throws {
    // Seconds, and the median pace of the recording, of Emad al-Mansary and Yasser Salama.
    let expected = Double(try AyahRange(parsing: ayah).length.phoneticUnits) * pace
    #expect(seconds / expected > 0.66 && seconds / expected < 1.5, "\(seconds / expected)")
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
