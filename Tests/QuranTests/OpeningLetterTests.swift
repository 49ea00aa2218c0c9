// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import Quran

@Suite struct OpeningLetterTests {
  @Test(arguments: [
    ("2:1", 2), ("7:1", 3), ("10:1", 1), ("19:1", 3), ("20:1", 0), ("36:1", 1), ("42:1", 1),
    ("42:2", 3), ("46:1", 1), ("50:1", 1), ("68:1", 1), ("2:2", 0), ("112:1", 0),
  ])
  func countsTheLettersThatAreDrawnOut(ayah: String, count: Int) throws {
    #expect(try AyahRange(parsing: ayah).first.drawnOpeningLetters == count)
  }

  @Test func twentyNineSurahsOpenWithLettersAllButTaHaWithADrawnOne() {
    let openings = Surah.all.filter { $0.firstAyah.drawnOpeningLetters > 0 }
    #expect(openings.count == 28)
  }
}
