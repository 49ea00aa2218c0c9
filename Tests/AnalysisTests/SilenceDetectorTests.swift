// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Testing

/// So many hops of each RMS.
private func pieces(_ pieces: (Int, Float)...) throws -> Envelope {
  try envelope(rms: pieces.flatMap { Array(repeating: $0.1, count: $0.0) })
}

extension Detection {
  /// The pauses in hops, at 48 kHz.
  fileprivate var hops: [Range<Int>] {
    pauses.map { Int($0.span.lowerBound.frames / 480)..<Int($0.span.upperBound.frames / 480) }
  }
}

@Suite("SilenceDetector")
struct SilenceDetectorTests {
  let detector = SilenceDetector()

  @Test("Silence is what lies below 0.02 of the loudest hop", arguments: [Float(1), 0.1, 0.001])
  func threshold(peak: Float) throws {
    let below = try pieces((100, peak), (50, 0.0199 * peak), (100, peak))
    let above = try pieces((100, peak), (50, 0.0201 * peak), (100, peak))
    #expect(try detector.detect(in: below).hops == [100..<150])
    #expect(try detector.detect(in: above).pauses.isEmpty)
  }

  @Test("400 ms are a silence, 390 ms are none")
  func shortest() throws {
    #expect(try detector.detect(in: pieces((50, 1), (40, 0), (50, 1))).hops == [50..<90])
    #expect(try detector.detect(in: pieces((50, 1), (39, 0), (50, 1))).pauses.isEmpty)
  }

  @Test("Silences 100 ms apart become one, 110 ms apart stay two")
  func merging() throws {
    let near = try pieces((50, 1), (40, 0), (10, 1), (40, 0), (50, 1))
    let far = try pieces((50, 1), (40, 0), (11, 1), (40, 0), (50, 1))
    #expect(try detector.detect(in: near).hops == [50..<140])
    #expect(try detector.detect(in: near).boundaries.count == 1)
    #expect(try detector.detect(in: far).hops == [50..<90, 101..<141])
  }

  @Test("What is shorter than 400 ms is dropped before anything is merged")
  func mergingComesAfterTheShortest() throws {
    let short = try pieces((50, 1), (39, 0), (5, 1), (39, 0), (50, 1))
    #expect(try detector.detect(in: short).pauses.isEmpty)
    let mixed = try pieces((50, 1), (40, 0), (5, 1), (39, 0), (50, 1))
    #expect(try detector.detect(in: mixed).hops == [50..<90])
    let chain = try pieces((50, 1), (40, 0), (9, 1), (40, 0), (9, 1), (40, 0), (50, 1))
    #expect(try detector.detect(in: chain).hops == [50..<188])
  }

  @Test("Silence at both ends has a boundary like any other")
  func ends() throws {
    let detection = try detector.detect(in: pieces((60, 0), (50, 1), (50, 0), (50, 1), (45, 0)))
    #expect(detection.hops == [0..<60, 110..<160, 210..<255])
    // The middles of the three, in hops: 30, 135 and 232.5.
    #expect(detection.boundaries.map(\.position.frames) == [14_400, 64_800, 111_600])
    #expect(detection.boundaries.allSatisfy { $0.confidence == 1 })
  }

  @Test("Silence at the end reaches to the last frame, and no further")
  func partialLastHop() throws {
    let rate = try #require(SampleRate(hertz: 48000))
    let values = [Float](repeating: 1, count: 50) + [Float](repeating: 0, count: 50)
    let length: Int64 = 99 * 480 + 17
    let envelope = Envelope(rate: rate, length: FrameCount(length), hops: hops(rms: values))
    let detection = try detector.detect(in: envelope)
    #expect(detection.pauses.map(\.span.upperBound.frames) == [length])
    // Half way from frame 24,000 to 47,537.
    #expect(detection.boundaries.map(\.position.frames) == [35_768])
  }

  @Test("The depth is that below the loudest hop")
  func depth() throws {
    let detection = try detector.detect(in: pieces((50, 1), (50, 0.001), (50, 1)))
    #expect(abs(detection.pauses[0].depth - 60) < 0.01)
  }

  @Test("A silent recording is one silence with a boundary, an empty or loud one has neither")
  func nothing() throws {
    #expect(try detector.detect(in: pieces()) == Detection(pauses: [], boundaries: []))
    #expect(try detector.detect(in: pieces((500, 0))).hops == [0..<500])
    #expect(
      try detector.detect(in: pieces((500, 0))).boundaries.map(\.position.frames) == [120_000])
    #expect(try detector.detect(in: pieces((500, 1))) == Detection(pauses: [], boundaries: []))
  }

  @Test("Its three numbers can be set")
  func settings() throws {
    let envelope = try pieces((50, 1), (20, 0.05), (3, 1), (20, 0.05), (50, 1))
    let detector = SilenceDetector(threshold: 0.1, minimumSilence: 20, mergeGap: 2)
    #expect(try detector.detect(in: envelope).hops == [50..<70, 73..<93])
    let merging = SilenceDetector(threshold: 0.1, minimumSilence: 20, mergeGap: 3)
    #expect(try merging.detect(in: envelope).hops == [50..<93])
  }
}
