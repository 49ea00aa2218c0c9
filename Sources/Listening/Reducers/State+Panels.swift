// SPDX-License-Identifier: GPL-3.0-or-later

import Playback
import Quran
import TerminalUI

extension State {
  mutating func performInPanel(_ action: Action, _ effects: inout [Effect]) {
    guard let panel else { return }
    switch action {
    case .panelCancel: self.panel = nil
    case .panelUp: moveCursor(by: -1)
    case .panelDown: moveCursor(by: 1)
    case .panelPageUp: moveCursor(by: -max(panelList.size.rows, 1))
    case .panelPageDown: moveCursor(by: max(panelList.size.rows, 1))
    case .panelAccept: accept(panel, &effects)
    case .panelLess, .panelMore: change(panel, by: action == .panelMore ? 1 : -1, &effects)
    case .equaliserToggle:
      settings.hasEqualiser.toggle()
      effects.append(.setEqualiser(settings.equaliser))
    case .equaliserReset:
      settings.bands = Settings().bands
      settings.preamp = 0.5
      effects.append(.setEqualiser(settings.equaliser))
    case .reciterToggle, .reciterEarlier, .reciterLater:
      guard case .reciters(let cursor) = panel else { return }
      switch action {
      case .reciterToggle: toggleReciter(cursor.index, &effects)
      case .reciterEarlier: moveReciter(cursor.index, by: -1, &effects)
      default: moveReciter(cursor.index, by: 1, &effects)
      }
    default: break
    }
  }

  private mutating func moveCursor(by steps: Int) {
    var cursor = panel?.cursor
    cursor?.move(by: steps, count: panelRowCount)
    panel?.cursor = cursor
  }

  private mutating func accept(_ panel: Panel, _ effects: inout [Effect]) {
    switch panel {
    case .jump:
      switch jumpTarget {
      case .success(let ayah):
        self.panel = nil
        go(to: ayah, &effects)
      // The panel shows what is wrong.
      case .failure: break
      }
    case .add(let field, let next, _):
      guard !field.text.isEmpty else {
        self.panel = nil
        return
      }
      // The panel stays until something was found, so that a mistake can be mended.
      effects.append(.find(field.text, next: next))
    case .equaliser, .fades, .repeats, .help: self.panel = nil
    case .reciters(let cursor):
      let rows = reciterRows
      self.panel = nil
      guard rows.indices.contains(cursor.index) else { return }
      choose(rows[cursor.index], &effects)
    case .check(let cursor):
      let rows = missingRows
      guard rows.indices.contains(cursor.index) else {
        self.panel = nil
        return
      }
      fill(rows[cursor.index], &effects)
    case .sleep(let cursor):
      self.panel = nil
      setSleep(SleepChoice.allCases[min(cursor.index, SleepChoice.allCases.count - 1)], &effects)
    case .shuffle(let cursor):
      self.panel = nil
      let units = ShuffleUnit.allCases
      if units.indices.contains(cursor.index) {
        shuffle(by: units[cursor.index], &effects)
      } else {
        putInOrder(&effects)
      }
    case .palette(_, let cursor):
      let matches = paletteMatches
      self.panel = nil
      guard matches.indices.contains(cursor.index) else { return }
      perform(matches[cursor.index], &effects)
    }
  }

  /// Goes to an ayah. One that is not in the queue is put into it first, with the rest of its surah.
  private mutating func go(to ayah: AyahReference, _ effects: inout [Effect]) {
    let isKnown = isQueued(ayah)
    if !isKnown { insertSurah(from: ayah, &effects) }
    let near = currentIndex.map { index in queue.filter { $0.mix == queue[index].mix } } ?? []
    guard
      let entry = (near + queue).first(where: { Itinerary($0.request).extent.contains(ayah) })
    else { return }
    if now?.state.activity == nil {
      effects.append(.play(items, from: PlaybackStart(item: entry.id, ayah: ayah)))
    } else {
      effects.append(isKnown ? .seek(ayah) : .go(entry.id))
    }
  }

  private mutating func insertSurah(from ayah: AyahReference, _ effects: inout [Effect]) {
    let place = currentIndex ?? 0
    guard queue.indices.contains(place),
      let range = AyahRange(first: ayah, last: ayah.surah.lastAyah)
    else { return }
    var request = queue[place].request
    request.range = range
    request.only = nil
    request.excerpt = nil
    request.firstPass = 1
    request.lastPass = nil
    request.connectionBefore = 0
    request.connectionAfter = 0
    request.afterRepeat = .stop
    lastNumber += 1
    let entry = QueueEntry(
      PlaybackItem.ID(lastNumber), title: "\(range) \(ayah.surah.name)", source: "\(range)", request
    )
    queue.insert(entry, at: place + 1)
    changeQueue(&effects)
    effects.append(.check(entry.item))
    notice = Notice(.done, "Added: \(entry.title)")
    jumpedInto = entry.id
  }

  /// Takes what is missing of an item from other reciters of the riwayah.
  private mutating func fill(_ row: MissingRow, _ effects: inout [Effect]) {
    guard row.isFillable else {
      notice = Notice(.hint, "No other reciter has it; try 'source fetch'")
      return
    }
    guard let entry = queue.first(where: { $0.id == row.entry }) else { return }
    // In the next round of a shuffle too.
    let same = queue.indices.filter {
      queue[$0].isPart(ofSameAs: entry) && queue[$0].request.range == entry.request.range
    }
    for index in same { queue[index].request.fillsFromOthers = true }
    changeQueue(&effects)
    for index in same { effects.append(.check(queue[index].item)) }
    notice = Notice(.done, "Other reciters fill the gaps of \(entry.title)")
  }

  private mutating func setSleep(_ choice: SleepChoice, _ effects: inout [Effect]) {
    if sleep == .endOfAyah { effects.append(.setPausesAfterAyah(false)) }
    wake(&effects)
    switch choice {
    case .off:
      sleep = .off
      notice = Notice(.done, "No sleep timer")
    case .endOfAyah:
      sleep = .endOfAyah
      effects.append(.setPausesAfterAyah(true))
      notice = Notice(.done, "Playback pauses at the end of the ayah")
    case .minutes5, .minutes15, .minutes30, .minutes45, .minutes60, .minutes90:
      sleep = .at(clock + .seconds(60 * (choice.minutes ?? 0)))
      sleepFade = Self.longestSleepFade
      notice = Notice(.done, "Playback pauses \(choice.title)")
    }
  }

  private mutating func change(_ panel: Panel, by steps: Int, _ effects: inout [Effect]) {
    switch panel {
    case .equaliser(let cursor):
      let range = cursor.index == 0 ? Equaliser.preampRange : Equaliser.bandRange
      let decibels = ((slider(cursor.index) * 2 - 1) * range).rounded() + Double(steps)
      setSlider(cursor.index, (decibels / range + 1) / 2, &effects)
    case .fades(let cursor):
      changeFade(
        FadeRow.allCases[min(cursor.index, FadeRow.allCases.count - 1)], by: steps, &effects)
    case .repeats(let cursor):
      changeRepeats(
        RepeatRow.allCases[min(cursor.index, RepeatRow.allCases.count - 1)], by: steps, &effects)
    case .jump, .add, .reciters, .check, .sleep, .shuffle, .palette, .help: break
    }
  }

  private mutating func changeRepeats(_ row: RepeatRow, by steps: Int, _ effects: inout [Effect]) {
    guard var repeats else { return }
    switch row {
    case .ayah: repeats.ayah = repeats.ayah.stepped(by: steps)
    case .range: repeats.range = repeats.range.stepped(by: steps)
    case .practice:
      guard !queue.contains(where: { $0.mix != nil }) else {
        notice = Notice(.hint, Self.practiceNeedsOrder("S restores it"))
        return
      }
      let all = RangePractice.allCases
      let index = all.firstIndex(of: repeats.practice) ?? 0
      repeats.practice = all[(index + steps + all.count) % all.count]
    case .silence:
      // A longer one comes from the command line.
      let longest = max(repeats.gapMilliseconds, 60_000)
      repeats.gapMilliseconds = min(max(repeats.gapMilliseconds + steps * 250, 0), longest)
    case .factor:
      let halves = (repeats.gapFactor * 2).rounded() + Double(steps)
      repeats.gapFactor = min(max(halves / 2, 0), 10)
    }
    guard repeats != self.repeats else { return }
    change(repeats, &effects)
    switch row {
    case .ayah, .range:
      effects.append(.setRepeats(ayah: repeats.ayah, range: repeats.range))
    case .practice: effects.append(.setPractice(repeats.practice))
    case .silence, .factor:
      effects.append(.setGap(milliseconds: repeats.gapMilliseconds, factor: repeats.gapFactor))
    }
  }

  /// 0 is the preamplifier, then the bands; 0...1.
  func slider(_ row: Int) -> Double { row == 0 ? settings.preamp : settings.bands[row - 1] }

  mutating func setSlider(_ row: Int, _ value: Double, _ effects: inout [Effect]) {
    let value = min(max(value, 0), 1)
    if row == 0 { settings.preamp = value } else { settings.bands[row - 1] = value }
    settings.hasEqualiser = true
    effects.append(.setEqualiser(settings.equaliser))
  }

  private mutating func changeFade(_ row: FadeRow, by steps: Int, _ effects: inout [Effect]) {
    func milliseconds(_ value: Int, by step: Int, to most: Int) -> Int {
      min(max(value + steps * step, 0), most)
    }
    switch row {
    case .crossfade:
      settings.crossfadeMilliseconds = milliseconds(
        settings.crossfadeMilliseconds, by: 50, to: Settings.longestCrossfadeMilliseconds)
    case .curve:
      let curves = FadeCurve.allCases
      let index = curves.firstIndex(of: settings.crossfadeCurve) ?? 0
      settings.crossfadeCurve = curves[(index + steps + curves.count) % curves.count]
    case .fadeIn:
      settings.fadeInMilliseconds = milliseconds(settings.fadeInMilliseconds, by: 5, to: 2000)
    case .fadeOut:
      settings.fadeOutMilliseconds = milliseconds(settings.fadeOutMilliseconds, by: 50, to: 5000)
    }
    switch row {
    case .fadeIn, .fadeOut:
      effects.append(
        .setFades(
          inMilliseconds: settings.fadeInMilliseconds,
          outMilliseconds: settings.fadeOutMilliseconds))
    case .crossfade, .curve:
      for index in queue.indices {
        queue[index].request.crossfadeMilliseconds = settings.crossfadeMilliseconds
        queue[index].request.crossfadeCurve = settings.crossfadeCurve
      }
      changeQueue(&effects)
    }
  }
}
