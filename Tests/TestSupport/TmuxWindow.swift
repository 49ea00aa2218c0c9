// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A program in a tmux of its own, which draws on a terminal that answers what it is asked about images.
public final class TmuxWindow {
  private static let tmux = "/usr/bin/tmux"
  public static let isPossible = FileManager.default.isExecutableFile(atPath: tmux)

  public struct Problem: Error, CustomStringConvertible { public let description: String }

  /// tmux's own.
  public let terminal: PseudoTerminal
  public private(set) var images = KittyTerminal()
  private let folder: TemporaryFolder

  /// - Parameters:
  ///   - arguments: the program; `{log}` is the log's path.
  ///   - passesOn: tmux's option `allow-passthrough`.
  ///   - knowsImages: whether its terminal answers that it knows kitty's protocol.
  public init(
    _ arguments: [String], passesOn: Bool, knowsImages: Bool, columns: UInt16 = 80,
    rows: UInt16 = 24, environment: [String]
  ) throws {
    folder = try TemporaryFolder()
    images.admitsIt = knowsImages
    let log = folder.path("log")
    let words = (["env"] + environment + arguments).map {
      "'" + $0.replacing("{log}", with: log).replacing("'", with: "'\\''") + "'"
    }
    _ = try folder.write(Array(words.joined(separator: " ").utf8), to: "script")
    let settings = """
      set -g status off
      set -g destroy-unattached on
      set -g allow-passthrough \(passesOn ? "on" : "off")
      """
    _ = try folder.write(Array(settings.utf8), to: "settings")
    terminal = try PseudoTerminal(
      [
        Self.tmux, "-S", folder.path("tmux"), "-f", folder.path("settings"), "-u", "new-session",
        "exec /bin/sh \(folder.path("script"))",
      ], type: "xterm-256color", columns: columns, rows: rows,
      environment: ["LANG=C.UTF-8", "HOME=\(folder.path)"])
  }

  deinit { _ = try? tell(["kill-server"]) }

  /// Goes on until something is so.
  public func wait(_ what: String, until isSo: () throws -> Bool) throws {
    try terminal.wait(what) { _ in
      images.follow(terminal)
      return try isSo()
    }
  }

  public func wait(forEvent event: String) throws {
    try wait("'\(event)' in the log") { try events.contains { $0.hasPrefix(event) } }
  }

  /// Waits until the program, and tmux with it, has ended.
  public func waitForEnd() throws {
    _ = try terminal.waitForEnd()
    images.follow(terminal)
  }

  /// Types a command of the probe.
  public func order(_ command: String) { terminal.order(command) }

  /// The lines of the program's log.
  public var events: [String] {
    get throws {
      let text = (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? ""
      return text.split(separator: "\n").map(String.init)
    }
  }

  /// The program's pane as tmux has it, with SGR sequences; empty before there is one.
  public var screen: String {
    (try? tell(["capture-pane", "-p", "-e", "-N", "-t", "{left}"])) ?? ""
  }

  /// Has tmux do something.
  @discardableResult
  public func tell(_ arguments: [String]) throws -> String {
    let path = folder.path("output")
    let output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(output) }
    let child = Child(
      Self.tmux, ["-S", folder.path("tmux")] + arguments,
      environment: ["LANG": "C.UTF-8", "TERM": "xterm-256color", "HOME": folder.path],
      output: output)
    guard let child, child.wait() == 0 else { throw Problem(description: "\(arguments)") }
    return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
