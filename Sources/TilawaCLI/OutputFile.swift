// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// A file that is written beside its place and moved there when it is whole.
///
/// An existing one is never replaced unless asked for. A file that is not finished leaves nothing.
final class OutputFile {
  private let path: String
  private let temporaryPath: String
  private let isReplacing: Bool
  private let descriptor: Int32
  private var isFinished = false

  /// - Parameter isReplacing: whether a file already there may be replaced.
  init(path: String, isReplacing: Bool) throws(Failure) {
    self.path = path
    self.isReplacing = isReplacing
    var status = stat()
    if !isReplacing, lstat(path, &status) == 0 {
      throw Failure(code: "exists", message: "\(path) is already there; use --force to replace it")
    }
    temporaryPath = "\(path).\(getpid()).part"
    descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.failure("create", path, errno) }
  }

  deinit {
    close(descriptor)
    if !isFinished { unlink(temporaryPath) }
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
    // What has been announced as written survives a power cut.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw Self.failure("write", path, errno)
    }
    // `link` refuses to replace, where `rename` would not.
    let isMoved =
      isReplacing
      ? rename(temporaryPath, path) == 0
      : link(temporaryPath, path) == 0 && unlink(temporaryPath) == 0
    guard isMoved else { throw Self.failure("create", path, errno) }
    isFinished = true
  }

  private static func failure(_ verb: String, _ path: String, _ code: Int32) -> Failure {
    let reason = String(cString: strerror(code))
    return Failure(
      code: code == EEXIST ? "exists" : "io_error", message: "cannot \(verb) \(path): \(reason)")
  }
}
