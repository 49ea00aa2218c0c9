// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// A lock on a file that the system takes back when its holder ends, however that ends.
///
/// Uses `flock`, which holds between processes of one machine and between open files of one process.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// Waits until the lock is free.
  convenience init(waitingFor path: String) throws(LibraryError) {
    try self.init(path, operation: LOCK_EX)
  }

  /// Takes the lock, or throws `.held` at once.
  convenience init(trying path: String) throws(LibraryError) {
    try self.init(path, operation: LOCK_EX | LOCK_NB)
  }

  private init(_ path: String, operation: Int32) throws(LibraryError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw LibraryError(errno: errno, "open", path) }
    while flock(descriptor, operation) != 0 {
      let code = errno
      if code == EINTR { continue }
      Glibc.close(descriptor)
      if code == EWOULDBLOCK { throw LibraryError(.held, path, code: code) }
      throw LibraryError(errno: code, "flock", path)
    }
    self.descriptor = descriptor
  }

  /// Gives the lock back.
  deinit { close(descriptor) }

  /// Replaces what the file says; best effort, as it is for people only.
  func write(_ text: String) {
    ftruncate(descriptor, 0)
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// What a lock's file says, at most 4 KiB.
  static func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
