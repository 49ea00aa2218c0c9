// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Exchange
import Foundation
import Playback
import Quran
import TestSupport
import Testing

/// What is exported of words is what playback reads.
@Suite struct WordTimingTests {
  @Test func playbackReadsWhatIsExported() throws {
    let rate = try #require(SampleRate(hertz: 44_100))
    let ayat = (1...4).map { AyahReference(surah: 112, ayah: $0)! }
    var random = SplitMix64(state: 5)
    for _ in 0..<20 {
      let records = ayat.enumerated().map { index, ayah in
        SegmentRecord(
          start: index == 0
            ? nil
            : Marker(
              id: MarkerID(Int64(index)), position: FramePosition(Int64(index) * 441_000),
              origin: .aligned),
          content: SegmentContent(Attribution(.ayah(ayah), origin: .aligned)))
      }
      var document = try AnnotationDocument(
        length: FrameCount(4 * 441_000), rate: rate, records: records)
      document = try AnnotationDocument(
        length: document.length, rate: rate, records: records,
        words: document.segments.flatMap(\.passages).flatMap {
          randomWords(in: $0, using: &random)
        })
      let text = WordTimingsJSON.text(of: AnnotatedRecording(document))
      let file = try WordTimingFile(json: Data(text.utf8))
      for passage in document.segments.flatMap(\.passages) {
        let words = document.words(in: passage).filter { $0.span.length > FrameCount(88) }
        let timings = try #require(file.ayat[passage.ayah])
        for word in words {
          let middle =
            word.span.lowerBound + FrameCount(word.span.length.frames / 2)
            - passage.span.lowerBound
          let milliseconds = Int((middle.seconds(at: rate) * 1000).rounded())
          #expect(timings.word(atMilliseconds: milliseconds) == word.number - 1)
        }
      }
    }
    #expect(WordTimingsJSON.schema == WordTimingFile.schema)
  }
}
