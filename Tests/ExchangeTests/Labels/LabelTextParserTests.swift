// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Quran
import Testing

@testable import Exchange

@Suite struct LabelTextParserTests {
  private func read(_ text: String) -> LabelTextParser.Reading {
    var parser = LabelTextParser()
    return parser.read(text)
  }

  @Test(arguments: [
    "2:255", " 2:255 ", "2 : 255", "2 255", "002255", "Al-Baqarah 255", "baqarah 255",
    "al-baqarah:255", "surah baqarah ayah 255", "Surah 2 verse 255", "البقرة 255", "٢:٢٥٥",
    "سورة البقرة آية ٢٥٥",
  ])
  func readsOneAyahHoweverItIsWritten(_ text: String) {
    #expect(read(text) == .content(.ayah(ayah(2, 255))))
  }

  @Test(arguments: [
    ("2:5 (end)", AyahPart.end), ("2:5 (beginning)", .beginning),
    ("baqarah 5 ( Start )", .beginning),
    ("002005 (middle)", .middle),
  ])
  func readsPartsOfAnAyah(_ text: String, _ part: AyahPart) {
    #expect(read(text) == .content(.ayah(ayah(2, 5), part: part)))
  }

  @Test(arguments: [
    "93:1-3", "93:1 - 3", "93:1-93:3", "93:1–3", "duha 1-3", "Ad-Duhaa 1-3", "093001-093003",
    "93:1 | 93:2 | 93:3",
  ])
  func readsConsecutiveAyat(_ text: String) {
    #expect(read(text) == .content(.ayat(AyahRange(first: ayah(93, 1), last: ayah(93, 3))!)))
  }

  @Test func tellsAPairFromARunAcrossSurahs() {
    let pair = SpokenContent.pair(ayah(2, 286), ayah(3, 1))
    let run = SpokenContent.ayat(AyahRange(first: ayah(2, 286), last: ayah(3, 1))!)
    #expect(read("2:286 | 3:1") == .content(pair))
    #expect(read("baqarah 286|imran 1") == .content(pair))
    #expect(read("2:286-3:1") == .content(run))
    #expect(read("2:4 | 2:5") == .content(.ayat(AyahRange(first: ayah(2, 4), last: ayah(2, 5))!)))
    #expect(read("2:7-7") == .content(.ayah(ayah(2, 7))))
  }

  @Test func readsLeadIns() {
    for text in ["isti'adhah", "Istiadhah", "isti‘adha"] {
      #expect(read(text) == .content(.istiadhah))
    }
    #expect(read("basmalah") == .content(.basmalah(nil, afterIstiadhah: false)))
    #expect(read("Bismillah") == .content(.basmalah(nil, afterIstiadhah: false)))
    #expect(read("basmalah (2)") == .content(.basmalah(Surah(2), afterIstiadhah: false)))
    #expect(read("Basmalah (Al-Baqarah)") == .content(.basmalah(Surah(2), afterIstiadhah: false)))
    #expect(read("isti'adhah + basmalah") == .content(.basmalah(nil, afterIstiadhah: true)))
    #expect(
      read("isti'adhah + basmalah (114)") == .content(.basmalah(Surah(114), afterIstiadhah: true)))
  }

  @Test func readsTheBasmalahBeforeASurahThatBegins() {
    #expect(read("basmalah + 112:1") == .content(.ayah(ayah(112, 1), withBasmalah: true)))
    #expect(read("Bismillah, ikhlas 1") == .content(.ayah(ayah(112, 1), withBasmalah: true)))
    #expect(
      read("basmalah + 111:5 | 112:1")
        == .content(.pair(ayah(111, 5), ayah(112, 1), withBasmalah: true)))
    #expect(
      read("basmalah + 112:1-4")
        == .content(.ayat(AyahRange(first: ayah(112, 1), last: ayah(112, 4))!, withBasmalah: true)))
    for text in [
      "basmalah + 112:2", "basmalah + 1:1", "basmalah + 9:1", "basmalah + 2:1 (end)",
      "basmalah + basmalah + 112:1", "basmalah + takbir",
    ] {
      #expect(read(text) == .unreadable)
    }
  }

  @Test(arguments: UnusedReason.allCases)
  func readsWhatIsNotRecited(_ reason: UnusedReason) {
    for text in ["unused: \(reason.rawValue)", "unused \(reason.rawValue)", reason.rawValue] {
      #expect(read(text) == .content(.unused(reason)))
      #expect(read(text.uppercased()) == .content(.unused(reason)))
    }
  }

  @Test func readsOtherWordsForWhatIsNotRecited() {
    #expect(read("unused") == .content(.unused(.other)))
    #expect(read("Allahu akbar") == .content(.unused(.takbir)))
    #expect(read("takbir 2") == .content(.unused(.takbir)))
  }

  @Test(arguments: ["", "  ", "-", "--", "unassigned", "Unassigned", "segment 7", "Segment 12"])
  func takesForNothingWhatSaysNothing(_ text: String) { #expect(read(text) == .nothing) }

  @Test(arguments: [
    "2:287", "115:1", "0:1", "2:0", "002287", "115001", "7", "255", "yasin", "baqarah", "chapter 1",
    "2:5 (perhaps)", "2:5-2:3", "2:5-", "-2:5", "2:5 | ", "| 2:5", "2:5 | 2:9", "1:1 | 2:1 | 3:1",
    "2:5-2:300",
    "cough", "unused: whatever", "basmalah (200)", "2:5 takbir", "2:99999999999999999999",
    "segment of 2:5", "isti'adhah + takbir", ":", "2:", ":5", "()", "(end)", "+", "|",
    String(repeating: "baqarah ", count: 40) + "5",
  ])
  func leavesOtherTextsAlone(_ text: String) { #expect(read(text) == .unreadable) }

  @Test func readsWhatTheWritersWrite() {
    var parser = LabelTextParser()
    for ayah in AyahRange.wholeQuran where ayah.ayah <= 2 || ayah == ayah.surah.lastAyah {
      let assignment = Assignment.ayah(ayah)
      #expect(parser.read(assignment.labelText) == .content(.ayah(ayah)))
      #expect(parser.read(assignment.listenersText) == .content(.ayah(ayah)))
    }
    for surah in Surah.all where surah.opensWithUncountedBasmalah {
      let assignment = Assignment.ayah(surah.firstAyah, withBasmalah: true)
      #expect(parser.read(assignment.labelText) == .content(SpokenContent(assignment)))
      #expect(parser.read(assignment.listenersText) == .content(SpokenContent(assignment)))
    }
    for surah in Surah.all {
      for leadIn in [LeadIn.istiadhah, .basmalah(of: surah), .istiadhahAndBasmalah(of: surah)] {
        let assignment = Assignment.leadIn(leadIn)
        #expect(parser.read(assignment.labelText) == .content(SpokenContent(assignment)))
        #expect(parser.read(assignment.listenersText) == .content(SpokenContent(assignment)))
      }
    }
  }

  @Test func asksForFewNamesOnly() {
    var parser = LabelTextParser()
    for number in 0..<5_000 {
      #expect(parser.read("nobody\(number)x 1") == .unreadable)
    }
    #expect(parser.read("2:5") == .content(.ayah(ayah(2, 5))))
    #expect(parser.read("baqarah 5") == .unreadable)
  }
}
