// SPDX-License-Identifier: GPL-3.0-or-later

/// Which items sound now, and what has to be told when that changes.
struct HeardItems {
  private var current: ProgramPlace?
  private var outgoing: RenderItem.ID?
  /// The mix frame of the last span looked at, so that none is looked at twice.
  private var lastMix = -1
  private var wasBrokenOff = false
  /// Of the current item, the first that has not been told.
  private var nextCue = 0

  /// Notes that what follows does not follow from what came before.
  mutating func breakOff() { wasBrokenOff = true }

  /// Takes note of spans that have begun to be heard, in order, or of the end of everything.
  ///
  /// - Parameters:
  ///   - now: what is heard.
  ///   - cues: an item's, as frames of a repetition, ascending.
  mutating func advance(
    through spans: [ProgramSpan], isEnd: Bool, now: ProgramPlace? = nil,
    cues: (RenderItem.ID) -> [Int] = { _ in [] }
  ) -> [RenderEvent] {
    var events: [RenderEvent] = []
    for span in spans where span.mixStart > lastMix {
      lastMix = span.mixStart
      enter(span.place, outgoing: span.outgoing?.item, cues, &events)
    }
    if let now, now.item == current?.item, now.repetition == current?.repetition {
      pass(cues, upTo: now.frame, &events)
    }
    if isEnd { enter(nil, outgoing: nil, cues, &events) }
    return events
  }

  /// Tells the current item's cues up to a frame, that included.
  private mutating func pass(
    _ cues: (RenderItem.ID) -> [Int], upTo frame: Int, _ events: inout [RenderEvent]
  ) {
    guard let current else { return }
    let cues = cues(current.item)
    while nextCue < cues.count, cues[nextCue] <= frame {
      events.append(.reached(current.item, cue: nextCue))
      nextCue += 1
    }
  }

  private mutating func enter(
    _ place: ProgramPlace?, outgoing: RenderItem.ID?, _ cues: (RenderItem.ID) -> [Int],
    _ events: inout [RenderEvent]
  ) {
    let isRestart = wasBrokenOff
    wasBrokenOff = false
    let isSame = place?.item == current?.item && place?.repetition == current?.repetition
    if !isRestart, !isSame { pass(cues, upTo: .max, &events) }
    if isRestart || !isSame {
      let frame = place?.frame ?? 0
      nextCue = place.map { cues($0.item).count { $0 < frame } } ?? 0
    }
    let before = [self.outgoing, current?.item].compactMap { $0 }
    let after = [outgoing, place?.item].compactMap { $0 }
    for item in before where !after.contains(item) {
      events.append(.itemEnded(item, wasBrokenOff: isRestart))
    }
    for item in after where !before.contains(item) { events.append(.itemStarted(item)) }
    if let place, let current, place.item == current.item, place.repetition != current.repetition {
      events.append(.looped(place.item, repetition: place.repetition))
    }
    current = place
    self.outgoing = outgoing
  }
}
