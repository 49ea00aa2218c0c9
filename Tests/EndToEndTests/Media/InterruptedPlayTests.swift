// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// What `play` does when the computer sleeps or headphones are pulled out, as other programs see it.
@Suite(.serialized, .enabled(if: MessageBus.isPossible, "no dbus-daemon, playerctl or gdbus"))
struct InterruptedPlayTests {
  let program: Program
  let folder: TemporaryFolder
  let bus: MessageBus
  let card: ListeningCard

  init() async throws {
    program = try Program()
    folder = try TemporaryFolder()
    bus = try MessageBus()
    card = try ListeningCard()
    let recording = try folder.write(NoiseRecording().wav, to: "noise.wav")
    try await program.publishing(
      recording, as: "Noise", labels: "0\t10\t112:1\n")
  }

  static let forever = ["play", "112:1", "--repeat-ayah", "forever"]

  @Test(.enabled(if: LoginManager.isPossible, "no python3-dbusmock"), arguments: [false, true])
  func sleepWaitsForThePauseAndWakingStartsNothingUnasked(_ resumes: Bool) async throws {
    let logins = try LoginManager(bus)
    try await logins.wait("the login manager") { _ in true }
    let playing = try PlayingProgram(
      program, Self.forever, on: card, bus, ["TILAWA_PLAYBACK_RESUME": "\(resumes)"])
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    try await logins.wait("an inhibitor") { $0.contains("'sleep'") && $0.contains("'delay'") }
    try await logins.tell(isAboutToSleep: true)
    try await bus.wait(for: "the pause", "status") { $0 == "Paused" }
    try await logins.wait("sleep to be let") { !$0.contains("'sleep'") }
    let position = try await bus.playerctl("position")
    try await logins.tell(isAboutToSleep: false)
    try await logins.wait("another inhibitor") { $0.contains("'sleep'") }
    if resumes {
      try await bus.wait(for: "going on", "status") { $0 == "Playing" }
    } else {
      #expect(try await bus.playerctl("status") == "Paused")
      #expect(try await bus.playerctl("position") == position)
      _ = try await bus.playerctl("play")
      try await bus.wait(for: "going on", "status") { $0 == "Playing" }
    }
    playing.end()
  }

  @Test(
    .enabled(if: LoginManager.isPossible, "no python3-dbusmock"),
    .enabled(if: EditorTerminal.isPossible, "no tmux"), arguments: [false, true])
  func theEditorPausesForSleepAndGoesOnOnlyIfItIsTold(_ resumes: Bool) async throws {
    let logins = try LoginManager(bus)
    try await logins.wait("the login manager") { _ in true }
    var setting = EditorTerminal.Setting()
    setting.environment = bus.environment
    setting.environment["TILAWA_PLAYBACK_RESUME"] = "\(resumes)"
    let terminal = try await EditorTerminal(program, ["noise"], on: card, setting)
    try await terminal.wait("the segments") { !$0.segments.isEmpty }
    // For ever, so that it is not over before it is interrupted.
    try terminal.press("r")
    try await terminal.wait("play") { $0.transport.contains("playing") }
    try await logins.wait("an inhibitor") { $0.contains("'sleep'") && $0.contains("'delay'") }
    try await logins.tell(isAboutToSleep: true)
    try await terminal.wait("the pause") { $0.transport.contains("paused") }
    try await logins.wait("sleep to be let") { !$0.contains("'sleep'") }
    try await logins.tell(isAboutToSleep: false)
    try await logins.wait("another inhibitor") { $0.contains("'sleep'") }
    if resumes {
      try await terminal.wait("going on") { $0.transport.contains("playing") }
    } else {
      #expect(try terminal.screen.transport.contains("paused"))
    }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  /// Drivers tell of a jack also when nothing has changed.
  @Test func headphonesThatAreNotPluggedInPauseNothing() async throws {
    let playing = try PlayingProgram(program, Self.forever, on: card, bus)
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    try card.plugHeadphones(false)
    _ = try await card.wait(forSamples: 4800)
    #expect(try await bus.playerctl("status") == "Playing")
    playing.end()
  }

  @Test func pulledHeadphonesPause() async throws {
    try card.plugHeadphones(true)
    let playing = try PlayingProgram(program, Self.forever, on: card, bus)
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    try await card.wait("sound") { $0.contains { $0 != 0 } }
    try card.plugHeadphones(false)
    try await bus.wait(for: "the pause", "status") { $0 == "Paused" }
    // Plugged in again, they start nothing.
    try card.plugHeadphones(true)
    #expect(try await bus.playerctl("status") == "Paused")
    #expect(playing.errors.contains("headphones"), "\(playing.errors)")
    playing.end()
  }
}

/// A login manager of a test's own: python3-dbusmock's.
final class LoginManager: Sendable {
  private let bus: MessageBus
  private let process: pid_t

  static let isPossible =
    FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dbusmock")

  init(_ bus: MessageBus) throws {
    self.bus = bus
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-m", "dbusmock", "--system", "--template", "logind"]
    process.environment = ProcessInfo.processInfo.environment.merging(bus.environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process.processIdentifier
  }

  deinit { kill(process, SIGKILL) }

  private func call(_ arguments: String...) async throws -> String? {
    try await bus.ask(
      "gdbus",
      [
        "call", "--session", "--dest", "org.freedesktop.login1", "--object-path",
        "/org/freedesktop/login1", "--method",
      ] + arguments)
  }

  /// Waits until what holds off sleep is as it should be.
  func wait(_ what: String, until isSo: (String) -> Bool) async throws {
    for _ in 0..<15_000 {
      if let list = try await call("org.freedesktop.login1.Manager.ListInhibitors"), isSo(list) {
        return
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw EditorTerminal.Problem(description: "\(what) never came")
  }

  func tell(isAboutToSleep: Bool) async throws {
    _ = try await call(
      "org.freedesktop.DBus.Mock.EmitSignal", "org.freedesktop.login1.Manager", "PrepareForSleep",
      "b", "[<\(isAboutToSleep)>]")
  }
}
