// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A PulseAudio daemon of a test's own: its own folder and its own socket. Ends with the test.
public final class PulseDaemon: @unchecked Sendable {
  // Unchecked because of the process, which one test at a time starts and ends.
  private let folder: TemporaryFolder
  private let modules: [String]
  private var daemon: Child?

  /// The path of a program; nil where it is not installed.
  private static func program(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// Whether there is what a daemon needs: in Debian the packages pulseaudio, pulseaudio-utils and
  /// libasound2-plugins.
  public static let isInstalled = program("pulseaudio") != nil && program("parec") != nil && plugin

  private static let plugin: Bool = {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
    return (folders + ["."]).contains {
      FileManager.default.fileExists(
        atPath: "/usr/lib/\($0)/alsa-lib/libasound_module_pcm_pulse.so")
    }
  }()

  /// Starts a daemon; nil when none will run here.
  ///
  /// - Parameter modules: what it loads besides its socket.
  public init?(_ modules: [String]) {
    guard let folder = try? TemporaryFolder() else { return nil }
    self.folder = folder
    self.modules = modules
    guard start() else { return nil }
  }

  deinit { kill() }

  public var socket: String { folder.path("native") }

  /// What leads its clients to it.
  public var variables: [String: String] {
    var variables = ["PULSE_COOKIE": folder.path("cookie"), "PULSE_SERVER": "unix:\(socket)"]
    for variable in ["HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "PULSE_RUNTIME_PATH"] {
      variables[variable] = folder.path
    }
    return variables
  }

  /// Runs a client of it; nil where that is not installed.
  public func run(_ name: String, _ arguments: [String], output: Int32? = nil) -> Child? {
    var environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    for variable in ["ALSA_CONFIG_PATH", "DBUS_SESSION_BUS_ADDRESS"] { environment[variable] = nil }
    return Self.program(name).flatMap {
      Child($0, arguments, environment: environment, output: output)
    }
  }

  /// Starts it, again if it was killed, at the same place.
  public func start() -> Bool {
    try? FileManager.default.removeItem(atPath: socket)
    let loaded = modules + ["module-native-protocol-unix socket=\(socket) auth-anonymous=1"]
    daemon = run(
      "pulseaudio",
      ["-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=30", "--log-target=stderr"]
        + loaded.flatMap { ["-L", $0] })
    for _ in 0..<15_000 {
      guard let daemon, daemon.isRunning else { return false }
      let isThere = FileManager.default.fileExists(atPath: socket)
      if isThere, run("pactl", ["info"])?.wait() == 0 { return true }
      usleep(20_000)
    }
    kill()
    return false
  }

  /// Ends it from one moment to the next.
  public func kill() {
    daemon?.kill()
    daemon = nil
  }
}
