// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
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
