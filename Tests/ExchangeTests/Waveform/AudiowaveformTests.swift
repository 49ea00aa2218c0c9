// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import Exchange

@Suite struct AudiowaveformTests {
  let stereo = WaveformPeaks(
    rate: SampleRate(hertz: 48_000)!, samplesPerPixel: 512, channels: 2,
    minima: [-16_640, -257, -1, .min], maxima: [16_383, 256, 0, .max])!

  let headerOf16Bits: [UInt8] = [
    2, 0, 0, 0, 0, 0, 0, 0, 0x80, 0xBB, 0, 0, 0, 2, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0,
  ]

  @Test func writes16Bits() {
    #expect(
      AudiowaveformData.bytes(of: stereo)
        == headerOf16Bits + [
          0x00, 0xBF, 0xFF, 0x3F, 0xFF, 0xFE, 0x00, 0x01, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x80, 0xFF,
          0x7F,
        ])
    #expect(
      AudiowaveformJSON.text(of: stereo)
        == [
          #"{"version":2,"channels":2,"sample_rate":48000,"samples_per_pixel":512,"bits":16,"#,
          #""length":2,"data":[-16640,16383,-257,256,-1,0,-32768,32767]}"#, "\n",
        ].joined())
  }

  @Test func writes8BitsRoundedTowardZero() {
    let bytes = AudiowaveformData.bytes(of: stereo, resolution: .bits8)
    #expect(bytes[4] == 1)
    #expect(Array(bytes[24...]) == [0xBF, 63, 0xFF, 1, 0, 0, 0x80, 127])
    #expect(
      AudiowaveformJSON.text(of: stereo, resolution: .bits8)
        .contains(#""bits":8,"length":2,"data":[-65,63,-1,1,0,0,-128,127]"#))
  }

  @Test(arguments: 1...6)
  func readsBackWhatItWrote(channels: Int) throws {
    var random = SplitMix64(state: UInt64(channels))
    let count = Int.random(in: 0...200, using: &random) * channels
    let values = { () in (0..<count).map { _ in Int16.random(in: .min ... .max, using: &random) } }
    let peaks = try #require(
      WaveformPeaks(
        rate: SampleRate(hertz: 44_100)!, samplesPerPixel: 441, channels: channels,
        minima: values(), maxima: values()))
    #expect(try AudiowaveformData.peaks(from: AudiowaveformData.bytes(of: peaks)) == peaks)
    #expect(
      try AudiowaveformJSON.peaks(from: Array(AudiowaveformJSON.text(of: peaks).utf8)) == peaks)
    let coarse = try AudiowaveformData.peaks(
      from: AudiowaveformData.bytes(of: peaks, resolution: .bits8))
    #expect(coarse.minima == peaks.minima.map { $0 / 256 * 256 })
    #expect(coarse.maxima == peaks.maxima.map { $0 / 256 * 256 })
    let text = AudiowaveformJSON.text(of: peaks, resolution: .bits8)
    #expect(try AudiowaveformJSON.peaks(from: Array(text.utf8)) == coarse)
  }

  @Test func readsVersion1() throws {
    let bytes: [UInt8] = [
      1, 0, 0, 0, 1, 0, 0, 0, 0x40, 0x1F, 0, 0, 80, 0, 0, 0, 2, 0, 0, 0, 0xFF, 1, 0x80, 127,
    ]
    let peaks = try AudiowaveformData.peaks(from: bytes)
    #expect(peaks.rate.hertz == 8000 && peaks.samplesPerPixel == 80 && peaks.channels == 1)
    #expect(peaks.minima == [-256, -32_768] && peaks.maxima == [256, 32_512])
    let text =
      #"{"sample_rate":8000,"samples_per_pixel":80,"bits":8,"length":2,"#
      + #""data":[-1,1,-128,127]}"#
    #expect(try AudiowaveformJSON.peaks(from: Array(text.utf8)) == peaks)
  }

  @Test(arguments: [
    ("unknownVersion", 0, 3), ("hugeSamplesPerPixel", 15, 0x80), ("noSamplesPerPixel", 13, 0),
    ("zeroRate", 9, 0), ("hugeLength", 19, 0xFF), ("noChannels", 20, 0), ("manyChannels", 21, 1),
    ("otherBits", 4, 1),
  ])
  func refusesAMalformedHeader(fault: String, offset: Int, value: UInt8) {
    var bytes = AudiowaveformData.bytes(of: stereo)
    if fault == "zeroRate" { bytes[8] = 0 }
    bytes[offset] = value
    #expect(throws: ExchangeError.self, "\(fault)") { try AudiowaveformData.peaks(from: bytes) }
  }

  @Test func refusesEveryOtherLength() {
    let bytes = AudiowaveformData.bytes(of: stereo)
    for count in 0..<bytes.count {
      #expect(throws: ExchangeError.self) {
        try AudiowaveformData.peaks(from: Array(bytes[..<count]))
      }
    }
    #expect(throws: ExchangeError.self) { try AudiowaveformData.peaks(from: bytes + [0]) }
  }

  @Test(arguments: [
    "[]", "{}", #"{"version":3}"#,
    #"{"sample_rate":8000,"samples_per_pixel":80,"bits":8,"length":1,"data":[-129,1]}"#,
    #"{"sample_rate":8000,"samples_per_pixel":80,"bits":8,"length":1,"data":[0,1.5]}"#,
    #"{"sample_rate":8000,"samples_per_pixel":80,"bits":8,"length":1,"data":[0]}"#,
    #"{"sample_rate":8000,"samples_per_pixel":80,"bits":12,"length":1,"data":[0,1]}"#,
    #"{"sample_rate":8000,"samples_per_pixel":80,"bits":16,"length":2,"data":[0,1]}"#,
    #"{"sample_rate":8000,"samples_per_pixel":80,"bits":16,"length":1,"data":[0,32768]}"#,
    #"{"sample_rate":8000,"samples_per_pixel":0,"bits":16,"length":1,"data":[0,1]}"#,
    #"{"sample_rate":-1,"samples_per_pixel":80,"bits":16,"length":1,"data":[0,1]}"#,
    #"{"version":2,"channels":9223372036854775807,"sample_rate":8000,"samples_per_pixel":80,"#
      + #""bits":16,"length":1,"data":[0,1]}"#,
    #"{"version":2,"sample_rate":8000,"samples_per_pixel":80,"bits":16,"length":0,"data":[]}"#,
  ])
  func refusesMalformedJSON(text: String) {
    #expect(throws: ExchangeError.self) { try AudiowaveformJSON.peaks(from: Array(text.utf8)) }
  }

  @Test func survivesDamage() {
    var random = SplitMix64(state: 8)
    let binary = AudiowaveformData.bytes(of: stereo)
    let text = Array(AudiowaveformJSON.text(of: stereo).utf8)
    for _ in 0..<10_000 {
      for original in [binary, text] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        let binaryPeaks = try? AudiowaveformData.peaks(from: bytes)
        let textPeaks = try? AudiowaveformJSON.peaks(from: bytes)
        for peaks in [binaryPeaks, textPeaks].compactMap({ $0 }) {
          #expect((try? AudiowaveformData.peaks(from: AudiowaveformData.bytes(of: peaks))) == peaks)
        }
      }
    }
  }

  @Test func refusesPeaksThatDoNotMatch() {
    let rate = SampleRate(hertz: 8000)!
    #expect(WaveformPeaks(rate: rate, samplesPerPixel: 80, minima: [0], maxima: []) == nil)
    #expect(WaveformPeaks(rate: rate, samplesPerPixel: 0, minima: [], maxima: []) == nil)
    #expect(
      WaveformPeaks(rate: rate, samplesPerPixel: 1, channels: 2, minima: [0], maxima: [0]) == nil)
    #expect(
      WaveformPeaks(rate: rate, samplesPerPixel: 1, channels: 0, minima: [], maxima: []) == nil)
  }
}
