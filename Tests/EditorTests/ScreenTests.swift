// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Glibc
import Quran
import TerminalUI
import TestSupport
import Testing

@testable import Editor

/// Whole screens with their styles.
@Suite struct ScreenTests {
  private static let sizes = [
    Size(columns: 80, rows: 24), Size(columns: 120, rows: 40), Size(columns: 200, rows: 50),
  ]

  @Test func whyAPanelCannotBeAcceptedIsReadToItsEnd() throws {
    var desk = Desk(try document(10_000, 20_000))
    desk.press("f")
    desk.press("'nosuchthing-of-mine")
    #expect(desk.screen.contains("give its number, 1 to 114"), "\(desk.screen)")
    #expect(!desk.screen.contains("…"), "\(desk.screen)")
  }

  @Test func narrowTitlesAndHeadersKeepWhatMatters() throws {
    var before = try document(each: (1...140).map { $0 * 500 })
    for number in 1...100 {
      try before.apply(
        .assign(
          before.segments[number - 1].id, Attribution(.unused(.takbir)), confirming: number < 80))
    }
    var desk = Desk(before)
    desk.state.card = RecordingCard(title: "emad_055_ramadan", reciter: "A reciter")
    desk.send(.publicationSeen(.outdated(unconfirmed: 28), revision: 1))
    #expect(desk.screen.hasPrefix(" emad_055_ramadan"), "\(desk.screen.prefix(81))")
    #expect(desk.screen.contains("79/141  saved, changed since published "))
    desk.state.filter = .prayer
    #expect(desk.screen.contains("79 confirmed of 141  listed: 100 segments without recitation"))
  }

  /// What is left to do shows, in the handle and in the line below it.
  @Test func ofMarkersInAColumnOneIsDrawn() throws {
    var before = try document(10_000, 50_000, 50_100, 90_000, confidences: [0.95, 0.95, 0.4, 0.95])
    try before.apply(.confirmMarker(before.markers[1].id))
    let desk = Desk(before)
    let rows = desk.screen.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    #expect(rows[desk.layout.handles.origin.row][40] == "?")
    let canvas = desk.layout.canvas
    let column = (canvas.origin.row..<canvas.origin.row + canvas.size.rows).map { rows[$0][40] }
    #expect(column.contains("┊") && !column.contains("│"), "\(column)")
  }

  @Test(arguments: [Size(columns: 60, rows: 16)] + sizes) func theEditor(_ size: Size) throws {
    let desk = try Night(size).desk
    try expectSnapshot(view(desk.state), "editor-\(size)")
  }

  /// The words of the selected segment, the one that is heard lit, and what else is known of it.
  @Test(arguments: sizes) func theWordsOfTheSegment(_ size: Size) throws {
    var desk = try Night(size).desk
    try desk.hearWords()
    desk.state.text = QuranText(
      ayat: (1...AyahReference.count).compactMap { AyahReference(absoluteIndex: $0) }.map { ayah in
        (1...QuranSounds.wordCount(of: ayah)).map { "w\($0)" }.joined(separator: " ")
      })
    desk.press("down down")
    desk.state.transport.position = desk.document.words[2].span.lowerBound
    try expectSnapshot(view(desk.state), "words-heard-\(size)")
  }

  /// At the closest zoom as at the widest, whatever is drawn beside it.
  @Test(arguments: ["", "p", "b", "b b", "d", "d d", "z", "X"]) func markerLinesRunThroughTheCanvas(
    _ keys: String
  ) throws {
    for hasColors in [true, false] {
      var desk = try Night(Size(columns: 80, rows: 24)).desk
      desk.state.hasColors = hasColors
      desk.press("down down " + keys)
      Night.answerLoads(&desk)
      let marker = try #require(desk.state.selectedMarker)
      let column = try #require(desk.state.viewport.column(of: marker.position))
      desk.state.transport.position = .zero
      let surface = view(desk.state)
      for row in desk.layout.canvas.rows {
        let cell = try #require(surface[Point(column: column, row: row)])
        #expect(["┊", "│"].contains(cell.text), "row \(row) after '\(keys)'")
      }
    }
  }

  @Test(arguments: [10, 30, 39, 55]) func denseMarkersHaveThinLinesThatLeaveTheSoundVisible(
    _ count: Int
  ) throws {
    var desk = Desk(try document(each: (1...count).map { Int64($0) * 100_000 / Int64(count + 1) }))
    desk.send(levels(length: 100_000, quiet: [40_000..<60_000]))
    desk.state.transport.position = .zero
    let isDense = count * 3 >= 80
    let surface = view(desk.state)
    let canvas = desk.layout.canvas
    for marker in desk.document.markers where marker.id != desk.state.selectedMarker?.id {
      let column = try #require(desk.state.viewport.column(of: marker.position))
      let cells = canvas.rows.compactMap { surface[Point(column: column, row: $0)] }
      #expect(cells.count { $0.text == "┊" } >= cells.count - 1, "column \(column)")
      let isQuiet = span(40_000, 60_000).contains(marker.position)
      let foot = try #require(cells.dropLast().last)
      #expect((foot.style.background == .standard) == (isQuiet || !isDense), "column \(column)")
    }
  }

  @Test func whereNearlyEveryColumnHasALineTheyAreTicksAtTheTop() throws {
    var desk = Desk(try document(each: (1...79).map { Int64($0) * 1250 }))
    desk.send(levels(length: 100_000, quiet: [40_000..<60_000]))
    desk.state.transport.position = .zero
    let surface = view(desk.state)
    for column in [0, 1]
      + desk.document.markers.compactMap({ desk.state.viewport.column(of: $0.position) })
    {
      let rows = desk.layout.canvas.rows.filter {
        surface[Point(column: column, row: $0)]?.text == "┊"
      }
      let isInHand = column == 1
      #expect(
        rows.count == (column == 0 ? 0 : isInHand ? desk.layout.canvas.size.rows : 1), "\(column)")
    }
  }

  /// By shape, so in every theme: on its marker, in the strip and in the list.
  @Test func whatIsUnsureIsSeenEverywhere() throws {
    var desk = Desk(try document(30_000, 60_000, confidences: [0.95, 0.3]))
    desk.state.sound.overview = [1]
    let surface = view(desk.state)
    let column = try #require(desk.state.viewport.column(of: FramePosition(60_000)))
    let layout = desk.layout
    #expect(surface[Point(column: column, row: layout.handles.origin.row)]?.text == "?")
    let strip = Array(surface.textRows[layout.overview.rows.upperBound - 1])
    #expect(strip[column] == "?" && strip.count { $0 == "?" } == 1)
    let list = surface.textRows[layout.list.rows]
    #expect(list.map { $0.contains("?") }.prefix(3) == [false, false, true])
  }

  @Test(arguments: sizes) func theAssignmentOfAPairWithItsSplit(_ size: Size) throws {
    var desk = try Night(size).desk
    desk.press("down down e '2:286 alt-x tab tab tab")
    Night.answerLoads(&desk)
    try expectSnapshot(view(desk.state), "assignment-\(size)")
  }

  @Test(arguments: sizes) func allKeys(_ size: Size) throws {
    var desk = try Night(size).desk
    desk.press("?")
    try expectSnapshot(view(desk.state), "help-\(size)")
  }

  @Test(
    arguments: [
      ("fill", "j j f '2:10"), ("find", "/ 'baqarah"), ("palette", ": 'mark"), ("unused", "0"),
      ("deletion", "down x"), ("completion", "C"), ("equaliser", "E down right right"),
      ("history", "! down ! i"), ("note", "w 'cough"), ("surahs", "e 'ma"), ("lead-in", "e alt-l"),
      ("confirmation", "B"), ("start", "O"), ("nudge", "down down > >"), ("braille", "b z"),
      ("linear", "d X"),
      ("selection", "v L L v"), ("floor", "t"), ("hint", "~"),
    ])
  func eachPanelAndView(_ name: String, _ keys: String) throws {
    var desk = try Night(Size(columns: 80, rows: 24)).desk
    desk.state.settings.asksBeforeDeleting = true
    desk.press(keys)
    Night.answerLoads(&desk)
    try expectSnapshot(view(desk.state), name)
  }

  /// Where words are wide enough, a tick tells where each begins.
  @Test(arguments: [sizes[0], sizes[2]], [5.0, 40]) func ticksOfWords(
    _ size: Size, _ seconds: Double
  ) throws {
    var desk = try Night(size).desk
    try desk.hearWords()
    desk.press("down down")
    desk.state.viewport.show(seconds: seconds, around: FramePosition(41_000))
    desk.send(.tick(.zero))
    Night.answerLoads(&desk)
    try expectSnapshot(view(desk.state), "words-\(size)-\(Int(seconds))")
  }

  @Test func detectionWhileItIsTuned() throws {
    var desk = try Night(Size(columns: 80, rows: 24)).desk
    desk.press("a right down down right")
    desk.send(
      .detected(
        id: desk.state.lastDetection,
        DetectionReport(boundaries: [.init(position: FramePosition(75_000), confidence: 0.5)])))
    try expectSnapshot(view(desk.state), "detection")
  }

  @Test func theSpectrogram() throws {
    var desk = try Night(Size(columns: 80, rows: 24)).desk
    desk.press("p")
    Night.answerLoads(&desk)
    try expectSnapshot(view(desk.state), "spectrogram")
  }

  @Test func theSpectrogramInManyColors() throws {
    var desk = try Night(Size(columns: 80, rows: 24)).desk
    desk.state.hasManyColors = true
    desk.press("p")
    Night.answerLoads(&desk)
    try expectSnapshot(view(desk.state), "spectrogram-colors")
  }

  @Test func alignmentBeforeItIsTaken() throws {
    var desk = try Night(Size(columns: 80, rows: 24)).desk
    desk.press("n A '2:1 tab")
    var report = DetectionReport(
      boundaries: [
        .init(
          position: FramePosition(55_000), confidence: 0.5, origin: .aligned,
          attribution: Attribution(.ayah(ayah("2:2")), origin: .aligned, confidence: 0.5))
      ],
      opening: Attribution(.ayah(ayah("2:1")), origin: .aligned, confidence: 0.5))
    report.remarks = [
      "2:1 is repeated at 0:52", "2:7 is missing at 1:13",
      "al-Fatiha occurs 2 times, as in prayers; if this is a prayer, set Prayer",
    ]
    report.doubt = "the recitation begins with 2:3, not 2:1; try 2:3 as the first ayah"
    desk.send(.detected(id: desk.state.lastDetection, report))
    try expectSnapshot(view(desk.state), "alignment")
    desk.press("enter down up")
    try expectSnapshot(view(desk.state), "alignment-taken")
    desk.press("I")
    try expectSnapshot(view(desk.state), "remarks")
  }

  @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 200, rows: 50)])
  func whereItBeginsWhenThatIsNotKnown(_ size: Size) throws {
    var desk = try Night(size).desk
    desk.press("n A '2")
    try expectSnapshot(view(desk.state), "places-asked-\(size)")
    desk.press("enter")
    desk.send(.searching(id: desk.state.lastDetection, fraction: 0.4))
    try expectSnapshot(view(desk.state), "places-searching-\(size)")
    desk.send(
      .proposed(
        id: desk.state.lastDetection,
        StartReport(
          proposals: [
            AyahProposal(ayah("2:142"), confidence: 0.41),
            AyahProposal(ayah("2:1"), confidence: 0.33),
            AyahProposal(ayah("2:255"), confidence: 0.02),
          ],
          doubt: .init(
            .init(text: "not sure where it begins: many places fit about as well"),
            mostConfidence: 0.41),
          source: "the sound")))
    desk.press("down")
    try expectSnapshot(view(desk.state), "places-\(size)")
  }

  @Test func withoutSound() throws {
    var desk = try Night(Size(columns: 80, rows: 24)).desk
    let report = PlaybackReport(
      .stopped, at: FramePosition(26_000),
      fault: "No sound: cannot open the sound device 'default'; 'tilawa-annotate doctor' shows why"
    )
    desk.send(.playback(report))
    desk.press("I")
    try expectSnapshot(view(desk.state), "no-sound")
  }

  @Test func textFromOutsideCannotHarmTheScreen() throws {
    var desk = try Night(Size(columns: 80, rows: 24)).desk
    desk.state.card = RecordingCard(
      title: "تراويح \u{202E}ليلة\u{1B}[2J 漢字 e\u{301}", reciter: "عبد الباسط 👳🏽", riwayah: .warsh)
    desk.press("w")
    desk.send(.input(.paste("سورة البقرة\n\u{7}漢字")))
    desk.press("enter / 'البقرة")
    try expectSnapshot(view(desk.state), "outside-text")
  }

  @Test func theTextOfTheAyahIsShownWhereThereIsOne() throws {
    var desk = try Night(Size(columns: 80, rows: 24)).desk
    desk.state.text = QuranText(
      ayat: (1...AyahReference.count).map { "نص الآية رقم \($0) مِنْ ٱلْقُرْآنِ" })
    try expectSnapshot(view(desk.state), "ayah-text")
    desk.press("down e tab")
    try expectSnapshot(view(desk.state), "ayah-text-assignment")
  }

  @Test func arabicIsJoinedAndTurnedForATerminalThatDoesNeither() throws {
    var desk = try Night(Size(columns: 80, rows: 24)).desk
    desk.state.ordersArabic = true
    desk.state.card = RecordingCard(title: "سلام 12")
    #expect(desk.screen.contains("12 \u{FEE1}\u{FEFC}\u{FEB3}"))
    desk.state.text = QuranText(
      ayat: (1...AyahReference.count).map { _ in "قل هو الله أحد الله الصمد لم يلد ولم يولد" })
    desk.press("down e tab")
    try expectSnapshot(view(desk.state), "ayah-text-turned")
  }

  @Test func aTerminalThatIsTooSmallIsToldSo() throws {
    let desk = try Night(Size(columns: 59, rows: 15)).desk
    try expectSnapshot(view(desk.state), "too-small")
    for size in [Size.zero, Size(columns: 1, rows: 1), Size(columns: 5, rows: 200)] {
      #expect(view(try Night(size).desk.state).fullSize == size)
    }
    for (columns, rows) in [(20, 5), (20, 2), (59, 1)] {
      let screen = try Night(Size(columns: columns, rows: rows)).desk.screen
      #expect(screen.contains("The editor needs") && screen.contains("60x16:"), "\(screen)")
    }
  }

  @Test func beforeTheAnalysisEndsThereIsAScreenWithItsProgress() throws {
    var desk = Desk(AnnotationDocument(length: FrameCount(100_000), rate: rate))
    desk.send(.analysed(fraction: 0.42, overview: [0.2, 0.9, 0.4]))
    try expectSnapshot(view(desk.state), "analysing")
  }

  @Test func theStartScreenShowsTheLibraryAndFilesAndALevel() throws {
    var state = State(size: Size(columns: 80, rows: 24))
    func send(_ event: Event) { _ = reduce(&state, event) }
    send(.perform(.startLibrary))
    send(
      .libraryListed([
        LibraryEntry(
          id: "1", title: "night 12", reciter: "A reciter", seconds: 5403,
          progress: AnnotationProgress(segments: 540, assigned: 540, confirmed: 505), openEdges: 32,
          edited: "2026-03-01", coverage: "2:1-141"),
        LibraryEntry(
          id: "2", title: "تراويح", reciter: "", seconds: 60,
          progress: AnnotationProgress(segments: 8, assigned: 8, confirmed: 8), openEdges: 0,
          edited: "", coverage: "1",
          obstacle: "the file is not here"),
      ]))
    try expectSnapshot(view(state), "start-library")
    #expect(!state.isAvailable(.startListening))
    send(.leftListening(at: "67:12"))
    try expectSnapshot(view(state), "start-listening")
    #expect(reduce(&state, .perform(.startListening)) == [.listen])
    send(.perform(.startImport))
    send(
      .folderListed(
        path: "/home/a/Recordings",
        [FolderEntry(name: "old", isFolder: true), FolderEntry(name: "x.m4a", isFolder: false)]))
    try expectSnapshot(view(state), "start-files")
    send(.perform(.startRecord))
    send(.capture(CaptureReport(isRecording: true, seconds: 83, peak: 0.5, rms: 0.1)))
    try expectSnapshot(view(state), "start-capture")
  }
}

/// A night of which a part is done, with sound.
private struct Night {
  var desk: Desk

  init(_ size: Size) throws {
    var before = try document(
      9000, 21_000, 33_000, 50_000, 66_000, 71_000, 84_000,
      confidences: [0.95, 0.9, 0.41, 0.88, 0.97, 0.6, 0.99])
    before = try before.assigning(1, "1:7", confirming: true)
    before = try before.assigning(2, "2:1", confirming: true)
    before = try before.assigning(4, "2:3")
    let takbir = before.segments[6].id
    try before.apply(.markUnused(takbir, .takbir, confirming: true))
    try before.apply(.setFlag(before.segments[3].id, true))
    try before.apply(.setNote(before.segments[4].id, "a cough at the end"))
    desk = Desk(before, size: size)
    desk.send(
      .analysed(
        fraction: 1, overview: (0..<400).map { Float(0.2 + 0.6 * abs(sin(Double($0) / 9))) }))
    let pauses = [span(8700, 9100), span(20_600, 21_050), span(49_500, 50_100)]
    desk.send(Self.levels(pauses))
    desk.send(.pauses(pauses))
    desk.state.transport.position = FramePosition(26_000)
    Self.answerLoads(&desk)
    desk.press("home down")
    desk.state.transport.position = FramePosition(26_000)
    desk.state.notice = nil
  }

  /// Gives the editor the sound it has asked for, until it asks for no more.
  static func answerLoads(_ desk: inout Desk) {
    while true {
      let requests = desk.effects.compactMap { effect -> WindowRequest? in
        if case .load(let request) = effect { request } else { nil }
      }
      desk.effects = []
      if requests.isEmpty { return }
      for request in requests { desk.send(answer(request)) }
    }
  }

  private static func level(_ seconds: Double) -> Float {
    Float(0.02 + 0.5 * abs(sin(seconds / 3)))
  }

  private static func levels(_ pauses: [Range<FramePosition>]) -> Event {
    let codes = (0..<10_000).map { hop -> UInt8 in
      let position = FramePosition(Int64(hop) * 10)
      let rms =
        pauses.contains { $0.contains(position) } ? 0.001 : level(Double(hop) / 100) / 2
      return LevelTrack.code(meanSquare: rms * rms)
    }
    return .levels(first: 0, codes: codes)
  }

  private static func answer(_ request: WindowRequest) -> Event {
    if request.use == .spectrogram {
      let values = (0..<request.columns * request.bands).map { UInt8($0 * 7 % 256) }
      let window = SpectrogramWindow(span: request.span, bands: request.bands, values: values)
      return .spectrogram(window, for: request)
    }
    let step = Double(request.span.length.frames) / Double(request.columns)
    let columns = (0..<request.columns).map { index -> WaveformWindow.Column in
      let seconds = (Double(request.span.lowerBound.frames) + Double(index) * step) / 1000
      let level = level(seconds)
      return WaveformWindow.Column(
        minimum: -level, maximum: level * 0.9, rms: level / 2, floor: 0.004, threshold: 0.01)
    }
    return .waveform(WaveformWindow(span: request.span, columns: columns), for: request)
  }
}

extension Desk {
  /// Opens the same recording with the words of its fourth segment, which holds 2:3.
  fileprivate mutating func hearWords() throws {
    let segment = document.segments[3]
    let count = QuranSounds.wordCount(of: ayah("2:3"))
    let step = segment.span.length.frames / Int64(count)
    let words = (0..<count).map { index -> TimedWord in
      let start = segment.span.lowerBound + FrameCount(Int64(index) * step)
      return TimedWord(ayah("2:3"), index + 1, start..<start + FrameCount(step))
    }
    let document = try AnnotationDocument(
      length: document.length, rate: document.rate, records: document.records, words: words)
    state.annotation = WorkingAnnotation(document)
  }
}
