// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import Testing

struct SurahTests {
  @Test func thereAreOneHundredAndFourteen() {
    #expect(Surah.all.map(\.number) == Array(1...114))
    #expect(Surah(0) == nil)
    #expect(Surah(115) == nil)
    #expect(Surah(-1) == nil)
    #expect(Surah(.max) == nil)
    #expect(throws: QuranError.noSuchSurah(115)) { try Surah(checking: 115) }
  }

  @Test func ayahCountsSumToTheWhole() {
    #expect(Surah.all.reduce(0) { $0 + $1.ayahCount } == 6236)
    #expect(Surah.all.map(\.ayahCount).max() == 286)
    #expect(Surah.all.map(\.ayahCount).min() == 3)
  }

  @Test func alBaqarahIsDescribed() throws {
    let surah = try #require(Surah(2))
    #expect(surah.ayahCount == 286)
    #expect(surah.name == "Al-Baqarah")
    #expect(surah.transliterations == ["Al-Baqarah", "Al-Baqara"])
    #expect(surah.arabicName == "البقرة")
    #expect(surah.englishName == "The Cow")
    #expect(surah.revelationPlace == .medinan)
    #expect(surah.revelationOrder == 87)
    #expect(surah.rukuCount == 40)
    #expect(surah.startPage == 2)
    #expect(surah.firstAbsoluteIndex == 8)
    #expect("\(surah)" == "Al-Baqarah (2)")
    #expect("\(surah.firstAyah) \(surah.lastAyah) \(surah.ayat)" == "2:1 2:286 2")
  }

  @Test func revelationOrderIsAPermutation() {
    #expect(Surah.all.map(\.revelationOrder).sorted() == Array(1...114))
    #expect(Surah.all.first { $0.revelationOrder == 1 }?.number == 96)
    #expect(Surah.all.count { $0.revelationPlace == .medinan } == 28)
  }

  @Test func onlyTheFirstAndNinthLackAnUncountedBasmalah() {
    #expect(Surah.all.filter { !$0.opensWithUncountedBasmalah }.map(\.number) == [1, 9])
  }

  @Test func neighboursFollowEachOther() {
    #expect(zip(Surah.all, Surah.all.dropFirst()).allSatisfy { $0.next == $1 && $1.previous == $0 })
    #expect(Surah.all.last?.next == nil)
    #expect(Surah.all.first?.previous == nil)
  }
}

struct RiwayahTests {
  @Test(arguments: [
    (Riwayah.hafs, 6236), (.shuba, 6236), (.qalun, 6214), (.warsh, 6214), (.douri, 6217),
    (.sousi, 6217), (.bazzi, 6221), (.qunbul, 6221),
  ])
  func totalIsKnown(riwayah: Riwayah, total: Int) {
    #expect(riwayah.totalAyahCount == total)
    #expect(riwayah.countsAsHafs == (total == 6236))
  }

  @Test func identifiersAreStable() {
    #expect(
      Riwayah.allCases.map(\.rawValue) == [
        "hafs", "shuba", "qalun", "warsh", "douri", "sousi", "bazzi", "qunbul",
      ])
    #expect(Set(Riwayah.allCases.map(\.displayName)).count == 8)
  }

  @Test func theyDivideTheSameSurahDifferently() throws {
    let kahf = try #require(Surah(18))
    #expect(Riwayah.hafs.ayahCount(of: kahf) == 110)
    #expect(Riwayah.warsh.ayahCount(of: kahf) == 105)
    #expect(Riwayah.qunbul.ayahCount(of: try #require(Surah(114))) == 7)
  }
}
