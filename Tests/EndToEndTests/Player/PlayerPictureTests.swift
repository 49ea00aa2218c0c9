// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GeneratedVideo
import TestSupport
import Testing

/// What a person sees of a video in the player, read from the cells of the terminal.
@Suite(.serialized, .enabled(if: EditorTerminal.isPossible, "no tmux"))
struct PlayerPictureTests {
  let program: Program
  let folder: TemporaryFolder

  init() async throws {
    program = try Program()
    folder = try TemporaryFolder()
    var video = GeneratedVideo(frames: 250, rate: 25)
    video.keyframeEvery = 25
    try video.write(to: folder.path("night.mov"))
    let labels = "0\t4\t112:1\n4\t6\t112:2\n6\t8\t112:3\n8\t10\t112:4\n"
    try await program.publishing(
      folder.path("night.mov"), as: "Night", labels: labels)
  }

  /// The frames that may be seen at the position that a screen shows: seconds of the ayah, in tenths that have passed.
  private func frames(at screen: Screen) -> ClosedRange<Int> {
    guard let time = screen.transport.firstMatch(of: #/([0-9]+):([0-9.]+) \/ /#),
      let seconds = Double(time.2),
      let ayah = screen.text.firstMatch(of: #/112:([1-4])/#).flatMap({ Int($0.1) })
    else { return -1...(-1) }
    let start = Double([0, 4, 6, 8][ayah - 1])
    return Int((start + seconds) * 25 + 0.01)...Int((start + seconds + 0.1) * 25)
  }

  /// Waits until it is paused, and the frame is seen that is heard there.
  private func waitForPause(_ terminal: EditorTerminal, in frames: Range<Int>) async throws {
    try await terminal.wait("the frame that is heard at the pause") { screen in
      guard screen.transport.contains("paused"), let seen = try terminal.pictureNumber else {
        return false
      }
      return self.frames(at: screen).contains(seen) && frames.contains(seen)
    }
  }

  /// A window by an mpv that shows nothing; it dies as by a fault of its own.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/mpv"), "no mpv"))
  func theSoundGoesOnWhenTheWindowIsKilled() async throws {
    let card = try ListeningCard()
    var setting = EditorTerminal.Setting()
    let name = folder.path("mpv.socket")
    setting.environment["TILAWA_TEST_MPV_OPTIONS"] = "--vo=null --input-ipc-server=\(name)"
    let terminal = try await EditorTerminal(
      program, ["play", "112", "--repeat-range", "forever"], on: card, setting)
    try await terminal.wait("the player") { $0.transport.contains("playing") }
    for _ in 0..<2 {
      try terminal.press("M-v")
      var child: pid_t?
      try await terminal.wait("mpv") { _ in
        child = Self.process(whoseArgumentsContain: name)
        return child != nil
      }
      kill(try #require(child), SIGKILL)
      let screen = try await terminal.wait("the notice") {
        $0.text.contains("mpv was killed (signal 9); playback continues")
      }
      #expect(screen.transport.contains("playing"))
      let before = frames(at: screen)
      try await terminal.wait("more sound") { self.frames(at: $0) != before }
    }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  /// The program that was started with an argument.
  private static func process(whoseArgumentsContain text: String) -> pid_t? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.first { id in
      guard let line = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") else {
        return false
      }
      let arguments = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      return arguments.first?.hasSuffix("mpv") == true
        && arguments.contains { $0.hasSuffix(text) }
    }
  }

  @Test func thePictureIsOfWhatIsHeard() async throws {
    let card = try ListeningCard()
    var setting = EditorTerminal.Setting()
    setting.environment["COLORTERM"] = "truecolor"
    let terminal = try await EditorTerminal(
      program, ["play", "112", "--repeat-range", "forever"], on: card, setting)
    try await terminal.wait("the player") { $0.transport.contains("playing") }
    #expect(try terminal.pictureNumber == nil)
    try terminal.press("v", "v")
    try await terminal.wait("a later frame") { _ in
      try terminal.pictureNumber.map { $0 > 5 } ?? false
    }
    try terminal.press("Space")
    try await waitForPause(terminal, in: 0..<250)
    // Another ayah, which is heard at once, and its frames.
    try terminal.press("/")
    try terminal.type("3")
    try terminal.press("Enter", "Space")
    try await waitForPause(terminal, in: 150..<250)
    try terminal.press("v")
    try await terminal.wait("no picture") { _ in try terminal.pictureNumber == nil }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
    #expect(terminal.modesAfter == terminal.modesBefore)
  }
}
