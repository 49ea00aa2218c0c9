// SPDX-License-Identifier: GPL-3.0-or-later

import Playback
import Quran
import TerminalUI

extension State {
  private static let noColors = Notice(.warning, "Pictures need a terminal with colours")

  /// Does what an action stands for.
  mutating func perform(_ action: Action, _ effects: inout [Effect]) {
    switch action {
    case .playToggle: togglePlaying(&effects)
    case .ayahNext: effects.append(.next)
    case .ayahPrevious: effects.append(.previous)
    case .back5: effects.append(.move(-5))
    case .forward5: effects.append(.move(5))
    case .back15: effects.append(.move(-15))
    case .forward15: effects.append(.move(15))
    case .itemNext: effects.append(.nextItem)
    case .itemPrevious: effects.append(.previousItem)
    case .playSlower, .playFaster:
      setSpeed(Settings.speed(after: settings.speed, faster: action == .playFaster), &effects)
    case .playNormalSpeed: setSpeed(1, &effects)
    case .playQuieter, .playLouder:
      let volume = settings.volume + (action == .playLouder ? 0.1 : -0.1)
      settings.volume = min(max((volume * 10).rounded() / 10, 0), 1)
      effects.append(.setVolume(settings.volume))
    case .playGainDown, .playGainUp:
      settings.changeGain(up: action == .playGainUp)
      effects.append(.setEqualiser(settings.equaliser))

    case .queueUp: choose(by: -1)
    case .queueDown: choose(by: 1)
    case .queuePlay: playChosen(&effects)
    case .queueEarlier: moveChosen(by: -1, &effects)
    case .queueLater: moveChosen(by: 1, &effects)
    case .queueRemove: removeChosen(&effects)
    case .queueAdd: panel = .add(TextField(), next: false)
    case .queueAddNext: panel = .add(TextField(), next: true)
    case .queueShuffle: open(.shuffle(ListCursor()), unless: restIsEmpty)

    case .openJump: panel = .jump(TextField())
    case .openEqualiser: panel = .equaliser(ListCursor())
    case .openFades: panel = .fades(ListCursor())
    case .openRepeats: panel = .repeats(ListCursor())
    case .openReciters: panel = .reciters(ListCursor(currentReciterRow))
    case .openCheck:
      panel = .check(ListCursor())
      for entry in queue where entry.missing == nil { effects.append(.check(entry.item)) }
    case .openSleep: panel = .sleep(ListCursor())
    case .openPalette: panel = .palette(TextField(), ListCursor())
    case .openHelp: panel = .help(ListCursor())

    case .viewPicture:
      settings.pictureSize = settings.pictureSize.next
      notice = hasColors ? Notice(.done, settings.pictureSize.sentence) : Self.noColors
    case .viewAspect:
      settings.pictureAspect = settings.pictureAspect.next
      let key = keymap.hint(for: .viewPicture, in: .normal).map { "; \($0) shows it" } ?? ""
      notice =
        !hasColors
        ? Self.noColors
        : settings.pictureSize == .off
          ? Notice(.hint, "The picture is hidden\(key)")
          : Notice(.done, settings.pictureAspect.sentence)

    case .toggleWindow: effects.append(.toggleWindow)
    case .toggleFullScreen: effects.append(.toggleFullScreen)
    case .toggleMouse:
      usesMouse.toggle()
      effects.append(.setMouse(usesMouse))
    case .quit: effects.append(.quit)
    case .suspend: effects.append(.suspend)
    case .redraw: effects.append(.redraw)

    case .panelAccept, .panelCancel, .panelUp, .panelDown, .panelPageUp, .panelPageDown,
      .panelLess, .panelMore, .equaliserToggle, .equaliserReset, .reciterToggle, .reciterEarlier,
      .reciterLater:
      performInPanel(action, &effects)
    }
  }

  private mutating func togglePlaying(_ effects: inout [Effect]) {
    switch now?.state {
    case .active, .pausing, .paused:
      if now?.isPaused == false, isDimmed { wake(&effects) }
      effects.append(.togglePause)
    case .idle(.finished): effects.append(.play(items, from: nil))
    case .idle, .stopping, .failed, nil: effects.append(.play(items, from: hereAgain))
    }
  }

  /// The start of the ayah that was heard last.
  private var hereAgain: PlaybackStart? {
    now.map { PlaybackStart(item: $0.item, ayah: $0.ayah) }
  }

  private mutating func setSpeed(_ speed: Double, _ effects: inout [Effect]) {
    settings.speed = speed
    effects.append(.setSpeed(speed))
  }

  private mutating func open(_ panel: Panel, unless obstacle: String?) {
    if let obstacle { notice = Notice(.hint, obstacle) } else { self.panel = panel }
  }

  // MARK: The queue

  private mutating func choose(by steps: Int) {
    guard let index = chosenIndex else { return }
    chosen = queue[min(max(index + steps, 0), queue.count - 1)].id
  }

  mutating func playChosen(_ effects: inout [Effect]) {
    guard let index = chosenIndex else { return }
    let id = queue[index].id
    switch now?.state {
    case .active, .pausing, .paused: effects.append(.go(id))
    case .idle, .stopping, .failed, nil:
      let first = Itinerary(queue[index].request).extent.first
      effects.append(.play(items, from: PlaybackStart(item: id, ayah: first)))
    }
  }

  private mutating func moveChosen(by steps: Int, _ effects: inout [Effect]) {
    guard let index = chosenIndex, queue.indices.contains(index + steps) else { return }
    chosen = queue[index].id
    queue.swapAt(index, index + steps)
    changeQueue(&effects)
  }

  private mutating func removeChosen(_ effects: inout [Effect]) {
    guard let index = chosenIndex else { return }
    guard queue.count > 1 else {
      notice = Notice(.hint, "This is the only item; q leaves")
      return
    }
    let removed = queue.remove(at: index)
    queue.skipEmptied(removed.mix)
    chosen = queue[min(index, queue.count - 1)].id
    notice = Notice(.done, "Removed: \(removed.title)")
    changeQueue(&effects)
  }

  /// The entries to the one that plays.
  private var heard: [QueueEntry] { Array(queue[..<((currentIndex ?? -1) + 1)]) }

  /// The entries after the one that plays.
  var rest: ArraySlice<QueueEntry> { queue[((currentIndex ?? -1) + 1)...] }

  var restIsEmpty: String? {
    if !rest.isEmpty { return nil }
    guard let now, let index = currentIndex,
      Itinerary(queue[index].request).following(now.occurrence, skipsRepetitions: true) != nil
    else { return "Nothing follows to shuffle" }
    return nil
  }

  /// Puts what follows into another order. By ayah, the rest of the item that plays takes part in it.
  mutating func shuffle(by unit: ShuffleUnit, _ effects: inout [Effect]) {
    if unit == .ayah, (heard.suffix(1) + rest).contains(where: { $0.request.practice != .plain }) {
      notice = Notice(.hint, Self.practiceNeedsOrder("R changes that"))
      return
    }
    let seed = nextSeed
    nextSeed = nextSeed &+ 1
    self.seed = seed
    switch unit {
    case .ayah: mixRest(seed: seed)
    case .range, .recording:
      restoreOrder()
      queue =
        heard
        + Array(rest).shuffled(by: unit, seed: seed, firstNumber: lastNumber + 1, after: heard)
    }
    notice = Notice(.done, "Shuffled \(unit.summary), seed \(seed)")
    changeQueue(&effects)
  }

  /// Mixes what follows ayah by ayah, with the rest of the item that plays. The ayah that is heard stays.
  private mutating func mixRest(seed: UInt64) {
    lastNumber += 1
    let mix = Mix(number: lastNumber, seed: seed)
    // Of these the next pass is in the queue, as far as nobody has removed it.
    let known = Set(
      (queue.filter { $0.mix != nil } + (heard.suffix(1) + rest).filter(\.isOfOnePass)).map(\.rank))
    let later = queue.takeLaterRounds(from: now?.item)
    var (head, tail) = (heard, Array(rest))
    let rounds = queue.currentRounds(at: now?.item)
    let taking = Set((head.suffix(1) + tail).compactMap(\.mix?.number))
    head.join(mix, from: rounds.filter { taking.contains($0.key) })
    if let last = head.last, let parts = divided(last, in: mix) {
      head[head.count - 1] = parts.heard
      if let left = parts.left { tail.insert(left, at: 0) }
    }
    let mixed = tail.mixed(as: mix, firstNumber: lastNumber + 1, after: head)
    lastNumber += mixed.count
    queue = head + mixed
    mixNextRound(later, in: mix, known: known)
  }

  /// Has the passes after those of a new mix follow in its second round: what of them was in the queue, and those of
  /// ranges that were not divided before.
  private mutating func mixNextRound(_ later: [QueueEntry], in mix: Mix, known: Set<Int>) {
    guard !later.isEmpty else { return }
    let new = queue.filter { $0.mix?.number == mix.number && !known.contains($0.rank) }
    var next = mix
    next.round += 1
    let rest = new.laterPasses(lastNumber: &lastNumber)
    let mixed = (later + rest).mixed(as: next, firstNumber: lastNumber + 1, filledLike: queue)
    lastNumber += mixed.count
    queue += mixed
  }

  /// The item that plays as what of this pass was heard, to the ayah that is heard, and what is left of it; nil where
  /// nothing of it remains.
  private mutating func divided(
    _ entry: QueueEntry, in mix: Mix
  ) -> (heard: QueueEntry, left: QueueEntry?)? {
    guard let occurrence = now?.occurrence else { return nil }
    switch occurrence.part {
    case .connectionBefore, .range: break
    case .connectionAfter, .continuation: return nil
    }
    let (range, pass) = (entry.request.range, occurrence.pass)
    let here = max(occurrence.ayah, range.first)
    guard let heard = AyahRange(first: range.first, last: here) else { return nil }
    var first = entry.part(heard, title: entry.title, pass: pass)
    first.mix = mix
    guard here < range.last, let next = here.next,
      let left = AyahRange(first: next, last: range.last)
    else { return first.hasNextPass ? (first, nil) : nil }
    lastNumber += 1
    var second = entry.part(left, title: "\(left)", as: PlaybackItem.ID(lastNumber), pass: pass)
    second.mix = mix
    return (first, second)
  }

  mutating func putInOrder(_ effects: inout [Effect]) {
    restoreOrder()
    seed = nil
    notice = Notice(.done, "The original order is restored")
    changeQueue(&effects)
  }

  /// Puts what follows back into the order that it had, its parts together again.
  private mutating func restoreOrder() {
    let later = queue.laterPasses(lastNumber: &lastNumber)
    let sorted = (rest + later).sorted {
      ($0.rank, $0.request.firstPass, $0.request.range.first)
        < ($1.rank, $1.request.firstPass, $1.request.range.first)
    }
    let rounds = queue.currentRounds(at: now?.item)
    queue.removeLast(rest.count)
    // The rounds before belong to no order that is shown.
    queue.removeAll { entry in entry.mix.map { $0.round < rounds[$0.number] ?? 0 } ?? false }
    for index in queue.indices { queue[index].mix = nil }
    // What was heard before the item that plays stays as it was.
    let first = max(queue.count - 1, 0)
    for var entry in sorted {
      entry.mix = nil
      queue.append(entry)
      while let last = queue.indices.last, last > first,
        let joined = queue[last - 1].joined(with: queue[last])
      {
        queue.removeLast()
        queue[last - 1] = joined
      }
    }
  }

  /// Plays a saved list in place of what is in the queue.
  mutating func replaceQueue(
    by entries: [QueueEntry], named name: String, seed: UInt64?, _ effects: inout [Effect]
  ) {
    guard !entries.isEmpty else {
      notice = Notice(.failure, "The list \(name) is empty")
      return
    }
    let riwayah = entries[0].request.riwayah
    let isOther = queue.first.map { $0.request.riwayah != riwayah } ?? false
    queue = numbered(entries)
    chosen = nil
    self.seed = nil
    note(seed)
    list = name
    reciter = nil
    newRepeats = nil
    revision += 1
    countAyat()
    if isOther { effects.append(.changeRiwayah(riwayah)) }
    effects.append(.play(items, from: nil))
    for entry in queue { effects.append(.check(entry.item)) }
    notice = Notice(.done, "Playing the list \(name)" + Self.shuffled(by: seed))
  }

  // MARK: Reciters

  private var currentReciterRow: Int {
    guard case .inOrder(let order) = queue.first?.request.reciters, let first = order.first else {
      return 0
    }
    return reciterRows.dropFirst().firstIndex { $0.id == first } ?? 0
  }

  /// Puts a reciter of the panel before or after a neighbour, for good.
  mutating func moveReciter(_ row: Int, by step: Int, _ effects: inout [Effect]) {
    // The first row stands for anybody.
    let (from, to) = (row - 1, row - 1 + step)
    guard reciters.indices.contains(from), reciters.indices.contains(to),
      let id = reciters[from].id
    else { return }
    reciters.swapAt(from, to)
    panel?.cursor = ListCursor(row + step)
    effects.append(.moveReciter(id, toPlace: to))
    checkAgain(&effects)
  }

  /// Uses the sources of a reciter of the panel, or not, for good.
  mutating func toggleReciter(_ row: Int, _ effects: inout [Effect]) {
    guard reciters.indices.contains(row - 1), let id = reciters[row - 1].id else { return }
    let reciter = reciters[row - 1]
    guard let uses = reciter.usesSources else {
      notice = Notice(.hint, "\(reciter.name) has no sources; your own recordings are always used")
      return
    }
    reciters[row - 1].usesSources = !uses
    effects.append(.useSources(of: id, !uses))
    notice = Notice(.done, "\(reciter.name): sources \(uses ? "off" : "on")")
    checkAgain(&effects)
  }

  /// Has it looked up again what is missing.
  private mutating func checkAgain(_ effects: inout [Effect]) {
    for index in queue.indices {
      queue[index].missing = nil
      effects.append(.check(queue[index].item))
    }
    fillable = [:]
  }

  mutating func choose(_ row: ReciterRow, _ effects: inout [Effect]) {
    let riwayah = queue.first?.request.riwayah
    reciter = row
    for index in queue.indices {
      queue[index].choose(row)
      effects.append(.check(queue[index].item))
    }
    fillable = [:]
    if let riwayah, riwayah != row.riwayah {
      revision += 1
      // Whoever was heard is not who will be.
      now?.clip = nil
      now?.frame = nil
      effects.append(.changeRiwayah(row.riwayah))
      notice = Notice(
        .warning, "Stopped: the riwayah is now \(row.riwayah.displayName); space plays")
      return
    }
    changeQueue(&effects)
    if now?.state.activity != nil { effects.append(.again) }
    notice = Notice(.done, "Reciter: \(row.name)")
  }
}
