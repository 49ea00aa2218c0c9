// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// Small files of text or bytes, read whole.
enum TextFile {
  /// Nil, with `errno` set, where it cannot be read.
  static func read(_ path: String) -> String? {
    bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// - Parameter limit: bytes beyond which a file is not read; `errno` is then `EFBIG`.
  static func bytes(of path: String, limit: Int = 256 << 20) -> [UInt8]? {
    let descriptor = open(path.diskName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      errno = EISDIR
      return nil
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        errno = EFBIG
        return nil
      }
    }
  }
}
