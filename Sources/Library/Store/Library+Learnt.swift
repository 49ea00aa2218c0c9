// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Glibc

/// Of whom or what something was learnt.
public enum LearntSubject: Hashable, Sendable {
  case reciter(Reciter.ID)
  case recording(Recording.ID)

  /// The file's name in the folder.
  fileprivate var name: String {
    switch self {
    case .reciter(let id): "reciter-\(id.rawValue)"
    case .recording(let id): "recording-\(id.rawValue)"
    }
  }

  fileprivate init?(name: String) {
    if name.hasPrefix("reciter-"), let number = Int64(name.dropFirst("reciter-".count)) {
      self = .reciter(Reciter.ID(rawValue: number))
    } else if name.hasPrefix("recording-") {
      let id = Recording.ID(rawValue: String(name.dropFirst("recording-".count)))
      guard id.isUUID else { return nil }
      self = .recording(id)
    } else {
      return nil
    }
    // Nothing but what this makes.
    guard self.name == name else { return nil }
  }
}

/// What was learnt of voices: one file each that only the user can read, and the one before it. The library
/// does not look into them.
extension Library {
  private var learntFiles: LearntFiles { LearntFiles(files: LibraryFiles(folder)) }

  /// Of what there is something; by kind and number.
  public func learntSubjects() throws(LibraryError) -> [LearntSubject] {
    try learntFiles.subjects()
  }

  /// What was learnt; nil where there is nothing.
  public func learnt(of subject: LearntSubject) throws(LibraryError) -> [UInt8]? {
    try learntFiles.read(subject)
  }

  /// Keeps what was learnt, and what was known before it for ``restoreLearnt(of:)``. On disk when it returns.
  public func keepLearnt(_ bytes: [UInt8], of subject: LearntSubject) throws(LibraryError) {
    guard access == .readWrite else {
      throw LibraryError(.readOnly, folder.path, detail: "opened read-only")
    }
    try learntFiles.keep(bytes, of: subject)
  }

  /// Forgets what was learnt and what was known before it.
  /// - Returns: whether there was anything.
  @discardableResult
  public func forgetLearnt(of subject: LearntSubject) throws(LibraryError) -> Bool {
    try learntFiles.forget(subject)
  }

  /// Goes back to what was known before; to nothing where nothing was.
  /// - Returns: whether there was anything to take back.
  public func restoreLearnt(of subject: LearntSubject) throws(LibraryError) -> Bool {
    try learntFiles.restore(subject)
  }

  /// Has a backup know what is known here and nothing else: what was forgotten is forgotten there too.
  func backUpLearnt(to target: LibraryFiles) throws(LibraryError) {
    let copies = LearntFiles(files: target)
    let subjects = try learntSubjects()
    for subject in try copies.subjects() where !subjects.contains(subject) {
      try copies.forget(subject)
    }
    for subject in subjects {
      guard let bytes = try learnt(of: subject), try copies.read(subject) != bytes else { continue }
      try copies.keep(bytes, of: subject)
    }
  }
}

/// The files of what was learnt, in the folder of a library or of its backup.
private struct LearntFiles {
  let files: LibraryFiles

  private static let folder = "Learnt"
  private static let ending = ".traits"
  private static let previous = ".previous"
  /// Longer files are none of these.
  private static let greatestSize = 1 << 20

  func subjects() throws(LibraryError) -> [LearntSubject] {
    try files.contents(of: Self.folder)
      .filter { $0.hasSuffix(Self.ending) }
      .compactMap { LearntSubject(name: String($0.dropLast(Self.ending.count))) }
  }

  func read(_ subject: LearntSubject) throws(LibraryError) -> [UInt8]? {
    let path = Self.path(of: subject)
    guard files.hasFile(path) else { return nil }
    let file = try files.open(path, O_RDONLY | O_NOFOLLOW)
    var bytes = [UInt8](repeating: 0, count: Self.greatestSize + 1)
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

  func keep(_ bytes: [UInt8], of subject: LearntSubject) throws(LibraryError) {
    try files.makeFolder(Self.folder)
    let path = Self.path(of: subject)
    let partial = path + ".partial"
    try files.remove(partial)
    try write(bytes, to: partial)
    if files.hasFile(path) { try files.move(path, to: path + Self.previous) }
    try files.move(partial, to: path)
  }

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

  @discardableResult
  func forget(_ subject: LearntSubject) throws(LibraryError) -> Bool {
    let path = Self.path(of: subject)
    let names = [path, path + Self.previous, path + ".partial"].filter { files.contains($0) }
    for name in names { try files.remove(name) }
    return !names.isEmpty
  }

  func restore(_ subject: LearntSubject) throws(LibraryError) -> Bool {
    let path = Self.path(of: subject)
    guard files.hasFile(path) else { return false }
    if files.hasFile(path + Self.previous) {
      try files.move(path + Self.previous, to: path)
    } else {
      try files.remove(path)
    }
    return true
  }

  private static func path(of subject: LearntSubject) -> String {
    "\(folder)/\(subject.name)\(ending)"
  }
}
