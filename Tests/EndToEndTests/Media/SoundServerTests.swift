// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

/// What `play` does when a sound server changes where it is heard, as other programs see it.
extension InterruptedPlayTests {
  private static let modules =
    ["headset", "speaker"].map { "module-null-sink sink_name=\($0)" }
    + ["module-role-cork", "module-rescue-streams"]

  @Test(.onASoundServer) func aCallAndALostDeviceOnASoundServerPause() async throws {
    let server = try #require(PulseDaemon(Self.modules))
    #expect(server.run("pactl", ["set-default-sink", "headset"])?.wait() == 0)
    let configuration = try folder.write(Array("pcm.!default { type pulse }\n".utf8), to: "pulse")
    let environment = server.variables.merging(
      ["ALSA_CONFIG_PATH": configuration, "TILAWA_PLAYBACK_RESUME": "true"]
    ) { $1 }
    let playing = try PlayingProgram(program, Self.forever, on: card, bus, environment)
    func wait(for what: String, _ status: String) async throws {
      do {
        try await bus.wait(for: what, "status") { $0 == status }
      } catch {
        throw EditorTerminal.Problem(
          description: "\(error); \(playing.errors); \(try streams(of: server))")
      }
    }
    try await wait(for: "play", "Playing")
    try await waitForSound(of: server)

    let call = try await beginCall(on: server)
    try await wait(for: "the pause", "Paused")
    #expect(playing.errors.contains("the sound server muted"), "\(playing.errors)")
    call.kill()
    try await wait(for: "the end of the call", "Playing")
    try await waitForSound(of: server)

    // The first module is the one that was loaded first.
    #expect(server.run("pactl", ["unload-module", "0"])?.wait() == 0)
    try await wait(for: "the pause", "Paused")
    #expect(playing.errors.contains("the sound device was disconnected"), "\(playing.errors)")
    // On the other device it goes on when it is told to.
    _ = try await bus.playerctl("play")
    try await wait(for: "going on", "Playing")
    playing.end()
  }

  /// What plays on the server, a text for each stream.
  private func streams(of server: PulseDaemon) throws -> [String] {
    let list = folder.path("streams-\(UUID())")
    let file = open(list, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    server.run("pactl", ["list", "sink-inputs"], output: file)?.wait()
    close(file)
    return try String(contentsOfFile: list, encoding: .utf8).components(separatedBy: "Sink Input #")
  }

  private static func isOwn(_ stream: String) -> Bool { stream.contains("[tilawa-annotate]") }

  /// Waits until the program is heard: before it has a stream there is nothing that the server could tell of it.
  private func waitForSound(of server: PulseDaemon) async throws {
    for _ in 0..<15_000 {
      let isHeard = try streams(of: server).contains {
        // Its role is as the program gives it.
        Self.isOwn($0) && $0.contains("media.role = \"music\"") && $0.contains("Corked: no")
      }
      if isHeard { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw EditorTerminal.Problem(description: "the server never had the stream")
  }

  /// A call that the server has muted the program for. It passes over a stream that waits just then, as one does that
  /// follows one that ran dry: a call that it took in without muting anything is begun anew.
  private func beginCall(on server: PulseDaemon) async throws -> Child {
    let role = "media.role=phone"
    for _ in 0..<15_000 {
      let call = try #require(
        server.run("pacat", ["--playback", "--property=\(role)", "--raw", "/dev/zero"]))
      while call.isRunning {
        let streams = try streams(of: server)
        guard streams.contains(where: { $0.contains("media.role = \"phone\"") }) else { continue }
        if streams.contains(where: { Self.isOwn($0) && $0.contains("Mute: yes") }) { return call }
        break
      }
      call.kill()
    }
    throw EditorTerminal.Problem(description: "the server never muted the program")
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
