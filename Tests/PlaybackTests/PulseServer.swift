// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport

@testable import Playback

/// A PulseAudio daemon with a null sink that plays 48 kHz mono floats at nobody, in real time.
final class PulseServer: Sendable {
  private let daemon: PulseDaemon

  static let sink = "tilawa"
  static let format = PlaybackTests.format(48_000)

  /// Starts a daemon; nil when none will run here.
  init?() {
    _ = Card.configuration
    let daemon = PulseDaemon([
      "module-null-sink sink_name=\(Self.sink) format=float32le rate=48000 channels=1 channel_map=mono"
    ])
    guard let daemon else { return nil }
    self.daemon = daemon
  }

  /// What alsa-lib calls it; `Card` tells alsa-lib how to understand that.
  var name: String { "tilawa_pulse:'unix:\(daemon.socket)'" }
  var output: RenderOutput { .alsa(name) }

  /// Starts it again, after it was killed, at the same place.
  func start() -> Bool { daemon.start() }

  /// Ends it from one moment to the next.
  func kill() { daemon.kill() }

  /// Records what the sink plays from now on.
  func capture() -> PulseCapture? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let recorder = daemon.run(
      "parec",
      [
        "--device=\(Self.sink).monitor", "--raw", "--format=float32le", "--rate=48000",
        "--channels=1", "--channel-map=mono", "--latency-msec=10",
      ], output: ends[1])
    close(ends[1])
    return recorder.map { PulseCapture($0, ends[0]) }
  }
}

/// What a sink has played, with the time at which each piece of it was known here.
final class PulseCapture: @unchecked Sendable {
  // Unchecked because of the process, which only ends with it; the pieces are behind a monitor.
  struct Piece: Sendable {
    let time: ContinuousClock.Instant
    let samples: [Float]
  }

  private let recorder: Child
  private let kept = Monitor<[Piece]>([])

  init(_ recorder: Child, _ descriptor: Int32) {
    self.recorder = recorder
    let kept = kept
    Thread.detachNewThread {
      var bytes = [UInt8](repeating: 0, count: 4096)
      var rest: [UInt8] = []
      while true {
        let count = read(descriptor, &bytes, bytes.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        let now = ContinuousClock.now
        rest += bytes[..<count]
        let samples = stride(from: 0, to: rest.count - 3, by: 4).map { place in
          Float(
            bitPattern: rest[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
        rest.removeFirst(4 * samples.count)
        kept.update { $0.append(Piece(time: now, samples: samples)) }
      }
      close(descriptor)
    }
  }

  var pieces: [Piece] { kept.update { $0 } }
  var samples: [Float] { pieces.flatMap(\.samples) }

  /// Waits until the recorder is at work: it gives silence where nothing plays.
  func waitForFirst() async -> Bool {
    for _ in 0..<30_000 {
      if !pieces.isEmpty { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  /// Waits for the frame of that number.
  func wait(for number: Int) async -> Bool {
    for _ in 0..<30_000 {
      if pieces.suffix(50).contains(where: { numbers($0.samples).contains { $0 >= number } }) {
        return true
      }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }
}
