// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import Playback
import VirtualCard

/// Prints how fast recordings are played, how soon after a seek, and at what cost.
///
///     swift run -c release PlaybackNumbers RECORDING...
///
/// Recordings of 90 minutes, such as `make-recordings.sh` makes, show what seeking costs.
@main struct PlaybackNumbers {
  static func main() async throws {
    let paths = Array(CommandLine.arguments.dropFirst())
    guard !paths.isEmpty else { return say("which recordings?") }
    try chooseCards()
    for path in paths {
      say(path)
      // The index is what a sidecar brings.
      var source = try MediaSource(path: path)
      let decoder = try source.makeDecoder()
      try decoder.seek(to: FramePosition(seconds: 60, at: source.description.format.rate))
      source = try MediaSource(path: path, seekIndex: source.seekIndex)
      try chain(source)
      try stretch(source)
      for speed in [1.0, 0.5] { try seeks(in: source, speed: speed) }
      try hour(of: source)
    }
  }

  /// Tells alsa-lib where the virtual card is: beside this program.
  private static func chooseCards() throws {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    let library = program.deletingLastPathComponent().appending(path: "libVirtualCard.so").path
    var text = [CChar](repeating: 0, count: 4096)
    virtual_card_configuration(library, &text, text.count)
    let path = FileManager.default.temporaryDirectory.path + "/tilawa-card-\(getpid()).conf"
    let bytes = Data(text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
    try bytes.write(to: URL(filePath: path))
    setenv("ALSA_CONFIG_PATH", path, 1)
  }

  // Without a clock.

  private static func offline(
    _ source: MediaSource, speed: Double, equaliser: Equaliser, seconds: Int
  ) throws -> Double {
    let format = source.description.format
    let output = ManualOutput(format: format, periodFrames: format.rate.hertz / 50)
    let session = try RenderSession(.manual(output), settings: RenderSettings(format: format))
    defer { session.close() }
    session.equaliser = equaliser
    session.speed = speed
    let end = FramePosition(seconds: 600, at: format.rate)
    var loop = RenderItem(.audio(source, .zero..<end))
    loop.repetitions = nil
    session.append([loop])
    session.play(fadeIn: FrameCount(seconds: 1, at: format.rate))
    let start = processorTime()
    output.advance(format.rate.hertz * seconds)
    return Double(seconds) / (processorTime() - start)
  }

  private static func chain(_ source: MediaSource) throws {
    let curve = Equaliser(bands: [0.7, 0.6, 0.4, 0.55, 0.3, 0.8], preamp: 0.6)
    for (name, equaliser) in [("flat", Equaliser.flat), ("equaliser", curve)] {
      let times = try offline(source, speed: 1, equaliser: equaliser, seconds: 120)
      say("  decoding, chain, \(name): \(Int(times)) x real time")
    }
  }

  private static func stretch(_ source: MediaSource) throws {
    for speed in [0.5, 0.75, 1.5] {
      let times = try offline(source, speed: speed, equaliser: .flat, seconds: 20)
      say("  R3 at \(speed)x: \(String(format: "%.1f", times)) x real time of what is heard")
    }
  }

  // On a card.

  private static func play(
    _ source: MediaSource, speed: Double, clock: Double,
    _ body: (RenderSession, RenderItem, OpaquePointer) throws -> Void
  ) throws {
    let card = virtual_card_create(1)!
    virtual_card_set_clock(card, clock)
    defer { virtual_card_destroy(card) }
    var name = [CChar](repeating: 0, count: 64)
    virtual_card_pcm_name(card, &name, name.count)
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    // Without a fade the first frame after a seek is the first new one.
    let settings = RenderSettings(format: source.description.format).exact
    let session = try RenderSession(.alsa(text), settings: settings)
    defer { session.close() }
    session.speed = speed
    let length = source.description.frameCount ?? FrameCount(44_100 * 600)
    var item = RenderItem(.audio(source, .zero..<FramePosition.zero + length))
    item.repetitions = nil
    session.append([item])
    session.play()
    while virtual_card_played(card) < 44_100 { usleep(1000) }
    try body(session, item, card)
  }

  private static func seeks(in source: MediaSource, speed: Double) throws {
    try play(source, speed: speed, clock: 1) { session, item, card in
      var random = SystemRandomNumberGenerator()
      let length = (source.description.frameCount ?? FrameCount(44_100 * 600)).frames
      var times: [Double] = []
      for _ in 0..<300 {
        usleep(UInt32.random(in: 10_000...60_000, using: &random))
        let target = FramePosition(Int64.random(in: 0..<length * 9 / 10, using: &random))
        let start = monotonicTime()
        session.seek(to: item.id, sourceFrame: target)
        while virtual_card_first_write(card) < start { usleep(100) }
        times.append(Double(virtual_card_first_write(card) - start) / 1e6)
      }
      times.sort()
      func at(_ part: Double) -> String {
        String(format: "%.1f", times[Int(Double(times.count - 1) * part)])
      }
      say(
        "  seek to first new frame given to the card, wall, at \(speed)x: median \(at(0.5)) ms, p90"
          + " \(at(0.9)), p99 \(at(0.99)), worst \(at(1))")
    }
  }

  /// On a card that plays faster than an hour takes, waking the player as often as in an hour.
  private static func hour(of source: MediaSource) throws {
    for (speed, clock, length) in [(1.0, 30.0, 600), (0.75, 3, 60)] {
      try play(source, speed: speed, clock: clock) { _, _, card in
        let rate = source.description.format.rate.hertz
        let (begun, start) = (virtual_card_played(card), processorTime())
        while virtual_card_played(card) < begun + rate * length { usleep(50_000) }
        let seconds = (processorTime() - start) * 3600 / Double(length)
        say(
          "  an hour of playing at \(speed)x: \(String(format: "%.1f", seconds)) s of processor time,"
            + " \(String(format: "%.2f", seconds / 36)) % of a core")
      }
    }
  }

  /// Prints a line at once, for who waits for the next.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func monotonicTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Seconds of all threads.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
