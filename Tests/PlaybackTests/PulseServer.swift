// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport

@testable import Playback

/// A PulseAudio daemon of a test's own: its own folder, its own socket, and a null sink that plays
/// 48 kHz mono floats at nobody, in real time. Ends with the test.
final class PulseServer: @unchecked Sendable {
  // Unchecked because of the process, which one test at a time starts and ends.
  private let folder: TemporaryFolder
  private var daemon: Child?

  static let sink = "tilawa"
  static let format = PlaybackTests.format(48_000)

  /// The path of a program; nil where it is not installed.
  private static func program(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// Whether there is what a daemon needs: in Debian the packages pulseaudio, pulseaudio-utils and
  /// libasound2-plugins.
  static let isInstalled = program("pulseaudio") != nil && program("parec") != nil && plugin

  private static let plugin: Bool = {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
    return (folders + ["."]).contains {
      FileManager.default.fileExists(
        atPath: "/usr/lib/\($0)/alsa-lib/libasound_module_pcm_pulse.so")
    }
  }()

  /// Starts a daemon; nil when none will run here.
  init?() {
    guard let folder = try? TemporaryFolder() else { return nil }
    self.folder = folder
    _ = Card.configuration
    guard start() else { return nil }
  }

  deinit { kill() }

  private var socket: String { folder.path("native") }

  /// What alsa-lib calls it; `Card` tells alsa-lib how to understand that.
  var name: String { "tilawa_pulse:'unix:\(socket)'" }
  var output: RenderOutput { .alsa(name) }

  private var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    for variable in ["HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "PULSE_RUNTIME_PATH"] {
      environment[variable] = folder.path
    }
    environment["PULSE_COOKIE"] = folder.path("cookie")
    environment["PULSE_SERVER"] = "unix:\(socket)"
    for variable in ["ALSA_CONFIG_PATH", "DBUS_SESSION_BUS_ADDRESS"] { environment[variable] = nil }
    return environment
  }

  private func run(_ name: String, _ arguments: [String], output: Int32? = nil) -> Child? {
    Self.program(name).flatMap {
      Child($0, arguments, environment: environment, output: output)
    }
  }

  /// Starts it, again if it was killed, at the same place.
  func start() -> Bool {
    try? FileManager.default.removeItem(atPath: socket)
    daemon = run(
      "pulseaudio",
      [
        "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=30", "--log-target=stderr",
        "-L",
        "module-null-sink sink_name=\(Self.sink) format=float32le rate=48000 channels=1 channel_map=mono",
        "-L", "module-native-protocol-unix socket=\(socket) auth-anonymous=1",
      ])
    for _ in 0..<500 {
      guard let daemon, daemon.isRunning else { return false }
      let isThere = FileManager.default.fileExists(atPath: socket)
      if isThere, run("pactl", ["info"])?.wait() == 0 { return true }
      usleep(20_000)
    }
    kill()
    return false
  }

  /// Ends it from one moment to the next.
  func kill() {
    daemon?.kill()
    daemon = nil
  }

  /// Records what the sink plays from now on.
  func capture() -> PulseCapture? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let recorder = run(
      "parec",
      [
        "--device=\(Self.sink).monitor", "--raw", "--format=float32le", "--rate=48000",
        "--channels=1", "--channel-map=mono", "--latency-msec=10",
      ], output: ends[1])
    close(ends[1])
    return recorder.map { PulseCapture($0, ends[0]) }
  }
}

/// A process that is no part of Foundation's run loops.
final class Child: @unchecked Sendable {
  // Unchecked because one test at a time starts and ends it.
  private let id: pid_t
  private var status: Int32?

  init?(_ path: String, _ arguments: [String], environment: [String: String], output: Int32?) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    // Threads that Swift tests run on block signals.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var id: pid_t = 0
    guard posix_spawn(&id, path, &actions, &attributes, &words, &variables) == 0 else {
      return nil
    }
    self.id = id
  }

  deinit { kill() }

  var isRunning: Bool {
    if status == nil {
      var status: Int32 = 0
      if waitpid(id, &status, WNOHANG) == id { self.status = status }
    }
    return status == nil
  }

  /// Waits for its end; 0 when all was well.
  @discardableResult
  func wait() -> Int32 {
    var status: Int32 = 0
    if self.status == nil {
      while waitpid(id, &status, 0) == -1, errno == EINTR {}
      self.status = status
    }
    return self.status ?? status
  }

  /// Ends it from one moment to the next.
  func kill() {
    guard isRunning else { return }
    Glibc.kill(id, SIGKILL)
    wait()
  }
}

/// What a sink has played, with the time at which each piece of it was known here.
final class PulseCapture: @unchecked Sendable {
  // Unchecked because of the process, which only ends with it; the pieces are behind a monitor.
  struct Piece: Sendable {
    let time: ContinuousClock.Instant
    let samples: [Float]
  }

  private let recorder: Child
  private let kept = Monitor<[Piece]>([])

  init(_ recorder: Child, _ descriptor: Int32) {
    self.recorder = recorder
    let kept = kept
    Thread.detachNewThread {
      var bytes = [UInt8](repeating: 0, count: 4096)
      var rest: [UInt8] = []
      while true {
        let count = read(descriptor, &bytes, bytes.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        let now = ContinuousClock.now
        rest += bytes[..<count]
        let samples = stride(from: 0, to: rest.count - 3, by: 4).map { place in
          Float(
            bitPattern: rest[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
        rest.removeFirst(4 * samples.count)
        kept.update { $0.append(Piece(time: now, samples: samples)) }
      }
      close(descriptor)
    }
  }

  var pieces: [Piece] { kept.update { $0 } }
  var samples: [Float] { pieces.flatMap(\.samples) }

  /// Waits until the recorder is at work: it gives silence where nothing plays.
  func waitForFirst() async -> Bool {
    for _ in 0..<500 {
      if !pieces.isEmpty { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  /// Waits for the frame of that number.
  func wait(for number: Int) async -> Bool {
    for _ in 0..<1000 {
      if pieces.suffix(50).contains(where: { numbers($0.samples).contains { $0 >= number } }) {
        return true
      }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }
}
