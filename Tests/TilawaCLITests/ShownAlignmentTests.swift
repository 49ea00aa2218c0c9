// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Exchange
import Quran
import Testing

@testable import TilawaCLI

struct ShownAlignmentTests {
  private func document() throws -> AnnotationDocument {
    AnnotationDocument(length: FrameCount(80000), rate: try #require(SampleRate(hertz: 8000)))
  }

  private func judgement(_ span: Range<Int64>) -> AlignmentJudgement {
    AlignmentJudgement(
      doubt: .init(code: "ends_with", text: "it ends with 1:3"),
      remarks: [.init(text: "kept before codes were")],
      request: .init(
        span: FramePosition(span.lowerBound)..<FramePosition(span.upperBound), first: .first))
  }

  @Test func whatIsAlignedOfARecordingIsSaid() throws {
    let document = try document()
    let all = judgement(0..<80000)
    #expect(
      all.lines(document) == ["doubtful: it ends with 1:3", "from 1:1", "kept before codes were"])
    var night = AlignmentJudgement(
      request: .init(
        span: .zero..<FramePosition(80000), first: .first, last: .last, prayer: .taraweeh))
    #expect(night.lines(document) == ["from 1:1 to 114:6, prayer: taraweeh"])
    night.request = nil
    #expect(night.lines(document).isEmpty)
    let part = judgement(8000..<16000)
    #expect(
      part.lines(document) == [
        "doubtful: it ends with 1:3", "from 1:1", "of 0:01.000 to 0:02.000 alone",
        "kept before codes were",
      ])
    #expect(
      part.value(document).text.hasPrefix(
        #"{"start":1,"end":2,"first_ayah":"1:1","last_ayah":null,"prayer":null,"verdict":"doubtful","#
          + #""remarks":[{"code":"ends_with","text":"it ends with 1:3"},"#
          + #"{"code":null,"text":"kept before codes were"}]"#))
  }

  @Test func nothingIsSaidOfWhatWasNotAligned() throws {
    #expect(AlignmentJudgement().lines(try document()).isEmpty)
    #expect(AlignmentJudgement().value(try document()) == .null)
  }
}
