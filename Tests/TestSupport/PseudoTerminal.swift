// SPDX-License-Identifier: GPL-3.0-or-later

public import Foundation

/// A program on a terminal of its own, seen from the other end of the line.
public final class PseudoTerminal {
  /// What a program that is not as expected is given to become so, so that a hang ends.
  private static let patience = Duration.seconds(120)

  public struct Impatience: Error, CustomStringConvertible {
    public let description: String
  }

  public let process: pid_t
  private let master: Int32
  /// The path of the program's end.
  private let name: String
  /// The modes of the terminal before the program had it.
  public let modesBefore: [UInt32]
  private let folder: TemporaryFolder
  private var isOpen = true
  private var status: Int32?
  /// Everything the program has written so far.
  public private(set) var output: [UInt8] = []

  /// Starts a program that leads a session of its own; `{log}` in its arguments is the log's path.
  public init(
    _ arguments: [String], type: String?, columns: UInt16 = 80, rows: UInt16 = 24,
    cell: (width: UInt16, height: UInt16) = (0, 0), environment: [String] = ["LANG=C.UTF-8"]
  ) throws {
    folder = try TemporaryFolder()
    // What `unlockpt` and `ptsname` do, which Swift does not see: TIOCSPTLCK, TIOCGPTN.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number): (Int32, UInt32) = (0, 0)
    guard ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw Impatience(description: "no pseudo-terminal: \(errno)")
    }
    name = "/dev/pts/\(number)"
    var size = winsize(
      ws_row: rows, ws_col: columns, ws_xpixel: columns * cell.width, ws_ypixel: rows * cell.height)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    modesBefore = Self.modes(of: master)
    let log = folder.path("log")
    // Clients of a sound server make a folder among the temporary ones, and leave it.
    var environment =
      environment + ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no", "TMPDIR=\(folder.path)"]
    if let type { environment.append("TERM=\(type)") }
    // The session's leader gets the terminal that it opens first as its own.
    let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID
    let name = name
    process = try spawn(
      arguments.map { $0.replacing("{log}", with: log) }, environment: environment,
      flags: newSession
    ) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    }
  }

  deinit {
    hangUp()
    if status == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }

  public func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Types a command of the probe.
  public func order(_ command: String) { send("\u{1B}[200~run \(command)\u{1B}[201~") }

  public func signal(_ number: Int32) { kill(process, number) }

  /// Stops the program, and returns when it has stopped.
  public func stop() throws {
    signal(SIGSTOP)
    var status: Int32 = 0
    guard waitpid(process, &status, WUNTRACED) == process, status & 0xFF == 0x7F else {
      throw Impatience(description: "it did not stop: \(status)")
    }
  }

  /// Whether a signal that was sent has not come to the program yet; the bits of proc(5)'s `ShdPnd`.
  public func isPending(_ number: Int32) -> Bool {
    let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("ShdPnd:") }
    let bits = line.flatMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) } ?? 0
    return bits >> UInt64(number - 1) & 1 != 0
  }

  /// Bytes that were sent to the program and that it has not read.
  public var unreadBytes: Int {
    let descriptor = open(name, O_RDONLY | O_NOCTTY | O_CLOEXEC)
    defer { close(descriptor) }
    var count: Int32 = 0
    guard ioctl(descriptor, UInt(FIONREAD), &count) == 0 else { return -1 }
    return Int(count)
  }

  public func resize(
    columns: UInt16, rows: UInt16, cell: (width: UInt16, height: UInt16) = (0, 0)
  ) {
    var size = winsize(
      ws_row: rows, ws_col: columns, ws_xpixel: columns * cell.width, ws_ypixel: rows * cell.height)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Closes the window.
  public func hangUp() {
    if isOpen { close(master) }
    isOpen = false
  }

  /// Takes in what the program has written, waiting a moment for it.
  private func listen() {
    guard isOpen else {
      usleep(10_000)
      return
    }
    var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 10) > 0 else { return }
    var block = [UInt8](repeating: 0, count: 65536)
    let count = read(master, &block, block.count)
    if count > 0 { output += block[..<count] } else { usleep(10_000) }
  }

  /// Takes in what has been written and waits to be read, and goes on until nothing comes for a moment.
  public func listenAll() {
    while true {
      let count = output.count
      listen()
      if output.count == count { return }
    }
  }

  /// Goes on listening until something is so.
  public func wait(_ what: String, until isSo: (PseudoTerminal) throws -> Bool) throws {
    let end = ContinuousClock.now + Self.patience
    while try !isSo(self) {
      guard ContinuousClock.now < end else {
        throw Impatience(
          description: "\(what) never came; log: \(log), output: \(text.suffix(400))")
      }
      listen()
    }
  }

  public func wait(forLine line: String) throws {
    try wait("'\(line)' in the log") { $0.log.contains(line) }
  }

  public func wait(forOutput part: String) throws {
    try wait("'\(part)'") { $0.text.contains(part) }
  }

  /// Waits until the probe has drawn its first frame.
  public func waitUntilReady() throws {
    try wait("ready") { $0.log.contains { $0.hasPrefix("ready") } }
  }

  /// The status of `waitpid` after the end; what is still in the line is taken in.
  public func waitForEnd() throws -> Int32 {
    try wait("the end") { terminal in
      var status: Int32 = 0
      guard waitpid(terminal.process, &status, WNOHANG) == terminal.process else { return false }
      terminal.status = status
      return true
    }
    for _ in 0..<3 { listen() }
    return status ?? 0
  }

  public var text: String { String(decoding: output, as: UTF8.self) }

  /// The lines of the probe's log.
  public var log: [String] {
    let text = (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// The events among them.
  public var events: [String] { log.filter { !$0.hasPrefix("ready") && $0 != "closed" } }

  /// The process that the log says is the probe.
  public var probe: pid_t? {
    log.first { $0.hasPrefix("ready") }.flatMap { pid_t($0.split(separator: " ")[1]) }
  }

  /// The modes of the terminal that matter to a shell.
  public var modes: [UInt32] { Self.modes(of: master) }

  private static func modes(of descriptor: Int32) -> [UInt32] {
    var modes = termios()
    tcgetattr(descriptor, &modes)
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }

  /// The private modes that are on, from what has been written.
  public var privateModes: Set<String> {
    var modes: Set<String> = []
    for match in text.matches(of: /\u{1B}\[\?([0-9]+)([hl])/) {
      if match.2 == "h" { modes.insert(String(match.1)) } else { modes.remove(String(match.1)) }
    }
    return modes
  }
}
