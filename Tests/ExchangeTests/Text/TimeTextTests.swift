// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import Exchange

@Suite struct TimeTextTests {
  @Test func secondsGiveBackTheFrameWithTheFewestDecimals() throws {
    var random = SplitMix64(state: 3)
    let usual = [8000, 11_025, 16_000, 22_050, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000]
    for round in 0..<20_000 {
      let hertz =
        round % 2 == 0 ? usual[round / 2 % 10] : Int.random(in: 1...192_000, using: &random)
      let rate = try #require(SampleRate(hertz: hertz))
      let frames = Int64.random(in: 0...Int64(24 * 3600 * hertz), using: &random)
      let text = TimeText.seconds(FramePosition(frames), at: rate)
      let time = try #require(Double(text))
      #expect((time * Double(hertz)).rounded() == Double(frames), "\(text) at \(hertz) Hz")
      #expect(FramePosition(seconds: time, at: rate) == FramePosition(frames))
      let decimals = text.split(separator: ".").dropFirst().first?.count ?? 0
      #expect(decimals <= 6)
      if decimals > 0 {
        let shorter = TimeText.seconds(FramePosition(frames), at: rate, decimals: decimals - 1)
        let time = try #require(Double(shorter))
        // Exactly between two frames is no answer either: readers round halves in different ways.
        let error = abs(time * Double(hertz) - Double(frames))
        #expect(error > 0.4999, "\(text) could be \(shorter)")
      }
    }
  }

  @Test func sixDecimalsDoAtTheHighestRate() throws {
    let rate = try #require(SampleRate(hertz: 768_000))
    var random = SplitMix64(state: 4)
    for _ in 0..<5000 {
      let frames = Int64.random(in: 0...Int64(12 * 3600 * 768_000), using: &random)
      let time = try #require(Double(TimeText.seconds(FramePosition(frames), at: rate)))
      #expect(FramePosition(seconds: time, at: rate) == FramePosition(frames))
    }
  }

  @Test(arguments: [
    (0, "0", "0.000000"), (1, "0.00002", "0.000023"), (44_100, "1", "1.000000"),
    (22_050, "0.5", "0.500000"), (-22_050, "-0.5", "-0.500000"), (230_687, "5.231", "5.230998"),
    (Int64.max, "209146758205323.71444", "209146758205323.714444"),
  ])
  func writesSeconds(frames: Int64, fewest: String, six: String) {
    #expect(TimeText.seconds(FramePosition(frames), at: cdRate) == fewest)
    #expect(TimeText.seconds(FramePosition(frames), at: cdRate, decimals: 6) == six)
  }

  @Test func writesClocks() {
    #expect(TimeText.clock(milliseconds: 3_723_456, decimalSign: ",") == "01:02:03,456")
    #expect(TimeText.clock(milliseconds: 360_000_000, decimalSign: ".") == "100:00:00.000")
    #expect(TimeText.short(frame(83.5), at: cdRate) == "1:23.500")
    #expect(TimeText.short(frame(3723.0005), at: cdRate) == "1:02:03.000")
    #expect(TimeText.short(frame(59.9996), at: cdRate) == "1:00.000")
  }

  @Test(arguments: [
    (0.93, "0.93"), (0.6789, "0.679"), (1, "1"), (0.0004, "0"), (-0.0004, "0"), (-21.44, "-21.44"),
    (100, "100"),
  ])
  func writesMeasures(value: Double, text: String) {
    #expect(measureText(value, decimals: 3) == text)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func hasNoWordForWhatIsNotFinite(value: Double) {
    #expect(measureText(value, decimals: 3) == nil)
  }
}
