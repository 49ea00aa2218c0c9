// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Encoding
import Quran
import Testing

@testable import Annotation

@Suite struct NamingTests {
  private func ayah(_ surah: Int, _ ayah: Int) throws -> AyahReference {
    try #require(AyahReference(surah: surah, ayah: ayah))
  }

  private func passage(
    _ reference: AyahReference, _ span: Range<Int>, part: AyahPart? = nil
  ) -> Passage {
    Passage(segment: .first, ayah: reference, part: part, span: frames(span))
  }

  @Test func namesAyahByThreeDigitsEach() throws {
    #expect(try AyahFileName(ayah(1, 7), kind: .mp3).description == "001007.mp3")
    #expect(try AyahFileName(ayah(2, 286), kind: .m4a).description == "002286.m4a")
    #expect(
      try AyahFileName(ayah(114, 6), part: .end, repetition: 3, kind: .wav).description
        == "114006-end-3.wav")
  }

  @Test func numbersRepeatsOfTheSamePieceAlone() throws {
    let passages = try [
      passage(ayah(2, 1), 0..<10), passage(ayah(2, 2), 10..<20, part: .beginning),
      passage(ayah(2, 2), 20..<30), passage(ayah(2, 1), 30..<40), passage(ayah(2, 2), 40..<50),
      passage(ayah(2, 2), 50..<60, part: .beginning),
    ]
    let files = AyahFilePlan(passages, kind: .opus).files
    #expect(
      files.map(\.name.description) == [
        "002001.opus", "002002-beginning.opus", "002002.opus", "002001-2.opus", "002002-2.opus",
        "002002-beginning-2.opus",
      ])
    #expect(files.map(\.span) == passages.map(\.span))
    let whole = AyahFilePlan(passages, kind: .opus, includesParts: false).files
    #expect(whole.map(\.span) == [0, 2, 3, 4].map { passages[$0].span })
  }

  @Test func cutsPairAcrossSurahsAtItsJoin() throws {
    let rate = try #require(SampleRate(hertz: 48_000))
    let pair = try Assignment.crossSurah(
      ayah(112, 4), join: FramePosition(600), end: ayah(113, 1))
    let document = try AnnotationDocument(
      length: FrameCount(1_000), rate: rate,
      records: [SegmentRecord(start: nil, content: SegmentContent(Attribution(pair)))])
    let files = AyahFilePlan(document.segments.flatMap(\.passages), kind: .flac).files
    #expect(files.map(\.name.description) == ["112004.flac", "113001.flac"])
    #expect(files.map(\.span) == [frames(0..<600), frames(600..<1_000)])
  }

  @Test func everyNameIsOneSafeComponent() {
    for index in stride(from: 1, through: AyahReference.count, by: 7) {
      guard let ayah = AyahReference(absoluteIndex: index) else { continue }
      for part in [nil] + AyahPart.allCases {
        for kind in AudioFileKind.allCases {
          let name = AyahFileName(ayah, part: part, repetition: 2, kind: kind).description
          #expect(name.utf8.allSatisfy { $0 == 0x2D || $0 == 0x2E || (0x30...0x7A).contains($0) })
          #expect(!name.contains("/") && !name.hasPrefix("."))
        }
      }
    }
  }

  @Test func tagsSayWhichAyahItIs() throws {
    let file = try AyahFilePlan([passage(ayah(2, 255), 0..<9, part: .end)], kind: .mp3).files[0]
    let tags = file.tags(artist: "Someone", album: "A night")
    #expect(tags.title == "Al-Baqarah 255")
    #expect(tags.track == 255)
    #expect(tags.comment == "2:255 (end)")
    #expect(tags.artist == "Someone" && tags.album == "A night")
  }
}
