// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import GRDB
import Glibc

extension Library {
  /// Copies one state of the database to a file, while others may go on writing.
  ///
  /// The library is looked through before, and the copy after it is written; a file that is replaced stays until then.
  /// - Throws: `.nameTaken` when there is such a file and it may not be replaced; `.damaged`, `.full`.
  public func backUpDatabase(to path: String, isReplacing: Bool = false) throws(LibraryError) {
    if !isReplacing, Glibc.access(path.diskName, F_OK) == 0 { throw .taken(path) }
    try refuseDamage(replacing: path)
    let copy = try verifiedCopy(for: path)
    try copy.keep(isReplacing: isReplacing)
  }

  /// Makes a folder a library like this one: the database, the copies of recordings that are not in it yet, what was
  /// learnt of voices, and lists. Doing it again brings it up to date. What was fetched can be fetched again, and stays
  /// behind.
  ///
  /// - Parameters:
  ///   - isReplacing: whether a library that is not this one's may be replaced.
  ///   - progress: gets the name of a recording and the share of all done; says whether to go on.
  /// - Returns: the recordings whose files could not be copied, and why.
  /// - Throws: `.held` while another process makes a backup there, or has the library there open; `.nameTaken` where
  ///   another library is, or another program's database; `.damaged` when this one is. What is there stays as it is.
  public func backUp(
    to target: LibraryFolder, isReplacing: Bool = false,
    progress: (String, Double) -> Bool = { _, _ in true }
  ) throws(LibraryError) -> [(Recording, LibraryError)] {
    try LibraryFolder.make(target.path)
    guard Importer.resolved(target.path) != Importer.resolved(folder.path) else {
      throw LibraryError(.unusable, target.path, detail: "a backup needs its own folder")
    }
    let lock = try Self.lockForBackup(target)
    defer { withExtendedLifetime(lock) {} }
    try Self.refuseUse(of: target)
    try refuseDamage(replacing: target.database)
    if !isReplacing { try refuseStranger(in: target) }
    let targetFiles = LibraryFiles(target)
    try targetFiles.makeFolder(LibraryPath.Folder.recordings.rawValue)
    // The files first: a database that knows more than there is would be the worse half.
    let all = try read { try Self.allRecordings($0) }
    var failures: [(Recording, LibraryError)] = []
    for (index, recording) in all.enumerated() {
      func goOn(_ share: Double) -> Bool {
        progress(recording.title, (Double(index) + share) / Double(all.count))
      }
      guard goOn(0) else { throw LibraryError(.cancelled, target.path) }
      do throws(LibraryError) {
        try copyFile(of: recording, to: targetFiles, progress: goOn)
      } catch {
        if error.kind == .full || error.kind == .cancelled { throw error }
        failures.append((recording, error))
      }
    }
    try backUpLearnt(to: targetFiles)
    try backUpLists(to: targetFiles)
    let copy = try verifiedCopy(for: target.database)
    // Nobody opens the library there while its database is replaced.
    let opening = try FileLock(at: target.path + "/library.lock", patience: Self.usualPatience)
    defer { withExtendedLifetime(opening) {} }
    try Self.refuseUse(of: target)
    try copy.keep(isReplacing: true)
    return failures
  }

  private func verifiedCopy(for path: String) throws(LibraryError) -> DatabaseCopy {
    let copy = try DatabaseCopy(beside: path)
    try copy.fill(from: database)
    try copy.verify()
    return copy
  }

  /// A damaged library must not take the place of a sound backup.
  private func refuseDamage(replacing path: String) throws(LibraryError) {
    let isReplacing = Glibc.access(path.diskName, F_OK) == 0
    let found = try inspect { db in
      let found = try DatabaseInspection(db).problems
      guard found.isEmpty, isReplacing else { return found }
      return try Self.allRecordings(db).flatMap { recording in
        Self.annotationProblems(of: recording, db).map { "\(recording.short): \($0.message)" }
      }
    }
    guard let first = found.first else { return }
    throw LibraryError(
      .damaged, folder.database,
      detail: first + (isReplacing ? "; the backup at \(path) was not changed" : ""))
  }

  /// A backup only takes the place of an older one of the same library: one that has a recording in common with it, or none
  /// at all.
  private func refuseStranger(in target: LibraryFolder) throws(LibraryError) {
    guard Glibc.access(target.database.diskName, F_OK) == 0 else { return }
    var configuration = Configuration()
    configuration.readonly = true
    let here = Set(try read { try Self.allRecordings($0) }.map(\.id.rawValue))
    let fault: String?
    do {
      let queue = try DatabaseQueue(
        path: DatabaseAddress.of(target.database), configuration: configuration)
      defer { try? queue.close() }
      fault = try queue.read { db in
        guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID else {
          return "library.sqlite there is not of this program"
        }
        let there = try String.fetchSet(db, sql: "SELECT uuid FROM recording")
        return there.isEmpty || !there.isDisjoint(with: here)
          ? nil : "the library there has none of the recordings of this one"
      }
    } catch {
      // A backup that cannot be read any more is what a new one is for.
      return
    }
    guard let fault else { return }
    throw LibraryError(
      .nameTaken, target.path,
      detail: "\(fault); choose another folder, or replace it with --force")
  }

  private static func lockForBackup(_ target: LibraryFolder) throws(LibraryError) -> FileLock {
    do throws(LibraryError) {
      return try FileLock(trying: target.backupLock)
    } catch {
      guard error.kind == .held else { throw error }
      throw LibraryError(
        .held, target.path,
        detail: "another backup to this folder is running; wait until it finishes")
    }
  }

  private static func refuseUse(of target: LibraryFolder) throws(LibraryError) {
    guard FileLock.isHeld(target.useLock) else { return }
    throw LibraryError(
      .held, target.path,
      detail: "the library in this folder is open in another program; close it and try again")
  }

  private func copyFile(
    of recording: Recording, to target: LibraryFiles, progress: (Double) -> Bool
  ) throws(LibraryError) {
    let path: LibraryPath
    switch recording.place {
    case .library(let known): path = known
    case .inPlace: return
    case .outside(let text): throw LibraryError(.outside, text)
    }
    func hasCopy(_ path: LibraryPath) -> Bool {
      (try? target.path(forReading: path.description))
        .map { recording.file.isLike(fileAt: $0) } ?? false
    }
    if hasCopy(path) { return }
    try target.makeFolder(path.folder.rawValue)
    // It went into the bin, or out of it, since the last backup.
    for folder in LibraryPath.Folder.allCases where hasCopy(path.moved(to: folder)) {
      return try target.move(path.moved(to: folder).description, to: path.description)
    }
    let source = try self.file(of: recording)
    let file: MediaFile
    do throws(Decoding.DecodingError) {
      file = try MediaFile(path: source)
    } catch {
      throw LibraryError(error)
    }
    // Nobody else makes a copy here, so one that is there was cut off.
    let part = path.description + ".part"
    try target.remove(part)
    let copy = try FileCopy(at: part, in: target)
    let hash = try copy.fill(from: file, progress: progress)
    guard hash == recording.file.contentHash else {
      throw LibraryError(
        .changed, path.description, detail: "its file has changed since its import")
    }
    try copy.keep(as: path.description)
  }
}
