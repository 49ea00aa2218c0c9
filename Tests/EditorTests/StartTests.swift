// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import TerminalUI
import Testing

@testable import Editor

@Suite struct StartTests {
  private func recording(_ seconds: Double) throws -> Desk {
    var desk = Desk(try document())
    desk.press("O 3")
    desk.send(
      .capture(CaptureReport(isRecording: true, seconds: seconds, peak: 0.5, rms: 0.2)))
    return desk
  }

  private func ends(_ desk: Desk) -> [Effect] {
    desk.effects.filter { if case .stopCapture = $0 { true } else { false } }
  }

  @Test(arguments: ["enter", "1", "2", "esc", "tab"])
  func aRecordingIsKeptHoweverItsPageIsLeft(key: String) throws {
    var desk = try recording(30)
    desk.press(key)
    #expect(ends(desk) == [.stopCapture(discarding: false)])
  }

  @Test func oneThatWasBegunByMistakeIsNot() throws {
    var desk = try recording(1)
    desk.press("esc")
    #expect(ends(desk) == [.stopCapture(discarding: true)])
  }

  private func entry(_ title: String, _ confirmed: Int, of segments: Int, open: Int) -> LibraryEntry
  {
    LibraryEntry(
      id: title, title: title, reciter: "", seconds: 59.7,
      progress: AnnotationProgress(segments: segments, assigned: segments, confirmed: confirmed),
      openEdges: open, edited: "2026-03-01", coverage: "")
  }

  @Test func theLibraryIsReadWholeOnTheSmallestScreen() throws {
    var desk = Desk(try document(10_000), size: Layout.minSize)
    desk.press("O")
    desk.send(.libraryListed([entry("one", 3, of: 10, open: 4)]))
    for end in [" length │", " 1:00 │"] {
      #expect(desk.screen.contains(end), "\(desk.screen)")
    }
  }

  @Test func theLibraryShowsHowFarEachRecordingIsAndAllOfThem() throws {
    var desk = Desk(try document(10_000), size: Size(columns: 100, rows: 24))
    desk.press("O")
    desk.send(
      .libraryListed([entry("one", 3, of: 10, open: 4), entry("two", 5, of: 5, open: 0)]))
    #expect(desk.screen.contains("one"))
    #expect(desk.screen.firstMatch(of: /3\/10 +4 +2026-03-01/) != nil)
    #expect(
      desk.screen.contains(
        "1 of 2 recordings complete; 8/15 segments confirmed; 4 edges left"))
  }

  /// On a narrow screen the note is longer than the rim and lies over the last rows of the list.
  @Test func whatLiesUnderTheNoteIsNotOpenedByAClick() throws {
    var desk = Desk(try document(10_000), size: Size(columns: 60, rows: 16))
    desk.press("O")
    desk.send(.libraryListed((1...30).map { entry("night \($0)", 10, of: 200, open: 30) }))
    let frame = desk.layout.largePanel
    let panel = try #require(desk.state.panel)
    let covered = TerminalUI.Panel.cover(of: Screen(desk.state).note(of: panel), in: frame)
    #expect(covered.size.rows == 2)
    func opened(_ row: Int) -> Bool {
      var desk = desk
      let before = desk.effects.count
      desk.click(5, row)
      return desk.effects.count > before
    }
    #expect(covered.rows.allSatisfy { !opened($0) })
    #expect(opened(covered.rows.lowerBound - 1))
  }

  @Test func theNextRecordingOfTheQueueIsOneKeyAway() throws {
    var desk = Desk(try document(10_000))
    desk.press("J")
    #expect(desk.state.notice?.text.contains("edit --pending") == true)
    desk.state.queue = RecordingQueue([.recording("a"), .file("/b.wav"), .recording("c")])
    #expect(desk.screen.contains("1/3  night 12.m4a"))
    desk.effects = []
    desk.press("K")
    #expect(desk.effects.isEmpty)
    desk.press("J")
    #expect(desk.effects == [.openFile("/b.wav")])
    desk.send(.failed("no such file"))
    #expect(desk.screen.contains("1/3"), "the first is still open")
    desk.press("J")
    #expect(desk.effects.last == .open("c"))
    desk.send(.alreadyOpen)
    #expect(desk.screen.contains("3/3") && desk.state.notice == nil)
    desk.press("J")
    #expect(desk.state.notice?.text == "This is the last recording of the queue")
    desk.press("K")
    #expect(desk.effects.last == .openFile("/b.wav"))
  }

  @Test func aNudgeIsKeptBeforeTheNextRecordingIsOpened() throws {
    var desk = Desk(try document(10_000))
    desk.state.queue = RecordingQueue([.recording("a"), .recording("b")])
    desk.press("down . J")
    #expect(desk.boundaries == [10_010])
    #expect(desk.effects.last == .open("b"))
    #expect(desk.edits.count == 1)
  }

  private func opened(_ desk: Desk) -> [String] {
    desk.effects.compactMap { if case .openFile(let path) = $0 { path } else { nil } }
  }

  @Test func aPathThatIsTypedIsOpened() throws {
    var desk = Desk(try document())
    desk.press("O '/tmp/quiet enter")
    #expect(opened(desk) == ["/tmp/quiet"])
    desk.send(.failed("/tmp/quiet: no such file"))
    #expect(desk.screen.contains("no such file"))
    desk.press("'.m4a enter")
    #expect(opened(desk).last == "/tmp/quiet.m4a", "what was typed stays to be mended")
    desk.press("esc")
    #expect(desk.state.context == .start)
    #expect(desk.screen.contains("Library"))
    desk.press("'~/a enter")
    #expect(opened(desk).last == "~/a")
    desk.send(.folderListed(path: "/home/me/a", [FolderEntry(name: "x.m4a", isFolder: false)]))
    #expect(desk.screen.contains("x.m4a"), "a folder is listed")
  }

  @Test(arguments: [
    ("/a/night 1.m4a", "/a/night 1.m4a"), ("  /a/b.m4a\n", "/a/b.m4a"),
    ("'/a/night 1.m4a'", "/a/night 1.m4a"), ("/a/night\\ 1.m4a ", "/a/night 1.m4a"),
    ("file:///a/night%201%D8%A7.m4a", "/a/night 1ا.m4a"), ("file://host/a.m4a", "/a.m4a"),
    ("~/b.m4a", "~/b.m4a"),
  ])
  func aPathThatIsPastedIsOpenedAtOnce(_ text: String, _ path: String) throws {
    var desk = Desk(try document())
    desk.press("O")
    desk.send(.input(.paste(text)))
    #expect(opened(desk) == [path])
  }

  @Test func whatMayBeNoPathIsShownFirst() throws {
    var desk = Desk(try document())
    desk.press("O")
    desk.send(.input(.paste("night 3.m4a")))
    #expect(opened(desk).isEmpty)
    #expect(desk.screen.contains("Open the file night 3.m4a"))
    desk.press("enter")
    #expect(opened(desk) == ["night 3.m4a"])
    desk.send(.alreadyOpen)
    #expect(desk.state.context == .normal)
  }

  @Test func whoeverTakesOverIsToldAndStaysWhereTheyLooked() throws {
    var desk = Desk(try document(), access: .readOnly("process 7 on here is editing it"))
    desk.press("+ + L L L")
    let viewport = desk.state.viewport
    var released = OpenedRecording(
      card: RecordingCard(title: "night 12"), annotation: WorkingAnnotation(try document(10_000)))
    released.isTakenOver = true
    desk.send(.opened(released))
    #expect(desk.screen.contains("The other editor has closed; you can edit now"))
    #expect(desk.state.viewport == viewport)
    desk.press("m")
    #expect(desk.boundaries == [10_000, 15_000])
  }

  @Test func anotherTitleIsShown() throws {
    var desk = Desk(try document())
    desk.send(.retitled(RecordingCard(title: "the third night", reciter: "Somebody")))
    #expect(desk.screen.contains("the third night  Somebody"))
  }

  @Test func whatAnotherProcessHasPublishedIsShown() throws {
    var desk = Desk(try document(10_000).assigning(1, "2:1", confirming: true))
    #expect(desk.screen.contains("saved, not published"))
    desk.send(.publicationSeen(.current(unconfirmed: 0), revision: 0))
    #expect(desk.screen.contains("saved, published"))
    desk.press("!")
    desk.send(.kept(ticket: 1, revision: 1, publication: .outdated(unconfirmed: 0)))
    desk.send(.publicationSeen(.current(unconfirmed: 0), revision: 0))
    #expect(desk.screen.contains("saved, changed since published"), "that was before the edit")
  }

  @Test func whatIsShownWhileItIsBroughtInStaysWhereItWasLookedAt() throws {
    var desk = Desk(try document())
    var shown = OpenedRecording(
      card: RecordingCard(title: "voice.m4a"),
      annotation: WorkingAnnotation(
        try document(), access: .readOnly("it is being analysed, and can be edited then")))
    shown.isProvisional = true
    desk.send(.opened(shown))
    desk.send(.analysed(fraction: 0.4, overview: [1, 0]))
    #expect(desk.screen.contains("Analysing the recording"))
    desk.press("+ + L L L")
    let viewport = desk.state.viewport
    desk.press("m")
    #expect(desk.boundaries.isEmpty)
    desk.send(
      .opened(
        OpenedRecording(
          card: RecordingCard(title: "voice"),
          annotation: WorkingAnnotation(try document(10_000, 20_000)))))
    #expect(desk.state.viewport == viewport)
    #expect(desk.state.transport.position.frames == 15_000)
    desk.press("m")
    #expect(desk.boundaries == [10_000, 15_000, 20_000])
  }
}
