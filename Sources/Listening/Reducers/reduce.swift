// SPDX-License-Identifier: GPL-3.0-or-later

import Playback
import Quran
import TerminalUI

/// Takes in what has happened, and says what is to be done about it. Pure and quick.
public func reduce(_ state: inout State, _ event: Event) -> [Effect] {
  var effects: [Effect] = []
  let (settings, item, revision) = (state.settings, state.now?.item, state.revision)
  state.take(event, &effects)
  if state.now?.item != item || state.revision != revision { state.keepRounds(&effects) }
  state.requestPicture(&effects)
  if state.settings != settings { effects.append(.keep(state.settings)) }
  return effects
}

extension State {
  fileprivate mutating func take(_ event: Event, _ effects: inout [Effect]) {
    switch event {
    case .input(let input): take(input, &effects)
    case .perform(let action): perform(action, &effects)
    case .tick(let time): pass(time, &effects)
    case .playing(let now): take(now, &effects)
    case .asked(let item):
      let asked = RepeatSettings(item.request)
      // What was asked of this item was asked of all.
      if queue.contains(where: { $0.id == item.id && RepeatSettings($0.request) != asked }) {
        change(asked, &effects)
      }
    case .askedVolume(let volume):
      settings.volume = min(max(volume, 0), 1)
      effects.append(.setVolume(settings.volume))
    case .askedShuffle(let isShuffled):
      if isShuffled, seed == nil, restIsEmpty == nil { shuffle(by: .ayah, &effects) }
      if !isShuffled, seed != nil { putInOrder(&effects) }
    case .askedList(let name): effects.append(.findList(name))
    case .foundList(let entries, let name, let seed):
      replaceQueue(by: entries, named: name, seed: seed, &effects)
    case .limited(let decibels): limited = decibels
    case .fetching(let subject): fetching = subject
    case .told(let notice):
      if firstNotices == nil { tell(notice) } else { firstNotices?.later = notice }
    case .toldFirst(let notices):
      guard let first = notices.first else { return }
      notice = first
      firstNotices = FirstNotices(notices.dropFirst())
    case .missed(let ayah):
      // It was still expected when its item was looked up, and others may not have come either.
      for entry in queue
      where entry.missing != nil && !entry.isMissing(ayah)
        && Itinerary(entry.request).extent.contains(ayah)
      {
        effects.append(.check(entry.item))
      }
    case .arrived(let ayah):
      for entry in queue where entry.isMissing(ayah) { effects.append(.check(entry.item)) }
    case .waveform(let waveform):
      if waveform.clip == askedWaveform { self.waveform = waveform }
    case .picture(let picture): if pictureWish != nil { self.picture = picture }
    case .pixels(let cell): pixels = cell
    case .checked(let id, let missing, let fillable, let reasons):
      self.reasons.merge(reasons) { _, new in new }
      guard let index = queue.firstIndex(where: { $0.id == id }) else { return }
      queue[index].missing = missing
      self.fillable[id] = fillable
      if id == jumpedInto { tellSilence(of: queue[index]) }
    case .found(let entries, let next, let seed):
      if case .add = panel { panel = nil }
      insert(entries, next: next, seed: seed, &effects)
    case .notFound(let reason):
      if case .add(let field, let next, _) = panel {
        panel = .add(field, next: next, problem: reason)
      } else {
        notice = Notice(.failure, reason)
      }
    }
  }

  private mutating func tell(_ notice: Notice) {
    self.notice = notice
    pauseToldAt = notice.isOfPause ? clock : nil
  }

  /// Says of an ayah that was jumped to that there is silence in its place.
  private mutating func tellSilence(of entry: QueueEntry) {
    jumpedInto = nil
    let ayah = entry.request.range.first
    guard let silent = entry.missing?.first(where: { $0.contains(ayah) }) else { return }
    let reason = reasons[ayah] ?? reciters.whoLacks(entry.request)
    notice = Notice(.failure, "\(silent) is silence: \(reason)")
  }

  private mutating func take(_ input: InputEvent, _ effects: inout [Effect]) {
    let later = firstNotices?.later
    defer { if firstNotices == nil, notice == nil, let later { tell(later) } }
    switch input {
    // Who does something has read them.
    case .key, .mouse, .paste: firstNotices = nil
    case .resize, .focus: break
    }
    switch input {
    case .key(let key): take(key, &effects)
    case .mouse(let mouse): take(mouse, &effects)
    case .paste(let text):
      guard var field = panel?.field else {
        notice = Notice(.hint, "There is no text field to paste into")
        return
      }
      field.insert(text)
      panel?.field = field
    case .resize(let size): self.size = size
    case .focus: break
    }
  }

  private mutating func take(_ key: KeyEvent, _ effects: inout [Effect]) {
    notice = nil
    if let action = keymap.action(for: key, in: context) { return perform(action, &effects) }
    if var field = panel?.field {
      if key.key == .backspace, field.text.isEmpty {
        panel = nil
      } else if field.handle(key) {
        panel?.field = field
      }
      return
    }
    if case .help = panel, key.typed == "q" || key.typed == "?" {
      panel = nil
      return
    }
    // The key of the help does nothing in a panel either.
    let hint = panel == nil ? keymap.hint(for: .openHelp, in: .normal) : nil
    let help = hint.map { "; \($0) shows all keys" } ?? ""
    notice = Notice(.hint, "\(key.name) does nothing here\(help)")
  }

  private mutating func take(_ now: NowPlaying, _ effects: inout [Effect]) {
    let before = self.now
    var now = now
    // A voice that was chosen since is heard next, and nobody is heard meanwhile.
    if !now.state.isHeard, let clip = now.clip,
      queue.contains(where: { $0.id == now.item && !$0.request.admits(clip) })
    {
      now.clip = nil
    }
    self.now = now
    // Other programs may have changed it.
    settings.speed = now.speed
    if let clip = now.clip, let index = queue.firstIndex(where: { $0.id == now.item }),
      queue[index].isMissing(now.occurrence.ayah)
    {
      queue[index].found(clip.together ?? AyahRange(now.occurrence.ayah))
      // What came with it is not missing any more either.
      effects.append(.check(queue[index].item))
    }
    if let audio = now.clip?.audio, audio != askedWaveform {
      askedWaveform = audio
      effects.append(.loadWaveform(audio))
    }
    // A pause may be over before it is looked at; that play has not stopped yet tells nothing.
    let isOver = before?.isPaused ?? false || pauseToldAt.map { clock - $0 > .seconds(1) } ?? false
    if now.isPlaying, isOver, notice?.isOfPause ?? false { notice = nil }
    if restoresVolume, !now.isPlaying {
      restoresVolume = false
      isDimmed = false
      effects.append(.setVolume(settings.volume))
    }
    if sleep == .endOfAyah, now.isPaused, before?.isPaused == false {
      sleep = .off
      notice = Notice(.done, "Paused at the end of the ayah by the sleep timer")
    }
    // What has ended has nothing to pause any more.
    switch now.state {
    case .idle(.finished), .idle(.stopped), .failed: if sleep == .endOfAyah { sleep = .off }
    case .idle(.fresh), .active, .pausing, .paused, .stopping: break
    }
  }

  private mutating func pass(_ time: Duration, _ effects: inout [Effect]) {
    clock = time
    if var first = firstNotices {
      if let next = first.next(at: time) { tell(next) }
      firstNotices = first.isOver ? nil : first
    }
    if case .after(let length) = sleep {
      sleep = .at(clock + length)
      sleepFade = min(length, Self.longestSleepFade)
    }
    guard case .at(let end) = sleep else { return }
    let left = end - clock
    if left <= .zero {
      sleep = .off
      guard now?.isPlaying ?? false else { return wake(&effects) }
      restoresVolume = true
      notice = Notice(.done, "Paused by the sleep timer")
      effects.append(.pause)
    } else if left < sleepFade {
      isDimmed = true
      effects.append(.setVolume(settings.volume * (left / sleepFade)))
    }
  }

  /// Brings the volume back that was taken down to sleep.
  mutating func wake(_ effects: inout [Effect]) {
    guard isDimmed else { return }
    isDimmed = false
    effects.append(.setVolume(settings.volume))
  }

  private mutating func insert(
    _ entries: [QueueEntry], next: Bool, seed: UInt64?, _ effects: inout [Effect]
  ) {
    guard let first = entries.first else { return }
    let new = numbered(entries.map(asOthers))
    if let riwayah = queue.first?.request.riwayah,
      new.contains(where: { $0.request.riwayah != riwayah })
    {
      notice = Notice(
        .failure, "The queue is in \(riwayah.displayName), and riwayat are never mixed")
      return
    }
    guard !new.contains(where: { $0.mix != nil && $0.request.practice != .plain }) else {
      notice = Notice(.failure, Self.practiceNeedsOrder("R changes that"))
      return
    }
    let place = next ? currentIndex.map { $0 + 1 } ?? queue.count : queue.count
    queue.insert(contentsOf: new, at: place)
    notice = Notice(
      .done,
      next
        ? "Next: \(first.title)"
        : "Added: \(first.title)"
          + (entries.count > 1 ? " and \(entries.count - 1) more" : "")
          + Self.shuffled(by: seed))
    note(seed)
    changeQueue(&effects)
    for entry in new { effects.append(.check(entry.item)) }
  }

  static func shuffled(by seed: UInt64?) -> String {
    seed.map { ", shuffled, seed \($0)" } ?? ""
  }

  static func practiceNeedsOrder(_ advice: String) -> String {
    "Stepping and cumulative need ayat in order; \(advice)"
  }

  /// Takes note of the seed that entries come with which are shuffled already; the next shuffle has another.
  mutating func note(_ seed: UInt64?) {
    guard let seed else { return }
    self.seed = self.seed ?? seed
    if nextSeed == seed { nextSeed = seed &+ 1 }
  }

  /// An entry with what was set for the whole queue since it began. A recording is heard as it is.
  private func asOthers(_ entry: QueueEntry) -> QueueEntry {
    var entry = entry
    if let reciter, entry.request.only == nil { entry.choose(reciter) }
    newRepeats?.apply(to: &entry.request)
    if let like = queue.first?.request {
      entry.request.crossfadeMilliseconds = like.crossfadeMilliseconds
      entry.request.crossfadeCurve = like.crossfadeCurve
    }
    return entry
  }

  /// The same under numbers that were never given.
  mutating func numbered(_ entries: [QueueEntry]) -> [QueueEntry] {
    defer { lastNumber += entries.count }
    return entries.numbered(from: lastNumber + 1)
  }

  /// Has the next round of what is shuffled follow in time.
  fileprivate mutating func keepRounds(_ effects: inout [Effect]) {
    let before = lastNumber
    guard queue.keepRounds(around: now?.item, lastNumber: &lastNumber) else { return }
    changeQueue(&effects)
    for entry in queue where entry.id.number > before { effects.append(.check(entry.item)) }
  }

  /// Repeats as is asked; the engine is told which passes that adds or takes away.
  mutating func change(_ repeats: RepeatSettings, _ effects: inout [Effect]) {
    let (ids, before) = (queue.map(\.id), lastNumber)
    self.repeats = repeats
    guard queue.map(\.id) != ids else { return }
    changeQueue(&effects)
    for entry in queue where entry.id.number > before { effects.append(.check(entry.item)) }
  }

  /// Has the engine play the queue as it is now.
  mutating func changeQueue(_ effects: inout [Effect]) {
    revision += 1
    countAyat()
    effects.append(.setItems(items))
  }
}
