// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import TestSupport
import Testing

@testable import Playback

func rate(_ hertz: Int) -> SampleRate { SampleRate(hertz: hertz)! }
func format(_ hertz: Int, _ channels: Int = 1) -> AudioFormat {
  AudioFormat(rate: rate(hertz), channels: channels)!
}

/// Recordings whose samples are known, as WAV files of 32-bit floats.
final class Recordings: Sendable {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file whose sample at (frame, channel) is `sample(frame, channel)`.
  func make(
    frames: Int, rate: Int = 48000, channels: Int = 1, _ sample: (Int, Int) -> Float
  ) throws -> MediaSource {
    let path = folder.path("\(UUID().uuidString).wav")
    let samples = (0..<frames * channels).map { sample($0 / channels, $0 % channels) }
    try Data(WaveFile.bytes(samples, rate: rate, channels: channels))
      .write(to: URL(filePath: path))
    return try MediaSource(path: path)
  }

  /// A file in which every frame tells its own number: see `numbers`.
  func numbered(frames: Int, from first: Int = 1, rate: Int = 48000) throws -> MediaSource {
    try make(frames: frames, rate: rate) { frame, _ in Float(first + frame) / 16_777_216 }
  }
}

/// The numbers of numbered frames, without silence.
func numbers(_ samples: some Sequence<Float>) -> [Int] {
  samples.lazy.filter { $0 != 0 }.map { Int(($0 * 16_777_216).rounded()) }
}

func frames(_ range: Range<Int>) -> Range<FramePosition> {
  FramePosition(Int64(range.lowerBound))..<FramePosition(Int64(range.upperBound))
}

func item(_ source: MediaSource, _ range: Range<Int>) -> RenderItem {
  RenderItem(.audio(source, frames(range)))
}

/// All samples of some frames, as the decoder gives them.
func decoded(_ source: MediaSource, _ range: Range<Int>) throws -> [Float] {
  let decoder = try source.makeDecoder()
  try decoder.seek(to: FramePosition(Int64(range.lowerBound)))
  var samples: [Float] = []
  let channels = decoder.format.channels
  let buffer = PCMBuffer(channels: channels, frameCapacity: 1000)
  while samples.count < range.count * channels, try decoder.read(into: buffer) > 0 {
    samples += buffer.filled
  }
  return Array(samples.prefix(range.count * channels))
}

func expectSame(
  _ left: [Float], _ right: [Float], within tolerance: Float,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(left.count == right.count, sourceLocation: sourceLocation)
  var largest: Float = 0
  for (a, b) in zip(left, right) { largest = max(largest, abs(a - b)) }
  #expect(largest <= tolerance, sourceLocation: sourceLocation)
}

/// A session whose time is moved by hand.
final class Stage {
  let output: ManualOutput
  let session: RenderSession

  init(
    _ format: AudioFormat = format(48000), exact: Bool = true, period: Int = 64,
    _ change: (inout RenderSettings) -> Void = { _ in }
  ) throws {
    output = ManualOutput(format: format, periodFrames: period)
    var settings = RenderSettings(format: format)
    if exact { settings = settings.exact }
    change(&settings)
    session = try RenderSession(.manual(output), settings: settings)
  }

  /// Plays items from the first frame to the last, and returns what was heard.
  func play(_ items: [RenderItem], frames: Int) -> [Float] {
    session.append(items)
    session.play()
    output.advance(frames + output.bufferFrames)
    return Array(output.played.prefix(frames * output.format.channels))
  }

  /// Ends the session, and returns all that it told.
  func events() async -> [RenderEvent] {
    output.settle()
    session.close()
    var events: [RenderEvent] = []
    for await event in session.events { events.append(event) }
    return events
  }
}
