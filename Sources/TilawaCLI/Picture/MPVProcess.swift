// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CChild
import Foundation
import Glibc
import Video

/// An `mpv` of ours, which shows a window and makes no sound, and the socket on which it is told what to show.
///
/// Belongs to the thread that made it: when that ends, in whatever way, mpv is killed.
final class MPVProcess {
  /// How it has ended.
  enum End: Hashable {
    /// As a person or we asked it to.
    case closed
    case exited(Int32)
    case killed(signal: Int32)
  }

  private let child: pid_t
  private let socket: Int32
  private var messages = MPVMessages()
  private var unsent: [UInt8] = []

  /// More than this has not been read by an mpv that hangs.
  private static let maxUnsent = 1 << 16
  /// How long its end is waited for, in hundredths of a second.
  private static let patience = 50

  /// Tests add options, such as one for an output without a window, separated by spaces; and name the terminal
  /// that it writes to.
  private static let testVariable = "TILAWA_TEST_MPV_OPTIONS"
  private static let testTerminal = "TILAWA_TEST_MPV_TERMINAL"

  private static let options = [
    // Nothing but what it is told, and the keys of its window.
    "--no-config", "--load-scripts=no", "--ytdl=no", "--no-terminal", "--no-resume-playback",
    "--input-ipc-client=fd://3",
    // The file alone, as we read it.
    "--demuxer=lavf", "--demuxer-lavf-o=protocol_whitelist=file", "--rebase-start-time=no",
    "--audio-file-auto=no", "--sub-auto=no", "--cover-art-auto=no", "--no-sub",
    "--no-audio", "--idle=yes", "--keep-open=yes", "--keep-open-pause=no", "--hr-seek=yes",
    // Outputs that keep a window above the others. Where graphics are not accelerated, mpv would choose SDL, which does not.
    "--vo=gpu,wlshm,x11", "--script-opts=osc-idlescreen=no", "--force-window=yes", "--ontop",
    "--no-border", "--geometry=30%-2%-2%",
    "--title=tilawa-annotate",
  ]

  /// Where `mpv` is; nil where it is not installed.
  static var path: String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").lazy.map { "\($0)/mpv" }.first { path in
      path.hasPrefix("/") && access(path, X_OK) == 0
    }
  }

  static var testOptions: [String] {
    ProcessInfo.processInfo.environment[testVariable]?.split(separator: " ").map(String.init) ?? []
  }

  /// Starts it; nil when the system refuses.
  ///
  /// - Parameter extra: options after ours.
  init?(path: String, options extra: [String]) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    defer { Glibc.close(ends[1]) }
    let environment = ProcessInfo.processInfo.environment
    var output: Int32 = -1
    if let terminal = environment[Self.testTerminal] {
      output = open(terminal, O_RDWR | O_NOCTTY | O_CLOEXEC)
    }
    defer { if output >= 0 { Glibc.close(output) } }
    let arguments = ([path] + Self.options + extra).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for variable in variables { free(variable) } }
    child = child_start(path, arguments, variables, ends[1], output, -1)
    socket = ends[0]
    if child < 0 {
      Glibc.close(socket)
      return nil
    }
  }

  /// Tells it; false when it has gone, or reads nothing any more.
  func send(_ commands: [MPVCommand]) -> Bool {
    for command in commands { unsent += command.bytes }
    while !unsent.isEmpty {
      let sent = unsent.withUnsafeBytes { bytes in
        Glibc.send(
          socket, bytes.baseAddress, bytes.count,
          Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if sent < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN && unsent.count < Self.maxUnsent
      }
      unsent.removeFirst(sent)
    }
    return true
  }

  /// Waits a while at most for what it says; nil when it has gone.
  func receive(waiting milliseconds: Int32) -> [MPVMessage]? {
    var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, milliseconds) > 0 else { return [] }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
    return count == 0 ? nil : messages.take(buffer[..<count])
  }

  /// Ends it, and says how it has ended. Call it once, at last.
  func finish() -> End {
    // It leaves when its socket ends.
    Glibc.close(socket)
    var status: Int32 = 0
    for _ in 0..<Self.patience {
      let result = waitpid(child, &status, WNOHANG)
      if result == child { return Self.end(status) }
      if result < 0, errno != EINTR { return .closed }
      usleep(10_000)
    }
    kill(child, SIGKILL)
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return Self.end(status)
  }

  private static func end(_ status: Int32) -> End {
    let signal = status & 0x7F
    if signal != 0 { return .killed(signal: signal) }
    let code = (status >> 8) & 0xFF
    return code == 0 ? .closed : .exited(code)
  }
}
