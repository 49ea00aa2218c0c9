// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CStore
import GRDB
import Glibc

/// A copy of a database in the making: it lies beside its target under a name of its own until it is whole, on disk and
/// looked through, and is gone unless it is told to stay.
///
/// While it is made it is locked, so that the next copy does not take it for a leftover.
final class DatabaseCopy {
  let target: String
  private let folder: Descriptor
  /// Open until the end: closing it sooner would take back the locks that SQLite has on it.
  private let file: Descriptor
  private let name: String
  private var isKept = false

  /// - Throws: `.noFolder`, `.readOnly`, `.full`.
  init(beside target: String) throws(LibraryError) {
    self.target = target
    let path = parentFolder(of: target) ?? (target.utf8.first == UInt8(ascii: "/") ? "/" : ".")
    folder = Descriptor(open(path.diskName, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard folder.number >= 0 else { throw LibraryError(errno: errno, "open", path) }
    Self.clearLeftovers(of: target, in: folder)
    while true {
      let name = Self.prefix(target) + hexadecimal(.random(in: 0...UInt32.max))
      let descriptor = openat(
        folder.number, name.diskName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { throw LibraryError(errno: errno, "open", target) }
      let file = Descriptor(descriptor)
      // Whoever clears leftovers may have come between the two calls.
      var status = stat()
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0,
        status.st_nlink > 0
      else { continue }
      self.file = file
      self.name = name
      return
    }
  }

  deinit {
    if isKept { return }
    for suffix in ["", "-journal"] { unlinkat(folder.number, (name + suffix).diskName, 0) }
  }

  private var path: String { (parentFolder(of: target) ?? "") + "/" + name }

  /// Copies one state of a database that may be in use.
  /// - Parameter prepare: is given the source before.
  func fill(
    from source: any DatabaseReader, prepare: (Database) -> Void = { _ in }
  ) throws(LibraryError) {
    try attempting {
      try source.unsafeRead { db in
        prepare(db)
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
        try db.vacuum(into: path)
      }
    }
  }

  /// Changes the copy before anybody else can see it.
  func change(_ body: (DatabaseQueue) throws -> Void) throws(LibraryError) {
    try attempting {
      let queue = try DatabaseQueue(
        path: DatabaseAddress.of(path), configuration: Connection(patience: 0).configuration)
      try body(queue)
      try queue.close()
    }
  }

  /// Reads the copy through, every page of it, and throws `.inputOutput` when it is not as it should be.
  func verify() throws(LibraryError) {
    let found = try attempting {
      let queue = try DatabaseQueue(
        path: DatabaseAddress.of(path),
        configuration: Connection(patience: 0, pages: .noted, isReadOnly: true).configuration)
      defer { try? queue.close() }
      return try queue.inspecting { try DatabaseInspection($0).problems }
    }
    guard found.isEmpty else {
      throw LibraryError(
        .inputOutput, target, detail: "the written copy is damaged: \(found[0])")
    }
  }

  /// Gives it the target's name; it stays from now on.
  /// - Throws: `.nameTaken` when there is a file that may not be replaced.
  func keep(isReplacing: Bool) throws(LibraryError) {
    guard fsync(file.number) == 0 else { throw LibraryError(errno: errno, "fsync", target) }
    let last = fileName(of: target)
    if isReplacing {
      // SQLite would take the log of the database that was here for one of this.
      for suffix in ["-wal", "-shm"] { unlinkat(folder.number, (last + suffix).diskName, 0) }
      guard renameat(folder.number, name.diskName, folder.number, last.diskName) == 0 else {
        throw LibraryError(errno: errno, "rename", target)
      }
    } else if beneath_rename_new(folder.number, name.diskName, folder.number, last.diskName) != 0 {
      guard errno == EEXIST else { throw LibraryError(errno: errno, "rename", target) }
      throw .taken(target)
    }
    isKept = true
    fsync(folder.number)
  }

  private func attempting<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result {
    do {
      return try body()
    } catch {
      throw LibraryError(error, target)
    }
  }

  private static func prefix(_ target: String) -> String { ".\(fileName(of: target)).part-" }

  /// Removes what copies to the same target that were killed have left.
  private static func clearLeftovers(of target: String, in folder: Descriptor) {
    let listed = openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let prefix = prefix(target)
    // SQLite's own files beside one that is being made are not locked, and are let be.
    for name in LibraryFolder.contents(of: listed)
    where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 8 {
      let leftover = Descriptor(
        openat(folder.number, name.diskName, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK))
      guard leftover.number >= 0, flock(leftover.number, LOCK_EX | LOCK_NB) == 0 else { continue }
      for suffix in ["", "-journal"] { unlinkat(folder.number, (name + suffix).diskName, 0) }
    }
  }
}

extension LibraryError {
  static func taken(_ path: String) -> LibraryError {
    LibraryError(.nameTaken, path, detail: "the file already exists")
  }
}
