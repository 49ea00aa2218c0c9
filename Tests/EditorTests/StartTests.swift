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
