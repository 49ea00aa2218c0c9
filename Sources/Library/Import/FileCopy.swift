// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import Glibc

/// A copy of a file in the making: gone unless it is told to stay.
///
/// While it is made it is locked, so that another process does not take it for a leftover.
final class FileCopy {
  /// Relative to the library's folder.
  let path: String
  private let files: LibraryFiles
  private let descriptor: Int32
  private var isKept = false

  /// - Throws: `.full`, `.readOnly`, `.inputOutput`.
  init(at path: String, in files: LibraryFiles) throws(LibraryError) {
    descriptor = try files.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW).taken()
    flock(descriptor, LOCK_EX | LOCK_NB)
    self.path = path
    self.files = files
  }

  var absolutePath: String { files.absolute(path) }

  deinit {
    if !isKept { try? files.remove(path) }
    close(descriptor)
  }

  /// Copies all of a file and hashes it on the way; on disk when it returns.
  /// - Parameter progress: gets the share done and says whether to go on.
  /// - Returns: the hash, 16 bytes.
  func fill(
    from file: MediaFile, progress: (Double) -> Bool
  ) throws(LibraryError) -> [UInt8] {
    var hash = ContentHash()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while offset < file.size {
      guard progress(Double(offset) / Double(file.size)) else {
        throw LibraryError(.cancelled, file.path)
      }
      let count: Int
      do throws(Decoding.DecodingError) {
        count = try file.read(at: offset, into: buffer)
      } catch {
        throw LibraryError(error)
      }
      guard count > 0 else {
        throw LibraryError(.changed, file.path, detail: "the file became shorter during the import")
      }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      hash.update(bytes)
      try write(bytes)
      offset += Int64(count)
    }
    guard fsync(descriptor) == 0 else { throw LibraryError(errno: errno, "fsync", absolutePath) }
    return hash.digest()
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(LibraryError) {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = Glibc.write(descriptor, base + done, bytes.count - done)
      if count < 0 {
        if errno == EINTR { continue }
        throw LibraryError(errno: errno, "write", absolutePath)
      }
      done += count
    }
  }

  /// When it was last written, in nanoseconds since 1970.
  var modified: Int64 {
    var status = stat()
    fstat(descriptor, &status)
    return Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }

  /// Gives it its own name; the file stays from now on.
  func keep(as target: String) throws(LibraryError) {
    try files.move(path, to: target)
    isKept = true
  }

  /// Leaves the file under its temporary name, for the next opening of the library to finish.
  func leave() { isKept = true }
}
