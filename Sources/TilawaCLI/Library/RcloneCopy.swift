// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Library

/// Copies files from an rclone remote into the library, one at a time. Blocks.
struct RcloneCopy {
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
  /// - Throws: `Failure`: rclone is not installed, or has failed, in its own last words; `LibraryError`: what came is
  ///   another file.
  func bring(_ recording: Recording, into library: Library) throws {
    let arrival = try RecordingArrival(of: recording, in: library)
    let display = ProgressDisplay()
    defer { display.finish() }
    let source = remote + (remote.hasSuffix(":") || remote.hasSuffix("/") ? "" : "/") + arrival.name
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = ["copyto", "--", source, arrival.path]
    // Since 1.63 rclone writes under another name until all has come, unless it is told not to; how much has come would
    // not be seen. Older versions do not know the option, and ignore the variable.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["RCLONE_INPLACE": "true"], uniquingKeysWith: { $1 })
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let messages = try TemporaryText()
    process.standardError = messages.handle
    do {
      try process.run()
    } catch {
      throw Failure(code: "io_error", message: "cannot start rclone: \(error)")
    }
    while process.isRunning {
      if Interrupt.flag.isStopped { process.terminate() }
      if case .downloading(let share) = library.availability(of: recording) {
        display.update(label: "downloading \(recording.title)", fraction: share)
      }
      usleep(100_000)
    }
    process.waitUntilExit()
    guard !Interrupt.flag.isStopped else {
      arrival.discard()
      throw Failure(code: Failure.interrupted, message: "interrupted")
    }
    // Some remotes have no folders: what they do not have is an empty one there, which is copied with success.
    let hasCome = FileKind(path: arrival.path) != .nothing
    guard process.terminationStatus == 0, hasCome else {
      arrival.discard()
      let reason =
        process.terminationStatus == 0 ? "the remote does not have it" : messages.lastLine
      throw Failure(
        code: "unavailable",
        message: "\(recording.title): rclone could not copy \(source): \(reason);"
          + " check the remote with 'rclone lsf', and 'settings get library.rclone'")
    }
    try arrival.accept { !Interrupt.flag.isStopped }
  }
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
