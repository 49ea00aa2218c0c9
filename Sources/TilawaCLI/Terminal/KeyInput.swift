// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TerminalUI

/// The keys pressed on the terminal of standard input, one by one and without an echo, beside a line
/// that is drawn on standard error. The terminal is given back as it was by `close`.
final class KeyInput {
  private let before: termios
  private var decoder = InputDecoder()
  private var buffer = [UInt8](repeating: 0, count: 256)
  private let start = ContinuousClock.now
  /// Whether the terminal has gone.
  private(set) var hasEnded = false
  private var isOpen = true

  /// Nil where nobody watches and types, or the shell has put the program into the background.
  init?() {
    var modes = termios()
    guard StandardStreams.isErrorTerminal, isatty(STDIN_FILENO) == 1,
      tcgetpgrp(STDIN_FILENO) == getpgrp(), tcgetattr(STDIN_FILENO, &modes) == 0
    else { return nil }
    before = modes
    takeOver()
  }

  deinit { close() }

  func close() {
    guard isOpen else { return }
    isOpen = false
    giveBack()
  }

  /// The keys pressed until so many milliseconds have passed; returns with the first of them.
  func keys(waiting milliseconds: Int32) -> [KeyEvent] {
    let deadline = decoder.deadline.map { max(0, Int32(($0 - now) / .milliseconds(1)) + 1) }
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard !hasEnded, poll(&input, 1, min(milliseconds, deadline ?? milliseconds)) > 0 else {
      if hasEnded { usleep(UInt32(milliseconds) * 1000) }
      if let deadline = decoder.deadline, now >= deadline { return keys(in: decoder.expire()) }
      return []
    }
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    guard count > 0 else {
      hasEnded = count == 0 || (errno != EINTR && errno != EAGAIN)
      return []
    }
    return keys(in: decoder.decode(buffer[..<count], at: now))
  }

  /// Ctrl-Z, which would otherwise leave the shell with a terminal that does not echo.
  func suspend() {
    giveBack()
    // Threads of Swift's own block it, and there it would wait.
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    raise(SIGTSTP)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    takeOver()
  }

  private var now: Duration { ContinuousClock.now - start }

  private func keys(in events: [InputEvent]) -> [KeyEvent] {
    events.compactMap { if case .key(let key) = $0 { key } else { nil } }
  }

  private func takeOver() {
    var modes = before
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &modes.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
      // As a key it can be obeyed after the terminal has been given back.
      characters[Int(VSUSP)] = 0  // _POSIX_VDISABLE
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
  }

  private func giveBack() {
    var modes = before
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
  }
}
