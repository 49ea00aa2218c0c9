// SPDX-License-Identifier: GPL-3.0-or-later

import Alignment
import ArgumentParser
import Quran
import Testing

@testable import TilawaCLI

@Suite struct AlignmentOptionsTests {
  private func command(_ arguments: String...) throws -> AutoDetectCommand {
    try AutoDetectCommand.parse(arguments + ["night.m4a"])
  }

  @Test func aSurahMeansAllOfIt() throws {
    let options = try command("--start", "baqarah", "--end", "2").alignment
    #expect(options.arguments == ["--start", "2:1", "--end", "2:286"])
  }

  @Test func wordsAreAskedForWhereThereIsAPlaceForThem() throws {
    let options = try command("--start", "2:1", "--words", "--format", "jsonl").alignment
    #expect(options.arguments == ["--start", "2:1", "--words"])
    #expect(try command("--start", "2:1", "--words", "--output", "a.TextGrid").alignment.words)
  }

  @Test(arguments: [
    ["--words", "--format", "json"], ["--words", "--start", "2:1", "--format", "csv"],
    ["--words", "--start", "2:1"],
    ["--prayer", "taraweeh", "--detector", "fixed"], ["--end", "2:3", "--detector", "fixed"],
    ["--start", "2:1", "--surah", "2"], ["--surah", "3", "--end", "2:5"],
    ["--start", "2:5", "--end", "2:4"],
    ["--start", "115"], ["--start", "2:1", "--detector", "fixed"],
    ["--start", "1:1", "--prayer", "x"], ["--jobs", "0"], ["--jobs", "-3"], ["--threshold", "0.1"],
    ["--detector", "fixed", "--min-silence", "soon"],
    ["--detector", "fixed", "--min-silence", "400"],
    ["--detector", "fixed", "--threshold", "-1"],
  ])
  func refusesWhatDoesNotGoTogether(arguments: [String]) {
    let error = #expect(throws: (any Error).self) {
      try AutoDetectCommand.parse(arguments + ["night.m4a"])
    }
    #expect(error.map { AutoDetectCommand.exitCode(for: $0) } == .validationFailure)
  }

  @Test(arguments: [
    (["--surah", "112:2"], ["--start 112:2", "--surah 112 if", "Al-Ikhlas"]),
    (["--surah", "112:2-2"], ["--start 112:2"]),
    (["--start", "2:1-20"], ["--start 2:1 --end 2:20"]),
    (["--start", "2:1", "--end", "juz 30"], ["--start 78:1 --end 114:6"]),
    (["--start", ""], ["is not an ayah; write it as 2:255"]),
    (["--start", "112:9"], ["surah 112 has 4 ayat"]),
    (["--start", "iklas"], ["did you mean Al-Ikhlas"]),
    (["--start", "2:5", "--end", "2:4"], ["--end 2:4 comes before --start 2:5"]),
    (["--surah", "3", "--end", "2:5"], ["--end 2:5 comes before --surah 3:1"]),
    (
      ["--words", "--format", "json"],
      ["--words needs --start, --surah, --end or --prayer taraweeh"]
    ),
    (["--riwayah", "warsh"], ["--riwayah needs --start, --surah, --end or --prayer taraweeh"]),
  ])
  func saysWhichOptionWasMeant(arguments: [String], words: [String]) {
    do {
      _ = try AutoDetectCommand.parse(arguments + ["night.m4a"])
      Issue.record("\(arguments) are taken")
    } catch {
      let message = AutoDetectCommand.message(for: error)
      for word in words { #expect(message.contains(word), "\(message)") }
    }
  }

  @Test func theHelpOfPrayerHasOneDefault() throws {
    let help = AutoDetectCommand.helpMessage(columns: 200)
    let line = try #require(help.split(separator: "\n").first { $0.contains("al-Fatiha") })
    #expect(!line.contains("Default: "), "\(line)")
  }

  @Test(arguments: [
    ["--start", "2"], ["--surah", "2"], ["--end", "2"], ["--prayer", "taraweeh"],
  ])
  func whateverTellsThatItIsAlignedIsEnoughForWordsAndRiwayah(given: [String]) throws {
    let needy = ["--words", "--format", "json", "--riwayah", "warsh"]
    #expect(try AutoDetectCommand.parse(given + needy + ["night.m4a"]).alignment.isGiven)
  }

  @Test func workersAreToldTheSame() throws {
    let options = try command("--start", "2:1", "--end", "2:20", "--prayer", "taraweeh").alignment
    let again = try AlignmentOptions.parse(options.arguments)
    #expect(again.request == options.request)
    #expect(options.request?.prayer == .taraweeh)
  }

  @Test func anEndOrASurahAloneIsLookedFor() throws {
    let range = try AyahRange(parsing: "36:1-83")
    #expect(try command("--surah", "36").alignment.search == .within(range, last: nil))
    let end = try #require(AyahReference(surah: 2, ayah: 141))
    #expect(try command("--end", "2:141").alignment.search == .ending(end))
    #expect(try command("--start", "2:1", "--end", "2:141").alignment.search == nil)
    #expect(try command().alignment.search == nil)
  }

  /// With it every prayer begins.
  @Test(arguments: ["1", "1:1"]) func alFatihaIsNoStartOfAPrayer(start: String) throws {
    let options = try command("--start", start, "--end", "2:20", "--prayer", "taraweeh").alignment
    let end = try AyahReference(parsing: "2:20")
    #expect(options.subject == .somewhere(.ending(end), prayer: .taraweeh))
    #expect(try AlignmentOptions.parse(options.arguments).subject == options.subject)
    #expect(try command("--start", start).alignment.search == nil)
    #expect(
      try command("--surah", "1", "--prayer", "taraweeh").alignment.search
        == .within(.wholeQuran, last: nil))
  }

  @Test func workersLookForTheSame() throws {
    let options = try command("--surah", "36", "--end", "36:40").alignment
    #expect(try AlignmentOptions.parse(options.arguments).search == options.search)
  }

  @Test func aRemarkSaysWhatBeginsWithinAnAyahAndWhatIsWordedAlike() throws {
    let first = try AyahReference(parsing: "55:13")
    let other = try AyahReference(parsing: "55:16")
    #expect(
      remark([
        PlaceCandidate(first: first, word: 2, probability: 0.6),
        PlaceCandidate(first: other, probability: 0.4, isWordedAlike: true),
      ])
        == "assumed start: within 55:13 (60%); or 55:16 (40%, same wording); if wrong, use --start"
    )
  }

  @Test func aRemarkSaysWhereElseItMayStart() throws {
    let first = try #require(AyahReference(surah: 36, ayah: 1))
    let other = try #require(AyahReference(surah: 36, ayah: 13))
    #expect(
      remark([
        PlaceCandidate(first: first, probability: 0.9),
        PlaceCandidate(first: other, probability: 0.1),
      ])
        == "assumed start: 36:1 (90%); or 36:13 (10%); if wrong, use --start")
    #expect(remark([]) == "the start was not found; use --start")
    #expect(
      remark([PlaceCandidate(first: first, probability: 0.001)])
        .contains("uncertain start: 36:1 (under 1%)"))
  }

  @Test func aRemarkSaysWhenTheStartIsNotSure() throws {
    let first = try #require(AyahReference(surah: 36, ayah: 1))
    #expect(
      remark([PlaceCandidate(first: first, probability: 0.2)])
        == "uncertain start: 36:1 (20%); many places fit equally well; use --start")
  }

  @Test func aRemarkSaysWhenNoPlaceFits() throws {
    let first = try #require(AyahReference(surah: 36, ayah: 1))
    #expect(
      remark([PlaceCandidate(first: first, probability: 0.9)], isHeard: false)
        == "uncertain start: 36:1 (90%); the recitation fits no place in the Quran well; use --start"
    )
    #expect(
      try remark(
        [PlaceCandidate(first: first, probability: 0.9)], isHeard: false,
        in: AyahRange(parsing: "36"))
        == "uncertain start: 36:1 (90%); the recitation fits no place in 36:1-83 well; use --start"
    )
  }

  @Test func whatIsKeptOfAnUncertainStartCanBeReadOutsideOfTheEditor() throws {
    let first = try #require(AyahReference(surah: 36, ayah: 1))
    for (isHeard, reason) in [
      (true, "many places fit equally well"),
      (false, "the recitation fits no place in the Quran well"),
    ] {
      let outcome = StartSearch.Outcome(
        candidates: [PlaceCandidate(first: first, probability: 0.2)], isHeard: isHeard,
        range: .wholeQuran)
      #expect(outcome.doubt?.text(.editor) == "\(reason); set the first ayah")
    }
  }

  @Test func aRemarkSaysWhenItBeginsOutsideOfWhatWasSearched() throws {
    let first = try #require(AyahReference(surah: 55, ayah: 1))
    #expect(
      try remark(
        [PlaceCandidate(first: first, probability: 1)], in: AyahRange(parsing: "1:1-54:55"))
        == "uncertain start: 55:1 (over 99%); 55:1 is outside 1:1-54:55; use --start")
  }

  /// Where in a passage it begins, the alignment finds by more than the first words.
  @Test func aPassageIsAsSureAsAllPlacesInIt() throws {
    func candidate(
      _ surah: Int, _ ayah: Int, _ probability: Double, isWordedAlike: Bool = false
    ) throws -> PlaceCandidate {
      PlaceCandidate(
        first: try AyahReference(checking: surah, ayah: ayah), probability: probability,
        isWordedAlike: isWordedAlike)
    }
    let near = StartSearch.Outcome(
      candidates: [
        try candidate(67, 1, 0.45), try candidate(66, 12, 0.25), try candidate(2, 4, 0.3),
      ],
      isHeard: true, range: .wholeQuran)
    #expect(near.confidence == 0.7)
    #expect(near.doubt == nil)
    let alike = StartSearch.Outcome(
      candidates: [
        try candidate(55, 13, 0.4), try candidate(55, 16, 0.3, isWordedAlike: true),
        try candidate(55, 18, 0.3, isWordedAlike: true),
      ], isHeard: true, range: .wholeQuran)
    #expect(alike.confidence == 0.4)
    #expect(alike.doubt == .manyPlaces)
  }

  private func remark(
    _ candidates: [PlaceCandidate], isHeard: Bool = true, in range: AyahRange = .wholeQuran
  ) -> String {
    StartSearch.Outcome(candidates: candidates, isHeard: isHeard, range: range)
      .remark(.commandLine)
  }
}
