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

  private func opened(_ desk: Desk) -> [String] {
    desk.effects.compactMap { if case .openFile(let path) = $0 { path } else { nil } }
  }

  @Test func aPathThatIsTypedIsOpened() throws {
    var desk = Desk(try document())
    desk.press("O '/tmp/quiet enter")
    #expect(opened(desk) == ["/tmp/quiet"])
    desk.send(.failed("/tmp/quiet: there is no such file"))
    #expect(desk.screen.contains("there is no such file"))
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
    #expect(desk.screen.contains("It can be edited now"))
    #expect(desk.state.viewport == viewport)
    desk.press("m")
    #expect(desk.boundaries == [10_000, 15_000])
  }

  @Test func anotherTitleIsShown() throws {
    var desk = Desk(try document())
    desk.send(.retitled(RecordingCard(title: "the third night", reciter: "Somebody")))
    #expect(desk.screen.contains("the third night  Somebody"))
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
