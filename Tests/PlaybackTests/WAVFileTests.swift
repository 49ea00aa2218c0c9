// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import TestSupport
import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(5))) struct WAVFileTests {
  let recordings: Recordings

  init() throws { recordings = try Recordings() }

  @Test func aFileHoldsExactlyWhatWasPlayed() async throws {
    let source = try recordings.numbered(frames: 300_000)
    let path = recordings.folder.path("out.wav")
    let session = try RenderSession(
      .wavFile(path), settings: RenderSettings(format: format(48000)).exact)
    let log = EventLog(session)
    var loop = item(source, 1000..<200_000)
    loop.repetitions = 3
    session.append([loop, RenderItem(.silence(FrameCount(777))), item(source, 0..<1)])
    session.play()
    #expect(await log.next { $0 == .drained } == .drained)
    session.close()
    let file = try MediaSource(path: path)
    #expect(file.description.frameCount == FrameCount(3 * 199_000 + 778))
    let written = try decoded(file, 0..<(3 * 199_000 + 778))
    let once = Array(1001...200_000)
    #expect(numbers(written) == once + once + once + [1])
  }

  /// The bytes of a file into which items are played that come one after another.
  private func file(
    _ items: [RenderItem], speed: Double, pauses: SplitMix64?
  ) async throws -> Data {
    let path = recordings.folder.path("\(UUID().uuidString).wav")
    let session = try RenderSession(
      .wavFile(path), settings: RenderSettings(format: format(48000)))
    let log = EventLog(session)
    session.speed = speed
    session.play()
    if var random = pauses {
      for item in items {
        session.append([item], isComplete: false)
        for _ in 0..<Int.random(in: 0...40, using: &random) {
          await Task.yield()
          sched_yield()
        }
      }
      session.complete()
    } else {
      session.append(items)
    }
    var last = false
    while !last, let event = await log.next(where: { _ in true }) {
      if case .itemEnded(items.last?.id, _) = event { last = true }
    }
    session.close()
    return try Data(contentsOf: URL(filePath: path))
  }

  @Test(arguments: [0.5, 1, 1.35, 3])
  func theBytesOfAFileDoNotTellWhenItsItemsCame(_ speed: Double) async throws {
    // Louder than full scale in places, so that the limiter has work.
    let source = try recordings.make(frames: 60_000) { frame, _ in
      let swell = 1.3 * sin(.pi * Double(frame) / 60_000)
      return Float(swell * sin(2 * .pi * 220 * Double(frame) / 48_000))
    }
    var items: [RenderItem] = []
    for index in 0..<12 {
      var next = item(source, index * 4000..<(index * 4000 + 10_000))
      if index % 3 == 1 { next.crossfade = Fade(FrameCount(1500), .equalPower) }
      items.append(next)
      if index % 4 == 3 { items.append(RenderItem(.silence(FrameCount(777)))) }
    }
    let expected = try await file(items, speed: speed, pauses: nil)
    for seed in 1...4 {
      let pauses = SplitMix64(state: UInt64(seed))
      let bytes = try await file(items, speed: speed, pauses: pauses)
      #expect(bytes == expected)
    }
  }

  @Test func aFileThatCannotBeWrittenIsAnError() {
    let error = #expect(throws: PlaybackError.self) {
      try RenderSession(
        .wavFile("/no/such/folder/x.wav"), settings: RenderSettings(format: format(48000)))
    }
    #expect(error?.kind == .notWritable)
  }

  @Test func afterALostFileTheScheduleGoesOnElsewhere() async throws {
    let source = try recordings.numbered(frames: 1000)
    let session = try RenderSession(
      .wavFile(recordings.folder.path("a.wav")),
      settings: RenderSettings(format: format(48000)).exact)
    session.append([item(source, 0..<1000)])
    #expect(throws: PlaybackError.self) {
      try session.switchOutput(to: .wavFile("/no/such/folder/x.wav"))
    }
    let output = ManualOutput(format: format(48000))
    try session.switchOutput(to: .manual(output))
    session.play()
    output.advance(2000)
    #expect(numbers(output.played) == Array(1...1000))
    session.close()
  }
}
