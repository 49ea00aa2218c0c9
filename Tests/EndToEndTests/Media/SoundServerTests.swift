// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// What `play` does when a sound server changes where it is heard, as other programs see it.
extension InterruptedPlayTests {
  /// A play that has begun on a server of the test's own, beside a second device of it.
  private func play(on server: PulseDaemon) async throws -> PlayingProgram {
    #expect(server.run("pactl", ["set-default-sink", "headset"])?.wait() == 0)
    let configuration = try folder.write(Array("pcm.!default { type pulse }\n".utf8), to: "pulse")
    let environment = server.variables.merging(["ALSA_CONFIG_PATH": configuration]) { $1 }
    let playing = try PlayingProgram(program, Self.forever, on: card, bus, environment)
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    // Until the server has the stream, there is nothing that it could tell of it.
    try await waitForSound(of: server)
    return playing
  }

  private func waitForSound(of server: PulseDaemon) async throws {
    for _ in 0..<15_000 {
      let list = folder.path("streams-\(UUID())")
      let file = open(list, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      server.run("pactl", ["list", "sink-inputs"], output: file)?.wait()
      close(file)
      let text = try String(contentsOfFile: list, encoding: .utf8)
      // Its role is as the program gives it.
      if text.contains("[tilawa-annotate]"), text.contains("media.role = \"music\"") { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw EditorTerminal.Problem(description: "the server never had the stream")
  }

  private static let sinks = ["headset", "speaker"].map { "module-null-sink sink_name=\($0)" }

  @Test(.onASoundServer) func aDeviceLostOnASoundServerPauses() async throws {
    let server = try #require(PulseDaemon(Self.sinks + ["module-rescue-streams"]))
    let playing = try await play(on: server)
    // The first module is the one that was loaded first.
    #expect(server.run("pactl", ["unload-module", "0"])?.wait() == 0)
    try await bus.wait(for: "the pause", "status") { $0 == "Paused" }
    #expect(playing.errors.contains("the sound device was disconnected"), "\(playing.errors)")
    // On the other device it goes on when it is told to.
    _ = try await bus.playerctl("play")
    try await bus.wait(for: "going on", "status") { $0 == "Playing" }
    playing.end()
  }

  @Test(.onASoundServer) func aCallOnASoundServerPauses() async throws {
    let server = try #require(PulseDaemon(Self.sinks + ["module-role-cork"]))
    let playing = try await play(on: server)
    let call = server.run(
      "pacat", ["--playback", "--property=media.role=phone", "--raw", "/dev/zero"])
    try await bus.wait(for: "the pause", "status") { $0 == "Paused" }
    #expect(playing.errors.contains("the sound server muted"), "\(playing.errors)")
    call?.kill()
    playing.end()
  }

  /// A stream of PipeWire's own ALSA plugin does not tell its process; its client does.
  @Test(arguments: ["unplugged", "muted"], ["client", "stream"])
  func whatTheServerTellsOfPortsAndMutingIsHeeded(
    _ state: String, _ telling: String
  ) async throws {
    let library = URL(filePath: Program.path).deletingLastPathComponent().path
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("libpulse.so.0"),
      withDestinationPath: "\(library)/libVirtualPulse.so")
    let path = try folder.write(Array("plugged".utf8), to: "state")
    let playing = try PlayingProgram(
      program, Self.forever, on: card, bus,
      [
        "LD_LIBRARY_PATH": folder.path, "VIRTUAL_PULSE": path, "VIRTUAL_PULSE_PROCESS": telling,
        "TILAWA_PLAYBACK_RESUME": "true",
      ])
    try await bus.wait(for: "play", "status") { $0 == "Playing" }
    // The server has been asked; what it had said before nobody knows would be no change.
    for _ in 0..<15_000 where access(folder.path("state.asked"), F_OK) != 0 {
      try await Task.sleep(for: .milliseconds(20))
    }
    try #require(access(folder.path("state.asked"), F_OK) == 0)
    try folder.write(Array(state.utf8), to: "state")
    try await bus.wait(for: "the pause", "status") { $0 == "Paused" }
    try folder.write(Array("plugged".utf8), to: "state")
    try await bus.wait(for: "going on", "status") { $0 == "Playing" }
    playing.end()
  }
}

extension Trait where Self == ConditionTrait {
  /// A real server, which in a busy machine's time answers late.
  fileprivate static var onASoundServer: Self {
    .enabled(
      if: PulseDaemon.isInstalled && ProcessInfo.processInfo.environment["TILAWA_REAL_TIME"] != nil,
      "runs by itself, as in make test-long: TILAWA_REAL_TIME=1 swift test --filter OnASoundServer")
  }
}
