// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GeneratedVideo
import TestSupport
import Testing

/// What a person sees of a video in the editor, read from the cells of the terminal.
@Suite(.serialized, .enabled(if: EditorTerminal.isPossible, "no tmux"))
struct EditorPictureTests {
  let program: Program
  let folder: TemporaryFolder

  init() async throws {
    program = try Program()
    folder = try TemporaryFolder()
    var video = GeneratedVideo(frames: 250, rate: 25)
    video.keyframeEvery = 25
    try video.write(to: folder.path("night.mov"))
    try await program.importing(
      folder.path("night.mov"), detecting: false, labels: "0\t2\ta\n2\t4\tb\n4\t10\tc\n")
  }

  private func opened(on card: ListeningCard?) async throws -> EditorTerminal {
    var setting = EditorTerminal.Setting()
    setting.environment["COLORTERM"] = "truecolor"
    let terminal = try await EditorTerminal(program, ["night"], on: card, setting)
    try await terminal.wait("segments") { $0.segments.count == 3 }
    // Their bars would be taken for the picture's.
    try terminal.press("T", "T")
    try terminal.press("P", "P")
    try await terminal.wait("the first frame") { _ in try terminal.pictureNumber == 0 }
    return terminal
  }

  @Test func theFrameAtThePlayheadIsSeenWhileNothingPlays() async throws {
    let terminal = try await opened(on: nil)
    try terminal.press("L")
    try await terminal.wait("the frame 5 s on") { _ in
      try terminal.pictureNumber == 125
    }
    try terminal.press("H")
    try await terminal.wait("the first frame") { _ in try terminal.pictureNumber == 0 }
    // Keys that come while a frame is being drawn lead to their frame as well.
    for _ in 0..<5 {
      try terminal.press("L", "H", "L")
      try await terminal.wait("the frame 5 s on") { _ in try terminal.pictureNumber == 125 }
      try terminal.press("H")
      try await terminal.wait("the first frame") { _ in try terminal.pictureNumber == 0 }
    }
    try terminal.press("P")
    try await terminal.wait("no picture") { _ in try terminal.pictureNumber == nil }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func aFileThatIsMissingIsSaidAndTheSegmentsHaveThePlaceOfThePicture() async throws {
    var terminal = try await opened(on: nil)
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    let copies = URL(filePath: program.home + "/library/Recordings")
    for name in try FileManager.default.contentsOfDirectory(atPath: copies.path) {
      try FileManager.default.removeItem(at: copies.appending(path: name))
    }
    terminal = try await EditorTerminal(program, ["night"], on: nil)
    try await terminal.wait("segments") { $0.segments.count == 3 }
    for key in ["P", "T", "M-v"] {
      try await terminal.waitUntilAnswered()
      try terminal.press(key)
      try await terminal.wait("why \(key) shows nothing") {
        $0.text.contains("No picture: its file is not here")
      }
    }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func withoutMpvTheKeySaysWhatToInstall() async throws {
    var setting = EditorTerminal.Setting()
    setting.environment["PATH"] = folder.path
    let terminal = try await EditorTerminal(program, ["night"], on: nil, setting)
    try await terminal.wait("segments") { $0.segments.count == 3 }
    try terminal.press("M-v")
    try await terminal.wait(for: "mpv, which is not installed: apt install mpv")
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func thePictureGoesWithTheSoundAndStopsWithIt() async throws {
    let card = try ListeningCard()
    let terminal = try await opened(on: card)
    try terminal.press("5")
    try await terminal.wait("a later frame") { _ in
      try terminal.pictureNumber.map { $0 > 20 } ?? false
    }
    try terminal.press("Space")
    try await terminal.wait("the pause") { $0.transport.contains("paused") }
    // What was heard last may be told a little after the pause; times are shown to the nearest millisecond.
    try await terminal.wait("the frame that is heard") { screen in
      guard let time = screen.transport.firstMatch(of: #/([0-9]+):([0-9]{2}\.[0-9]{3})/#),
        let minutes = Double(time.1), let seconds = Double(time.2)
      else { return false }
      let frames = [-0.0005, 0.0005].map { Int((60 * minutes + seconds + $0) * 25) }
      return try terminal.pictureNumber.map(frames.contains) ?? false
    }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }
}
