// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Exchange
import Glibc

extension LabelInput {
  /// A file of labels; also a pipe, such as the shell makes for `<(...)`.
  ///
  /// - Throws: a failure when there is no such file or it is a folder.
  convenience init(file path: String) throws {
    // A pipe without a writer must not be waited for.
    let descriptor = open(path.diskName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    let file = OpenFile(descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure(path, errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw Self.failure(path, EISDIR) }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    self.init { (count) throws(ExchangeError) in try file.read(count) }
  }

  private static func failure(_ path: String, _ code: Int32) -> Failure {
    Failure(
      code: code == ENOENT ? "no_such_file" : code == EISDIR ? "not_a_file" : "io_error",
      message: "\(path): \(String(cString: strerror(code)))")
  }
}

/// Closes a descriptor when nothing reads it any more.
private final class OpenFile {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  func read(_ count: Int) throws(ExchangeError) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
      var result: Int
      repeat {
        result = Glibc.read(descriptor, buffer.baseAddress, count)
        code = errno
      } while result < 0 && code == EINTR
      if result >= 0 { code = 0 }
      size = max(result, 0)
    }
    guard code == 0 else { throw .unreadable(reason: String(cString: strerror(code))) }
    return bytes
  }
}
