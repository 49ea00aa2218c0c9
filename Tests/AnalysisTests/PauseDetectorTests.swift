// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Analysis

/// Seconds of every pause.
private func seconds(_ detection: Detection, _ rate: SampleRate) -> [ClosedRange<Double>] {
  detection.pauses.map {
    $0.span.lowerBound.seconds(at: rate)...$0.span.upperBound.seconds(at: rate)
  }
}

@Suite("PauseDetector on the generated recitation")
struct PauseDetectorFixtureTests {
  private let truth = Fixtures.recitation

  @Test(
    "Every pause is found within 30 ms of its edges, and nothing else",
    arguments: [
      "flac-44k-stereo.flac", "mp3-vbr-xing.mp3", "mp3-22k-mono.mp3", "m4a-voice-memo.m4a",
      "ogg-opus.opus", "ogg-vorbis.ogg",
    ])
  func allPauses(name: String) throws {
    let recording = try analyze(Fixtures.path(name), threads: 1)
    let rate = recording.format.rate
    let found = seconds(try PauseDetector().detect(in: recording.envelope), rate)
    let wanted = [truth.leadIn] + truth.pauses + [truth.tail]
    try #require(found.count == wanted.count)
    for (pause, span) in zip(found, wanted) {
      #expect(abs(pause.lowerBound - span.start) <= 0.03)
      #expect(abs(pause.upperBound - span.end) <= 0.03)
    }
    for consonant in truth.stopClosures + truth.fricatives {
      #expect(!found.contains { $0.overlaps(consonant.start...consonant.end) })
    }
  }

  @Test(
    "The ends of ayat are the boundaries, a little before the voice returns",
    arguments: ["flac-44k-stereo.flac", "mp3-22k-mono.mp3", "m4a-voice-memo.m4a"])
  func boundaries(name: String) throws {
    let recording = try analyze(Fixtures.path(name), threads: 1)
    let found = try PauseDetector().detect(in: recording.envelope).boundaries
      .map { $0.position.seconds(at: recording.format.rate) }
    let wanted = truth.pauses.filter { $0.kind == "ayah" }
    try #require(found.count == wanted.count)
    for (time, span) in zip(found, wanted) {
      #expect((span.start...span.end).contains(time))
      #expect(abs(span.end - 0.15 - time) < 0.03)
    }
  }

  @Test("In a mosque's reverberation the ends of ayat are found")
  func mosque() throws {
    let recording = try analyze(Fixtures.path("mosque.flac"), threads: 1)
    let detection = try PauseDetector().detect(in: recording.envelope)
    let found = seconds(detection, recording.format.rate)
    let times = detection.boundaries.map { $0.position.seconds(at: recording.format.rate) }
    for span in truth.pauses where span.kind == "ayah" {
      // It begins late, when the hall has died away, and ends with the voice.
      let pause = try #require(found.first { $0.overlaps(span.start...span.end) })
      #expect(abs(pause.upperBound - span.end) <= 0.05)
      #expect(times.contains { (span.start...span.end).contains($0) })
    }
  }

  @Test("A fixed threshold finds long pauses without a breath, and in a mosque nothing")
  func fixedThreshold() throws {
    func boundaries(_ name: String) throws -> [Double] {
      let recording = try analyze(Fixtures.path(name), threads: 1)
      return try SilenceDetector().detect(in: recording.envelope).boundaries
        .map { $0.position.seconds(at: recording.format.rate) }
    }
    let found = try boundaries("flac-44k-stereo.flac")
    let wanted = truth.pauses.filter { $0.end - $0.start > 0.42 && $0.breathNoise == nil }
    // The last one lies in the quiet after the voice.
    try #require(found.count == wanted.count + 1)
    let last = try #require(found.last)
    #expect(abs(last - (truth.tail.start + truth.tail.end) / 2) < 0.02)
    for (time, pause) in zip(found, wanted) {
      #expect(abs(time - (pause.start + pause.end) / 2) < 0.02)
    }
    #expect(try boundaries("mosque.flac").isEmpty)
  }

  @Test("Detection is the same every time")
  func deterministic() throws {
    let envelope = try analyze(Fixtures.path("mp3-22k-mono.mp3"), threads: 1).envelope
    let first = try PauseDetector().detect(in: envelope)
    for _ in 0..<3 { #expect(try PauseDetector().detect(in: envelope) == first) }
  }
}

@Suite("PauseDetector when the recording is changed")
struct PauseDetectorInvarianceTests {
  private let sound: Sound
  private let plain: Detection

  init() throws {
    sound = try Fixtures.sound("mp3-22k-mono.mp3")
    plain = try PauseDetector().detect(in: sound.envelope)
  }

  @Test("Recorded at another gain, it has the same pauses", arguments: [-40.0, -20, -6, 6])
  func gain(decibels: Double) throws {
    let factor = Float(pow(10, decibels / 20))
    let other = Sound(format: sound.format, samples: sound.samples.map { $0 * factor })
    let found = try PauseDetector().detect(in: other.envelope)
    try #require(found.pauses.count == plain.pauses.count)
    // Below -90 dBFS everything is alike, so 40 dB less leave less background to fall to, above all at
    // the ends, where the voice's level is only known from one side.
    let tolerance = decibels < -30 ? 0.01 : 0.005
    for (left, right) in zip(found.pauses, plain.pauses).dropFirst().dropLast() {
      let rate = sound.format.rate
      #expect(abs((left.span.lowerBound - right.span.lowerBound).seconds(at: rate)) <= tolerance)
      #expect(abs((left.span.upperBound - right.span.upperBound).seconds(at: rate)) <= tolerance)
    }
    #expect(found.boundaries.count == plain.boundaries.count)
  }

  @Test("Digital silence before it shifts what is found", arguments: [2.0, 60])
  func leadingSilence(seconds: Double) throws {
    let count = FrameCount(seconds: seconds, at: sound.format.rate)
    let silence = [Float](repeating: 0, count: Int(count.frames))
    let other = Sound(format: sound.format, samples: silence + sound.samples)
    let found = try PauseDetector().detect(in: other.envelope)
    try #require(found.pauses.count == plain.pauses.count)
    for (left, right) in zip(found.pauses, plain.pauses).dropFirst() {
      let rate = sound.format.rate
      let start = (left.span.lowerBound - right.span.lowerBound - count).seconds(at: rate)
      let end = (left.span.upperBound - right.span.upperBound - count).seconds(at: rate)
      #expect(abs(start) <= 0.015 && abs(end) <= 0.015)
    }
    #expect(found.boundaries.count == plain.boundaries.count)
  }

  @Test("Both channels of a stereo recording count")
  func stereo() throws {
    let format = try Sound.format(sound.format.rate.hertz, channels: 2)
    let other = Sound(format: format, samples: sound.samples.flatMap { [$0, $0] })
    #expect(
      try PauseDetector().detect(in: other.envelope).pauses.map(\.span)
        == plain.pauses.map(\.span))
  }
}

@Suite("PauseDetector on what is no recitation")
struct PauseDetectorEdgeTests {
  private func detect(_ sound: Sound) throws -> Detection {
    try PauseDetector().detect(in: sound.envelope)
  }

  @Test("A constant tone has no pause and no boundary", arguments: [1, 5, 20])
  func tone(seconds: Int) throws {
    let sound = try Sound.sine(300, amplitude: 0.3, rate: 8000, seconds: Double(seconds))
    #expect(try detect(sound) == Detection(pauses: [], boundaries: []))
  }

  @Test("Steady noise has no pause and no boundary", arguments: [Float(0.9), 0.1, 0.001])
  func noise(amplitude: Float) throws {
    let sound = try Sound.noise(amplitude: amplitude, rate: 8000, frames: 80_000)
    #expect(try detect(sound) == Detection(pauses: [], boundaries: []))
  }

  @Test("Silence is one pause from end to end", arguments: [80, 8000, 80_001])
  func silence(frames: Int) throws {
    let detection = try detect(Sound.silence(rate: 8000, frames: frames))
    #expect(detection.pauses.map(\.span) == [.zero..<FramePosition(Int64(frames))])
    #expect(detection.pauses[0].confidence == 1)
    #expect(detection.boundaries.isEmpty)
  }

  @Test("Fewer than 20 audible hops are silence", arguments: [1, 2, 10, 17])
  func hardlyAnything(hops: Int) throws {
    let sound = try Sound.noise(amplitude: 0.5, rate: 8000, frames: 80 * hops)
    let detection = try detect(sound)
    #expect(detection.pauses.map(\.span) == [.zero..<FramePosition(Int64(80 * hops))])
    #expect(detection.boundaries.isEmpty)
  }

  @Test("An empty recording has nothing")
  func empty() throws {
    #expect(
      try detect(Sound.silence(rate: 8000, frames: 0)) == Detection(pauses: [], boundaries: []))
  }

  @Test("A gap between two tones is a pause; alone it is too little for a boundary")
  func oneGap() throws {
    var sound = try Sound.sine(300, amplitude: 0.3, rate: 8000, seconds: 10)
    for frame in 40_000..<44_000 { sound.samples[frame] = 0 }
    let detection = try detect(sound)
    try #require(detection.pauses.count == 1)
    #expect(abs(detection.pauses[0].span.lowerBound.frames - 40_000) <= 40)
    #expect(abs(detection.pauses[0].span.upperBound.frames - 44_000) <= 40)
    #expect(detection.pauses[0].depth > 60)
  }

  @Test("A minute of digital silence within is one pause")
  func longSilence() throws {
    let tone = try Sound.noise(amplitude: 0.3, rate: 8000, frames: 40_000)
    let silence = [Float](repeating: 0, count: 480_000)
    let sound = Sound(format: tone.format, samples: tone.samples + silence + tone.samples)
    let detection = try detect(sound)
    try #require(detection.pauses.count == 1)
    #expect(abs(detection.pauses[0].span.lowerBound.frames - 40_000) <= 80)
    #expect(abs(detection.pauses[0].span.upperBound.frames - 520_000) <= 80)
  }

  /// Bursts of random length and loudness, with gaps likewise.
  private func bursts(seed: UInt64, rate: Int, seconds: Double) throws -> Sound {
    var random = SplitMix64(state: seed)
    let count = Int(seconds * Double(rate))
    var sound = try Sound.noise(amplitude: 1, rate: rate, frames: count, seed: seed)
    var frame = 0
    while frame < count {
      let level = Float(pow(10, Double.random(in: -5...0, using: &random)))
      let length = Int(pow(10, Double.random(in: 1.5...4, using: &random)))
      for index in frame..<min(frame + length, count) { sound.samples[index] *= level }
      frame += length
    }
    return sound
  }

  @Test(
    "Whatever it is, what is found is in order, within the recording and between 0 and 1",
    arguments: UInt64(0)..<60)
  func sane(seed: UInt64) throws {
    let rates = [8000, 11025, 44056, 5000, 16000]
    let sound = try bursts(
      seed: seed, rate: rates[Int(seed) % rates.count], seconds: 0.05 + Double(seed * seed) / 180)
    let envelope = sound.envelope
    let end = FramePosition.zero + envelope.length
    for detection in [
      try PauseDetector().detect(in: envelope), try SilenceDetector().detect(in: envelope),
    ] {
      for pause in detection.pauses {
        #expect(!pause.span.isEmpty)
        #expect(pause.span.lowerBound >= .zero && pause.span.upperBound <= end)
        #expect((0...1).contains(pause.confidence))
        #expect(pause.depth.isFinite && pause.depth >= 0)
      }
      for (left, right) in zip(detection.pauses, detection.pauses.dropFirst()) {
        #expect(left.span.upperBound <= right.span.lowerBound)
      }
      for boundary in detection.boundaries {
        #expect(boundary.position > .zero && boundary.position < end)
        #expect((0...1).contains(boundary.confidence))
        #expect(detection.pauses.contains { $0.span.contains(boundary.position) })
      }
      for (left, right) in zip(detection.boundaries, detection.boundaries.dropFirst()) {
        #expect(left.position < right.position)
      }
    }
  }

  @Test("The loudest and strangest hops there can be do not trap")
  func strangeHops() throws {
    var random = SplitMix64(state: 3)
    let hops = (0..<5000).map { index in
      Hop(
        meanSquare: index / 40 % 3 == 0 ? .greatestFiniteMagnitude : Float(random.next() % 7),
        minimum: .min, maximum: .max, fine: UInt32(truncatingIfNeeded: random.next()),
        bands: UInt32(truncatingIfNeeded: random.next()))
    }
    let rate = try #require(SampleRate(hertz: 8000))
    let envelope = Envelope(rate: rate, length: FrameCount(400_000), hops: hops)
    let detection = try PauseDetector().detect(in: envelope)
    #expect(detection.pauses.allSatisfy { $0.span.upperBound.frames <= 400_000 })
  }
}
