// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// Small files of one folder of a library, each read and written whole. The library does not look into them.
struct SmallFiles {
  let files: LibraryFiles
  /// Relative to the library's.
  let folder: String
  /// Of their names, with its dot.
  let ending: String
  /// Longer files are none of these.
  let greatestSize: Int

  func path(of name: String) -> String { "\(folder)/\(name)\(ending)" }

  /// Without the ending, sorted.
  /// - Throws: `.outside`.
  func names() throws(LibraryError) -> [String] {
    try files.contents(of: folder).filter { $0.hasSuffix(ending) && $0.first != "." }
      .map { String($0.dropLast(ending.count)) }
  }

  /// What a file holds, or one byte more than it may; nil where there is none.
  func read(_ name: String) throws(LibraryError) -> [UInt8]? {
    let path = path(of: name)
    guard files.hasFile(path) else { return nil }
    let file = try files.open(path, O_RDONLY | O_NOFOLLOW)
    var bytes = [UInt8](repeating: 0, count: greatestSize + 1)
    var count = 0
    while count < bytes.count {
      let part = bytes.withUnsafeMutableBytes {
        Glibc.read(file.number, $0.baseAddress! + count, $0.count - count)
      }
      if part < 0, errno == EINTR { continue }
      guard part >= 0 else { throw LibraryError(errno: errno, "read", files.absolute(path)) }
      if part == 0 { break }
      count += part
    }
    return Array(bytes[..<count])
  }

  /// Puts a file in the place of one that may be there; on disk when it returns.
  /// - Parameter previous: where the one that was there goes, relative to the library's folder; nil for nowhere.
  func keep(
    _ bytes: [UInt8], as name: String, previous: String? = nil
  ) throws(LibraryError) {
    try files.makeFolder(folder)
    let path = path(of: name)
    let partial = partial(name)
    try files.remove(partial)
    try write(bytes, to: partial)
    if let previous, files.hasFile(path) { try files.move(path, to: previous) }
    try files.move(partial, to: path)
  }

  /// A file in the making.
  func partial(_ name: String) -> String { path(of: name) + ".partial" }

  private func write(_ bytes: [UInt8], to path: String) throws(LibraryError) {
    let file = try files.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    var written = 0
    while written < bytes.count {
      let part = bytes.withUnsafeBytes {
        Glibc.write(file.number, $0.baseAddress! + written, $0.count - written)
      }
      if part < 0, errno == EINTR { continue }
      guard part > 0 else { throw LibraryError(errno: errno, "write", files.absolute(path)) }
      written += part
    }
    guard fsync(file.number) == 0 else {
      throw LibraryError(errno: errno, "fsync", files.absolute(path))
    }
  }

  /// - Returns: whether there was one.
  @discardableResult
  func remove(_ name: String) throws(LibraryError) -> Bool {
    let path = path(of: name)
    guard files.contains(path) else { return false }
    try files.remove(path)
    return true
  }
}
