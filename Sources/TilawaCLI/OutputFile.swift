// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// A file that is written beside its place and moved there when it is whole.
///
/// An existing one is never replaced unless asked for, and a recording that is read never at all. A file
/// that is not finished leaves nothing, and what was there before stays. Pipes and devices are written to
/// as they are.
final class OutputFile {
  private let path: String
  /// Nil where there is nothing to move: a pipe or a device.
  private let temporaryPath: String?
  private let isReplacing: Bool
  private let descriptor: Int32
  private var isFinished = false

  /// - Parameters:
  ///   - isReplacing: whether a file already there may be replaced.
  ///   - inputs: files that must not be replaced even then.
  init(path: String, isReplacing: Bool, sparing inputs: [String] = []) throws(Failure) {
    guard !path.isEmpty else {
      throw Failure(code: "usage", message: "--output needs a name")
    }
    self.isReplacing = isReplacing
    var status = stat()
    let isThere = stat(path.diskName, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      self.path = path
      temporaryPath = nil
      descriptor = open(path.diskName, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.failure("write", path, errno) }
      return
    }
    if isThere {
      if let input = inputs.first(where: { Self.isSame($0, status) }) {
        throw Failure(
          code: "usage", message: "\(path) is the recording \(input) itself; choose another name")
      }
      guard isReplacing else {
        throw Failure(
          code: "exists", message: "\(path) already exists; use --force to replace it")
      }
    }
    // A link stays a link: what it leads to is replaced.
    self.path = isThere ? Self.resolved(path) : path
    let temporaryPath = "\(self.path).\(getpid()).part"
    self.temporaryPath = temporaryPath
    descriptor = open(temporaryPath.diskName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.failure("create", path, errno) }
  }

  /// Where a library that writes by name puts what `finish` moves; nil for a pipe or a device.
  var unfinishedPath: String? { temporaryPath }

  deinit {
    close(descriptor)
    if !isFinished, let temporaryPath { unlink(temporaryPath.diskName) }
  }

  func write(_ text: String) throws(Failure) {
    try write(Array(text.utf8))
  }

  func write(_ bytes: [UInt8]) throws(Failure) {
    let code = bytes.withUnsafeBytes { FileDescriptor.write($0, descriptor) }
    if let code { throw Self.failure("write", path, code) }
  }

  /// Puts the file in its place.
  func finish() throws(Failure) {
    guard let temporaryPath else { return }
    // What has been announced as written survives a power cut.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw Self.failure("write", path, errno)
    }
    // `link` refuses to replace, where `rename` would not.
    let isMoved =
      isReplacing
      ? rename(temporaryPath.diskName, path.diskName) == 0
      : link(temporaryPath.diskName, path.diskName) == 0 && unlink(temporaryPath.diskName) == 0
    guard isMoved else { throw Self.failure("create", path, errno) }
    isFinished = true
  }

  private static func isSame(_ path: String, _ status: stat) -> Bool {
    var other = stat()
    return stat(path.diskName, &other) == 0 && other.st_dev == status.st_dev
      && other.st_ino == status.st_ino
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path.diskName, nil) else { return path }
    defer { free(real) }
    return String(diskName: real)
  }

  private static func failure(_ verb: String, _ path: String, _ code: Int32) -> Failure {
    let reason = String(cString: strerror(code))
    return Failure(
      code: code == EEXIST ? "exists" : "io_error", message: "cannot \(verb) \(path): \(reason)")
  }
}
