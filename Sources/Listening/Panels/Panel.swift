// SPDX-License-Identifier: GPL-3.0-or-later

import Playback
import Quran
import TerminalUI

/// What can lie over the player and have the keys.
enum Panel: Hashable, Sendable {
  case jump(TextField)
  /// With what is wrong with the text, once that is known.
  case add(TextField, next: Bool, problem: String? = nil)
  case equaliser(ListCursor)
  case fades(ListCursor)
  case repeats(ListCursor)
  case reciters(ListCursor)
  case check(ListCursor)
  case sleep(ListCursor)
  case shuffle(ListCursor)
  case palette(TextField, ListCursor)
  case help(ListCursor)

  var context: Context {
    switch self {
    case .jump: .jump
    case .add: .add
    case .equaliser: .equaliser
    case .fades: .fades
    case .repeats: .repeats
    case .reciters: .reciters
    case .check: .check
    case .sleep: .sleep
    case .shuffle: .shuffle
    case .palette: .palette
    case .help: .help
    }
  }

  var field: TextField? {
    get {
      switch self {
      case .jump(let field), .add(let field, _, _), .palette(let field, _): field
      case .equaliser, .fades, .repeats, .reciters, .check, .sleep, .shuffle, .help: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .jump: self = .jump(newValue)
      case .add(_, let next, _): self = .add(newValue, next: next)
      // Another text has another list.
      case .palette(let old, let cursor):
        self = .palette(newValue, old.text == newValue.text ? cursor : ListCursor())
      case .equaliser, .fades, .repeats, .reciters, .check, .sleep, .shuffle, .help: break
      }
    }
  }

  var cursor: ListCursor? {
    get {
      switch self {
      case .jump, .add: nil
      case .equaliser(let cursor), .fades(let cursor), .repeats(let cursor), .reciters(let cursor),
        .check(let cursor), .sleep(let cursor), .shuffle(let cursor), .palette(_, let cursor),
        .help(let cursor):
        cursor
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .jump, .add: break
      case .equaliser: self = .equaliser(newValue)
      case .fades: self = .fades(newValue)
      case .repeats: self = .repeats(newValue)
      case .reciters: self = .reciters(newValue)
      case .check: self = .check(newValue)
      case .sleep: self = .sleep(newValue)
      case .shuffle: self = .shuffle(newValue)
      case .palette(let field, _): self = .palette(field, newValue)
      case .help: self = .help(newValue)
      }
    }
  }
}

/// What a sleep timer can be set to.
enum SleepChoice: Hashable, CaseIterable {
  case off, endOfAyah, minutes5, minutes15, minutes30, minutes45, minutes60, minutes90

  var minutes: Int? {
    switch self {
    case .off, .endOfAyah: nil
    case .minutes5: 5
    case .minutes15: 15
    case .minutes30: 30
    case .minutes45: 45
    case .minutes60: 60
    case .minutes90: 90
    }
  }

  var title: String {
    switch self {
    case .off: "no timer"
    case .endOfAyah: "at the end of the ayah"
    case .minutes5, .minutes15, .minutes30, .minutes45, .minutes60, .minutes90:
      "in \(minutes ?? 0) minutes"
    }
  }
}

/// The rows of the panel of fades.
enum FadeRow: Hashable, CaseIterable {
  case crossfade, curve, fadeIn, fadeOut

  var title: String {
    switch self {
    case .crossfade: "Crossfade"
    case .curve: "Curve"
    case .fadeIn: "Fade in"
    case .fadeOut: "Fade out"
    }
  }
}

/// The rows of the panel of repetitions and gaps.
enum RepeatRow: Hashable, CaseIterable {
  case ayah, range, practice, silence, factor

  var title: String {
    switch self {
    case .ayah: "Each ayah"
    case .range: "Whole range"
    case .practice: "Order"
    case .silence: "Silence after an ayah"
    case .factor: "plus part of its length"
    }
  }
}

/// What is missing, a line each.
struct MissingRow: Hashable {
  let entry: PlaybackItem.ID
  let title: String
  /// Nil while nobody has looked.
  let range: AyahRange?
  let isFillable: Bool
  /// Why the first of it cannot be heard; nil where no more is known than that nobody has it.
  var reason: String?
}

extension State {
  var paletteMatches: [Action] {
    guard case .palette(let field, _) = panel else { return [] }
    return Action.matching(
      field.text,
      among: Action.allCases.filter { $0.contexts.contains(.normal) && $0 != .openPalette })
  }

  var missingRows: [MissingRow] {
    queue.withCurrentRounds(at: now?.item).flatMap { entry -> [MissingRow] in
      guard let missing = entry.missing else {
        return [MissingRow(entry: entry.id, title: entry.title, range: nil, isFillable: false)]
      }
      let fillable = fillable[entry.id] ?? []
      return missing.map { range in
        MissingRow(
          entry: entry.id, title: entry.title, range: range,
          isFillable: fillable.contains { $0.contains(range.first) },
          reason: reasons[range.first])
      }
    }
  }

  /// Anybody of the riwayah first, then each reciter.
  var reciterRows: [ReciterRow] {
    let riwayah = queue.first?.request.riwayah ?? .hafs
    return [ReciterRow(nil, name: "any reciter, in order", riwayah: riwayah)] + reciters
  }

  /// The rows of the panel's list.
  var panelRowCount: Int {
    switch panel {
    case nil, .jump, .add: 0
    case .equaliser: 1 + Equaliser.bandCount
    case .fades: FadeRow.allCases.count
    case .repeats: RepeatRow.allCases.count
    case .reciters: reciterRows.count
    case .check: missingRows.count
    case .sleep: SleepChoice.allCases.count
    case .shuffle: ShuffleUnit.allCases.count + (seed == nil ? 0 : 1)
    case .palette: paletteMatches.count
    case .help: helpLines.count
    }
  }

  /// The ayah that is typed to be gone to, or why there is none.
  var jumpTarget: Result<AyahReference, JumpProblem> {
    guard case .jump(let field) = panel else { return .failure(JumpProblem(text: "")) }
    let typed = field.text
    guard !typed.isEmpty else { return .failure(JumpProblem(text: "Type an ayah, such as 2:255")) }
    do throws(QuranError) {
      // A number alone, in digits of any script, is an ayah of the surah that is heard.
      let digits = typed.compactMap(\.wholeNumberValue)
      if digits.count == typed.count, let number = Int(digits.map { "\($0)" }.joined()),
        let surah = now?.ayah.surah
      {
        return .success(try AyahReference(checking: surah, ayah: number))
      }
      return .success(try AyahReference(parsing: typed))
    } catch {
      return .failure(JumpProblem(text: error.description))
    }
  }

  struct JumpProblem: Error {
    let text: String
  }

  /// The lines of the help page.
  var helpLines: [HelpLine] {
    var lines: [HelpLine] = []
    for section in keymap.sections {
      if !lines.isEmpty { lines.append(.blank) }
      lines.append(.heading(section.title))
      lines += section.rows.map { row in
        .key(row.keys.joined(separator: "  "), row.action)
      }
    }
    lines += [
      .blank, .heading("Mouse"),
      .text("A click in the waveform goes there. A click on an item of the queue chooses it, a"),
      .text(
        "second click plays it. The wheel scrolls the queue; the keys at the bottom are buttons."),
    ]
    return lines
  }

  enum HelpLine: Hashable {
    case blank
    case heading(String)
    case text(String)
    case key(String, Action)
  }
}
