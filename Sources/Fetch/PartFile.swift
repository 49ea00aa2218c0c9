// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Glibc

/// What is known of a file that has not come whole, kept beside it.
struct PartRecord: Codable, Hashable {
  var url: String
  var etag: String?
  var lastModified: String?
  /// Of the whole file; nil where the server has not said.
  var length: Int64?

  /// What a request for the rest names the file by; nil where there is nothing to know it again by.
  var validator: String? { etag ?? lastModified }
}

/// A step on the disk, before which a test may fail it or end the process.
enum DiskStep: String, CaseIterable, Sendable {
  case open, record, write, sync, rename, syncFolder
}

/// The unfinished part of a file, and its record.
///
/// `{file}.part` and `{file}.part.json`. Only a whole file ever has the name `{file}`; the record stays beside it
/// until ``forgetRecord()``, so that whoever lists files in a database finds those that are not listed yet.
struct PartFile {
  let destination: String
  /// May throw an `errno`, for tests.
  let fault: (@Sendable (DiskStep) -> Int32?)?

  var path: String { destination + ".part" }
  var recordPath: String { destination + Self.recordEnding }

  static let recordEnding = ".part.json"

  struct Failure: Error {
    let call: String
    let path: String
    let errno: Int32
  }

  private func attempt(_ step: DiskStep, _ call: String, _ path: String) throws(Failure) {
    if let code = fault?(step) { throw Failure(call: call, path: path, errno: code) }
  }

  func record() -> PartRecord? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: recordPath)) else { return nil }
    return try? JSONDecoder().decode(PartRecord.self, from: data)
  }

  /// The record and how much has come; nil where one cannot go on.
  func state() -> (record: PartRecord, bytes: Int64)? {
    var status = stat()
    guard stat(path.diskName, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let record = record()
    else { return nil }
    return (record, Int64(status.st_size))
  }

  func write(_ record: PartRecord) throws(Failure) {
    try attempt(.record, "write", recordPath)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let new = recordPath + ".new"
    let descriptor = Glibc.open(new.diskName, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0, let data = try? encoder.encode(record) else {
      throw Failure(call: "open", path: new, errno: errno)
    }
    defer { close(descriptor) }
    let count = data.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard count == data.count else {
      throw Failure(call: "write", path: new, errno: count < 0 ? errno : ENOSPC)
    }
    guard fsync(descriptor) == 0 else { throw Failure(call: "fsync", path: new, errno: errno) }
    guard rename(new.diskName, recordPath.diskName) == 0 else {
      throw Failure(call: "rename", path: new, errno: errno)
    }
  }

  /// Opens it for more bytes; `isEmptied` begins anew.
  func open(isEmptied: Bool) throws(Failure) -> Int32 {
    try attempt(.open, "open", path)
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (isEmptied ? O_TRUNC : 0)
    let descriptor = Glibc.open(path.diskName, flags, 0o600)
    guard descriptor >= 0 else { throw Failure(call: "open", path: path, errno: errno) }
    return descriptor
  }

  func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(Failure) {
    try attempt(.write, "write", path)
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = Glibc.write(descriptor, base + done, bytes.count - done)
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure(call: "write", path: path, errno: errno)
      }
      done += count
    }
  }

  /// Gives the whole file its name; on disk when it returns.
  func finish() throws(Failure) {
    try attempt(.sync, "fsync", path)
    let descriptor = Glibc.open(path.diskName, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(call: "open", path: path, errno: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Failure(call: "fsync", path: path, errno: errno) }
    try attempt(.rename, "rename", path)
    guard rename(path.diskName, destination.diskName) == 0 else {
      throw Failure(call: "rename", path: destination, errno: errno)
    }
    try attempt(.syncFolder, "fsync", destination)
    let name = destination.utf8.lastIndex(of: UInt8(ascii: "/"))
    let parent = name.map { String(destination[..<$0]) } ?? "."
    let folder = Glibc.open(
      parent.diskName, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  func forgetRecord() { unlink(recordPath.diskName) }

  func discard() {
    // The record first: without its part it would speak of a whole file.
    forgetRecord()
    unlink(path.diskName)
  }
}
