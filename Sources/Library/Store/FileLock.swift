// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// A lock on a file that the system takes back when its holder ends, however that ends.
///
/// It belongs to the open file, so it holds between processes of one machine and within one process.
/// Uses the corresponding calls of `fcntl`, which, unlike `flock`, can ask without taking.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// Waits for the lock, at most as many seconds as told.
  /// - Throws: `.busy`.
  convenience init(at path: String, patience: Double) throws(LibraryError) {
    let descriptor = try Self.open(path)
    var waited = 0.0
    while !Self.take(descriptor) {
      guard errno == EAGAIN || errno == EACCES || errno == EINTR, waited < patience else {
        throw Self.closing(descriptor, "lock", path, else: .busy)
      }
      usleep(5000)
      waited += 0.005
    }
    self.init(descriptor)
  }

  /// Takes the lock, or throws `.held` at once.
  convenience init(trying path: String) throws(LibraryError) {
    let descriptor = try Self.open(path)
    guard Self.take(descriptor) else { throw Self.closing(descriptor, "lock", path, else: .held) }
    self.init(descriptor)
  }

  /// Takes a share of the lock, which others may have too: it tells whoever asks that the file is in use.
  convenience init(sharing path: String) throws(LibraryError) {
    let descriptor = try Self.open(path)
    guard Self.take(descriptor, F_RDLCK) else {
      throw Self.closing(descriptor, "lock", path, else: .held)
    }
    self.init(descriptor)
  }

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether somebody has the lock; asks without disturbing whoever wants to take it.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = Glibc.open(path.diskName, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var region = wholeFile
    return fcntl(descriptor, Self.ask, &region) == 0 && region.l_type != F_UNLCK
  }

  /// `F_OFD_GETLK` and `F_OFD_SETLK` of Linux, which Swift does not see.
  private static let ask: Int32 = 36
  private static let set: Int32 = 37

  private static var wholeFile: flock {
    var region = flock()
    region.l_type = Int16(F_WRLCK)
    region.l_whence = Int16(SEEK_SET)
    return region
  }

  private static func open(_ path: String) throws(LibraryError) -> Int32 {
    let descriptor = Glibc.open(path.diskName, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw LibraryError(errno: errno, "open", path) }
    return descriptor
  }

  private static func take(_ descriptor: Int32, _ kind: Int32 = F_WRLCK) -> Bool {
    var region = wholeFile
    region.l_type = Int16(kind)
    return fcntl(descriptor, Self.set, &region) == 0
  }

  private static func closing(
    _ descriptor: Int32, _ call: String, _ path: String, else kind: LibraryError.Kind
  ) -> LibraryError {
    let code = errno
    close(descriptor)
    if code == EAGAIN || code == EACCES { return LibraryError(kind, path, code: code) }
    return LibraryError(errno: code, call, path)
  }

  /// Gives the lock back. Not by closing alone, as a process that is just being started has the file open
  /// too until it runs its own program.
  deinit {
    var region = Self.wholeFile
    region.l_type = Int16(F_UNLCK)
    _ = fcntl(descriptor, Self.set, &region)
    close(descriptor)
  }

  /// Replaces what the file says; best effort, as it is for people only.
  func write(_ text: String) {
    ftruncate(descriptor, 0)
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// What a lock's file says, at most 4 KiB.
  static func text(of path: String) -> String? {
    let descriptor = Glibc.open(path.diskName, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
