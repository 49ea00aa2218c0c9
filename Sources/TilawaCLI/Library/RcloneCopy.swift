// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CChild
import Foundation
import Library

/// Copies files from an rclone remote into the library, one at a time. Blocks.
struct RcloneCopy {
  /// Why a file has not come.
  struct Problem: Error {
    let failure: Failure
    /// Whether other files would meet it too.
    let endsEverything: Bool
  }

  private let remote: String
  private let program: String

  /// - Parameter remote: what holds the library's folder, as rclone names it: `nas:tilawa`.
  /// - Throws: where rclone is not installed.
  init(from remote: String) throws(Failure) {
    self.remote = remote
    let folders = (UserFolders.variable("PATH") ?? "").split(separator: ":")
    let places = folders.map { "\($0)/rclone" }
    guard let program = places.first(where: { access($0, X_OK) == 0 }) else {
      throw Failure(
        code: "unavailable",
        message: "rclone is not installed; install it with 'apt install rclone'")
    }
    self.program = program
  }

  /// Brings the file of a recording, and shows how far it has come.
  /// - Throws: ``Problem``: rclone has failed, in its own last words; `Failure`: it cannot be started, or this was
  ///   interrupted; `LibraryError`: what came is another file.
  func bring(_ recording: Recording, into library: Library) throws {
    let arrival = try RecordingArrival(of: recording, in: library)
    let display = ProgressDisplay()
    defer { display.finish() }
    let source = remote + (remote.hasSuffix(":") || remote.hasSuffix("/") ? "" : "/") + arrival.name
    let messages = try TemporaryText()
    let child = try start(["copyto", "--", source, arrival.path], messages)
    var status: Int32 = 0
    while waitpid(child, &status, WNOHANG) == 0 {
      if Interrupt.flag.isStopped { kill(child, SIGTERM) }
      if case .downloading(let share) = library.availability(of: recording) {
        display.update(label: "downloading \(recording.title)", fraction: share)
      }
      usleep(100_000)
    }
    guard !Interrupt.flag.isStopped else {
      arrival.discard()
      throw Failure(code: Failure.interrupted, message: "interrupted")
    }
    // Some remotes have no folders: what they do not have is an empty one there, which is copied with success.
    guard status == 0, FileKind(path: arrival.path) != .nothing else {
      arrival.discard()
      let (signal, code) = (status & 0x7F, status >> 8)
      let reason =
        signal != 0
        ? "it was ended by signal \(signal)"
        : code == 0 ? "the remote does not have it" : messages.lastLine
      throw Problem(
        failure: Failure(
          code: "unavailable",
          message: "\(recording.title): rclone could not copy \(source): \(reason);"
            + " check the remote with 'rclone lsf', and 'settings get library.rclone'"),
        endsEverything: ![0, Self.noFolder, Self.noFile].contains(code))
    }
    try arrival.accept { !Interrupt.flag.isStopped }
  }

  /// Starts rclone so that it does not outlive this program and write on.
  private func start(_ arguments: [String], _ messages: TemporaryText) throws(Failure) -> pid_t {
    let environment = ProcessInfo.processInfo.environment.merging(
      [
        // Since 1.63 rclone writes under another name until all has come, unless it is told not to; how much has come
        // would not be seen. Older versions do not know the option, and ignore the variable.
        "RCLONE_INPLACE": "true",
        // Its messages without the time.
        "RCLONE_LOG_FORMAT": "",
      ], uniquingKeysWith: { $1 })
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    let child = child_start(program, words, variables, -1, -1, messages.handle.fileDescriptor)
    guard child > 0 else {
      throw Failure(
        code: "io_error", message: "cannot start rclone: \(String(cString: strerror(-child)))")
    }
    return child
  }

  // Exit codes of rclone that are about one file alone.
  private static let noFolder: Int32 = 3
  private static let noFile: Int32 = 4
}

/// What another program writes, kept in a file that has no name, so that it never waits for a reader.
private struct TemporaryText {
  let handle: FileHandle

  init() throws(Failure) {
    guard let file = tmpfile() else {
      throw Failure(
        code: "io_error",
        message: "cannot create a temporary file: \(String(cString: strerror(errno)))")
    }
    handle = FileHandle(fileDescriptor: dup(fileno(file)), closeOnDealloc: true)
    fclose(file)
  }

  /// Not safe to print as it is.
  var lastLine: String {
    try? handle.seek(toOffset: 0)
    let text = String(decoding: (try? handle.readToEnd()) ?? Data(), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).last.map(String.init)
      ?? "it printed no error message"
  }
}
