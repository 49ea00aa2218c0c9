// SPDX-License-Identifier: GPL-3.0-or-later

import Library
import Quran
import TestSupport
import Testing

@Suite("Mappings: ayat that a source counts differently")
struct AyahMappingTests {
  private func ayah(_ text: String) -> AyahReference { AyahReference(text)! }

  /// The numbers of an ayah's files, and the ayat heard with it.
  private func places(_ mapping: AyahMapping, _ text: String) -> String {
    let numbers = mapping.numbers(of: ayah(text)).map { Array($0) } ?? []
    let together = mapping.ayat(heardWith: ayah(text))
    return "\(numbers) \(together.first.ayah)-\(together.last.ayah)"
  }

  @Test func ayatShareFilesAndAreInSeveral() throws {
    let mapping = try AyahMapping(
      parsing: """
        # of a printed edition
        2:1-2 = 2:1   # two in one
        2:3+ = 2:2+
        2:10 = 2:9-10\r
        2:11+ = 2:11+
        112:1 = none
        112:2+ = 112:1+
        """)
    #expect(places(mapping, "2:1") == "[1] 1-2")
    #expect(places(mapping, "2:2") == "[1] 1-2")
    #expect(places(mapping, "2:9") == "[8] 9-9")
    #expect(places(mapping, "2:10") == "[9, 10] 10-10")
    #expect(places(mapping, "2:286") == "[286] 286-286")
    #expect(places(mapping, "112:1") == "[] 1-1")
    #expect(places(mapping, "112:4") == "[3] 4-4")
    // Nothing is said of other surahs.
    #expect(places(mapping, "3:7") == "[7] 7-7")
    #expect(mapping.maps(ayah("2:9").surah) && !mapping.maps(ayah("3:7").surah))
    #expect(mapping.firstAyah(of: 1, in: ayah("2:1").surah) == ayah("2:1"))
    #expect(mapping.firstAyah(of: 10, in: ayah("2:1").surah) == ayah("2:10"))
    #expect(mapping.firstAyah(of: 4, in: ayah("112:1").surah) == nil)
  }

  @Test func asManyFilesAsAyatAreOneForOneUnlessTogether() throws {
    let single = try AyahMapping(parsing: "1:1 = none\n1:2-6 = 1:1-5\n1:7 = 1:6-7")
    #expect(places(single, "1:3") == "[2] 3-3" && places(single, "1:7") == "[6, 7] 7-7")
    let together = try AyahMapping(parsing: "2:5-6 = 2:5-6 together")
    #expect(places(together, "2:5") == "[5, 6] 5-6" && places(together, "2:6") == "[5, 6] 5-6")
  }

  @Test func whatIsWrittenReadsBack() throws {
    let mapping = try AyahMapping(
      parsing: "2:3 += 2:2+\n2:1-2=2:1\n1:6-7 = 1:6-7together\n112:4 = none\n112:3 = 112:3")
    #expect(
      mapping.lines == [
        "1:6-7 = 1:6-7 together", "2:1-2 = 2:1", "2:3+ = 2:2+", "112:3 = 112:3", "112:4 = none",
      ])
    #expect(try AyahMapping(parsing: mapping.description) == mapping)
  }

  @Test(arguments: [
    ("", "no line"), ("# nothing", "no line"), ("2:1", "line 1: '2:1' is not of the form"),
    ("\n2:1 = 2:1 = 2:1", "line 2"), ("115:1 = 115:1", "surah 115 does not exist"),
    ("2:287 = 2:1", "has only the ayat 1 to 286"), ("2:2-1 = 2:1", "2:2-1 ends before it begins"),
    ("2:0 = 2:1", "has only the ayat"), ("2:1 = 3:1", "cannot be in files of surah 3"),
    ("2:1 = 2:1000", "not a file number"), ("2:1+ = 2:1", "+ on both sides"),
    ("2:1+ = 2:1+ together", "without 'together'"), ("2:1 = 2:5-3", "the lower one first"),
    ("2:1 = 2:900+", "+ on both sides"), ("2:1+ = 2:900+", "would be in the file 1000"),
    ("2:1-5 = 2:1\n2:5 = 2:2", "line 2: 2:5 is already on line 1"),
    ("2:1-2 = 2:1\n2:3+ = 2:1+", "line 2: the file 2:1 is already used on line 1"),
    ("2:1 = 2:1-2", "line 1: the file 2:2 is also the file of 2:2, which keeps its number"),
    ("2:1 = sometimes", "not a file number"), ("٢:1 = 2:1", "is not of the form"),
    ("2:99999999999999999999 = 2:1", "is not of the form"),
  ])
  func refusals(text: String, reason: String) {
    do throws(AyahMapping.Problem) {
      let mapping = try AyahMapping(parsing: text)
      Issue.record("read as \(mapping)")
    } catch {
      #expect(error.description.contains(reason), "\(error)")
    }
  }

  @Test func refusesAFileThatIsTooLarge() {
    #expect(throws: AyahMapping.Problem.self) {
      try AyahMapping(parsing: String(repeating: "#", count: AyahMapping.largestSize + 1))
    }
  }

  /// What arrives is read or refused, never trapped on; what is read says of each ayah where it is, gives no file to two
  /// ayat that are not heard together, and reads back.
  @Test func survivesPiecesOfLinesInAnyOrder() throws {
    let pieces = [
      "2", "1", "7", "112", "286", "999", "1000", "0", ":", "-", "+", "=", " = ", "\n", "\r\n", "#",
      "none", " together", "2:1", "1:7", "1:", "112:1-2", "= 112:3", "112:3+ = 112:5+\n",
      "\u{FEFF}",
      "1:7 = 1:6-7\n", "1:1 = none\n", "1:2+ = 1:1+\n", "112:1-2 = 112:1\n", "2:9 = ",
      "\u{0}", "é", "\u{301}", "-1", "99999999999999999999",
    ]
    var random = SplitMix64(state: 11)
    var read = 0
    for _ in 0..<1500 {
      let count = Int.random(in: 0...8, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      guard let mapping = try? AyahMapping(parsing: text) else { continue }
      read += 1
      #expect(try AyahMapping(parsing: mapping.description) == mapping)
      for surah in [1, 2, 112].compactMap({ Surah($0) }) {
        var heard: [Int: AyahRange] = [:]
        for ayah in surah.ayat {
          let together = mapping.ayat(heardWith: ayah)
          #expect(together.contains(ayah))
          for number in mapping.numbers(of: ayah).map(Array.init) ?? [] {
            #expect(heard[number] == nil || heard[number] == together)
            heard[number] = together
            #expect(mapping.firstAyah(of: number, in: surah) == together.first)
          }
        }
      }
    }
    #expect(read > 20)
  }
}
