// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Synchronization

/// What is asked of the feeder, in the order of asking.
enum FeederCommand: Sendable {
  case append([RenderItem], isComplete: Bool)
  /// Everything after an item, or everything if nil, gives way to other items.
  case replace(after: RenderItem.ID?, with: [RenderItem], isComplete: Bool)
  case cancel(RenderItem.ID)
  /// Goes on from a frame of an item, in a generation that has been raised for it.
  case seek(RenderItem.ID, repetition: Int, sourceFrame: FramePosition?, generation: Int)
  /// Empties the schedule, as it is now, once the output has come to its pause.
  case clearWhenPaused
  /// Makes an end of that, in a generation that has been raised for it.
  case clearAtOnce(generation: Int)
}

/// What the feeder's thread does: carries out commands, keeps the ring full, and tells what is heard.
///
/// A step does one thing that takes a few milliseconds at most, so that a seek never waits for longer
/// than that, unless a file has to be opened.
final class Feeder {
  private static let blockFrames = 1024
  /// Entries kept after they were heard, for one who wants to go back.
  private static let pastEntries = 16

  let bus: OutputBus
  let mixer: Mixer
  let timeline: Monitor<Timeline>
  let mailbox: Monitor<[FeederCommand]>
  private let stretch: StretchStage
  private let isRealTime: Bool
  private let aheadFrames: Int
  private let tell: (RenderEvent) -> Void
  private let block: PCMBuffer
  private var generation = 0
  /// What is to leave the schedule at the next pause.
  private var clearing: Set<RenderItem.ID>?
  private var shouldPrefetch = true
  private var heard = HeardItems()

  init(
    bus: OutputBus, isRealTime: Bool, loopDeclick: Int, aheadFrames: Int,
    timeline: Monitor<Timeline>,
    mailbox: Monitor<[FeederCommand]>, tell: @escaping (RenderEvent) -> Void
  ) {
    self.bus = bus
    self.aheadFrames = aheadFrames
    self.timeline = timeline
    self.mailbox = mailbox
    self.tell = tell
    self.isRealTime = isRealTime
    mixer = Mixer(format: bus.format, loopDeclick: loopDeclick, waitsForSuccessor: !isRealTime)
    stretch = StretchStage(format: bus.format)
    block = PCMBuffer(channels: bus.format.channels, frameCapacity: Self.blockFrames)
    bus.end.store(0, ordering: .releasing)
  }

  func run() {
    while !bus.isClosing.load(ordering: .acquiring) {
      if !step() { bus.waitAsFeeder(milliseconds: 100) }
    }
    tellProgress()
  }

  /// Takes up a schedule at a place, before anything has been rendered.
  func load(_ items: [RenderItem], isComplete: Bool, at place: ProgramPlace?) {
    mixer.isComplete = isComplete
    add(items)
    mixer.restart(at: place)
    bus.end.store(OutputBus.openEnd, ordering: .releasing)
  }

  /// What was not heard, once both threads have ended.
  var rest: RenderChain.Rest {
    for command in mailbox.update({ box in
      defer { box.removeAll() }
      return box
    }) { carryOut(command) }
    let heard = max(
      bus.heard.load(ordering: .acquiring), bus.generationStart.load(ordering: .acquiring))
    let place =
      heard == bus.ring.writtenIndex && stretch.position == mixer.mixed
      ? mixer.place : timeline.update { $0.span(atRing: heard)?.earliest }
    return RenderChain.Rest(
      items: mixer.entries.map(\.item), place: place, isComplete: mixer.isComplete)
  }

  /// Does the next thing there is to do; false when there is none.
  func step() -> Bool {
    let commands = mailbox.update { box in
      defer { box.removeAll() }
      return box
    }
    for command in commands { carryOut(command) }
    bus.commandsDone.wrappingAdd(commands.count, ordering: .releasing)
    tellProgress()
    if produce() { return true }
    if shouldPrefetch {
      shouldPrefetch = false
      mixer.prefetch()
    }
    return !commands.isEmpty
  }

  // Commands.

  private func carryOut(_ command: FeederCommand) {
    shouldPrefetch = true
    switch command {
    case .append(let items, let isComplete):
      mixer.isComplete = isComplete
      add(items)
    case .replace(let item, let items, let isComplete):
      mixer.isComplete = isComplete
      let first = item.map { (mixer.entryIndex(of: $0) ?? -1) + 1 } ?? 0
      let leaving = Set(mixer.entries.dropFirst(first).map(\.item.id))
      // What sounds goes on, where nothing has to give way.
      guard !leaving.isEmpty else {
        add(items)
        break
      }
      edit(leaving, from: first) { $0.replace(from: first, with: items) }
    case .cancel(let item):
      guard let index = mixer.entryIndex(of: item) else { break }
      if index < mixer.index, !isStillHeard(item) {
        mixer.remove([item])
      } else {
        edit([item], from: index) { $0.remove([item]) }
      }
    case .seek(let item, let repetition, let sourceFrame, let generation):
      mixer.restart(
        at: mixer.place(item: item, repetition: repetition, sourceFrame: sourceFrame))
      beginGeneration(generation)
    case .clearWhenPaused:
      clearing = Set(mixer.entries.map(\.item.id))
      let state = bus.state.load(ordering: .acquiring)
      if state == OutputBus.State.paused.rawValue || state == OutputBus.State.lost.rawValue {
        finishClearing()
      }
    case .clearAtOnce(let generation): clear(in: generation)
    }
    describeItems()
    noteEnd()
  }

  private func isStillHeard(_ item: RenderItem.ID) -> Bool {
    let now = bus.heard.load(ordering: .acquiring)
    return timeline.update { $0.firstSpan(fromRing: now, with: [item]) != nil }
  }

  /// Empties the schedule of what was in it when it was told to stop.
  private func finishClearing() {
    bus.hardCuts.wrappingAdd(1, ordering: .releasing)
    clear(in: bus.generation.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue)
    bus.wakeOutput()
    tell(.stopped)
  }

  private func clear(in generation: Int) {
    mixer.remove(clearing ?? [])
    clearing = nil
    mixer.restart(atEntry: 0)
    beginGeneration(generation)
    for event in heard.advance(through: [], isEnd: true) { tell(event) }
    noteEnd()
  }

  private func add(_ items: [RenderItem]) {
    mixer.append(items)
    describeItems()
  }

  private func describeItems() {
    var maps: [RenderItem.ID: ItemMap] = [:]
    for entry in mixer.entries {
      let isSilence = if case .silence = entry.item.content { true } else { false }
      maps[entry.item.id] = ItemMap(
        sourceStart: entry.sourceStart, grid: isSilence ? nil : entry.grid, length: entry.length)
    }
    let items = maps
    timeline.update { $0.describe(items) }
  }

  /// Changes the schedule, and takes back what was already made of some items that leave it; `first` is
  /// the entry with which the change begins.
  private func edit(
    _ leaving: Set<RenderItem.ID>, from first: Int, _ change: (Mixer) -> Void
  ) {
    let now = bus.heard.load(ordering: .acquiring)
    let found = timeline.update { $0.firstSpan(fromRing: now, with: leaving) }
    let place: ProgramPlace?
    if let found {
      // During a crossfade the item before goes on without it.
      place = found.span.outgoing
    } else if mixer.reach < first {
      change(mixer)
      return
    } else {
      // At most the stretcher has looked at it.
      place =
        stretch.position == mixer.mixed
        ? mixer.place : timeline.update { $0.span(atMix: stretch.position)?.earliest }
    }
    change(mixer)
    if let place, !leaving.contains(place.item), mixer.entryIndex(of: place.item) != nil {
      mixer.restart(at: place)
    } else {
      mixer.restart(atEntry: min(first, mixer.entries.count))
    }
    guard let found else {
      stretch.restart(atMix: mixer.mixed)
      return
    }
    if bus.ring.retract(to: found.ring) {
      timeline.update { $0.retract(toRing: found.ring) }
      stretch.restart(atMix: mixer.mixed)
      return
    }
    let isSounding = found.ring <= now
    if isSounding { bus.hardCuts.wrappingAdd(1, ordering: .releasing) }
    bus.cutPoint.store(isSounding ? OutputBus.now : found.ring, ordering: .releasing)
    beginGeneration(
      bus.generation.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue)
    bus.wakeOutput()
  }

  /// Lets the frames from here on be those of a generation, or of one that has been begun since it was
  /// raised: a change of the schedule and a seek may be asked for in one breath.
  private func beginGeneration(_ raised: Int) {
    generation = max(generation, raised)
    // What no one has claimed need not be skipped by anyone.
    while !bus.ring.retract(to: bus.ring.writtenIndex - bus.ring.unclaimed) {}
    let start = bus.ring.writtenIndex
    timeline.update { $0.retract(toRing: start) }
    stretch.restart(atMix: mixer.mixed)
    heard.breakOff()
    bus.end.store(OutputBus.openEnd, ordering: .releasing)
    bus.generationStart.store(start, ordering: .releasing)
    bus.readyGeneration.store(generation, ordering: .releasing)
    wakeHungryOutput()
  }

  // Frames.

  private func produce() -> Bool {
    guard bus.ring.unclaimed < aheadFrames, bus.ring.room >= Self.blockFrames,
      let samples = block.samples.baseAddress
    else { return false }
    let speed = Double(bitPattern: bus.speed.load(ordering: .relaxed))
    var spans: [ProgramSpan] = []
    // A device that has nothing left to play cannot wait for what follows.
    let canWait = !(isRealTime && bus.isOutputHungry.load(ordering: .relaxed))
    let run = stretch.render(into: samples, capacity: Self.blockFrames, speed: speed) {
      target, count in
      var mixed = mixer.render(into: target, capacity: count) { spans.append($0) }
      mixed.isUnfinished = mixed.isUnfinished && canWait
      return mixed
    }
    tellProblems()
    let chunk = RingChunk(
      generation: generation, ringStart: bus.ring.writtenIndex, count: run.count,
      mixStart: run.mixStart, speed: run.speed)
    let made = spans
    timeline.update { timeline in
      for span in made { timeline.append(span) }
      timeline.append(chunk)
    }
    guard run.count > 0 else {
      noteEnd()
      return false
    }
    bus.end.store(OutputBus.openEnd, ordering: .releasing)
    bus.ring.write(samples, frames: run.count)
    if mixer.isAtEnd { shouldPrefetch = false } else { shouldPrefetch = true }
    wakeHungryOutput()
    return true
  }

  /// Tells the output thread where the schedule ends, once all of it is in the ring.
  private func noteEnd() {
    guard mixer.isAtEnd, stretch.isEmpty else {
      bus.end.store(OutputBus.openEnd, ordering: .releasing)
      return
    }
    bus.end.store(bus.ring.writtenIndex, ordering: .releasing)
    wakeHungryOutput()
  }

  private func wakeHungryOutput() {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if bus.isOutputHungry.exchange(false, ordering: .sequentiallyConsistent) {
      bus.wakeOutput()
    }
  }

  // Events.

  private func tellProblems() {
    guard !mixer.problems.isEmpty else { return }
    for (item, error) in mixer.problems { tell(.itemCutShort(item, error)) }
    mixer.problems = []
    describeItems()
  }

  private func tellProgress() {
    while let report = bus.reports.pop() { tell(report) }
    let ring = bus.heard.load(ordering: .acquiring)
    // What a paused output would begin with is not heard yet.
    if bus.state.load(ordering: .acquiring) == OutputBus.State.playing.rawValue {
      tellHeard(upTo: ring)
    }
    let isStale = ring < bus.generationStart.load(ordering: .relaxed)
    // The last frame heard stays known, for the position at the end of everything.
    timeline.update { if !isStale { $0.forget(beforeRing: ring - 1) } }
    mixer.forget(keeping: Self.pastEntries)
  }

  private func tellHeard(upTo ring: Int) {
    // Before a cut has been carried out, what is heard is of no account any more.
    guard ring >= bus.generationStart.load(ordering: .relaxed) else { return }
    let isEnd = ring == bus.end.load(ordering: .relaxed)
    let (spans, now) = timeline.update { ($0.spansHeard(upTo: ring), $0.span(atRing: ring)?.place) }
    let mixer = mixer
    for event in heard.advance(
      through: spans, isEnd: isEnd, now: now, cues: { mixer.cues(of: $0) })
    { tell(event) }
    timeline.update { $0.forgetSpans(beforeRing: ring - 1) }
  }

  private func tell(_ report: OutputReport) {
    switch report.kind {
    case .started: tell(.playing)
    case .paused:
      tellHeard(upTo: report.heard)
      if clearing != nil {
        finishClearing()
      } else {
        tell(.paused(position(atRing: report.heard)))
      }
    case .drained:
      tellHeard(upTo: report.heard)
      tell(.drained)
    case .ranDry: tell(.ranDry)
    case .recovered: tell(.recovered(report.cause))
    case .lost:
      bus.transport.store(OutputBus.Transport.paused.rawValue, ordering: .releasing)
      if clearing != nil { finishClearing() }
      tellHeard(upTo: report.heard)
      tell(.deviceLost(report.cause, position(atRing: report.heard)))
    }
  }

  private func position(atRing ring: Int) -> RenderPosition? {
    timeline.update { $0.position(atRing: ring) }
  }
}
