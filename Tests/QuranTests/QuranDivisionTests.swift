// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import Testing

struct QuranDivisionTests {
  @Test(arguments: zip(QuranDivision.allCases, [30, 60, 240, 604, 7, 556]))
  func partsFollowEachOtherWithoutGaps(division: QuranDivision, count: Int) throws {
    #expect(division.count == count)
    var next: AyahReference? = .first
    for number in 1...division.count {
      let part = try division.range(of: number)
      #expect(part.first == next)
      #expect(try division.start(of: number) == part.first)
      #expect(division.number(containing: part.first) == number)
      #expect(division.number(containing: part.last) == number)
      next = part.last.next
    }
    #expect(next == nil)
    for number in [0, -1, count + 1, .max, .min] {
      #expect(throws: QuranError.noSuchPart(division, number)) { try division.range(of: number) }
    }
  }

  @Test(arguments: [
    (QuranDivision.juz, 30, "78:1"), (.juz, 2, "2:142"), (.hizb, 60, "87:1"), (.rub, 2, "2:26"),
    (.rub, 106, "15:50"), (.page, 604, "112:1"), (.page, 2, "2:1"), (.manzil, 7, "50:1"),
    (.ruku, 3, "2:8"),
  ])
  func startsWhereTheMushafHasIt(division: QuranDivision, number: Int, start: String) throws {
    #expect(try division.start(of: number).description == start)
  }

  @Test func theThroneAyahIsFoundInEveryDivision() throws {
    let ayah = try #require(AyahReference("2:255"))
    #expect(ayah.juz == 3)
    #expect(ayah.hizb == 5)
    #expect(ayah.rub == 17)
    #expect(ayah.page == 42)
    #expect(ayah.manzil == 1)
    #expect(ayah.ruku == 35)
    #expect(ayah.sajdah == nil)
  }

  @Test func largerPartsStartWithSmallerOnes() throws {
    for ayah in AyahRange.wholeQuran {
      #expect(ayah.juz == (ayah.hizb + 1) / 2)
      #expect(ayah.hizb == (ayah.rub + 3) / 4)
    }
    #expect(Surah.all.reduce(0) { $0 + $1.rukuCount } == 556)
  }

  @Test func prostrationsAreFifteen() throws {
    #expect(Sajdah.all.count == 15)
    #expect(
      Sajdah.all.filter { $0.ruling == .obligatory }.map(\.ayah.description) == [
        "32:15", "41:38", "53:62", "96:19",
      ])
    #expect(AyahReference("96:19")?.sajdah?.number == 15)
    #expect(AyahRange.wholeQuran.compactMap(\.sajdah) == Sajdah.all)
  }
}
