// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Foundation
import Quran
import TestSupport
import Testing
import VirtualCard

@testable import Playback

extension PlaybackState {
  fileprivate var isPaused: Bool { if case .paused = self { true } else { false } }
}

/// Long play on a card whose time is virtual.
@Suite(.serialized, .timeLimit(.minutes(30))) struct SoakTests {
  /// Of virtual time; six hours when the thorough run is asked for.
  private static let minutes =
    ProcessInfo.processInfo.environment["TILAWA_THOROUGH"] == nil ? 6 : 360
  private static let interruptions: [PlaybackInterruption] = [.sleep, .headphones, .suspension]
  private static let rate = 8000
  private static let length = 10 * rate

  /// The numbers of the frames that a card has played since it was last asked.
  private final class Listener {
    private let card: OpaquePointer
    private var block = [Float](repeating: 0, count: Listener.room)
    private(set) var heard = 0
    private(set) var fault: String?
    private var expected = 1

    /// Frames that wait for the listener at most: few, or how late it comes would show in the memory.
    private static let room = 1 << 14

    init() {
      _ = Card.configuration
      card = virtual_card_create(Listener.room)
      virtual_card_wait_for_listener(card)
    }

    deinit { virtual_card_destroy(card) }

    var output: RenderOutput {
      var text = [CChar](repeating: 0, count: 64)
      virtual_card_pcm_name(card, &text, text.count)
      return .alsa(
        String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Takes what was played, and checks that each frame follows the one before; false where there was nothing.
    func listen() -> Bool {
      let count = virtual_card_take(card, &block, block.count)
      for number in numbers(block.prefix(count)) {
        if number != expected, fault == nil {
          fault = "frame \(number) after \(heard) frames, where \(expected) was due"
        }
        expected = number % SoakTests.length + 1
        heard += 1
      }
      return count > 0
    }
  }

  @Test func everyFrameIsHeardOnceThroughAnInterruptionEveryMinute() async throws {
    try await play { _ in }
  }

  /// In a process of its own, since all of its memory is measured.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["TILAWA_REAL_TIME"] != nil,
      "runs by itself, as in make test-long: TILAWA_REAL_TIME=1 swift test --filter SoakTests"))
  func memoryStaysFlatThroughAnInterruptionEveryMinute() async throws {
    var sizes: [Int] = []
    // By the end of the first round each kind of interruption has been met, and every buffer used.
    try await play { minute in
      if minute >= Self.interruptions.count { sizes.append(try Self.residentMemory()) }
    }
    let growth = zip(sizes.dropFirst(), sizes).map(-)
    try #require(growth.count == Self.minutes - Self.interruptions.count)
    // A thread that is begun late takes room once; what leaks does so again and again.
    #expect(growth.reduce(0, +) - (growth.max() ?? 0) < Self.maxGrowth, "\(sizes)")
  }

  /// What the allocator may keep of what is freed.
  private static let maxGrowth = 1 << 18

  /// Of this process, in bytes, without what belongs to files.
  private static func residentMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
    return try #require(Int(line.split { !("0"..."9" ~= $0) }[0])) << 10
  }

  /// Plays one ayah again and again.
  ///
  /// - Parameter look: called after each minute.
  private func play(_ look: (_ minute: Int) throws -> Void) async throws {
    let source = try Recordings().numbered(frames: Self.length, rate: Self.rate)
    let listener = Listener()
    let renderer = SessionRenderer(output: listener.output, settings: { .forCard($0) }) { _ in
      source
    }
    let audio = AudioClip(
      MediaKey(rawValue: "night"), frames(0..<Self.length), format: source.description.format)
    let clip = AyahClip(ayah("112:1"), audio, riwayah: .hafs, reciter: nil)
    var settings = PlaybackSettings()
    settings.fadeInMilliseconds = 0
    settings.fadeOutMilliseconds = 0
    settings.resumesAfterInterruption = true
    let engine = PlaybackEngine(
      renderer: renderer, resolver: CatalogueResolver([clip]), settings: settings)
    var request = PlaybackRequest(range("112:1"))
    request.ayahRepeat = .endless
    await engine.play(request)
    for minute in 1...Self.minutes {
      while listener.heard < minute * 60 * Self.rate, listener.fault == nil {
        if !listener.listen() { try await Task.sleep(for: .milliseconds(1)) }
      }
      guard listener.fault == nil else { break }
      await engine.interrupt(Self.interruptions[minute % Self.interruptions.count])
      // Where the ayah begins again it is paused in between.
      while await !engine.status.state.isPaused {
        if !listener.listen() { try await Task.sleep(for: .milliseconds(1)) }
      }
      await engine.endInterruption()
      try look(minute)
    }
    #expect(listener.fault == nil)
    #expect(listener.heard >= Self.minutes * 60 * Self.rate)
    renderer.close()
  }
}
