// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Synchronization

@testable import Playback

/// A stretch of what was heard.
enum Heard: Hashable {
  case audio(MediaKey, Range<Int64>)
  case silence(Int64)

  var length: Int64 {
    switch self {
    case .audio(_, let span): Int64(span.count)
    case .silence(let count): count
    }
  }

  /// The same with neighbours that continue one another as one, which is how they sound.
  static func joined(_ stretches: [Heard]) -> [Heard] {
    var joined: [Heard] = []
    for stretch in stretches where stretch.length > 0 {
      switch (joined.last, stretch) {
      case (.silence(let count), .silence(let more)):
        joined[joined.count - 1] = .silence(count + more)
      case (.audio(let media, let span), .audio(let other, let next))
      where media == other && span.upperBound == next.lowerBound:
        joined[joined.count - 1] = .audio(media, span.lowerBound..<next.upperBound)
      default: joined.append(stretch)
      }
    }
    return joined
  }

  /// The first frames of it.
  static func prefix(_ stretches: [Heard], frames: Int64) -> [Heard] {
    var left = frames
    var result: [Heard] = []
    for stretch in stretches where left > 0 {
      let count = min(left, stretch.length)
      left -= count
      switch stretch {
      case .silence: result.append(.silence(count))
      case .audio(let media, let span):
        result.append(.audio(media, span.lowerBound..<(span.lowerBound + count)))
      }
    }
    return result
  }
}

/// A renderer that plays exactly as many frames as it is told to, at the rate of its session. Every
/// recording must have that rate.
struct RendererModel {
  /// What cannot be read.
  var broken: Set<MediaKey> = []
  /// What was heard since the schedule was last cleared.
  private(set) var heard: [Heard] = []
  private(set) var commands: [RendererCommand] = []
  private(set) var events: [RendererEvent] = []
  private(set) var schedule: [ScheduledItem] = []
  private(set) var isRunning = false
  private(set) var format: AudioFormat?
  /// Of the first scheduled item, and of the one that comes in during a crossfade.
  private var frame: Int64 = 0
  private var incoming: Int64 = 0
  private var told = Told()
  private var fade: (id: FadeID, left: Int64, empties: Bool)?

  /// What was told of the first item.
  private struct Told {
    var start = false
    var cues = 0
    var nextStart = false
  }

  mutating func takeEvents() -> [RendererEvent] {
    defer { events.removeAll() }
    return events
  }

  mutating func takeHeard() -> [Heard] {
    defer { heard.removeAll() }
    return heard
  }

  mutating func send(_ command: RendererCommand) {
    commands.append(command)
    switch command {
    case .prepare(let format):
      self.format = format
      empty()
      isRunning = false
      events.append(.prepared(format))
    case .append(let items):
      for item in items {
        if case .audio(let clip) = item.content, broken.contains(clip.media) {
          events.append(.failed(item.id, reason: "broken"))
        } else {
          schedule.append(item)
        }
      }
    case .removeAll(let item):
      if let index = schedule.firstIndex(where: { $0.id == item }) {
        schedule.removeSubrange((index + 1)...)
        told.nextStart = false
        incoming = 0
      }
    case .clear:
      empty()
      fade = nil
    case .run:
      isRunning = true
      fade = nil
    case .pause(let length, let id): fadeOut(length, id, empties: false)
    case .stop(let length, let id): fadeOut(length, id, empties: true)
    case .setSpeed, .complete: break
    }
  }

  private mutating func fadeOut(_ length: FrameCount, _ id: FadeID, empties: Bool) {
    fade = (id, length.frames, empties)
    if length == .zero || !isRunning || schedule.isEmpty { hold() }
  }

  /// Lets a fade under way come to its end; what it fades out is heard.
  mutating func endFade() {
    guard let fade else { return }
    step(fade.left)
    hold()
  }

  private mutating func hold() {
    guard let fade else { return }
    isRunning = false
    if fade.empties { empty() }
    events.append(.fadedOut(fade.id))
    self.fade = nil
  }

  mutating func loseDevice() {
    isRunning = false
    fade = nil
    events.append(.deviceLost(reason: "unplugged"))
  }

  mutating func tell(_ event: RendererEvent) { events.append(event) }

  var position: RendererPosition? {
    guard let item = schedule.first else { return nil }
    guard case .audio(let clip) = item.content else {
      return RendererPosition(item: item.id, sourceFrame: nil)
    }
    return RendererPosition(item: item.id, sourceFrame: clip.span.lowerBound + FrameCount(frame))
  }

  private mutating func empty() {
    // What went out in a crossfade is as good as heard to its end.
    if let item = schedule.first, incoming > 0 { hear(item, from: frame, to: length(item)) }
    if incoming > 0, schedule.count > 1 { hear(schedule[1], from: 0, to: incoming) }
    schedule = []
    frame = 0
    incoming = 0
    told = Told()
  }

  /// Plays so many frames, or fewer when there are no more.
  mutating func step(_ count: Int64) {
    var left = min(count, fade?.left ?? count)
    defer { if fade?.left == 0 { hold() } }
    while isRunning, left > 0, let item = schedule.first {
      if !told.start {
        told.start = true
        events.append(.started(item.id))
      }
      let overlap = overlap()
      let boundary = frame < length(item) - overlap ? length(item) - overlap : length(item)
      let played = min(left, boundary - frame)
      if overlap > 0, frame >= length(item) - overlap {
        if !told.nextStart {
          told.nextStart = true
          events.append(.started(schedule[1].id))
        }
        incoming += played
      }
      tellCues(of: item, before: frame + played)
      hear(item, from: frame, to: frame + played)
      frame += played
      left -= played
      fade?.left -= played
      if frame == length(item) { endFirst(item) }
    }
  }

  private mutating func endFirst(_ item: ScheduledItem) {
    schedule.removeFirst()
    events.append(.ended(item.id))
    if let next = schedule.first { hear(next, from: 0, to: incoming) }
    frame = incoming
    incoming = 0
    told = Told(start: told.nextStart)
  }

  private mutating func tellCues(of item: ScheduledItem, before frame: Int64) {
    guard case .audio(let clip) = item.content else { return }
    while told.cues < item.cues.count,
      (item.cues[told.cues] - clip.span.lowerBound).frames < frame
    {
      events.append(.reached(item.id, cue: told.cues))
      told.cues += 1
    }
  }

  private mutating func hear(_ item: ScheduledItem, from start: Int64, to end: Int64) {
    guard end > start else { return }
    switch item.content {
    case .silence: heard.append(.silence(end - start))
    case .audio(let clip):
      let first = clip.span.lowerBound.frames
      heard.append(.audio(clip.media, (first + start)..<(first + end)))
    }
    let last = heard.suffix(2)
    heard.removeLast(last.count)
    heard += Heard.joined(Array(last))
  }

  private func overlap() -> Int64 {
    guard schedule.count > 1 else { return 0 }
    let wanted = schedule[1].crossfade.length.frames
    return told.nextStart
      ? length(schedule[0]) - frame + incoming
      : min(wanted, length(schedule[0]), length(schedule[1]))
  }

  private func length(_ item: ScheduledItem) -> Int64 {
    switch item.content {
    case .audio(let clip): clip.span.length.frames
    case .silence(let count): count.frames
    }
  }
}

/// The model as a renderer, for tests of the actor.
final class HandRenderer: PlaybackRenderer {
  let events: AsyncStream<RendererEvent>
  private let telling: AsyncStream<RendererEvent>.Continuation
  private let model: Mutex<RendererModel>

  init(broken: Set<MediaKey> = []) {
    (events, telling) = AsyncStream.makeStream(of: RendererEvent.self)
    var model = RendererModel()
    model.broken = broken
    self.model = Mutex(model)
  }

  func send(_ command: RendererCommand) { change { $0.send(command) } }

  func position() -> RendererPosition? { model.withLock { $0.position } }

  var commands: [RendererCommand] { model.withLock { $0.commands } }
  var heard: [Heard] { model.withLock { $0.heard } }
  var scheduledCount: Int { model.withLock { $0.schedule.count } }

  func change(_ body: (inout RendererModel) -> Void) {
    let events = model.withLock { model in
      body(&model)
      return model.takeEvents()
    }
    for event in events { telling.yield(event) }
  }
}
