// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran

// A queue of items, and ways through it.
extension PlaybackConductor {
  mutating func play(_ request: PlaybackRequest) {
    play([PlaybackItem(PlaybackItem.ID(0), request)], from: nil)
  }

  /// Starts items, in place of whatever is under way.
  mutating func play(_ items: [PlaybackItem], from start: PlaybackStart?) {
    guard var first = items.first else { return }
    self.items = items
    riwayah = first.request.riwayah
    unreadable = []
    format = nil
    pausesAfterAyah = false
    isInterrupted = false
    deviceWait = nil
    var begin: AyahOccurrence?
    if let start, let item = items.first(where: { $0.id == start.item }),
      let occurrence = Itinerary(item.request).occurrence(at: start)
    {
      first = item
      begin = occurrence
    }
    let itinerary = Itinerary(first.request)
    head(for: begin ?? itinerary.first, of: first.id, itinerary, as: begin == nil ? nil : start)
    carryOut(machine.play())
  }

  /// Puts other items in the place of those there are.
  mutating func setItems(_ items: [PlaybackItem]) {
    let before = self.items
    guard let heard, let occurrence = place?.occurrence, items != before else { return }
    self.items = items
    guard let item = items.first(where: { $0.id == heard.item }),
      Itinerary(item.request).contains(occurrence)
    else {
      let index = before.firstIndex { $0.id == heard.item } ?? 0
      // The nearest that has stayed takes its place.
      let rest = Set(before[index...].map(\.id))
      guard let next = items.first(where: { rest.contains($0.id) }) ?? items.last else {
        self.items = before
        return
      }
      _ = jump(to: nil, of: next, keepsPause: true)
      return
    }
    follow(item, at: occurrence)
  }

  /// Changes what is asked of all items from now on; what sounds goes on without a break.
  /// - Returns: false where nothing is played.
  mutating func amend(_ change: (inout PlaybackRequest) -> Void) -> Bool {
    guard let heard, let occurrence = place?.occurrence else { return false }
    let before = items
    for index in items.indices { change(&items[index].request) }
    guard items != before, let item = items.first(where: { $0.id == heard.item }) else {
      return true
    }
    follow(item, at: occurrence)
    return true
  }

  /// Plans by an item as it is now what comes after what is heard of it.
  private mutating func follow(_ item: PlaybackItem, at occurrence: AyahOccurrence) {
    let itinerary = Itinerary(item.request)
    let occurrence = itinerary.adopting(occurrence)
    heard = (item.id, itinerary)
    if let place {
      self.place = PlaybackPlace(
        occurrence, of: item.id, in: itinerary, isBasmalah: place.isBasmalah)
    }
    if let start, start.item == item.id {
      self.start = Start(
        item: start.item, occurrence: itinerary.adopting(start.occurrence),
        isBasmalah: start.isBasmalah, frame: start.frame, media: start.media)
    }
    guard machine.state.activity != nil else {
      queue = PlaybackQueue(itinerary)
      queue?.jump(to: occurrence)
      plannedItem = item.id
      return
    }
    replanAhead()
    planAhead()
  }

  /// Takes out what is scheduled and not heard yet, to plan it anew.
  mutating func replanAhead() {
    // Without a format nothing is planned yet, and its search goes on.
    if search?.isForFormat != true { search = nil }
    guard let first = ledger.first else {
      if let heard, let occurrence = place?.occurrence { plan(heard, from: .before(occurrence)) }
      return
    }
    let request = items.first { $0.id == first.item }?.request
    let itinerary = request.map { Itinerary($0) } ?? first.itinerary
    let step = first.step.adopted(by: itinerary)
    if first.hasBegun {
      emit(.removeAll(after: first.id))
      ledger = [
        Entry(
          id: first.id, step: step, item: first.item, itinerary: itinerary, hasBegun: true,
          passage: first.passage)
      ]
      plan((first.item, itinerary), from: following(step, in: itinerary))
    } else {
      emit(.clear)
      ledger = []
      plan((first.item, itinerary), from: step.origin)
      if let frame = first.start, let beginning = step.beginning {
        start = Start(
          item: first.item, occurrence: beginning.occurrence, isBasmalah: beginning.isBasmalah,
          frame: frame)
      }
    }
  }

  /// Where planning goes on after a step that is heard. In a gap, what comes after it is as the ayat follow now.
  private func following(_ step: PlaybackStep, in itinerary: Itinerary) -> PlanCursor {
    var cursor = step.following
    guard case .gap = step.content, case .before = cursor.place,
      let (next, way) = following(place?.occurrence, in: itinerary)
    else { return cursor }
    cursor.place = .before(next, playsOn: way == .onward || way == .beyond)
    return cursor
  }

  /// What follows the hearing that is over.
  private func following(
    _ occurrence: AyahOccurrence?, in itinerary: Itinerary
  ) -> (occurrence: AyahOccurrence, step: Itinerary.Step)? {
    // An ayah without a clip was missing, and is not repeated.
    occurrence.flatMap {
      itinerary.following($0, skipsRepetitions: clip == nil, past: clip?.together)
    }
  }

  private mutating func plan(
    _ item: (item: PlaybackItem.ID, itinerary: Itinerary), from cursor: PlanCursor
  ) {
    plannedItem = item.item
    queue = PlaybackQueue(item.itinerary)
    queue?.replan(from: cursor)
  }

  /// Goes on planning with the next item; false when there is none.
  mutating func planNextItem(at rate: SampleRate) -> Bool {
    guard let next = item(after: plannedItem), let old = queue else { return false }
    if let gap = queue?.gapAtEnd(at: rate, speed: speed) { schedule(gap) }
    plannedItem = next.id
    queue = PlaybackQueue(Itinerary(next.request), after: old)
    return true
  }

  /// The item after one; nil at the last, and after one that is no more.
  func item(after id: PlaybackItem.ID) -> PlaybackItem? {
    guard let index = items.firstIndex(where: { $0.id == id }), index + 1 < items.count else {
      return nil
    }
    return items[index + 1]
  }

  /// Where to go on after a hearing that is over; nil where none is, or nothing follows.
  var nextStart: PlaybackStart? {
    guard isPlaceOver, let heard, let current = place?.occurrence else { return nil }
    let itinerary =
      items.first { $0.id == heard.item }.map { Itinerary($0.request) } ?? heard.itinerary
    if let following = following(current, in: itinerary) {
      return start(
        of: heard.item, at: following.occurrence,
        playsOn: following.step == .onward || following.step == .beyond)
    }
    return item(after: heard.item).map {
      start(of: $0.id, at: Itinerary($0.request).first, playsOn: true)
    }
  }

  private func start(
    of item: PlaybackItem.ID, at occurrence: AyahOccurrence, playsOn: Bool
  ) -> PlaybackStart {
    var start = PlaybackStart(item: item, at: occurrence)
    start.hasBasmalah = playsOn && occurrence.ayah.followsBasmalah
    return start
  }

  private func item(before id: PlaybackItem.ID) -> PlaybackItem? {
    guard let index = items.firstIndex(where: { $0.id == id }), index > 0 else { return nil }
    return items[index - 1]
  }
}

// MARK: Going somewhere

extension PlaybackConductor {
  /// Goes on with the first hearing of an ayah in this pass, else with that in the first item that has it.
  mutating func seek(to ayah: AyahReference) -> Bool {
    guard let heard, let current = place?.occurrence else { return false }
    if let occurrence = heard.itinerary.firstOccurrence(of: ayah, pass: current.pass) {
      return jump(to: occurrence, of: heard.item, heard.itinerary)
    }
    // Where each pass has items of its own, one of the same pass is nearer than the first.
    let near = items.filter { $0.request.lastPass == heard.itinerary.request.lastPass }
    for item in near + items {
      let itinerary = Itinerary(item.request)
      if let occurrence = itinerary.firstOccurrence(of: ayah, pass: item.request.firstPass) {
        return jump(to: occurrence, of: item.id, itinerary)
      }
    }
    return false
  }

  /// Goes on with one hearing of an ayah.
  mutating func go(to start: PlaybackStart) -> Bool {
    guard let item = items.first(where: { $0.id == start.item }),
      let occurrence = Itinerary(item.request).occurrence(at: start)
    else { return false }
    return jump(to: occurrence, of: item.id, Itinerary(item.request), as: start)
  }

  // A step from what is heard leaves a pause as it is.

  /// Leaves the repetitions of the ayah that remain; at the end of all there is nothing to go to.
  mutating func next() -> Bool {
    guard let heard, let current = place?.occurrence else { return false }
    let next = heard.itinerary.following(current, skipsRepetitions: true, past: clip?.together)
    if let next = next?.occurrence {
      return jump(to: next, of: heard.item, heard.itinerary, keepsPause: true)
    }
    return nextItem()
  }

  /// From the first ayah of an item to the last of the one before; the very first starts anew.
  mutating func previous() -> Bool {
    guard let heard, let current = place?.occurrence else { return false }
    let preceding = heard.itinerary.preceding(current)
    if preceding.ayah == current.ayah, preceding.pass == current.pass,
      let before = item(before: heard.item)
    {
      let itinerary = Itinerary(before.request)
      let last = itinerary.firstOccurrence(
        of: itinerary.extent.last,
        pass: before.request.lastPass ?? before.request.rangeRepeat.times
          ?? before.request.firstPass)
      if let last { return jump(to: last, of: before.id, itinerary, keepsPause: true) }
    }
    return jump(to: preceding, of: heard.item, heard.itinerary, keepsPause: true)
  }

  mutating func again() -> Bool {
    guard let heard, let occurrence = place?.occurrence else { return false }
    return jump(to: occurrence, of: heard.item, heard.itinerary, keepsPause: true)
  }

  /// Begins a hearing that was planned anew.
  mutating func again(_ occurrence: AyahOccurrence, of entry: Entry) -> Bool {
    jump(to: occurrence, of: entry.item, entry.itinerary, keepsPause: true)
  }

  mutating func nextItem() -> Bool {
    guard let heard, let next = item(after: heard.item) else { return false }
    return jump(to: nil, of: next, keepsPause: true)
  }

  mutating func previousItem() -> Bool {
    guard let heard,
      let item = item(before: heard.item) ?? items.first(where: { $0.id == heard.item })
    else { return false }
    return jump(to: nil, of: item, keepsPause: true)
  }

  mutating func go(to id: PlaybackItem.ID) -> Bool {
    guard let item = items.first(where: { $0.id == id }) else { return false }
    return jump(to: nil, of: item)
  }

  /// Goes on elsewhere in the ayah that is heard.
  mutating func move(by seconds: Double, from position: RendererPosition?) -> Bool {
    guard seconds.isFinite, let position, let frame = position.sourceFrame,
      let entry = ledger.first(where: { $0.id == position.item }),
      case .breath(let passages) = entry.step.content,
      let passage = passages.last(where: { $0.clip.audio.span.lowerBound <= frame })
    else { return false }
    let span = passage.clip.audio.span
    let wanted = frame + FrameCount(seconds: seconds, at: passage.clip.audio.format.rate)
    let target = min(max(wanted, span.lowerBound), span.upperBound - FrameCount(1))
    var start = PlaybackStart(item: entry.item, at: passage.occurrence)
    start.frame = target
    guard
      jump(
        to: passage.occurrence, of: entry.item, entry.itinerary, as: start, keepsPause: true)
    else { return false }
    clip = passage.clip
    return true
  }

  mutating func setPausesAfterAyah(_ pauses: Bool) {
    guard pauses != pausesAfterAyah else { return }
    pausesAfterAyah = pauses
    guard machine.state.activity != nil else { return }
    if pauses, let first = ledger.first {
      search = nil
      emit(.removeAll(after: first.id))
      ledger.removeSubrange(1...)
      plan((first.item, first.itinerary), from: first.step.following)
    }
    planAhead()
  }

  private mutating func jump(
    to occurrence: AyahOccurrence?, of item: PlaybackItem, keepsPause: Bool = false
  ) -> Bool {
    let itinerary = Itinerary(item.request)
    return jump(to: occurrence ?? itinerary.first, of: item.id, itinerary, keepsPause: keepsPause)
  }

  private mutating func jump(
    to occurrence: AyahOccurrence, of item: PlaybackItem.ID, _ itinerary: Itinerary,
    as start: PlaybackStart? = nil, keepsPause: Bool = false
  ) -> Bool {
    let isHeld =
      switch machine.state {
      case .paused, .pausing: keepsPause
      case .idle, .active, .stopping, .failed: false
      }
    head(for: occurrence, of: item, itinerary, as: start)
    guard carryOut(machine.seek()) else { return false }
    if isHeld { carryOut(machine.pause()) }
    return true
  }

  /// Makes an occurrence the next to be heard.
  ///
  /// - Parameter start: where in it to begin, or in the basmalah before it; nil for its start.
  private mutating func head(
    for occurrence: AyahOccurrence, of item: PlaybackItem.ID, _ itinerary: Itinerary,
    as start: PlaybackStart?
  ) {
    heard = (item, itinerary)
    plannedItem = item
    queue = PlaybackQueue(itinerary)
    let hasBasmalah = start?.hasBasmalah ?? false
    queue?.jump(to: occurrence, playsOn: hasBasmalah)
    place = PlaybackPlace(occurrence, of: item, in: itinerary)
    isPlaceOver = false
    clip = nil
    self.start = start?.frame.map {
      Start(
        item: item, occurrence: occurrence, isBasmalah: hasBasmalah, frame: $0, media: start?.media)
    }
  }

  /// What is left of a step's sound when it is the one to begin within.
  mutating func startingPart(of audio: AudioClip, of step: PlaybackStep) -> AudioClip {
    guard let start, let beginning = step.beginning else { return audio }
    self.start = nil
    guard beginning.occurrence == start.occurrence, beginning.isBasmalah == start.isBasmalah,
      plannedItem == start.item, beginning.audio.span.contains(start.frame),
      start.media.map({ $0 == audio.media }) ?? true
    else { return audio }
    return AudioClip(audio.media, start.frame..<audio.span.upperBound, format: audio.format)
  }
}

extension PlanCursor {
  fileprivate static func before(_ occurrence: AyahOccurrence) -> PlanCursor {
    PlanCursor(place: .before(occurrence, playsOn: false))
  }
}
