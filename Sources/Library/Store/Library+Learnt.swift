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
    try requireWriting()
    try learntFiles.keep(bytes, of: subject)
  }

  /// Forgets what was learnt and what was known before it.
  /// - Returns: how many files were deleted.
  @discardableResult
  public func forgetLearnt(of subject: LearntSubject) throws(LibraryError) -> Int {
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
  private let kept: SmallFiles

  init(files: LibraryFiles) {
    kept = SmallFiles(
      files: files, folder: LibraryFolder.learntName, ending: ".traits", greatestSize: 1 << 20)
  }

  func subjects() throws(LibraryError) -> [LearntSubject] {
    try kept.names().compactMap { LearntSubject(name: $0) }
  }

  func read(_ subject: LearntSubject) throws(LibraryError) -> [UInt8]? {
    try kept.read(subject.name)
  }

  func keep(_ bytes: [UInt8], of subject: LearntSubject) throws(LibraryError) {
    try kept.keep(bytes, as: subject.name, previous: previous(subject))
  }

  @discardableResult
  func forget(_ subject: LearntSubject) throws(LibraryError) -> Int {
    let paths = [kept.path(of: subject.name), previous(subject), kept.partial(subject.name)]
      .filter { kept.files.contains($0) }
    for path in paths { try kept.files.remove(path) }
    return paths.count
  }

  func restore(_ subject: LearntSubject) throws(LibraryError) -> Bool {
    let path = kept.path(of: subject.name)
    guard kept.files.hasFile(path) else { return false }
    if kept.files.hasFile(previous(subject)) {
      try kept.files.move(previous(subject), to: path)
    } else {
      try kept.files.remove(path)
    }
    return true
  }

  private func previous(_ subject: LearntSubject) -> String {
    kept.path(of: subject.name) + ".previous"
  }
}
