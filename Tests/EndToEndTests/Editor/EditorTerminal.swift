// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport

/// The built program in a terminal of its own, a window of tmux, as a person has it: keys and the mouse go
/// in, the screen comes out. Time is given by conditions, never by a clock.
final class EditorTerminal: Sendable {
  /// What something that is expected is given to come about, so that a hang ends.
  private static let patience = Duration.seconds(300)
  private static let tmux = "/usr/bin/tmux"

  /// Whether there are the programs that a terminal takes.
  static let isPossible = ["/usr/bin/tmux", "/bin/bash"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  struct Problem: Error, CustomStringConvertible { let description: String }

  /// How the program is run.
  struct Setting {
    var columns = 80
    var rows = 24
    var type = "tmux-256color"
    var environment: [String: String] = [:]
    /// Whether standard error is the terminal too, as it is without a screen.
    var showsErrors = false
    /// The folder that it is started in.
    var folder: String?
  }

  private let folder: TemporaryFolder
  private let card: ListeningCard?
  private var socket: String { folder.path("tmux") }

  /// Starts the program with a library of `program`'s, playing on a virtual card that the test may
  /// listen to.
  init(
    _ program: Program, _ arguments: [String], on card: ListeningCard? = nil,
    _ setting: Setting = Setting()
  ) async throws {
    folder = try TemporaryFolder()
    self.card = card
    var environment = ["TILAWA_HOME": program.home, "LANG": "C.UTF-8", "TERM": setting.type]
    environment["ALSA_CONFIG_PATH"] = card?.configuration ?? "/dev/null"
    environment.merge(setting.environment) { $1 }
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    let errors = setting.showsErrors ? "" : "2> \(folder.path("errors"))"
    let words = ["env"] + variables + [Program.path] + arguments
    // The shell has job control, so that the program can be stopped and go on, and writes down how it
    // finds the terminal.
    let script = """
      set -m
      cd \(Self.quoted(setting.folder ?? folder.path))
      stty -g > \(folder.path("before"))
      \(words.map(Self.quoted).joined(separator: " ")) \(errors)
      status=$?
      while [ -n "$(jobs -s)" ]; do
        stty -g > \(folder.path("stopped"))
        read -r
        rm \(folder.path("stopped"))
        fg > /dev/null
        status=$?
      done
      stty -g > \(folder.path("after"))
      echo $status > \(folder.path("status"))
      exec sleep 1000
      """
    let path = try folder.write(Array(script.utf8), to: "script")
    try tell(
      [
        "-f", "/dev/null", "-u", "new-session", "-d", "-x", "\(setting.columns)", "-y",
        "\(setting.rows)", "exec /bin/bash \(path)", ";", "set", "-g", "status", "off", ";",
        "resize-window", "-x", "\(setting.columns)", "-y", "\(setting.rows)",
      ])
    card?.watch { [weak self] in try? self?.screen.text }
  }

  deinit {
    // A program that is stopped or has lost its way would stay otherwise.
    if let process = try? process { kill(process, SIGKILL) }
    _ = try? tell(["kill-server"])
  }

  private static func quoted(_ word: String) -> String {
    "'" + word.replacing("'", with: "'\\''") + "'"
  }

  // MARK: Doing

  /// Presses keys, named as tmux names them.
  func press(_ keys: String...) throws { try tell(["send-keys"] + keys) }

  /// Types a text.
  func type(_ text: String) throws { try tell(["send-keys", "-l", "--", text]) }

  /// Sends bytes as a terminal does that reports its mouse.
  func send(_ bytes: String) throws {
    try tell(["send-keys", "-H"] + bytes.utf8.map { String($0, radix: 16) })
  }

  /// A button of the mouse, or what else it reports in its place.
  enum Button: Int {
    case left = 0
    case right = 2
    case wheelUp = 64
    case wheelDown = 65
  }

  enum Modifier: Int {
    case none = 0
    case alt = 8
    case control = 16
  }

  /// The report of an event at a cell, counted from 0.
  private static func report(_ code: Int, _ place: Screen.Place, isRelease: Bool = false) -> String
  {
    "\u{1B}[<\(code);\(place.column + 1);\(place.row + 1)\(isRelease ? "m" : "M")"
  }

  func pressButton(_ button: Button, at place: Screen.Place, _ modifier: Modifier = .none) throws {
    try send(Self.report(button.rawValue + modifier.rawValue, place))
  }

  func releaseButton(_ button: Button, at place: Screen.Place, _ modifier: Modifier = .none) throws
  {
    try send(Self.report(button.rawValue + modifier.rawValue, place, isRelease: true))
  }

  func click(at place: Screen.Place, _ button: Button = .left, _ modifier: Modifier = .none) throws
  {
    try pressButton(button, at: place, modifier)
    try releaseButton(button, at: place, modifier)
  }

  /// Clicks on something when everything sent so far has been answered. A frame comes in parts, and what was waited for
  /// may be there before the buttons that move with it.
  func click(_ find: (Screen) -> Screen.Place?) async throws {
    let screen = try await waitUntilAnswered()
    guard let place = find(screen) else {
      throw Problem(description: "what is clicked on is not there:\n\(screen.text)")
    }
    try click(at: place)
  }

  /// Moves the mouse with a button down.
  func drag(to place: Screen.Place, _ modifier: Modifier = .none) throws {
    try send(Self.report(Button.left.rawValue + 32 + modifier.rawValue, place))
  }

  func turnWheel(_ button: Button, at place: Screen.Place, _ modifier: Modifier = .none) throws {
    try send(Self.report(button.rawValue + modifier.rawValue, place))
  }

  func resize(columns: Int, rows: Int) throws {
    try tell(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Takes the terminal away from the program.
  func closeWindow() throws { try tell(["kill-server"]) }

  // MARK: Looking

  var screen: Screen {
    get throws { Screen(String(decoding: try tell(["capture-pane", "-p", "-N"]), as: UTF8.self)) }
  }

  /// With the escape sequences that would draw it.
  var styledScreen: String {
    get throws { String(decoding: try tell(["capture-pane", "-p", "-e", "-N"]), as: UTF8.self) }
  }

  /// Looks at the screen until it is as expected.
  @discardableResult
  func wait(_ what: String, until isSo: (Screen) throws -> Bool) async throws -> Screen {
    let end = ContinuousClock.now + Self.patience
    while true {
      let screen = try self.screen
      if try isSo(screen) {
        // tmux may have read half of a frame by then; what is as expected after that is a whole one.
        try await Task.sleep(for: .milliseconds(15))
        let later = try self.screen
        return try isSo(later) ? later : screen
      }
      guard ContinuousClock.now < end else {
        throw Problem(description: "\(what) never came:\n\(screen.text)\n\(errors)")
      }
      try await Task.sleep(for: .milliseconds(15))
    }
  }

  /// Waits until the screen has a text on it.
  @discardableResult
  func wait(for text: String) async throws -> Screen {
    try await wait("'\(text)'") { $0.text.contains(text) }
  }

  /// Waits until everything sent so far has been answered, by a key that does nothing and is said to.
  @discardableResult
  func waitUntilAnswered() async throws -> Screen {
    let notice = try screen.notice
    let key = ["F10", "F11", "F12"].first { !notice.contains($0) } ?? "F12"
    try press(key)
    return try await wait(for: "\(key) does nothing here")
  }

  /// Waits until every edit is on disk.
  @discardableResult
  func waitUntilKept() async throws -> Screen {
    try await wait("the end of keeping") {
      $0.isKept
    }
  }

  /// What each thread of the program has run so far; nil while one runs, may run, or waits for the disk.
  private var workDone: [String]? {
    get throws {
      let tasks = "/proc/\(try process)/task/"
      var done: [String] = []
      for task in try FileManager.default.contentsOfDirectory(atPath: tasks).sorted() {
        guard let status = try? String(contentsOfFile: tasks + task + "/stat", encoding: .utf8),
          let run = try? String(contentsOfFile: tasks + task + "/schedstat", encoding: .utf8),
          let name = status.lastIndex(of: ")"), status[name...].hasPrefix(") S")
        else { return nil }
        done.append(task + " " + run)
      }
      return done
    }
  }

  /// Waits until every thread of the program sleeps and what it has drawn is on the screen.
  /// - Returns: the screen with its styles.
  func waitUntilIdle() async throws -> String {
    let end = ContinuousClock.now + Self.patience
    while ContinuousClock.now < end {
      let before = try workDone
      let (screen, again) = (try styledScreen, try styledScreen)
      if let before, before == (try workDone), screen == again { return screen }
      try await Task.sleep(for: .milliseconds(15))
    }
    throw Problem(description: "never idle:\n\(try screen.text)\n\(errors)")
  }

  /// What the terminal is told to report and to show.
  func flag(_ name: String) throws -> String {
    String(decoding: try tell(["display-message", "-p", "#{\(name)}"]), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  // MARK: The program

  /// What it said beside the screen.
  var errors: String { read("errors") ?? "" }

  /// The program, while it runs.
  var process: pid_t {
    get throws {
      let shell = try flag("pane_pid")
      let children = try String(
        contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
      for child in children.split(separator: " ").compactMap({ pid_t($0) }) {
        // A child is a copy of the shell at first.
        let line = FileManager.default.contents(atPath: "/proc/\(child)/cmdline") ?? Data()
        if line.starts(with: Data(Program.path.utf8)) { return child }
      }
      throw Problem(description: "the program does not run: \(errors)")
    }
  }

  func signal(_ number: Int32) throws { kill(try process, number) }

  /// Waits for the end of the program.
  /// - Returns: its exit code, 128 more than the signal if it was one.
  func waitForEnd() async throws -> Int {
    let status = try await waitForFile("status")
    return Int(status) ?? -1
  }

  /// The modes of the terminal as the program found them, and as it has left them.
  var modesBefore: String? { read("before") }
  var modesAfter: String? { read("after") }

  /// Waits until the program is stopped.
  /// - Returns: the modes of the terminal then.
  func waitForStop() async throws -> String { try await waitForFile("stopped") }

  private func waitForFile(_ name: String) async throws -> String {
    let end = ContinuousClock.now + Self.patience
    while true {
      if let text = read(name), !text.isEmpty { return text }
      guard ContinuousClock.now < end else {
        throw Problem(description: "the program went on:\n\(try screen.text)\n\(errors)")
      }
      try await Task.sleep(for: .milliseconds(15))
    }
  }

  private func read(_ name: String) -> String? {
    (try? String(contentsOfFile: folder.path(name), encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  // MARK: tmux

  @discardableResult
  private func tell(_ arguments: [String]) throws -> [UInt8] {
    // Foundation's `Process` waits for the server too, which inherits what it watches.
    let path = folder.path("output-\(UUID().uuidString)")
    defer { unlink(path) }
    let environment = [
      "LANG=C.UTF-8", "TERM=xterm-256color", "PATH=/usr/local/bin:/usr/bin:/bin",
      "HOME=\(folder.path)", "TMPDIR=\(folder.path)", "SWIFT_BACKTRACE=enable=no",
    ]
    let process = try spawn([Self.tmux, "-S", socket] + arguments, environment: environment) {
      $0.writeAll(to: path)
    }
    var status: Int32 = -1
    waitpid(process, &status, 0)
    let output = Array((try? Data(contentsOf: URL(filePath: path))) ?? Data())
    guard status == 0 else {
      throw Problem(description: "\(arguments): \(String(decoding: output, as: UTF8.self))")
    }
    return output
  }
}
