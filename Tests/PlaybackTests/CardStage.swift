// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import VirtualCard

@testable import Playback

/// A virtual card that alsa-lib knows by name.
final class Card: @unchecked Sendable {
  // Unchecked because of the pointer: the card has a lock of its own.
  private let card: OpaquePointer

  /// Tells alsa-lib where the plugin is, once and before anything of it is used.
  static let configuration: TemporaryFolder? = {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    let library = program.deletingLastPathComponent().appending(path: "libVirtualCard.so").path
    var text = [CChar](repeating: 0, count: 4096)
    virtual_card_configuration(library, &text, text.count)
    let card = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let folder = try? TemporaryFolder(), (try? ALSAConfiguration.add(card + pulse)) != nil
    else { return nil }
    // The library of PulseAudio's clients would keep a cookie in the home folder.
    setenv("PULSE_COOKIE", folder.path("cookie"), 1)
    setenv("PULSE_RUNTIME_PATH", folder.path, 1)
    return folder
  }()

  /// `PulseServer` as a PCM, by the address of its socket.
  private static let pulse = """
    pcm.tilawa_pulse {
      @args [ SERVER ]
      @args.SERVER { type string }
      type pulse
      server $SERVER
      device "\(PulseServer.sink)"
    }

    """

  /// - Parameter clock: so many times as fast as the system's; 0 for a virtual clock.
  init(samples: Int = 2_000_000, clock: Double = 0) {
    _ = Self.configuration
    card = virtual_card_create(samples)
    virtual_card_set_clock(card, clock)
  }

  deinit { virtual_card_destroy(card) }

  var name: String {
    var text = [CChar](repeating: 0, count: 64)
    virtual_card_pcm_name(card, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  var output: RenderOutput { .alsa(name) }
  var playedFrames: Int { Int(virtual_card_played(card)) }
  var faults: Int { Int(virtual_card_faults(card)) }
  var timesOpened: Int { Int(virtual_card_opened(card)) }
  var writer: UInt { virtual_card_writer(card) }

  func add(_ fault: virtual_card_fault, at frame: Int, amount: Int = 0) {
    virtual_card_add_fault(card, fault, frame, Int32(amount))
  }

  /// How it takes samples when it is next opened.
  func take(_ format: virtual_card_format) { virtual_card_set_format(card, format) }

  /// - Parameter call: of alsa-lib to the card from now on, counted from 1, in which it goes.
  func unplug(atCall call: Int) { virtual_card_unplug_at_call(card, Int32(call)) }

  /// From now on no time passes, by the virtual clock, while there is no room for what would be played.
  func waitForListener() { virtual_card_wait_for_listener(card) }

  /// Takes what was played away from the card.
  func take() -> [Float] {
    var samples: [Float] = []
    var block = [Float](repeating: 0, count: 65_536)
    while true {
      let count = virtual_card_take(card, &block, block.count)
      if count == 0 { return samples }
      samples += block.prefix(count)
    }
  }

  func plug() { virtual_card_plug(card) }

  /// Everything that was played.
  var played: [Float] {
    var samples: [Float] = []
    var block = [Float](repeating: 0, count: 65_536)
    while true {
      let count = virtual_card_copy(card, &block, samples.count, block.count)
      if count == 0 { return samples }
      samples += block.prefix(count)
    }
  }
}

extension RenderSettings {
  /// Small periods, so that little time is spent in waiting.
  /// - Parameter stallTimeout: seconds of the system's time, which a card's virtual clock does not keep;
  ///   given where a stall is to be found.
  static func forCard(
    _ format: AudioFormat, exact: Bool = true, stallTimeout: Double = 1e9
  ) -> RenderSettings {
    var settings = RenderSettings(format: format)
    if exact { settings = settings.exact }
    settings.period = 64 / Double(format.rate.hertz)
    settings.ahead = 0.1
    settings.stallTimeout = stallTimeout
    return settings
  }
}

/// Events of a session, one after the other. The session is closed when its log is gone, which is
/// before the cards that it played on.
final class EventLog {
  private let session: RenderSession
  /// Cards that have to last as long as the session.
  private let cards: [Card]
  private var iterator: AsyncStream<RenderEvent>.Iterator
  private(set) var all: [RenderEvent] = []

  init(_ session: RenderSession, _ cards: Card...) {
    self.session = session
    self.cards = cards
    iterator = session.events.makeAsyncIterator()
  }

  deinit { session.close() }

  /// Waits for an event and returns it; nil when the session was closed, or lost its device, before.
  func next(where isWanted: (RenderEvent) -> Bool) async -> RenderEvent? {
    while let event = await iterator.next() {
      all.append(event)
      if isWanted(event) { return event }
      if case .deviceLost = event { return nil }
    }
    return nil
  }
}
