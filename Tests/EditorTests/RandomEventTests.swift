// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Editor

/// Whatever happens, in whatever order, nothing traps and nothing that is promised is broken.
@Suite struct RandomEventTests {
  @Test(arguments: [1, 2, 3, 4]) func nothingEverBreaks(_ seed: UInt64) throws {
    var monkey = Monkey(seed: seed)
    try monkey.run(isThoroughRun ? 25_000 : 8000)
    #expect(monkey.editsMade > 40)
  }
}

/// Does anything at all, and answers the editor's effects as a runner would, sometimes badly.
private struct Monkey {
  var random: SplitMix64
  var state: State
  let beginning: AnnotationDocument
  private var now = Duration.zero
  private var unanswered: [Event] = []
  private(set) var editsMade = 0
  /// What the store has, which is what the editor has after all answers.
  private var store: (document: AnnotationDocument, history: History, failedEpoch: Int)

  init(seed: UInt64) {
    random = SplitMix64(state: seed)
    var document = AnnotationDocument(length: FrameCount(60_000), rate: rate)
    for index in 1...12 {
      _ = try? document.apply(
        .addMarker(
          Marker(
            id: MarkerID(Int64(index)), position: FramePosition(Int64(index) * 4500),
            origin: .detected, confidence: Double(index) / 13)))
    }
    beginning = document
    store = (document, History(), -1)
    state = State(size: Size(columns: 100, rows: 30))
    _ = reduce(
      &state,
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "a \u{202E}night"),
          annotation: WorkingAnnotation(document))))
    _ = reduce(&state, .historyRead(History()))
  }

  mutating func run(_ count: Int) throws {
    for step in 0..<count {
      let event = self.event()
      for effect in reduce(&state, event) { answer(effect) }
      check(after: event)
      if step % 20 == 0 { try checkDocument(after: event) }
      if step % 500 == 0 { _ = view(state) }
    }
    try undoToTheBeginning()
  }

  /// What is promised at all times; a plain list, for expectations by the hundred thousand are slow.
  private func check(after event: Event) {
    let document = state.document
    let whole = FramePosition.zero...(.zero + document.length)
    let promises = [
      ("a selected segment", document.segment(state.selection.segment) != nil),
      ("a sound viewport", state.viewport.isSound),
      ("as many columns", state.viewport.columns == max(state.size.columns, 1)),
      ("the playhead inside", whole.contains(state.transport.position)),
      ("the list inside", document.records.indices.contains(state.listTop)),
      (
        "the span inside",
        state.selection.span.map { !$0.isEmpty && whole.contains($0.upperBound) } ?? true
      ),
      (
        "room for the marker",
        state.movedMarker.map { document.room(forMarker: $0.id)?.contains($0.position) == true }
          ?? true
      ),
    ]
    for (promise, isKept) in promises where !isKept { Issue.record("\(promise), after \(event)") }
  }

  /// The document checks its own promises when it is made of records.
  private func checkDocument(after event: Event) throws {
    let document = state.document
    let copy = try AnnotationDocument(
      length: document.length, rate: document.rate, records: document.records,
      words: document.words)
    #expect(copy == document, "after \(event)")
    #expect(state.facts == DocumentFacts(of: document), "after \(event)")
    let strip = OverviewBars(
      of: state.sound, length: document.length, columns: state.layout.overview.size.columns)
    #expect(state.overviewBars.bars == strip.bars, "after \(event)")
  }

  private mutating func undoToTheBeginning() throws {
    for event in unanswered { for effect in reduce(&state, event) { answer(effect) } }
    unanswered = []
    _ = reduce(&state, .ending).map { answer($0) }
    while !unanswered.isEmpty { _ = reduce(&state, unanswered.removeFirst()).map { answer($0) } }
    #expect(state.document == store.document)
    #expect(state.annotation.history == store.history)
    #expect(state.annotation.unkept == 0)
    while state.annotation.canUndo {
      var effects: [Effect] = []
      guard state.step(back: true, &effects) else { break }
    }
    #expect(state.document == beginning)
  }

  // MARK: Answers

  private func expect(_ isDone: Bool) {
    if !isDone { Issue.record("the store refuses what the editor has done") }
  }

  private mutating func answer(_ effect: Effect) {
    switch effect {
    case .store(let request):
      guard request.epoch != store.failedEpoch else { return }
      if number(1...40) == 1 {
        store.failedEpoch = request.epoch
        unanswered.append(.notKept(ticket: request.ticket, reason: "the disk is full"))
        return
      }
      switch request.step {
      case .edit(let edit):
        editsMade += 1
        let joins = request.joinsPrevious
        expect(
          (try? store.history.apply(edit, joinsPrevious: joins, to: &store.document)) != nil)
      case .undo: expect((try? store.history.undo(&store.document)) != nil)
      case .redo: expect((try? store.history.redo(&store.document)) != nil)
      case .judge(let judgement): expect(store.history.judge(judgement))
      }
      unanswered.append(
        .kept(ticket: request.ticket, revision: Int64(request.ticket), publication: .nothing))
    case .load(let request):
      if number(1...10) == 1 {
        unanswered.append(.windowFailed(request))
      } else if request.use == .spectrogram {
        let window = SpectrogramWindow(
          span: request.span, bands: request.bands,
          values: Array(repeating: 128, count: request.columns * request.bands))
        unanswered.append(.spectrogram(window, for: request))
      } else {
        let column = WaveformWindow.Column(minimum: -0.5, maximum: 0.4, rms: 0.2)
        let window = WaveformWindow(
          span: request.span, columns: Array(repeating: column, count: request.columns))
        unanswered.append(.waveform(window, for: request))
      }
    case .detect(let request):
      let boundaries = (0..<number(0...8)).map { _ in
        DetectionReport.Boundary(position: position(), confidence: 0.5)
      }
      unanswered.append(
        number(1...6) == 1
          ? .detectionFailed(id: request.id, reason: "cancelled")
          : .detected(
            id: request.id,
            DetectionReport(
              boundaries: boundaries,
              opening: Attribution(.ayah(.first), origin: .aligned, confidence: 0.5),
              remarks: [.init(text: "remark \(number(1...3))")],
              doubt: number(1...3) == 1 ? "it hardly fits" : nil)))
    case .propose(let request):
      unanswered.append(.searching(id: request.id, fraction: 0.5))
      unanswered.append(
        number(1...6) == 1
          ? .detectionFailed(id: request.id, reason: "nothing to compare with")
          : .proposed(
            id: request.id,
            StartReport(
              proposals: (0..<number(0...5)).map { _ in AyahProposal(.first, confidence: 0.2) },
              source: "the lengths of the ayat")))
    case .listLibrary:
      unanswered.append(
        .libraryListed([
          LibraryEntry(
            id: "1", title: "x", reciter: "", seconds: .infinity,
            progress: AnnotationProgress(segments: 1, assigned: 0, confirmed: 0), openEdges: 0,
            edited: "", coverage: "")
        ]))
    case .listFolder(let path):
      unanswered.append(
        .folderListed(
          path: path.isEmpty ? "/home" : path, [FolderEntry(name: "a", isFolder: true)]))
    default: break
    }
  }

  // MARK: Events

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func position() -> FramePosition {
    FramePosition(.random(in: -10...60_010, using: &random))
  }

  private mutating func event() -> Event {
    if !unanswered.isEmpty, number(1...3) == 1 { return unanswered.removeFirst() }
    switch number(0...99) {
    case 0...44: return .input(.key(key()))
    case 45...64: return .input(.mouse(mouse()))
    case 65...74: return .perform(Action.allCases[number(0...Action.allCases.count - 1)])
    case 75...82:
      now += .milliseconds(number(0...900))
      return .tick(now)
    case 83...88:
      let phases: [PlaybackReport.Phase] = [.stopped, .playing, .paused]
      return .playback(PlaybackReport(phases[number(0...2)], at: position()))
    case 89: return .input(.paste(["2:255", "\u{1B}[2J", "سورة البقرة", "\n\n"][number(0...3)]))
    case 90...91:
      let sizes = [(100, 30), (80, 24), (200, 50), (1, 1), (79, 24), (0, 0), (300, 90)]
      let (columns, rows) = sizes[number(0...sizes.count - 1)]
      return .input(.resize(Size(columns: columns, rows: rows)))
    case 92:
      let codes = (0..<500).map { _ in UInt8(number(0...255)) }
      return .levels(first: number(0...100) * 10, codes: codes)
    case 93: return .analysed(fraction: Double(number(0...10)) / 10, overview: [0, 0.5, 1])
    case 94: return .detected(id: number(0...50), DetectionReport(boundaries: []))
    case 95: return .kept(ticket: number(-5...0), revision: 1, publication: .nothing)
    case 96: return .notKept(ticket: number(-5...0), reason: "no")
    case 97: return .pauses([span(100, 900), span(2000, 2000), span(50_000, 61_000)])
    case 98: return .published(PublicationReport(status: .partial, segments: 3))
    default: return .ending
    }
  }

  private mutating func key() -> KeyEvent {
    // Else it would type into the first panel for ever.
    if number(1...10) == 1 { return KeyEvent(.escape) }
    if number(1...3) > 1 {
      let keys = Action.table[number(0...Action.table.count - 1)].keys
      if !keys.isEmpty, let key = KeyEvent(named: keys[number(0...keys.count - 1)]) { return key }
    }
    let named: [KeyEvent.Key] = [
      .enter, .escape, .tab, .left, .right, .backspace, .delete, .home, .end, .function(7),
    ]
    if number(1...3) == 1 { return KeyEvent(named[number(0...named.count - 1)]) }
    let typed = Array("0123456789:abkmnsy é\u{0651}ب漢")
    return KeyEvent(typed[number(0...typed.count - 1)])
  }

  private mutating func mouse() -> MouseEvent {
    let buttons: [MouseEvent.Button] = [.left, .left, .left, .middle, .right]
    let button = buttons[number(0...4)]
    let directions: [MouseEvent.WheelDirection] = [.up, .down, .left, .right]
    let actions: [MouseEvent.Action] = [
      .press(button), .drag(button), .drag(button), .release(button),
      .wheel(directions[number(0...3)]),
    ]
    let modifiers: [Modifiers] = [[], [], .alt, .control]
    return MouseEvent(
      actions[number(0...4)], at: Point(column: number(-1...201), row: number(-1...51)),
      modifiers[number(0...3)])
  }
}
