// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
package import Glibc

/// The system calls that put bytes on a disk, so that tests can make them fail.
///
/// Each returns as its namesake does, with `errno` set.
package struct FileCalls: Sendable {
  package var write: @Sendable (Int32, UnsafeRawPointer?, Int, off_t) -> Int = {
    pwrite($0, $1, $2, $3)
  }
  package var sync: @Sendable (Int32) -> Int32 = { fsync($0) }

  package init() {}
}

/// A new file with a write position, in the shape that the libraries' callbacks want.
///
/// Belongs to one thread. The first failed call is kept in `failure`, because a C callback can only say
/// that something went wrong; from then on nothing more is written.
package final class FileSink {
  /// The path to name in messages.
  package let path: String
  package private(set) var offset: Int64 = 0
  package private(set) var failure: EncodingError?
  /// Bytes in the file.
  package private(set) var size: Int64 = 0

  private let descriptor: Int32
  private let calls: FileCalls

  /// Creates a file where there is none, under `path` or under another name for the time being.
  ///
  /// The corresponding C function is `open`.
  package init(
    creating path: String, as temporaryPath: String? = nil, calls: FileCalls = FileCalls()
  ) throws(EncodingError) {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
    descriptor = open((temporaryPath ?? path).diskName, flags, 0o666)
    guard descriptor >= 0 else { throw .system("open", errno, file: path) }
    self.path = path
    self.calls = calls
  }

  deinit { close(descriptor) }

  /// Writes all the bytes at the position; false when that failed. What was written of them in vain is
  /// taken off the end again.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard failure == nil else { return false }
    var done = 0
    while done < bytes.count {
      let count = calls.write(
        descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done,
        off_t(offset) + done)
      if count <= 0 {
        let code = count < 0 ? errno : EIO
        if code == EINTR { continue }
        failure = .system("pwrite", code, file: path)
        ftruncate(descriptor, off_t(size))
        return false
      }
      done += count
    }
    offset += Int64(done)
    size = max(size, offset)
    return true
  }

  /// Reads back what was written, as muxers do that mend their headers.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    if count > 0 { offset += Int64(count) }
    return count
  }

  /// Moves as `lseek` does; -1 where that would refuse.
  package func seek(by distance: Int64, from origin: Int32) -> Int64 {
    let base: Int64? =
      switch origin {
      case SEEK_SET: 0
      case SEEK_CUR: offset
      case SEEK_END: size
      default: nil
      }
    guard let base, base + distance >= 0 else { return -1 }
    offset = base + distance
    return offset
  }

  /// Puts on the disk what has been written. The corresponding C function is `fsync`.
  package func sync() throws(EncodingError) {
    if let failure { throw failure }
    // EINVAL: the file system has no such thing.
    guard calls.sync(descriptor) == 0 || errno == EINVAL else {
      throw .system("fsync", errno, file: path)
    }
  }
}
