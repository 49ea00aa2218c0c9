// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CStdio
import Glibc
import TerminalUI

/// Standard output and error: results here, messages there.
enum StandardStreams {
  /// Makes the streams fit to be used.
  static func prepare() {
    // A closed pipe is an error of write, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    // libmpg123 and others print to the terminal, whatever they are told.
    stdio_silence_stderr()
  }

  /// What the command line says after the program's name; names of files in it may be any bytes.
  static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { number in
      CommandLine.unsafeArgv[number].map { String(diskName: $0) }
    }
  }

  /// Writes out what was printed; the failure if that cannot be done.
  static func flushOutput() -> Failure? {
    let problem = stdio_flush_stdout()
    return problem == 0 ? nil : outputFailure(problem)
  }

  /// Whether a person looks at the results.
  static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Columns of the terminal on a descriptor; nil where there is none.
  static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Whether the locale lets the terminal show more than ASCII.
  static var isUTF8: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(UserFolders.variable)
      .first { !$0.isEmpty }
    let name = (locale ?? "").lowercased()
    return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
  }

  /// Writes results; the failure if that is no longer possible.
  static func writeOutput(_ text: String) throws(Failure) {
    var text = text
    let problem = text.withUTF8 { FileDescriptor.write(UnsafeRawBufferPointer($0), STDOUT_FILENO) }
    if let problem { throw outputFailure(problem) }
  }

  private static func outputFailure(_ problem: Int32) -> Failure {
    if problem == EPIPE { return Failure(code: Failure.unheard, message: "") }
    return Failure(
      code: "io_error", message: "cannot write the results: \(String(cString: strerror(problem)))")
  }

  /// Draws on the terminal of standard error; the text is ours and may hold escapes.
  static func draw(_ text: String) {
    var text = text
    _ = text.withUTF8 { FileDescriptor.write(UnsafeRawBufferPointer($0), STDERR_FILENO) }
  }

  /// Writes a line for the person, whatever is in it made harmless.
  static func say(_ text: String) {
    var line = TerminalText(text).string + "\n"
    _ = line.withUTF8 { FileDescriptor.write(UnsafeRawBufferPointer($0), STDERR_FILENO) }
  }
}

/// Whole writes to a descriptor.
enum FileDescriptor {
  /// Writes everything; the error number if it cannot.
  static func write(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32) -> Int32? {
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return errno }
      done += count
    }
    return nil
  }
}
