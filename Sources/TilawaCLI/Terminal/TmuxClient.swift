// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CChild
import Foundation
import Glibc
import TerminalDriver

/// What the tmux that this program runs in says of itself.
enum TmuxClient {
  /// What it is asked for, in its own language of formats.
  private static let format = "#{allow-passthrough}|#{pane_active}|#{client_termname}"
  /// It answers in a few milliseconds, or in some hundreds on a busy machine. One that is stopped shows nothing anyway.
  private static let patience = Duration.seconds(5)

  /// Asks it; nil where it does not answer.
  ///
  /// - Parameter environment: with the `TMUX` and `TMUX_PANE` that tmux has set.
  static func ask(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> TerminalOptions.Multiplexer? {
    guard environment["TMUX"]?.isEmpty == false else { return nil }
    let pane = environment["TMUX_PANE"].map { ["-t", $0] } ?? []
    return answer(to: ["tmux", "display-message", "-p"] + pane + [format], environment)
      .flatMap(multiplexer)
  }

  /// What an answer says; nil for one that makes no sense.
  static func multiplexer(_ answer: String) -> TerminalOptions.Multiplexer? {
    let fields = answer.trimmingCharacters(in: .newlines)
      .split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 3 else { return nil }
    // One within another would take for its own what is meant for the terminal.
    if ["tmux", "screen"].contains(where: fields[2].hasPrefix) { return .other }
    return .tmux(
      TerminalOptions.Tmux(
        // Before version 3.3 there is no option, and all is passed on.
        passesOn: !["0", "off"].contains(fields[0]), hasKeys: fields[1] != "0",
        terminal: fields[2].isEmpty ? nil : fields[2]))
  }

  /// The output of a program; nil where it fails or takes too long.
  private static func answer(to command: [String], _ environment: [String: String]) -> String? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    defer { close(ends[0]) }
    let words = (["/usr/bin/env"] + command).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    let child = child_start("/usr/bin/env", words, variables, ends[1], ends[1], -1)
    close(ends[1])
    guard child > 0 else { return nil }
    let output = read(ends[0])
    var status: Int32 = 0
    if output == nil { kill(child, SIGKILL) }
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status == 0 ? output : nil
  }

  /// All that comes until the end; nil where that does not come in time.
  private static func read(_ descriptor: Int32) -> String? {
    let end = ContinuousClock.now + patience
    var (bytes, block) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while true {
      let left = Int32(max((end - .now) / .milliseconds(1), 0))
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, left) > 0 else { return nil }
      let count = Glibc.read(descriptor, &block, block.count)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      guard count > 0, bytes.count < block.count else { return nil }
      bytes += block[..<count]
    }
  }
}
