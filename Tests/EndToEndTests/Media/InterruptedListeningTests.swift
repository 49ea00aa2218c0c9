// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// What `audition` and `hifz review` do when headphones are pulled out or the device is gone, as a person sees it.
@Suite(.serialized, .enabled(if: EditorTerminal.isPossible, "no tmux"))
struct InterruptedListeningTests {
  let program: Program
  let folder: TemporaryFolder
  let card: ListeningCard

  init() async throws {
    program = try Program()
    folder = try TemporaryFolder()
    card = try ListeningCard()
    try card.plugHeadphones(true)
  }

  private func recording() throws -> String {
    try folder.write(NoiseRecording().wav, to: "noise.wav")
  }

  /// The line of `audition` is drawn on standard error, which is the screen then.
  private func audition(
    _ environment: [String: String] = [:]
  ) async throws -> EditorTerminal {
    var setting = EditorTerminal.Setting()
    setting.environment = environment
    setting.showsErrors = true
    let terminal = try await EditorTerminal(
      program, ["audition", try recording(), "--loop", "forever"], on: card, setting)
    try await terminal.wait("play") { $0.text.contains("playing") }
    try await card.wait("sound") { $0.contains { $0 != 0 } }
    return terminal
  }

  @Test(arguments: [false, true])
  func pulledHeadphonesPauseAnAudition(_ resumes: Bool) async throws {
    let terminal = try await audition(["TILAWA_PLAYBACK_RESUME": "\(resumes)"])
    try card.plugHeadphones(false)
    try await terminal.wait("the reason") { $0.text.contains("the headphones were unplugged") }
    if !resumes { try await terminal.wait("the pause") { $0.text.contains("paused  ") } }
    try card.plugHeadphones(true)
    if !resumes { try terminal.press("Space") }
    try await terminal.wait("going on") { $0.text.contains("playing") }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test(
    .enabled(
      if: MessageBus.isPossible && LoginManager.isPossible, "no dbus-daemon or python3-dbusmock"))
  func sleepWaitsForThePauseOfAnAudition() async throws {
    let bus = try MessageBus()
    let logins = try LoginManager(bus)
    try await logins.wait("the login manager") { _ in true }
    let terminal = try await audition(bus.environment)
    try await logins.wait("an inhibitor") { $0.contains("'sleep'") && $0.contains("'delay'") }
    try await logins.tell(isAboutToSleep: true)
    try await terminal.wait("the pause") { $0.text.contains("the computer went to sleep") }
    try await logins.wait("sleep to be let") { !$0.contains("'sleep'") }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func anAuditionWaitsForItsDevice() async throws {
    let terminal = try await audition()
    try card.unplug()
    try await terminal.wait("the loss") { $0.text.contains("paused, no device") }
    try terminal.press("Space")
    try await terminal.wait("that it is waited for") { $0.text.contains("waiting for the device") }
    try terminal.press("Space")
    try await terminal.wait("that it is not") { $0.text.contains("paused, no device") }
    card.plug()
    try await terminal.wait("the device") { $0.text.contains("press space to resume") }
    try terminal.press("Space")
    try await terminal.wait("going on") { $0.text.contains("playing") }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }

  @Test func pulledHeadphonesPauseAReview() async throws {
    try await program.publishing(try recording(), as: "Noise", labels: "0\t10\t112:1\n")
    let added = try await program.run("hifz", "add", "112:1")
    #expect(added.code == 0, "\(added.errors)")
    var setting = EditorTerminal.Setting()
    // The whole ayah at a quarter of its speed, which is still heard when a busy machine looks late.
    setting.environment = ["TILAWA_HIFZ_CUE": "10s"]
    let terminal = try await EditorTerminal(
      program, ["hifz", "review", "--speed", "0.25"], on: card, setting)
    try await card.wait("sound") { $0.contains { $0 != 0 } }
    try card.plugHeadphones(false)
    try await terminal.wait("the pause") {
      $0.text.contains("‖ listen") && $0.text.contains("the headphones were unplugged")
    }
    try terminal.press("q")
    #expect(try await terminal.waitForEnd() == 0)
  }
}
