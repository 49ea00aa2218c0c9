// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding

/// Frames that were mixed: sound, or silence that somebody asked for.
struct MixedRun: Hashable, Sendable {
  var count: Int
  var isSilence: Bool
  /// Whether it is short of what was asked for only because the schedule goes on with an item that is not
  /// there yet.
  var isUnfinished = false
}

/// The schedule, played by two decks that are summed here and nowhere else: items, repetitions, gaps,
/// fades and crossfades, frame by frame at the session's rate. The feeder's.
final class Mixer {
  /// An item and what is known of it.
  struct Entry {
    let item: RenderItem
    /// Frames of one repetition, without its gap; shortened when the recording turns out to be.
    var length: Int
    /// The recording's frame 0 of the item, and how its frames lie to the session's.
    let sourceStart: Int64
    let grid: RateGrid?
    let gain: Float

    func isLast(_ repetition: Int) -> Bool {
      length == 0 || item.repetitions.map { repetition >= $0 - 1 } ?? false
    }

    func passLength(_ repetition: Int) -> Int {
      length + (isLast(repetition) ? 0 : max(0, Int(item.gap.frames)))
    }
  }

  let format: AudioFormat
  private let loopDeclick: Int
  /// Whether nothing of the last item is mixed before it is known what overlaps it.
  private let waitsForSuccessor: Bool
  private let shelf = DecoderShelf()
  private(set) var entries: [Entry] = []
  /// Whether the schedule ends with the last entry, as far as anybody knows.
  var isComplete = true

  /// Where the next frame comes from: an entry, maybe one past the last, and a place in it.
  private(set) var index = 0
  private(set) var repetition = 0
  private(set) var frame = 0
  private var deck: Deck?
  /// A deck made before its time, for the entry and repetition named.
  private var standby: (item: RenderItem.ID, repetition: Int, deck: Deck?)?
  private var overlap: Overlap?
  /// Frames at the start of the current entry that were mixed with the one before.
  private var overlapIn = 0
  private let scratch: PCMBuffer
  /// Frames mixed since the first ever: the number of the next.
  private(set) var mixed = 0

  /// What was found wrong with items since this was last emptied.
  var problems: [(RenderItem.ID, PlaybackError?)] = []

  /// A crossfade under way from the current entry to the next.
  private struct Overlap {
    let length: Int
    let curve: FadeCurve
    var frame: Int
    let deck: Deck?
  }

  private static let blockLength = 4096

  init(format: AudioFormat, loopDeclick: Int, waitsForSuccessor: Bool) {
    self.format = format
    self.waitsForSuccessor = waitsForSuccessor
    self.loopDeclick = loopDeclick
    scratch = PCMBuffer(channels: format.channels, frameCapacity: Self.blockLength)
  }

  /// Whether there is nothing more to play.
  var isAtEnd: Bool { index >= entries.count }

  /// The place of the next frame; nil at the end.
  var place: ProgramPlace? {
    guard index < entries.count else { return nil }
    return ProgramPlace(item: entries[index].item.id, repetition: repetition, frame: frame)
  }

  /// How far into the schedule frames have been mixed: the last entry that anything was taken of.
  var reach: Int { overlap == nil ? index : index + 1 }

  // The schedule.

  func append(_ items: [RenderItem]) {
    let wasAtEnd = isAtEnd
    entries += items.map(entry)
    if wasAtEnd { restart(atEntry: index) }
  }

  /// Puts another schedule in place of everything from an entry on, which has not been reached.
  func replace(from first: Int, with items: [RenderItem]) {
    entries.replaceSubrange(first..., with: items.map(entry))
    index = min(index, entries.count)
    if let standby, !entries.contains(where: { $0.item.id == standby.item }) {
      self.standby = nil
    }
  }

  /// Takes out entries; the current one, if it is among them, gives way to the next.
  func remove(_ items: Set<RenderItem.ID>) {
    let before = entries.prefix(index).count { items.contains($0.item.id) }
    entries.removeAll { items.contains($0.item.id) }
    index -= before
    if let standby, items.contains(standby.item) { self.standby = nil }
  }

  /// Forgets entries long past, so that an endless queue stays short.
  func forget(keeping count: Int) {
    let excess = index - count
    guard excess > 0 else { return }
    entries.removeFirst(excess)
    index -= excess
  }

  func entryIndex(of item: RenderItem.ID) -> Int? {
    entries.firstIndex { $0.item.id == item }
  }

  /// The frames of a repetition at which an item's cues are heard.
  func cues(of item: RenderItem.ID) -> [Int] {
    guard let entry = entries.last(where: { $0.item.id == item }), let grid = entry.grid else {
      return []
    }
    return entry.item.cues.map { grid.sessionLength(of: max(0, $0.frames - entry.sourceStart)) }
  }

  /// The place at which a frame of an item's recording is heard, the nearest there is.
  func place(item: RenderItem.ID, repetition: Int, sourceFrame: FramePosition?) -> ProgramPlace? {
    guard let index = entryIndex(of: item) else { return nil }
    let entry = entries[index]
    var place = ProgramPlace(item: item, repetition: max(0, repetition), frame: 0)
    if let count = entry.item.repetitions { place.repetition = min(place.repetition, count - 1) }
    if let sourceFrame {
      let distance = max(0, sourceFrame.frames - entry.sourceStart)
      place.frame = entry.grid?.sessionLength(of: min(distance, 1 << 40)) ?? Int(distance)
      place.frame = min(place.frame, max(0, entry.length - 1))
    }
    return place
  }

  /// Goes on from a place, exactly as if everything before had been played; nil goes to the end.
  func restart(at place: ProgramPlace?) {
    deck = nil
    overlap = nil
    overlapIn = 0
    guard let place, let index = entryIndex(of: place.item) else {
      self.index = entries.count
      repetition = 0
      frame = 0
      return
    }
    self.index = index
    repetition = place.repetition
    frame = place.frame
    startDeck()
    // Inside a crossfade the item that comes in is under way as well.
    let length = overlapLength()
    let left = entries[index].length - frame
    if length > 0, left > 0, left < length, entries[index].isLast(repetition) {
      startOverlap(length: length, at: length - left)
    }
  }

  /// Goes on with the start of an entry, which may be one past the last.
  func restart(atEntry index: Int) {
    let start =
      index < entries.count
      ? ProgramPlace(item: entries[index].item.id, repetition: 0, frame: 0) : nil
    restart(at: start)
  }

  /// Opens what sounds after the current repetition, ahead of time.
  func prefetch() {
    guard index < entries.count else { return }
    let next =
      entries[index].isLast(repetition) ? (index + 1, 0) : (index, repetition + 1)
    guard next.0 < entries.count, overlap == nil else { return }
    let id = entries[next.0].item.id
    if let standby, standby.item == id, standby.repetition == next.1 { return }
    standby = nil
    // What goes wrong here goes wrong again, and is told, when its turn comes.
    let deck = try? makeDeck(entries[next.0], frame: 0).get()
    try? deck?.prime()
    standby = (id, next.1, deck)
  }

  // The mix.

  /// Mixes up to `capacity` frames, all of them sound or all silence, and tells what they are; none at
  /// the end of the schedule.
  func render(
    into target: UnsafeMutablePointer<Float>, capacity: Int, spans: (ProgramSpan) -> Void
  ) -> MixedRun {
    var run = MixedRun(count: 0, isSilence: false)
    while run.count < capacity {
      guard advance(), !mustWait else { break }
      let isSilence = overlap == nil && isSilent
      if run.count > 0, isSilence != run.isSilence { break }
      run.isSilence = isSilence
      let count = min(capacity - run.count, framesToBoundary(), Self.blockLength)
      let samples = target + run.count * format.channels
      let entry = entries[index]
      var span = ProgramSpan(
        mixStart: mixed, count: count,
        place: ProgramPlace(item: entry.item.id, repetition: repetition, frame: frame))
      let played = renderCurrent(into: samples, count: count)
      if played < count, overlap == nil {
        // The recording is shorter than the item: the item ends where the recording does.
        entries[index].length = frame + played
        span.count = played
        let isEmpty = repetition == 0 && entries[index].length == 0
        problems.append((entry.item.id, deck?.earlyEnd(isEmpty: isEmpty)))
      } else if overlap != nil {
        span.outgoing = span.place
        span.place = ProgramPlace(
          item: entries[index + 1].item.id, repetition: 0, frame: overlap?.frame ?? 0)
        addIncoming(to: samples, count: count)
      }
      if span.count > 0 { spans(span) }
      frame += span.count
      mixed += span.count
      run.count += span.count
    }
    run.isUnfinished = run.count < capacity && (mustWait || (isAtEnd && !isComplete))
    return run
  }

  private var mustWait: Bool {
    waitsForSuccessor && !isComplete && index + 1 >= entries.count
  }

  /// Whether the next frame of the current entry is silence that was asked for.
  private var isSilent: Bool {
    guard case .audio = entries[index].item.content else { return true }
    return frame >= entries[index].length
  }

  /// Moves on over everything that is at its end; false at the end of the schedule.
  private func advance() -> Bool {
    // An endless loop of nothing would never come to an end by itself.
    while index < entries.count {
      let entry = entries[index]
      if frame < entry.passLength(repetition) {
        beginOverlapIfDue()
        return true
      }
      if !entry.isLast(repetition) {
        repetition += 1
        frame = 0
      } else {
        index += 1
        repetition = 0
        if let overlap {
          frame = overlap.frame
          deck = overlap.deck
          overlapIn = overlap.length
          self.overlap = nil
          continue
        }
        frame = 0
      }
      overlapIn = 0
      startDeck()
    }
    deck = nil
    return false
  }

  /// Frames until the next place where decks or gaps change.
  private func framesToBoundary() -> Int {
    let entry = entries[index]
    if frame >= entry.length { return entry.passLength(repetition) - frame }
    let left = entry.length - frame
    guard overlap == nil, entry.isLast(repetition) else { return left }
    let length = overlapLength()
    return length > 0 && left > length ? left - length : left
  }

  /// How long the crossfade to the next entry is: what both have, and no third item in it.
  private func overlapLength() -> Int {
    guard index + 1 < entries.count else { return 0 }
    let next = entries[index + 1]
    let wanted = Int(min(max(0, next.item.crossfade.length.frames), 1 << 40))
    return min(wanted, entries[index].length - overlapIn, next.length)
  }

  private func beginOverlapIfDue() {
    let entry = entries[index]
    guard overlap == nil, frame < entry.length, entry.isLast(repetition) else { return }
    let left = entry.length - frame
    let length = min(overlapLength(), left)
    if length > 0, left <= length { startOverlap(length: length, at: 0) }
  }

  private func startOverlap(length: Int, at frame: Int) {
    let next = entries[index + 1]
    overlap = Overlap(
      length: length, curve: next.item.crossfade.curve, frame: frame,
      deck: deck(for: next, repetition: 0, frame: frame))
  }

  private func renderCurrent(into target: UnsafeMutablePointer<Float>, count: Int) -> Int {
    let entry = entries[index]
    let samples = count * format.channels
    guard !isSilent else {
      target.update(repeating: 0, count: samples)
      return count
    }
    let played = read(deck, entry, into: target, count: count)
    if played < count {
      (target + played * format.channels)
        .update(repeating: 0, count: (count - played) * format.channels)
    }
    applyGain(to: target, count: played, of: entry)
    return played
  }

  private func addIncoming(to target: UnsafeMutablePointer<Float>, count: Int) {
    guard let overlap, let samples = scratch.samples.baseAddress else { return }
    let next = entries[index + 1]
    let played =
      if case .audio = next.item.content {
        read(overlap.deck, next, into: samples, count: count)
      } else { 0 }
    let fade = Fade(FrameCount(Int64(overlap.length)), overlap.curve)
    for frame in 0..<played {
      let gain = fade.rising(overlap.frame + frame) * next.gain
      for sample in (frame * format.channels)..<((frame + 1) * format.channels) {
        target[sample] += samples[sample] * gain
      }
    }
    self.overlap?.frame += count
  }

  private func read(
    _ deck: Deck?, _ entry: Entry, into target: UnsafeMutablePointer<Float>, count: Int
  ) -> Int {
    guard let deck else { return 0 }
    do throws(PlaybackError) {
      return try deck.read(into: target, frames: count)
    } catch {
      problems.append((entry.item.id, error))
      return 0
    }
  }

  /// Gain, fades and the de-click at loop joins of the current entry.
  private func applyGain(to target: UnsafeMutablePointer<Float>, count: Int, of entry: Entry) {
    let shape = GainShape(
      entry: entry, repetition: repetition, overlapIn: overlapIn,
      crossfadesOut: overlap != nil || overlapLength() > 0,
      overlapOut: overlap.map { ($0.length, $0.curve, $0.frame) }, loopDeclick: loopDeclick)
    if shape.isConstant(frame..<(frame + count)) {
      guard entry.gain != 1 else { return }
      for sample in 0..<(count * format.channels) { target[sample] *= entry.gain }
      return
    }
    for offset in 0..<count {
      let gain = shape.gain(at: frame + offset, offset: offset)
      for sample in (offset * format.channels)..<((offset + 1) * format.channels) {
        target[sample] *= gain
      }
    }
  }

  // Decks.

  private func startDeck() {
    deck =
      index < entries.count && frame < entries[index].length
      ? deck(for: entries[index], repetition: repetition, frame: frame) : nil
  }

  private func deck(for entry: Entry, repetition: Int, frame: Int) -> Deck? {
    if let standby, standby.item == entry.item.id, standby.repetition == repetition, frame == 0 {
      self.standby = nil
      if let deck = standby.deck { return deck }
    }
    switch makeDeck(entry, frame: frame) {
    case .success(let deck): return deck
    case .failure(let error):
      problems.append((entry.item.id, error))
      return nil
    }
  }

  private func makeDeck(_ entry: Entry, frame: Int) -> Result<Deck?, PlaybackError> {
    guard case .audio(let source, _) = entry.item.content else { return .success(nil) }
    return Result { () throws(PlaybackError) in
      try Deck(
        source, start: entry.sourceStart, frame: frame, format: format, shelf: shelf)
    }
  }

  private func entry(_ item: RenderItem) -> Entry {
    // Louder than 60 dB is a slip of the finger.
    let gain = item.gainDecibels == 0 ? 1 : decibelGain(min(item.gainDecibels, 60))
    switch item.content {
    case .silence(let count):
      return Entry(
        item: item, length: Int(min(max(0, count.frames), 1 << 40)), sourceStart: 0, grid: nil,
        gain: gain)
    case .audio(let source, let range):
      let end = min(range.upperBound.frames, source.description.frameCount?.frames ?? 1 << 40)
      let start = max(0, range.lowerBound.frames)
      let grid = RateGrid(source: source.description.format.rate, session: format.rate)
      return Entry(
        item: item, length: grid.sessionLength(of: max(0, end - start)), sourceStart: start,
        grid: grid, gain: gain)
    }
  }
}
