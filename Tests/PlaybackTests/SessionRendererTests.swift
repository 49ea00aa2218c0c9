// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Glibc
import TestSupport
import Testing
import VirtualCard

@testable import Playback

/// The engine's renderer by itself, on a virtual card.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SessionRendererTests {
  let recordings: Recordings

  init() throws { recordings = try Recordings() }

  /// A renderer, its recordings by name, and what it has told.
  private final class Desk {
    let renderer: SessionRenderer
    /// Cards that have to last as long as the renderer.
    private let cards: [Card]
    private var iterator: AsyncStream<RendererEvent>.Iterator
    /// All but where the ring ran dry: on a busy machine the feeder comes later than a card whose time
    /// passes whenever it is asked. What is heard is the same then.
    private(set) var told: [RendererEvent] = []

    init(_ card: Card, _ sources: [String: MediaSource] = [:], other: Card? = nil) {
      cards = [card] + [other].compactMap(\.self)
      renderer = SessionRenderer(output: card.output, settings: { .forCard($0) }) {
        (media) throws(DecodingError) in
        if let source = sources[media.rawValue] { return source }
        return try MediaSource(path: "/nowhere/\(media.rawValue)")
      }
      iterator = renderer.events.makeAsyncIterator()
    }

    /// Called at a test's end: before that, neither the renderer nor a card may go.
    func close() { renderer.close() }

    func send(_ commands: RendererCommand...) {
      for command in commands { renderer.send(command) }
    }

    /// Waits for an event; false when the events end before.
    func wait(for wanted: RendererEvent) async -> Bool {
      await wait { $0 == wanted }
    }

    func wait(where isWanted: (RendererEvent) -> Bool) async -> Bool {
      while let event = await iterator.next() {
        if event != .ranDry { told.append(event) }
        if isWanted(event) { return true }
      }
      return false
    }
  }

  private func sound(
    _ number: Int, _ span: Range<Int>, cues: [Int] = [], media: String = "a"
  ) -> ScheduledItem {
    let audio = AudioClip(MediaKey(rawValue: media), frames(span), format: format(48_000))
    return ScheduledItem(
      ScheduledItem.ID(number), .audio(audio), cues: cues.map { FramePosition(Int64($0)) })
  }

  private func id(_ number: Int) -> ScheduledItem.ID { ScheduledItem.ID(number) }

  /// Takes what a card that waits for its listener has played, until it is cancelled or has so many samples.
  private func listen(to card: Card, atMost most: Int = .max) -> Task<[Float], Never> {
    Task {
      var samples: [Float] = []
      while !Task.isCancelled {
        if samples.count < most { samples += card.take() }
        await Task.yield()
      }
      return samples + card.take()
    }
  }

  @Test func tellsWhatIsHeardInItsOrder() async throws {
    let card = Card()
    let desk = Desk(card, ["a": try recordings.numbered(frames: 10_000)])
    defer { desk.close() }
    let silence = ScheduledItem(id(2), .silence(FrameCount(300)))
    desk.send(
      .prepare(format(48_000)),
      .append([sound(1, 0..<4000, cues: [1000, 2500, 3999]), silence, sound(3, 5000..<6000)]),
      .run(fadeIn: .zero))
    #expect(await desk.wait(for: .ended(id(3))))
    #expect(
      desk.told == [
        .prepared(format(48_000)), .started(id(1)), .reached(id(1), cue: 0),
        .reached(id(1), cue: 1), .reached(id(1), cue: 2), .ended(id(1)), .started(id(2)),
        .ended(id(2)), .started(id(3)), .ended(id(3)),
      ])
    #expect(numbers(card.played) == Array(1...4000) + Array(5001...6000))
    #expect(card.played[4000..<4300].allSatisfy { $0 == 0 })
  }

  @Test func aPauseIsToldAndPlayGoesOnWithTheNextFrame() async throws {
    // No time passes for the card while nobody takes what it has played.
    let count = 200_000
    let card = Card(samples: 20_000)
    card.waitForListener()
    let desk = Desk(card, ["a": try recordings.numbered(frames: count)])
    defer { desk.close() }
    desk.send(
      .prepare(format(48_000)), .append([sound(1, 0..<count)]), .run(fadeIn: .zero))
    #expect(await desk.wait(for: .started(id(1))))
    desk.send(.pause(fadeOut: .zero, FadeID(7)))
    let listening = listen(to: card)
    #expect(await desk.wait(for: .fadedOut(FadeID(7))))
    listening.cancel()
    var all = numbers(await listening.value)
    let heard = all.count
    #expect(
      desk.renderer.position()
        == RendererPosition(item: id(1), sourceFrame: FramePosition(Int64(heard))))
    desk.send(.run(fadeIn: .zero))
    while all.count <= heard + 24_000 {
      all += numbers(card.take())
      await Task.yield()
    }
    desk.send(.stop(fadeOut: .zero, FadeID(6)))
    #expect(await desk.wait(for: .fadedOut(FadeID(6))))
    all += numbers(card.take())
    #expect(all.elementsEqual(1...all.count))
    // With nothing to fade out it is told as well.
    desk.send(.pause(fadeOut: FrameCount(480), FadeID(8)))
    #expect(await desk.wait(for: .fadedOut(FadeID(8))))
  }

  @Test func aStopEmptiesTheScheduleAndWhatFollowsIsHeard() async throws {
    let card = Card(samples: 20_000)
    card.waitForListener()
    let desk = Desk(card, ["a": try recordings.numbered(frames: 500_000)])
    defer { desk.close() }
    desk.send(
      .prepare(format(48_000)), .append([sound(1, 0..<400_000), sound(2, 400_000..<401_000)]),
      .run(fadeIn: .zero))
    #expect(await desk.wait(for: .started(id(1))))
    desk.send(.stop(fadeOut: FrameCount(100), FadeID(1)))
    // The second item would be heard after more than the card can have played by then.
    var listening = listen(to: card, atMost: 300_000)
    #expect(await desk.wait(for: .fadedOut(FadeID(1))))
    listening.cancel()
    let before = numbers(await listening.value)
    #expect(!before.isEmpty && before.count < 300_000)
    #expect(desk.renderer.position() == nil)
    desk.send(.append([sound(3, 450_000..<451_000)]), .run(fadeIn: .zero))
    listening = listen(to: card)
    #expect(await desk.wait(for: .ended(id(3))))
    listening.cancel()
    #expect(!desk.told.contains(.started(id(2))))
    #expect(numbers(await listening.value).suffix(1000) == Array(450_001...451_000)[...])
  }

  @Test func whatComesAfterAnItemCanBeTakenBack() async throws {
    let card = Card()
    let desk = Desk(card, ["a": try recordings.numbered(frames: 100_000)])
    defer { desk.close() }
    desk.send(
      .prepare(format(48_000)), .append([sound(1, 0..<60_000), sound(2, 60_000..<70_000)]),
      .removeAll(after: id(1)), .append([sound(3, 90_000..<91_000)]), .run(fadeIn: .zero))
    #expect(await desk.wait(for: .ended(id(3))))
    #expect(numbers(card.played) == Array(1...60_000) + Array(90_001...91_000))
  }

  @Test func theDeviceStaysOpenUnlessTheFormatChanges() async throws {
    let card = Card()
    let desk = Desk(card, ["a": try recordings.numbered(frames: 10_000)])
    defer { desk.close() }
    for step in 0..<4 {
      let hertz = step < 3 ? 48_000 : 44_100
      desk.send(
        .prepare(format(hertz)), .append([sound(step, 0..<1000)]), .run(fadeIn: .zero))
      #expect(await desk.wait(for: .ended(id(step))))
      #expect(card.timesOpened == (step < 3 ? 1 : 2))
    }
  }

  @Test func aLostDeviceIsOpenedAnewAndAnotherInItsPlace() async throws {
    let (card, other) = (Card(), Card())
    card.add(VIRTUAL_CARD_UNPLUG, at: 20_000)
    let desk = Desk(card, ["a": try recordings.numbered(frames: 60_000)], other: other)
    defer { desk.close() }
    desk.send(.prepare(format(48_000)), .append([sound(1, 0..<60_000)]), .run(fadeIn: .zero))
    func isLost(_ event: RendererEvent) -> Bool {
      if case .deviceLost = event { true } else { false }
    }
    #expect(await desk.wait(where: isLost))
    let place = try #require(desk.renderer.position())
    desk.send(.run(fadeIn: .zero))
    #expect(await desk.wait(where: isLost))
    #expect(desk.renderer.position() == place)
    desk.renderer.switchOutput(to: other.output)
    desk.send(.run(fadeIn: .zero))
    #expect(await desk.wait(for: .ended(id(1))))
    let known = Int(try #require(place.sourceFrame).frames)
    #expect(numbers(other.played) == Array(known + 1...60_000))
  }

  @Test func aLostDeviceThatIsBackIsHeldUntilSomebodyAsksForMore() async throws {
    let card = Card()
    card.add(VIRTUAL_CARD_UNPLUG, at: 20_000)
    let desk = Desk(card, ["a": try recordings.numbered(frames: 60_000)])
    defer { desk.close() }
    desk.send(.prepare(format(48_000)), .append([sound(1, 0..<60_000)]), .run(fadeIn: .zero))
    #expect(await desk.wait { if case .deviceLost = $0 { true } else { false } })
    let place = try #require(desk.renderer.position())
    let played = card.playedFrames
    card.plug()
    #expect(await desk.wait(for: .deviceReturned))
    #expect(desk.renderer.position() == place && card.playedFrames == played)
    desk.send(.run(fadeIn: .zero))
    #expect(await desk.wait(for: .ended(id(1))))
    // With the frame after the last that is known to have been heard.
    let known = Int(try #require(place.sourceFrame).frames)
    #expect(numbers(card.played).suffix(60_000 - known) == ArraySlice(known + 1...60_000))
  }

  @Test func anotherOutputWhileItPlaysGoesOnThere() async throws {
    // The first has no room for more, so it is in the middle when the other takes over.
    let (card, other) = (Card(samples: 20_000), Card())
    card.waitForListener()
    let desk = Desk(card, ["a": try recordings.numbered(frames: 100_000)], other: other)
    defer { desk.close() }
    let cued = sound(1, 0..<100_000, cues: [1000])
    desk.send(.prepare(format(48_000)), .append([cued]), .run(fadeIn: .zero))
    #expect(await desk.wait(for: .reached(id(1), cue: 0)))
    desk.renderer.switchOutput(to: other.output)
    #expect(await desk.wait(for: .ended(id(1))))
    let (first, second) = (numbers(card.played), numbers(other.played))
    #expect(!first.isEmpty && second.count >= 80_000)
    #expect(first + second == Array(1...100_000))
  }

  @Test func whatCannotBeOpenedIsTold() async throws {
    let desk = Desk(Card())
    defer { desk.close() }
    desk.send(.prepare(format(48_000)), .append([sound(1, 0..<100, media: "nothing")]))
    #expect(
      await desk.wait { event in
        if case .failed(let item, _) = event { item == id(1) } else { false }
      })
    _ = Card()
    let renderer = SessionRenderer(output: .alsa("no-such-device")) {
      (media) throws(DecodingError) in try MediaSource(path: media.rawValue)
    }
    defer { renderer.close() }
    renderer.send(.prepare(format(48_000)))
    var events = renderer.events.makeAsyncIterator()
    guard case .broken(let reason) = await events.next() else {
      Issue.record("it opened a device that is not there")
      return
    }
    #expect(reason.contains("no-such-device"))
  }

  @Test(arguments: [true, false])
  func whatLiesBehindTheEndOfAFileThatWasCutIsTold(isWhollyBehind: Bool) async throws {
    let source = try recordings.numbered(frames: 100_000)
    // 4 bytes a frame, behind a header.
    #expect(truncate(source.file.path, 4 * 30_000) == 0)
    let desk = Desk(Card(), ["a": source])
    defer { desk.close() }
    let first = isWhollyBehind ? 50_000 : 25_000
    desk.send(
      .prepare(format(48_000)), .append([sound(1, first..<60_000)]), .run(fadeIn: .zero))
    #expect(
      await desk.wait { event in
        if case .failed(let item, let reason) = event {
          item == id(1) && reason.contains("ends too early")
        } else {
          false
        }
      })
    if isWhollyBehind {
      #expect(!desk.told.contains(.started(id(1))))
    } else {
      #expect(await desk.wait(for: .ended(id(1))))
    }
  }

  @Test func theSpeedCountsForWhatFollows() async throws {
    let card = Card()
    let desk = Desk(card, ["a": try recordings.make(frames: 20_000) { _, _ in 0.5 }])
    defer { desk.close() }
    desk.send(
      .setSpeed(2), .prepare(format(48_000)), .append([sound(1, 0..<20_000)]),
      .run(fadeIn: .zero))
    #expect(await desk.wait(for: .ended(id(1))))
    let heard = card.played.count { $0 != 0 }
    #expect(abs(heard - 10_000) < 10)
  }
}
