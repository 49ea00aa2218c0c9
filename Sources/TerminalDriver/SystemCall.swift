// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TerminalUI

/// Calls of the system on the terminal's descriptors, checked.
enum SystemCall {
  /// The system's words for an error number.
  static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// What `poll` found of two descriptors.
  struct Readiness {
    var first = false
    var second = false
  }

  /// Waits until one of two descriptors can be read or has failed; at most as long as told, for ever
  /// when not.
  static func poll(
    _ first: Int32, _ second: Int32, for wait: Duration?
  ) throws(TerminalError) -> Readiness {
    var descriptors = [
      pollfd(fd: first, events: Int16(POLLIN), revents: 0),
      pollfd(fd: second, events: Int16(POLLIN), revents: 0),
    ]
    if Glibc.poll(&descriptors, 2, wait.map(milliseconds) ?? -1) < 0 {
      // Signals are seen by the descriptor that their handler makes readable.
      if errno == EINTR { return Readiness() }
      throw .system(call: "poll", code: errno)
    }
    return Readiness(first: descriptors[0].revents != 0, second: descriptors[1].revents != 0)
  }

  /// Rounded up, so that nothing is asked before its time.
  private static func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    guard seconds < 1_000_000 else { return Int32.max }
    let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(max(0, milliseconds))
  }

  /// Reads what there is into a buffer, and returns how much; 0 when nothing came.
  static func read(_ descriptor: Int32, into buffer: inout [UInt8]) throws(TerminalError) -> Int {
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count > 0 { return count }
    if count == 0 { throw .hungUp }
    switch errno {
    case EINTR, EAGAIN: return 0
    case EIO, ENXIO: throw .hungUp
    case let code: throw .system(call: "read", code: code)
    }
  }

  /// Writes everything, waiting where the terminal is slow.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(TerminalError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done)
      }
      if count >= 0 {
        done += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Whoever shares the terminal has made it non-blocking.
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = Glibc.poll(&output, 1, -1)
      case EIO, ENXIO, EPIPE: throw .hungUp
      case let code: throw .system(call: "write", code: code)
      }
    }
  }

  /// Whether a descriptor takes bytes now, without waiting.
  static func takesMore(_ descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return Glibc.poll(&state, 1, 0) > 0 && state.revents == Int16(POLLOUT)
  }

  /// Columns and rows of the terminal; nil where it does not know.
  static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The size of the terminal's cells; nil where it does not know.
  static func cellPixels(of descriptor: Int32) -> CellPixels? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return CellPixels(
      width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row))
  }

  /// Whether the other end of the terminal was closed.
  static func hasHungUp(_ descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return Glibc.poll(&state, 1, 0) > 0 && state.revents & Int16(POLLHUP) != 0
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
