// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Quran
import Testing

@testable import Playback

@Suite struct WordTimingTests {
  private func file(_ text: String) throws(WordTimingError) -> WordTimingFile {
    try WordTimingFile(json: Data(text.utf8))
  }

  private func file(ayat: String) throws(WordTimingError) -> WordTimingFile {
    try file(#"{"schema": "tilawa.word-timings/1", "ayat": \#(ayat)}"#)
  }

  @Test func readsAFile() throws {
    let timings = try file(ayat: #"{"112:1": [[0, 410], [410, 780]], "112:2": []}"#)
    #expect(timings.ayat[ayah("112:1")]?.words == [0..<410, 410..<780])
    #expect(timings.ayat[ayah("112:2")]?.words == [])
  }

  @Test func refusesWhatIsNotOne() {
    #expect(throws: WordTimingError.notJSON) { try file("") }
    #expect(throws: WordTimingError.notJSON) { try file("[1, 2]") }
    #expect(throws: WordTimingError.notJSON) { try file(ayat: #"{"2:1": [["a", 2]]}"#) }
    #expect(throws: WordTimingError.notJSON) { try file(ayat: #"{"2:1": [[0, 1e99]]}"#) }
    #expect(throws: WordTimingError.otherSchema(nil)) { try file(#"{"ayat": {}}"#) }
    #expect(throws: WordTimingError.otherSchema("x/2")) {
      try file(#"{"schema": "x/2", "ayat": {}}"#)
    }
    #expect(throws: WordTimingError.noSuchAyah("2:287")) { try file(ayat: #"{"2:287": []}"#) }
    for words in [
      "[[5, 5]]", "[[9, 5]]", "[[-1, 5]]", "[[0]]", "[[0, 1, 2]]", "[[0, 1, 0]]", "[[0, 1, 1, 1]]",
      "[[0, 9], [9, 12]]", "[[0, 9, 1], [8, 12, 1]]",
    ] {
      #expect(throws: WordTimingError.badWords(ayah("2:1"))) {
        try file(ayat: #"{"2:1": \#(words)}"#)
      }
    }
    let size = WordTimingFile.largestSize + 1
    #expect(throws: WordTimingError.tooLarge(bytes: size)) {
      try WordTimingFile(json: Data(count: size))
    }
  }

  @Test func aWordThatIsSaidAgainHasItsNumber() throws {
    let timings = try #require(
      try file(ayat: #"{"112:1": [[0, 10], [10, 20], [30, 40, 1], [40, 50, 2]]}"#)
        .ayat[ayah("112:1")])
    #expect(timings.numbers == [1, 2, 1, 2])
    #expect([5, 15, 25, 35, 45].map { timings.word(atMilliseconds: $0) } == [0, 1, 1, 0, 1])
    #expect(WordTimings([0..<5], numbers: [1, 2]) == nil)
    #expect(WordTimings([0..<5], numbers: [0]) == nil)
  }

  @Test func aWordStaysUntilTheNextBegins() throws {
    let timings = try #require(WordTimings([10..<20, 20..<30, 35..<40]))
    let expected: [(Int, Int?)] = [
      (-1, nil), (0, nil), (9, nil), (10, 0), (19, 0), (20, 1), (34, 1), (35, 2), (9999, 2),
    ]
    for (time, word) in expected { #expect(timings.word(atMilliseconds: time) == word) }
    #expect(try #require(WordTimings([])).word(atMilliseconds: 5) == nil)
  }

  @Test func framesAreCountedFromTheStartOfTheClipAtItsRate() throws {
    let timings = try #require(WordTimings([0..<500, 500..<1000]))
    let format = try #require(
      SampleRate(hertz: 44_100).flatMap { AudioFormat(rate: $0, channels: 2) })
    let start = FramePosition(1 << 40)
    let clip = AudioClip(
      MediaKey(rawValue: "a"), start..<(start + FrameCount(44_100)), format: format)
    #expect(timings.word(at: start - FrameCount(1), of: clip) == nil)
    #expect(timings.word(at: start, of: clip) == 0)
    #expect(timings.word(at: start + FrameCount(22_049), of: clip) == 0)
    #expect(timings.word(at: start + FrameCount(22_050), of: clip) == 1)
    #expect(timings.word(at: FramePosition(.max), of: clip) == 1)
  }
}
