// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Playback
import Quran
public import TerminalUI

/// Draws the whole screen. Pure, and quick enough for every key.
public func view(_ state: State) -> Surface {
  var surface = Surface(size: state.size)
  guard Layout.fits(state.size) else {
    surface.drawTooSmall(for: "player", needing: Layout.minSize)
    return surface
  }
  let layout = state.layout
  let screen = Screen(state: state)
  screen.drawTitle(on: &surface, in: layout.title)
  screen.drawPlace(on: &surface, in: layout)
  screen.drawHeading(on: &surface, in: layout.heading)
  screen.drawWords(on: &surface, in: layout.words)
  state.pictureRoom.draw(state.shownPicture, on: &surface, slot: pictureSlot)
  if !layout.queue.isEmpty {
    screen.drawQueue(on: &surface, heading: layout.queueHeading, list: layout.queue)
  }
  screen.drawPanel(on: &surface, in: layout.panel)
  screen.drawNotice(on: &surface, in: layout.notice)
  screen.drawFooter(on: &surface, in: layout.footer)
  return surface
}

/// Draws again what shows the place within the ayah that is heard, on a surface that ``view(_:)`` drew of a
/// state which differs in nothing else. Most frames are such.
public func redrawPlace(of state: State, on surface: inout Surface) {
  guard Layout.fits(state.size) else { return }
  let layout = state.layout
  for rect in [layout.transport, layout.waveform, layout.bar] { surface.fill(rect) }
  Screen(state: state).drawPlace(on: &surface, in: layout)
}

/// The only image of the screen.
private let pictureSlot = 0

/// A state being drawn.
struct Screen {
  let state: State

  func outside(_ text: String) -> TerminalText {
    TerminalText(outside: text, ordersArabic: state.ordersArabic)
  }
}

extension AyahExcerpt {
  /// `words 2-3`, `0:01.0-0:03.5`; nil for what is only the start of an ayah.
  fileprivate var name: String? {
    func time(_ milliseconds: Int) -> String { clockText(Double(milliseconds) / 1000) }
    switch self {
    case .words(let words):
      return words.count == 1
        ? "word \(words.lowerBound)" : "words \(words.lowerBound)-\(words.upperBound)"
    case .milliseconds(let span):
      return span.upperBound == .max
        ? "from \(time(span.lowerBound))"
        : "\(time(span.lowerBound))-\(time(span.upperBound))"
    case .opening: return nil
    }
  }
}

/// `1:02.3`, or without the tenth.
func clockText(_ seconds: Double, tenths: Bool = true) -> String {
  let count = Int((min(max(seconds, 0), 1e9) * 10).rounded(.down))
  let (whole, tenth) = count.quotientAndRemainder(dividingBy: 10)
  func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
  let minutes =
    whole >= 3600 ? "\(whole / 3600):\(two(whole / 60 % 60))" : "\(whole / 60)"
  return "\(minutes):\(two(whole % 60))" + (tenths ? ".\(tenth)" : "")
}

// MARK: What plays

extension Screen {
  func drawPlace(on surface: inout Surface, in layout: Layout) {
    drawTransport(on: &surface, in: layout.transport)
    drawWaveform(on: &surface, in: layout.waveform)
    drawBar(on: &surface, in: layout.bar)
  }

  func drawTitle(on surface: inout Surface, in rect: Rect) {
    let bar = Style(.standard, on: .role(.bar))
    surface.fill(rect, style: bar)
    surface.within(rect) { surface in
      var right = StyledText()
      if let (number, count) = state.itemNumber, count > 1 {
        right.append("item \(number) of \(count) ", Style(.dim, on: .bar))
      }
      var left = StyledText(" ", bar)
      if let now = state.now {
        left.append(
          "\(now.ayah.surah.number) \(TerminalText(now.ayah.surah.name))",
          Style(.title, on: .bar).bold)
        if let voice = state.voice(of: now) {
          if let name = voice.name { left.append("  " + outside(name), bar) }
          left.append("  " + TerminalText(voice.riwayah.displayName), Style(.dim, on: .bar))
        }
      } else {
        left.append("tilawa-annotate play", Style(.title, on: .bar).bold)
      }
      surface.write(
        left.truncated(to: max(surface.size.columns - right.width - 1, 0)), at: .zero)
      surface.write(right, at: Point(column: surface.size.columns - right.width, row: 0))
    }
  }

  func drawTransport(on surface: inout Surface, in rect: Rect) {
    var line = StyledText(" ")
    switch state.now?.state {
    case .active(.playing): line.append("▶ playing ", Style(.playhead).bold)
    case .active(.loading), nil: line.append("… loading ", Style(.dim))
    case .active(.awaitingRepeat), .active(.awaitingNextAyah), .active(.rangeComplete):
      line.append("▷ gap     ", Style(.playhead))
    case .pausing, .paused:
      if let wait = state.now?.deviceWait {
        line.append("‖ " + TerminalText(wait.text) + "  ", Style(.warning).bold)
      } else {
        line.append("‖ paused  ", Style(.playhead))
      }
    case .idle(.finished): line.append("■ finished ", Style(.success))
    case .idle, .stopping: line.append("■ stopped ", Style(.dim))
    case .failed: line.append("■ failed  ", Style(.error).bold)
    }
    if let seconds = state.now?.seconds {
      line.append(TerminalText(clockText(seconds.passed)), Style.plain.bold)
      line.append(" / " + TerminalText(clockText(seconds.length)))
    }
    for setting in shownSettings(width: rect.size.columns - 1 - line.width) {
      line.append("  " + setting.text, Style(setting.role))
    }
    surface.within(rect) { surface in
      _ = surface.write(line.truncated(to: surface.size.columns - 1), at: .zero)
    }
  }

  /// A setting in the line of the state.
  private struct ShownSetting {
    var text: TerminalText
    var role = Role.accent
    /// Where not all have room.
    var short: TerminalText?
    /// Whether it is as for most people, so that it can be left out.
    var isUsual = false
  }

  /// The settings that have room: in fewer words, then without the usual ones, then without the last ones.
  private func shownSettings(width: Int) -> [ShownSetting] {
    var shown = allSettings
    func isTooWide() -> Bool { shown.reduce(0) { $0 + 2 + $1.text.width } > width }
    if isTooWide() {
      for index in shown.indices { shown[index].text = shown[index].short ?? shown[index].text }
    }
    if isTooWide() { shown.removeAll(where: \.isUsual) }
    while isTooWide() { shown.removeLast() }
    return shown
  }

  /// What passes comes before what was set once.
  private var allSettings: [ShownSetting] {
    let settings = state.settings
    let percent = Int((settings.volume * 100).rounded())
    let isUsualSpeed = settings.speed == 1
    var shown = [
      ShownSetting(
        text: Self.times(settings.speed), role: isUsualSpeed ? .dim : .accent, isUsual: isUsualSpeed
      ), ShownSetting(text: "vol \(percent)%", role: .dim, isUsual: percent == 100),
    ]
    if state.limited > 0 {
      shown.append(
        ShownSetting(
          text: "limited \(state.limited) dB", role: .warning, short: "limit \(state.limited) dB"))
    }
    switch state.sleep {
    case .off, .after: break
    case .endOfAyah:
      shown.append(ShownSetting(text: "pauses after the ayah", short: "pauses after ayah"))
    case .at(let end):
      let left = Double((end - state.clock) / .milliseconds(1)) / 1000
      shown.append(
        ShownSetting(text: "pauses in " + TerminalText(clockText(left, tenths: false))))
    }
    if let gap = state.repeats?.gap { shown.append(ShownSetting(text: "gap " + TerminalText(gap))) }
    if let gain = settings.gainText { shown.append(ShownSetting(text: TerminalText(gain))) }
    if settings.hasEqualiser { shown.append(ShownSetting(text: "eq")) }
    if settings.crossfadeMilliseconds > 0 {
      let length: TerminalText = "\(settings.crossfadeMilliseconds) ms"
      shown.append(ShownSetting(text: "crossfade " + length, short: "fade " + length))
    }
    return shown
  }

  private static func times(_ speed: Double) -> TerminalText {
    let hundredths = Int((speed * 100).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)x" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)x" : "\(whole).\(rest < 10 ? "0" : "")\(rest)x"
  }

  /// The ayah and its counts, and where its sound is from.
  func drawHeading(on surface: inout Surface, in rect: Rect) {
    guard let now = state.now else { return }
    surface.within(rect) { surface in
      let width = surface.size.columns - 2
      var line = StyledText("\(now.ayah)", Style(.accent).bold)
      line.append("  " + TerminalText(now.ayah.surah.name), Style.plain.bold)
      if now.isBasmalah { line.append("  (the basmalah)", Style(.dim)) }
      switch now.occurrence.part {
      case .range: break
      case .connectionBefore: line.append("  leads in", Style(.dim))
      case .connectionAfter: line.append("  leads out", Style(.dim))
      case .continuation: line.append("  after the range", Style(.dim))
      }
      line.append("   ayah \(now.ayahNumber) of \(now.ayahCount)", Style(.dim))
      let request = state.queue.first { $0.id == now.item }?.request
      if !now.isBasmalah, let part = request?.excerpt?.name {
        line.append("   " + TerminalText(part), Style(.accent))
      }
      line =
        line + count("repetition", now.occurrence.repetition, now.repetitions)
        + count("pass", now.occurrence.pass, now.passes)
      surface.write(line.truncated(to: width), at: Point(column: 1, row: 0))
      surface.write(source(of: now).truncated(to: width), at: Point(column: 1, row: 1))
    }
  }

  private func count(_ name: TerminalText, _ number: Int, _ all: RepeatCount) -> StyledText {
    if all.times == 1 { return StyledText() }
    let of = all.times.map { " of \($0)" } ?? ", endless"
    return StyledText("   \(name) \(number)" + TerminalText(of), Style(.accent))
  }

  private func source(of now: NowPlaying) -> StyledText {
    if let fetching = state.fetching, now.isWithoutSound {
      return StyledText("fetching " + outside(fetching), Style(.accent))
    }
    guard let clip = now.clip else {
      guard let entry = state.queue.first(where: { $0.id == now.item }), entry.isMissing(now.ayah)
      else { return StyledText() }
      return StyledText(
        "missing: " + outside(state.reasons[now.ayah] ?? state.reciters.whoLacks(entry.request)),
        Style(.warning))
    }
    var line = StyledText(outside(state.name(of: clip) ?? "unknown reciter"))
    line.append("  " + TerminalText(clip.riwayah.displayName), Style(.dim))
    switch clip.origin {
    case .ownRecording: line.append("  own recording: ", Style(.dim))
    case .download: line.append("  published: ", Style(.dim))
    }
    line.append(outside(now.title))
    return line
  }

  func drawWaveform(on surface: inout Surface, in rect: Rect) {
    guard !rect.isEmpty, let now = state.now else { return }
    let columns = rect.size.columns
    let heard = Int(now.fraction * Double(columns))
    if let waveform = state.waveform, waveform.clip == now.clip?.audio {
      let bars = waveform.bars(columns * ColumnChart.barsPerColumn)
      ColumnChart(bars, shadesOuter: !state.hasColors).draw(on: &surface, in: rect)
      let rest = Rect(
        column: rect.origin.column + heard, row: rect.origin.row, columns: columns - heard,
        rows: rect.size.rows)
      surface.restyle(rest) { style in
        style.foreground = .role(style.foreground == .role(.waveformRMS) ? .border : .dim)
      }
    }
    guard now.frame != nil else { return }
    surface.drawVerticalLine(
      in: Rect(
        column: rect.origin.column + min(heard, columns - 1), row: rect.origin.row, columns: 1,
        rows: rect.size.rows), style: Style(.playhead))
  }

  func drawBar(on surface: inout Surface, in rect: Rect) {
    guard let now = state.now else { return }
    ProgressBar(fraction: now.fraction, style: Style(.playhead)).draw(on: &surface, in: rect)
  }

  /// The ayah, the word that is heard lit, or all of it where nobody knows which; then what follows.
  func drawWords(on surface: inout Surface, in rect: Rect) {
    guard rect.size.rows > 0, let now = state.now else { return }
    surface.within(rect) { surface in
      guard let text = state.text, state.hasBlocks else {
        let hint: TerminalText =
          state.text == nil
          ? "--text FILE, or the setting editor.text, shows the words here"
          : "ASCII has no letters for the words; they need a terminal with UTF-8"
        surface.write(
          hint.truncated(to: surface.size.columns), at: .zero, style: Style(.dim))
        return
      }
      let shown = now.isBasmalah ? AyahReference.first : now.ayah
      let words = text[shown].split(whereSeparator: \.isWhitespace).map(String.init)
      // Texts that divide words otherwise are shown without telling which is heard.
      let isTimed =
        now.clip?.words != nil && words.count == QuranSounds.wordCount(of: shown)
        && !now.isBasmalah
      var lines = WordLines(width: surface.size.columns, ordersArabic: state.ordersArabic)
      let isLit = !isTimed && now.isPlaying
      lines.add(
        words, heard: isTimed ? now.word : nil, style: isLit ? WordLines.heard : .plain)
      let own = lines.lines(showing: surface.size.rows)
      for (row, line) in own.enumerated() {
        surface.write(line, at: Point(column: 0, row: row))
      }
      guard own.count + 1 < surface.size.rows, let next = state.upcoming(1).first,
        next.occurrence.ayah != shown
      else { return }
      var following = WordLines(width: surface.size.columns, ordersArabic: state.ordersArabic)
      following.add(
        text[next.occurrence.ayah].split(whereSeparator: \.isWhitespace).map(String.init),
        heard: nil, style: Style(.dim))
      for (row, line) in following.lines.prefix(surface.size.rows - own.count - 1).enumerated() {
        surface.write(line, at: Point(column: 0, row: own.count + 1 + row))
      }
    }
  }
}

extension Waveform {
  /// So many bars for the whole clip.
  func bars(_ count: Int) -> [ColumnChart.Bar] {
    guard count > 0, !bars.isEmpty else { return [] }
    return (0..<count).map { index in
      let first = index * bars.count / count
      let last = max((index + 1) * bars.count / count, first + 1)
      return bars[first..<min(last, bars.count)].reduce(bars[first]) { merged, bar in
        ColumnChart.Bar(
          low: min(merged.low, bar.low), high: max(merged.high, bar.high),
          innerLow: min(merged.innerLow, bar.innerLow),
          innerHigh: max(merged.innerHigh, bar.innerHigh))
      }
    }
  }
}

// MARK: The queue

extension Screen {
  func drawQueue(on surface: inout Surface, heading: Rect, list: Rect) {
    surface.within(heading) { surface in
      surface.fill(
        Rect(column: 0, row: 0, columns: surface.size.columns, rows: 1),
        style: Style(.standard, on: .role(.bar)))
      let known = state.queue.allSatisfy { $0.missing != nil }
      let missing = state.queue.ayahCount { $0.missing ?? [] }
      var line = StyledText(" Queue", Style(.title, on: .bar).bold)
      let ayat = state.ayahCount
      line.append("  \(ayat) \(ayat == 1 ? "ayah" : "ayat")", Style(.dim, on: .bar))
      if missing > 0 {
        line.append("  \(missing) missing", Style(.warning, on: .bar))
      } else if known, !state.queue.isEmpty {
        line.append("  nothing missing", Style(.success, on: .bar))
      }
      if let seed = state.seed { line.append("  seed \(seed)", Style(.dim, on: .bar)) }
      surface.write(line.truncated(to: surface.size.columns), at: .zero)
      surface.write(
        next(width: surface.size.columns - 2).truncated(to: surface.size.columns - 2),
        at: Point(column: 1, row: 1))
    }
    let cursor = ListCursor(state.chosenIndex ?? 0)
    let window = cursor.window(count: state.queue.count, rows: list.size.rows)
    ListView(
      count: state.queue.count, selected: state.queue.isEmpty ? nil : cursor.index,
      offset: window.lowerBound
    ).draw(on: &surface, in: list) { row($0) }
  }

  /// What is heard next, as many ayat as fit.
  private func next(width: Int) -> StyledText {
    var line = StyledText("Next ", Style(.dim))
    let upcoming = state.upcoming(12)
    guard !upcoming.isEmpty else {
      line.append("nothing: this is the last ayah", Style(.dim))
      return line
    }
    for (entry, occurrence) in upcoming {
      let isMissing = entry.isMissing(occurrence.ayah)
      let text: TerminalText =
        " \(occurrence.ayah)" + (occurrence.repetition > 1 ? "×\(occurrence.repetition)" : "")
        + (isMissing ? " missing" : "")
      if line.width + text.width > width { break }
      line.append(text, Style(isMissing ? .warning : .accent))
    }
    return line
  }

  private func row(_ index: Int) -> StyledText {
    let entry = state.queue[index]
    let isCurrent = index == state.currentIndex
    var line = StyledText(isCurrent ? " ▶ " : "   ", Style(.playhead))
    line.append(
      outside(entry.title), isCurrent ? Style.plain.bold : .plain)
    let request = entry.request
    let range = "\(request.range)"
    if !entry.title.split(separator: " ").contains(Substring(range)) {
      line.append("  " + TerminalText(range), Style(.dim))
    }
    if let part = request.excerpt?.name { line.append("  " + TerminalText(part), Style(.dim)) }
    if request.practice != .plain {
      line.append("  " + TerminalText(request.practice.name), Style(.dim))
    }
    if request.ayahRepeat != .once {
      line.append("  each " + times(request.ayahRepeat), Style(.dim))
    }
    if request.rangeRepeat != .once { line.append("  " + passes(request), Style(.dim)) }
    if let missing = entry.missing, !missing.isEmpty {
      let count = missing.reduce(0) { $0 + $1.count }
      let names = missing.prefix(3).map(\.description).joined(separator: ", ")
      line.append(
        "  \(count) missing: \(TerminalText(names))\(missing.count > 3 ? "…" : "")",
        Style(.warning))
    }
    return line
  }

  /// `×3`, `pass 2` or `passes 2-3`.
  private func passes(_ request: PlaybackRequest) -> TerminalText {
    let first = request.firstPass
    guard let last = request.lastPass ?? request.rangeRepeat.times else {
      return first == 1 ? times(request.rangeRepeat) : "passes \(first)-∞"
    }
    if first == last { return "pass \(first)" }
    return first == 1 ? times(request.rangeRepeat) : "passes \(first)-\(last)"
  }

  private func times(_ count: RepeatCount) -> TerminalText {
    count.times.map { "×\($0)" } ?? "×∞"
  }
}

// MARK: Notice and footer

extension State {
  /// A key in the footer, and where it lies.
  struct FooterItem: Hashable {
    let action: Action
    let key: TerminalText
    let label: TerminalText
    let columns: Range<Int>
  }

  private static func footer(_ context: Context) -> [Action] {
    switch context {
    case .normal:
      [
        .playToggle, .ayahPrevious, .ayahNext, .back5, .forward5, .openJump, .playSlower,
        .playFaster, .openReciters, .openSleep, .queueAdd, .queueShuffle, .openCheck,
        .openRepeats, .openEqualiser, .openFades, .queueRemove, .itemNext, .playQuieter,
        .playLouder, .quit,
      ]
    case .equaliser:
      [.panelLess, .panelMore, .panelDown, .equaliserToggle, .equaliserReset, .playToggle]
    case .fades, .repeats: [.panelLess, .panelMore, .panelDown, .panelUp, .playToggle]
    case .help: [.panelDown, .panelUp, .panelPageDown, .panelPageUp]
    case .jump, .add: [.panelAccept]
    case .reciters:
      [
        .panelAccept, .reciterEarlier, .reciterLater, .reciterToggle, .panelDown, .panelUp,
      ]
    case .check, .sleep, .shuffle, .palette: [.panelAccept, .panelDown, .panelUp]
    }
  }

  private func footer(_ context: Context) -> [Action] {
    guard context == .check else { return Self.footer(context) }
    // Where nothing is listed, nothing can be chosen, and what no reciter has cannot be filled.
    let rows = missingRows
    if rows.isEmpty { return [] }
    return rows.contains(where: \.isFillable) ? Self.footer(context) : [.panelDown, .panelUp]
  }

  /// The keys in the footer from the left, as many as fit, and at the right end those that lead to all
  /// others or back.
  var footerItems: [FooterItem] {
    let context = context
    var room = size.columns
    var last: [FooterItem] = []
    for action in context == .normal ? [Action.openHelp, .openPalette] : [.panelCancel] {
      guard let item = footerItem(action, context, at: 0), item.columns.count <= room else {
        continue
      }
      room -= item.columns.count
      if let placed = footerItem(action, context, at: room) { last.insert(placed, at: 0) }
    }
    var items: [FooterItem] = []
    var column = 0
    for action in footer(context) {
      guard let item = footerItem(action, context, at: column), item.columns.upperBound <= room
      else { continue }
      items.append(item)
      column = item.columns.upperBound
    }
    return items + last
  }

  private func footerItem(_ action: Action, _ context: Context, at column: Int) -> FooterItem? {
    guard let hint = keymap.hint(for: action, in: context) else { return nil }
    let isPause =
      action == .playToggle && (now?.isPlaying ?? false || now?.deviceWait == .goesOn)
    let (key, label) = (TerminalText(hint), TerminalText(isPause ? "pause" : action.label))
    let width = key.width + label.width + 3
    return FooterItem(action: action, key: key, label: label, columns: column..<column + width)
  }
}

extension Screen {
  func drawFooter(on surface: inout Surface, in rect: Rect) {
    let bar = Style(.standard, on: .role(.bar))
    surface.fill(rect, style: bar)
    surface.within(rect) { surface in
      for item in state.footerItems {
        let column = item.columns.lowerBound + 1
        surface.write(item.key, at: Point(column: column, row: 0), style: Style(.key, on: .bar))
        surface.write(
          " " + item.label, at: Point(column: column + item.key.width, row: 0), style: bar)
      }
    }
  }

  func drawNotice(on surface: inout Surface, in rect: Rect) {
    state.notice?.draw(on: &surface, in: rect, ordersArabic: state.ordersArabic)
  }
}
