// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI
import Testing

@testable import Editor

/// Frames of a recording with 1,000 frames a second, so that frames are milliseconds.
let rate = SampleRate(hertz: 1000)!

/// An editor with a recording open, and everything it has asked for.
struct Desk {
  var state: State
  var effects: [Effect] = []
  private var now = Duration.zero

  init(
    _ document: AnnotationDocument, size: Size = Size(columns: 80, rows: 24),
    access: WorkingAnnotation.Access = .readWrite,
    rebinding: [(action: String, keys: [String])] = []
  ) {
    var settings = Settings()
    settings.hasSeenHint = true
    state = State(size: size, keymap: Keymap(rebinding: rebinding), settings: settings)
    send(
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "night 12.m4a", reciter: "A reciter"),
          annotation: WorkingAnnotation(document, access: access))))
    send(.historyRead(History()))
    effects.removeAll { if case .load = $0 { false } else { true } }
  }

  mutating func send(_ event: Event) { effects += reduce(&state, event) }

  /// Presses keys named with spaces between them; `'text` types its letters, `heard` lets what plays play to its end.
  mutating func press(_ keys: String) {
    for name in keys.split(separator: " ") {
      if name == "heard" {
        guard let end = state.playedSpan?.upperBound else {
          Issue.record("nothing plays")
          continue
        }
        send(.playback(PlaybackReport(.stopped, at: end)))
      } else if name.first == "'", name.count > 1 {
        for character in name.dropFirst() { send(.input(.key(KeyEvent(character)))) }
      } else if let key = KeyEvent(named: String(name)) {
        send(.input(.key(key)))
      } else {
        Issue.record("no key is named \(name)")
      }
    }
  }

  mutating func mouse(
    _ action: MouseEvent.Action, _ column: Int, _ row: Int, _ modifiers: Modifiers = []
  ) {
    send(.input(.mouse(MouseEvent(action, at: Point(column: column, row: row), modifiers))))
  }

  mutating func click(_ column: Int, _ row: Int, _ modifiers: Modifiers = []) {
    mouse(.press(.left), column, row, modifiers)
    mouse(.release(.left), column, row, modifiers)
  }

  mutating func drag(from column: Int, to last: Int, row: Int, _ modifiers: Modifiers = []) {
    mouse(.press(.left), column, row, modifiers)
    let step = last > column ? 1 : -1
    for next in stride(from: column + step, through: last, by: step) {
      mouse(.drag(.left), next, row, modifiers)
    }
  }

  /// Lets time pass as a runner tells it.
  mutating func wait(_ milliseconds: Int) {
    send(.tick(now))
    now += .milliseconds(milliseconds)
    send(.tick(now))
  }

  var document: AnnotationDocument { state.document }
  var layout: Layout { state.layout }
  var boundaries: [Int64] { document.markers.map(\.position.frames) }

  /// What each segment holds, `-` where it is unassigned, with `!` where it is confirmed.
  var labels: [String] {
    document.segments.map { ($0.assignment?.description ?? "-") + ($0.isConfirmed ? "!" : "") }
  }

  /// The number of the selected segment, from 1.
  var selected: Int { state.selectedSegment.index + 1 }

  /// The edits handed to the store.
  var edits: [Edit] {
    effects.compactMap {
      if case .store(let request) = $0, case .edit(let edit) = request.step { edit } else { nil }
    }
  }

  /// What playback was told.
  var played: [PlaybackCommand] {
    effects.compactMap { if case .play(let command) = $0 { command } else { nil } }
  }

  var screen: String { view(state).textRows.joined(separator: "\n") }
}

/// 100 seconds with suggested markers at these milliseconds, numbered 1, 2, 3...
func document(
  _ positions: Int64..., length: Int64 = 100_000, confidences: [Double] = []
) throws -> AnnotationDocument {
  try document(each: positions, length: length, confidences: confidences)
}

func document(
  each positions: [Int64], length: Int64 = 100_000, confidences: [Double] = []
) throws -> AnnotationDocument {
  var document = AnnotationDocument(length: FrameCount(length), rate: rate)
  for (index, position) in positions.enumerated() {
    let confidence = confidences.indices.contains(index) ? confidences[index] : 0.9
    try document.apply(
      .addMarker(
        Marker(
          id: MarkerID(Int64(index + 1)), position: FramePosition(position), origin: .detected,
          confidence: confidence)))
  }
  return document
}

/// Ayat from one on at one pace, a suggested marker between each two; nothing is assigned.
func document(
  fitting first: String, count: Int, confidences: [Double] = []
) throws -> AnnotationDocument {
  var ends: [Int64] = []
  var next: AyahReference? = ayah(first)
  while ends.count < count, let ayah = next {
    ends.append((ends.last ?? 0) + Int64(ayah.length.phoneticUnits) * 200)
    next = ayah.next
  }
  return try document(
    each: ends.dropLast(), length: ends.last ?? 0, confidences: confidences)
}

func ayah(_ text: String) -> AyahReference { AyahReference(text)! }

func span(_ start: Int64, _ end: Int64) -> Range<FramePosition> {
  FramePosition(start)..<FramePosition(end)
}

extension AnnotationDocument {
  /// The same with a segment assigned, counted from 1.
  func assigning(
    _ number: Int, _ text: String, confirming: Bool = false
  ) throws -> AnnotationDocument {
    var document = self
    try document.apply(
      .assign(
        document.segments[number - 1].id, Attribution(.ayah(ayah(text))), confirming: confirming))
    return document
  }
}

/// Levels with silence in some stretches of milliseconds and a voice elsewhere, as the runner sends
/// them.
func levels(length: Int64, quiet: [Range<Int64>]) -> Event {
  let codes = (0..<length / 10).map { hop -> UInt8 in
    let isQuiet = quiet.contains { $0.contains(hop * 10) }
    return LevelTrack.code(meanSquare: isQuiet ? 1e-6 : 1e-2)
  }
  return .levels(first: 0, codes: codes)
}
