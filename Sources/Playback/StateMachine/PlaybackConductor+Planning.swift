// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran

extension PlaybackConductor {
  /// Steps that may be scheduled ahead of what is heard, however short they are.
  private static let maxAhead = 64

  /// What the renderer has, in milliseconds, when it may be told later what follows: more than it can
  /// keep back of what it makes, or there would be nothing heard after which it is told.
  private static let keptBack = 1000.0

  /// Schedules what comes next, as far ahead as it is wanted, up to a search that must be done first.
  mutating func planAhead() {
    guard machine.state.activity != nil, search == nil, let format else { return }
    while wantsMore(at: format.rate) {
      switch queue?.next(at: format.rate, speed: speed) {
      case .need(let need):
        guard let item = items.first(where: { $0.id == plannedItem }) else { return }
        look(for: need, in: item, isForFormat: false)
        return
      case .step(let step): schedule(step)
      case .end: guard planNextItem(at: format.rate) else { return complete() }
      case nil: return
      }
    }
    if waitsForAyah || millisecondsAhead(at: format.rate) < Self.keptBack { complete() }
  }

  private mutating func complete() {
    if !isComplete { emit(.complete) }
  }

  private var waitsForAyah: Bool { pausesAfterAyah && ledger.contains(where: \.step.isAyah) }

  private func wantsMore(at rate: SampleRate) -> Bool {
    if waitsForAyah { return false }
    let ahead = ledger.drop { $0.hasBegun }
    guard ahead.count < Self.maxAhead else { return false }
    guard ahead.contains(where: \.step.isAyah) else { return true }
    return millisecondsAhead(at: rate) < Double(settings.lookaheadMilliseconds)
  }

  private func millisecondsAhead(at rate: SampleRate) -> Double {
    let frames = ledger.drop { $0.hasBegun }
      .reduce(FrameCount.zero) { $0 + $1.step.length(at: rate) }
    return frames.seconds(at: rate) * 1000
  }

  mutating func schedule(_ step: PlaybackStep) {
    guard let itinerary = queue?.itinerary else { return }
    let id = ScheduledItem.ID(newNumber())
    var cues: [FramePosition] = []
    if case .breath(let passages) = step.content {
      cues = passages.dropFirst().map(\.clip.audio.span.lowerBound)
    }
    let content: ScheduledItem.Content
    var start: FramePosition?
    switch step.content {
    case .gap(let count), .missing(_, _, let count): content = .silence(count)
    case .breath, .basmalah:
      guard let audio = step.audio else { return }
      let part = startingPart(of: audio, of: step)
      if part != audio { start = part.span.lowerBound }
      content = .audio(part)
    }
    let crossfade: FrameCount = if case .crossfade(let count) = step.join { count } else { .zero }
    ledger.append(
      Entry(id: id, step: step, item: plannedItem, itinerary: itinerary, start: start))
    // In a pause nothing begins that would tell whose sound comes next.
    if case .paused(.loading) = machine.state, case .breath(let passages) = ledger[0].step.content {
      clip = passages[0].clip
    }
    emit(
      .append([
        ScheduledItem(
          id, content, crossfade: Fade(crossfade, itinerary.request.crossfadeCurve), cues: cues)
      ]))
  }

  private mutating func look(for need: ClipNeed, in item: PlaybackItem, isForFormat: Bool) {
    let search = Search(
      ticket: newNumber(), need: need, item: item, isForFormat: isForFormat)
    self.search = search
    effects.append(.search(need, key(of: search)))
  }

  func key(of search: Search) -> ClipSearchKey {
    ClipSearchKey(
      request: search.item.request, unreadable: unreadable, ticket: search.ticket)
  }

  mutating func lookForFormat() {
    guard let item = items.first(where: { $0.id == plannedItem }) else { return }
    look(for: .ayah(Itinerary(item.request).extent.first), in: item, isForFormat: true)
  }

  /// The session has the format of the first recording that can be heard.
  mutating func takeFormat(_ answer: ClipAnswer, _ search: Search) {
    guard case .ayah(let ayah) = search.need, case .ayah(let resolution) = answer else { return }
    let extent = Itinerary(search.item.request).extent
    noteMissing(ayah, resolution.reason)
    if case .found(let clip) = resolution {
      preparations += 1
      emit(.prepare(clip.audio.format))
      if speed != 1 { emit(.setSpeed(speed)) }
      if case .active = machine.state { run() }
    } else if let next = ayah.next, extent.contains(next) {
      look(for: .ayah(next), in: search.item, isForFormat: true)
    } else if let item = item(after: search.item.id) {
      look(for: .ayah(Itinerary(item.request).extent.first), in: item, isForFormat: true)
    } else {
      failForWantOfAyat()
    }
  }
}
