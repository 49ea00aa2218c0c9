// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import Decoding

@Suite struct DecodingWarningTests {
  private func damaged(_ start: Int64, _ count: Int64) -> DecodingWarning {
    .damaged(at: FramePosition(start), frames: FrameCount(count))
  }

  @Test func mergingKeepsOrderAndDropsRepetition() {
    let early = DecodingWarning.endsEarly(promised: FrameCount(10), found: FrameCount(4))
    let change = DecodingWarning.formatChange(at: FramePosition(7))
    #expect(DecodingWarning.merged([]) == [])
    #expect(
      DecodingWarning.merged([change, early, change, .cutOff, early]) == [change, early, .cutOff])
  }

  @Test func mergingAddsUpSamplesThatWereNoNumbers() {
    #expect(
      DecodingWarning.merged([.notFinite(samples: 3), .cutOff, .notFinite(samples: 4)])
        == [.cutOff, .notFinite(samples: 7)])
  }

  @Test func mergingJoinsDamageThatTouchesOrOverlaps() {
    #expect(DecodingWarning.merged([damaged(0, 10), damaged(10, 5)]) == [damaged(0, 15)])
    #expect(DecodingWarning.merged([damaged(10, 5), damaged(0, 10)]) == [damaged(0, 15)])
    #expect(DecodingWarning.merged([damaged(0, 10), damaged(3, 4)]) == [damaged(0, 10)])
    #expect(DecodingWarning.merged([damaged(3, 4), damaged(0, 10)]) == [damaged(0, 10)])
    let apart = [damaged(0, 10), damaged(11, 5)]
    #expect(DecodingWarning.merged(apart) == apart)
  }

  @Test func damageReadAgainAfterASeekIsReportedOnce() throws {
    for name in ["garbage_in_middle.flac", "garbage_in_middle.m4a", "nan_samples.wav"] {
      let decoder = try MediaSource(path: FixtureIndex.path("malformed/" + name)).makeDecoder()
      let first = try Recording(decoder).warnings
      for _ in 0..<3 {
        try decoder.seek(to: .zero)
        _ = try Recording(decoder)
      }
      #expect(decoder.warnings.count == first.count, "\(name): \(decoder.warnings)")
    }
  }

  @Test func survivesEncoding() {
    let warnings: [DecodingWarning] = [
      .endsEarly(promised: FrameCount(1 << 40), found: .zero), .cutOff, damaged(5, 1 << 33),
      .notFinite(samples: 12), .formatChange(at: FramePosition(99)),
      .missing(at: FramePosition(7), frames: FrameCount(1 << 30)), .cancelledChannels,
    ]
    var encoder = ByteEncoder()
    for warning in warnings { warning.encode(into: &encoder) }
    var decoder = ByteDecoder(encoder.bytes)
    for warning in warnings { #expect(DecodingWarning(from: &decoder) == warning) }
    #expect(decoder.isAtEnd)
    #expect(DecodingWarning(from: &decoder) == nil)
  }

  @Test func impossibleNumbersAreNoWarning() {
    for (kind, first, second) in [
      (0, 1, 1), (8, 1, 1), (3, -1, 5), (3, Int64.max, Int64.max), (4, Int64.max, 0), (1, 5, -1),
      (5, Int64.min, 0),
    ] as [(UInt64, Int64, Int64)] {
      var encoder = ByteEncoder()
      encoder.append(kind)
      encoder.append(signed: first)
      encoder.append(signed: second)
      var decoder = ByteDecoder(encoder.bytes)
      #expect(DecodingWarning(from: &decoder) == nil)
    }
  }

  @Test func randomBytesAreMergedWithoutOverflow() {
    var random = SplitMix64(state: 21)
    var warnings: [DecodingWarning] = []
    for _ in 0..<2000 {
      var bytes = (0..<24).map { _ in UInt8.random(in: 0...255, using: &random) }
      bytes[0] = .random(in: 0...6, using: &random)
      var decoder = ByteDecoder(bytes)
      if let warning = DecodingWarning(from: &decoder) { warnings.append(warning) }
    }
    #expect(warnings.count > 300)
    let merged = DecodingWarning.merged(warnings)
    #expect(!merged.isEmpty && merged.allSatisfy { !$0.description.isEmpty })
  }
}
