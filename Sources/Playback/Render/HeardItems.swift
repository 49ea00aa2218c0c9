// SPDX-License-Identifier: GPL-3.0-or-later

/// Which items sound now, and what has to be told when that changes.
struct HeardItems {
  private var current: ProgramPlace?
  private var outgoing: RenderItem.ID?
  /// The mix frame of the last span looked at, so that none is looked at twice.
  private var lastMix = -1
  private var wasBrokenOff = false

  /// Notes that what follows does not follow from what came before.
  mutating func breakOff() { wasBrokenOff = true }

  /// Takes note of spans that have begun to be heard, in order, or of the end of everything.
  mutating func advance(through spans: [ProgramSpan], isEnd: Bool) -> [RenderEvent] {
    var events: [RenderEvent] = []
    for span in spans where span.mixStart > lastMix {
      lastMix = span.mixStart
      enter(span.place, outgoing: span.outgoing?.item, &events)
    }
    if isEnd { enter(nil, outgoing: nil, &events) }
    return events
  }

  private mutating func enter(
    _ place: ProgramPlace?, outgoing: RenderItem.ID?, _ events: inout [RenderEvent]
  ) {
    let isRestart = wasBrokenOff
    wasBrokenOff = false
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
