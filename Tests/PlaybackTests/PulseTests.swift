// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import Quran
import TestSupport
import Testing

@testable import Playback

/// Playing through PulseAudio's plugin to a daemon of the test's own, in real time.
@Suite(
  .serialized, .timeLimit(.minutes(3)),
  .enabled(
    if: PulseDaemon.isInstalled,
    "needs pulseaudio, pulseaudio-utils and libasound2-plugins: Scripts/setup.sh peers"),
  // A sound server loses frames when it does not get the processor in time.
  .enabled(
    if: ProcessInfo.processInfo.environment["TILAWA_REAL_TIME"] != nil,
    "runs by itself, as in make test-long: TILAWA_REAL_TIME=1 swift test --filter PulseTests"))
struct PulseTests {
  private static let hertz = 48_000
  /// 50 ms.
  private static let tolerance = 2400

  let recordings: Recordings

  init() throws { recordings = try Recordings() }

  /// Ahead of what is compared: a monitor has passed on a block by the time a stream begins in it.
  private let silence = RenderItem(.silence(FrameCount(4800)))

  /// Runs of consecutive numbers, which print better than the numbers.
  private func runs(_ samples: [Float]) -> [ClosedRange<Int>] {
    var runs: [ClosedRange<Int>] = []
    for number in numbers(samples) {
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    return runs
  }

  /// A long buffer: what comes too late for the server is lost there, which on a machine that is busy with
  /// other tests would say nothing of ours.
  private static func settings(_ format: AudioFormat) -> RenderSettings {
    var settings = RenderSettings(format: format).exact
    settings.period = 0.05
    settings.periods = 20
    return settings
  }

  @Test func everyFrameIsPlayedOnceAndThePositionIsWhereTheSoundIs() async throws {
    let server = try #require(PulseServer(), "no PulseAudio daemon can be started")
    let capture = try #require(server.capture())
    #expect(await capture.waitForFirst())
    let count = 3 * Self.hertz
    let source = try recordings.numbered(frames: count)
    let session = try RenderSession(
      server.output, settings: Self.settings(PulseServer.format))
    defer { session.close() }
    #expect(session.format == PulseServer.format)
    session.append([silence, item(source, 0..<count)])
    session.play()
    let told = await positions(of: session, upTo: count - 1000)
    #expect(await capture.wait(for: count))
    #expect(runs(capture.samples) == [1...count])
    let errors = errors(told, capture)
    // On a machine so busy that this thread hardly runs, nothing can be said.
    guard errors.count >= 100 else { return print("too busy here to compare positions") }
    print(
      "PulseAudio: position against sound, median \(errors[errors.count / 2] * 1000 / Self.hertz) ms,",
      "worst \(errors[errors.count - 1] * 1000 / Self.hertz) ms of \(errors.count)")
    #expect(errors[errors.count / 2] < Self.tolerance)
  }

  private typealias Told = (time: ContinuousClock.Instant, frame: Int)

  /// What a session says of its position every few milliseconds, asked on a thread that other tests do not
  /// hold up.
  private func positions(of session: RenderSession, upTo end: Int) async -> [Told] {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var told: [Told] = []
        let limit = ContinuousClock.now + .seconds(60)
        while told.last.map({ $0.frame < end }) ?? true, ContinuousClock.now < limit {
          usleep(5000)
          let before = ContinuousClock.now
          let frame = session.position?.sourceFrame
          // What was interrupted between the two says nothing.
          guard let frame, ContinuousClock.now - before < .milliseconds(2) else { continue }
          told.append((before, Int(frame.frames)))
        }
        continuation.resume(returning: told)
      }
    }
  }

  /// By how many frames each position that was told is off, ascending.
  private func errors(
    _ told: [Told], _ capture: PulseCapture
  ) -> [Int] {
    // A piece comes after it was heard, at the earliest when its last frame was.
    var heard: [(time: ContinuousClock.Instant, frame: Int)] = []
    for piece in capture.pieces {
      if let last = numbers(piece.samples).last { heard.append((piece.time, last)) }
    }
    return told.compactMap { told -> Int? in
      let near = heard.filter { abs(($0.time - told.time) / .milliseconds(1)) < 300 }
      guard told.frame > Self.hertz / 2, !near.isEmpty else { return nil }
      let frames = near.map { $0.frame + Int((told.time - $0.time) / .seconds(1) * 48_000) }
      return abs(told.frame - (frames.max() ?? 0))
    }.sorted()
  }

  @Test func aKilledDaemonPausesTheEngineWhereItWasAndAnotherDeviceGoesOn() async throws {
    let server = try #require(PulseServer(), "no PulseAudio daemon can be started")
    let capture = try #require(server.capture())
    #expect(await capture.waitForFirst())
    let count = 4 * Self.hertz
    let source = try recordings.numbered(frames: count)
    let renderer = SessionRenderer(
      output: server.output, settings: { Self.settings($0) }
    ) { (_) throws(DecodingError) in source }
    defer { renderer.close() }
    var settings = PlaybackSettings()
    settings.fadeInMilliseconds = 0
    let whole = AyahClip(
      ayah("112:1"),
      AudioClip(MediaKey(rawValue: "a"), frames(0..<count), format: PulseServer.format),
      riwayah: .hafs)
    let engine = PlaybackEngine(
      renderer: renderer, resolver: CatalogueResolver([whole]), settings: settings)
    var statuses = await engine.statuses().makeAsyncIterator()
    await engine.play(PlaybackRequest(range("112:1")))
    #expect(await capture.wait(for: Self.hertz))
    server.kill()
    while let status = await statuses.next(), status.state != .paused(.playing) {}
    let paused = try #require(await engine.position.sourceFrame)
    let last = try #require(runs(capture.samples).last?.upperBound)
    print("PulseAudio killed: paused at frame \(paused.frames), last captured frame \(last)")
    #expect(abs(Int(paused.frames) - last) < Self.tolerance)
    // While there is nothing to play on, it stays where it is.
    #expect(await engine.resume())
    while let status = await statuses.next(), status.state != .paused(.playing) {}
    #expect(await engine.position.sourceFrame == paused)
    // Else it would go on as soon as there is a server, before anybody listens.
    _ = await engine.pause()

    #expect(server.start())
    let second = try #require(server.capture())
    #expect(await second.waitForFirst())
    #expect(await engine.resume())
    #expect(await second.wait(for: 2 * Self.hertz))
    let card = Card()
    renderer.switchOutput(to: card.output)
    while let status = await statuses.next(), status.state != .idle(.finished) {}
    renderer.close()
    // The server and then the card, with what was in the server's buffer when it was left.
    let heard = runs(second.samples) + runs(card.played)
    #expect(heard.count == 2)
    #expect(heard.last?.upperBound == count)
    let first = try #require(heard.first)
    print("resumed at \(first.lowerBound), went on at \(heard.last?.lowerBound ?? 0)")
    #expect((Int(paused.frames) + 1...Int(paused.frames) + 481).contains(first.lowerBound))
    #expect(abs((heard.last?.lowerBound ?? 0) - first.upperBound) < Self.tolerance)
  }
}
