// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Decoding
import Foundation
import GRDB
import Glibc

/// Something that is not as it should be in a library.
public struct LibraryProblem: Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable {
    /// Data is lost or wrong.
    case error
    /// Something is missing or left over.
    case warning
  }

  public let severity: Severity
  /// The recording or file it concerns; nil for the database itself.
  public let subject: String?
  /// What is wrong and what to do.
  public let message: String

  public init(severity: Severity, subject: String?, message: String) {
    self.severity = severity
    self.subject = subject
    self.message = message
  }
}

extension LibraryProblem {
  fileprivate static func annotation(_ recording: Recording, _ message: String) -> LibraryProblem {
    LibraryProblem(severity: .error, subject: recording.short, message: message)
  }

  fileprivate static func leadsOut(_ path: String) -> String {
    "its path \(path.isEmpty ? "(none)" : path) leads outside the library and is not followed"
  }

  fileprivate static func file(
    _ recording: Recording, _ severity: Severity, _ message: String
  ) -> LibraryProblem {
    LibraryProblem(severity: severity, subject: recording.short, message: message)
  }
}

extension Library {
  /// Looks through the whole library, as it is at one moment; others may work on it meanwhile.
  ///
  /// - Parameters:
  ///   - isThorough: reads each file whole and compares it with what the library knows of it.
  ///   - progress: gets the share done, and says whether to go on.
  /// - Throws: `.cancelled`; `.busy`, `.inputOutput` when the database cannot be read for other reasons than
  ///   damage, which is reported.
  public func check(
    isThorough: Bool = false, progress: (Double) -> Bool = { _ in true }
  ) throws(LibraryError) -> [LibraryProblem] {
    // Reading the annotations takes about as long as looking at the files without reading them.
    let annotationShare = isThorough ? 0.1 : 0.5
    var (problems, recordings) = try tableProblems { progress($0 * annotationShare) }
    for (index, recording) in recordings.enumerated() {
      let share =
        annotationShare + (1 - annotationShare) * Double(index) / Double(recordings.count)
      guard progress(share) else { throw LibraryError(.cancelled, folder.path) }
      problems += try settledFileProblems(of: recording, isThorough: isThorough) {
        progress(share)
      }
    }
    return try problems + folderProblems() + orphans(among: recordings)
  }

  /// Runs queries on one state of the database, on a connection that reads faulty pages too and notes them.
  func inspect<Result>(_ body: (Database) throws -> Result) throws(LibraryError) -> Result {
    do {
      let queue: DatabaseQueue
      do {
        queue = try opening.connectForReading(.noted)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        // Our own connection keeps everybody else out: there is no room for the memory they would share.
        return try database.read(body)
      }
      defer { try? queue.close() }
      return try queue.inspecting(body)
    } catch {
      throw LibraryError(error, folder.database)
    }
  }

  /// What is wrong with the database and with what it says, and the recordings that can be read of it.
  private func tableProblems(
    _ progress: (Double) -> Bool
  ) throws(LibraryError) -> ([LibraryProblem], [Recording]) {
    try inspect { db in
      let inspection = try DatabaseInspection(db)
      var problems = inspection.problems.map {
        LibraryProblem(
          severity: .error, subject: nil,
          message: "\($0); restore the newest copy of the database from Backups or from 'backup'"
            + (inspection.isSound && inspection.hasFaultyPages
              ? ", or, only if another program has written to it, take it as it is with 'check --accept'"
              : ""))
      }
      problems += (try? Self.outsideSources(db)) ?? []
      guard inspection.isReadable else {
        return (problems + ((try? Self.outsidePaths(db)) ?? []), [])
      }
      do {
        let all = try Self.allRecordings(db)
        for (index, recording) in all.enumerated() {
          guard progress(Double(index) / Double(all.count)) else {
            throw LibraryError(.cancelled, folder.path)
          }
          problems += Self.annotationProblems(of: recording, db)
        }
        return (problems, all)
      } catch {
        // What damaged the database has been said already.
        guard LibraryError(error, folder.database).kind == .damaged, !problems.isEmpty else {
          throw error
        }
        return (problems, [])
      }
    }
  }

  /// The paths that lead out, whatever else a damaged table holds.
  private static func outsidePaths(_ db: Database) throws -> [LibraryProblem] {
    let rows = try Row.fetchCursor(db, sql: "SELECT uuid, path, isInPlace FROM recording")
    var problems: [LibraryProblem] = []
    while let row = try rows.next() {
      guard let path = String.fromDatabaseValue(row["path"]) else { continue }
      let isInPlace = Bool.fromDatabaseValue(row["isInPlace"]) ?? false
      guard case .outside = Recording.Place(path: path, isInPlace: isInPlace) else { continue }
      let id = String.fromDatabaseValue(row["uuid"]).map { Recording.ID(rawValue: $0).short }
      problems.append(
        LibraryProblem(severity: .error, subject: id, message: LibraryProblem.leadsOut(path)))
    }
    return problems
  }

  /// The sources whose folder, or a file in it, would be elsewhere than it should be.
  private static func outsideSources(_ db: Database) throws -> [LibraryProblem] {
    let ids = try Row.fetchAll(db, sql: "SELECT name, uuid FROM source").compactMap { row in
      String.fromDatabaseValue(row["uuid"]).flatMap(UUID.init(uuidString:)) == nil
        ? (row["name"] as String, "its id is not a UUID") : nil
    }
    let names = try Row.fetchAll(
      db,
      sql: """
        SELECT source.name, sourceFile.name AS file FROM sourceFile
        JOIN source ON source.id = sourceID
        WHERE instr(sourceFile.name, '/') > 0 OR sourceFile.name IN ('', '.', '..')
        """
    ).map { ($0["name"] as String, LibraryProblem.leadsOut($0["file"])) }
    return (ids + names).map {
      LibraryProblem(
        severity: .error, subject: $0,
        message: $1 + "; remove the source with 'source remove' and add it again")
    }
  }

  /// Reads the annotation, and walks its whole journal back and forth.
  static func annotationProblems(of recording: Recording, _ db: Database) -> [LibraryProblem] {
    do {
      let document = try AnnotationDocument(of: recording, db)
      let journal = try Row.fetchAll(
        db,
        sql: """
          SELECT change, isUndone FROM journal WHERE recordingID = ? ORDER BY sequence
          """, arguments: [recording.rowID]
      ).map { row in
        (
          isUndone: row["isUndone"] as Bool,
          change: try JSONText.decode(Change.self, from: row["change"])
        )
      }
      var forth = document
      for step in journal where step.isUndone { try forth.apply(step.change) }
      var back = document
      for step in journal.reversed() where !step.isUndone {
        try back.apply(step.change.inverse)
      }
      if back != AnnotationDocument(length: back.length, rate: back.rate) {
        return [.annotation(recording, "its journal does not lead back to the empty annotation")]
      }
    } catch let error as LibraryError {
      return [.annotation(recording, "its annotation cannot be read: \(error.detail)")]
    } catch let refusal as EditRefusal {
      return [
        .annotation(
          recording,
          "its journal does not match its annotation, so undo will stop early: \(refusal)")
      ]
    } catch {
      return [.annotation(recording, "its journal cannot be read: \(error)")]
    }
    return []
  }

  // MARK: Files

  /// What is wrong with a recording's file, and stays so: whoever removes, restores or relinks the recording meanwhile
  /// moves the file a moment before the database says so.
  private func settledFileProblems(
    of recording: Recording, isThorough: Bool, shouldGoOn: () -> Bool
  ) throws(LibraryError) -> [LibraryProblem] {
    var recording = recording
    var patience = Self.patienceWithOthers
    while true {
      let problems = try fileProblems(
        of: recording, isThorough: isThorough, shouldGoOn: shouldGoOn)
      if problems.isEmpty { return [] }
      let wasHeld = waitForOthers(with: recording.id, &patience)
      guard let now = try current(recording) else { return [] }
      let isSame =
        now.place == recording.place && now.removedAt == recording.removedAt
        && now.file.contentHash == recording.file.contentHash
      // Whoever holds it for longer edits it, which moves no file.
      if isSame, !wasHeld || patience <= 0 { return problems }
      recording = now
    }
  }

  /// In seconds, for each recording.
  private static let patienceWithOthers = 2.0

  /// Waits while somebody has a recording locked.
  /// - Returns: whether somebody had.
  private func waitForOthers(with id: Recording.ID, _ patience: inout Double) -> Bool {
    var wasHeld = false
    while holder(of: id) != nil, patience > 0 {
      wasHeld = true
      usleep(5000)
      patience -= 0.005
    }
    return wasHeld
  }

  /// A recording as the library has it now; nil when it is gone.
  private func current(_ recording: Recording) throws(LibraryError) -> Recording? {
    do throws(LibraryError) {
      return try self.recording(recording.id)
    } catch {
      if error.kind == .noSuchRecording { return nil }
      // A damaged database says nothing newer.
      guard error.kind == .damaged else { throw error }
      return recording
    }
  }

  private func fileProblems(
    of recording: Recording, isThorough: Bool, shouldGoOn: () -> Bool
  ) throws(LibraryError) -> [LibraryProblem] {
    guard recording.id.isUUID else {
      return [.file(recording, .error, "its id is not a UUID; it was left alone")]
    }
    if case .outside(let path) = recording.place {
      return [.file(recording, .error, LibraryProblem.leadsOut(path))]
    }
    if recording.removedAt != nil {
      guard case .library(let path) = recording.place, !files.hasFile(path.description) else {
        return []
      }
      return files.contains(path.description)
        ? [.file(recording, .error, LibraryProblem.leadsOut(path.description))]
        : [.file(recording, .warning, "in the bin, but its file is missing")]
    }
    let availability = availability(of: recording)
    if let advice = availability.advice {
      return [.file(recording, availability.isDamage ? .error : .warning, advice)]
    }
    guard isThorough else { return [] }
    do {
      let file = try MediaFile(path: self.file(of: recording))
      let hash = try KnownFile.contentHash(of: file, shouldGoOn: shouldGoOn)
      if hash == recording.file.contentHash { return [] }
      return [
        .file(
          recording, .error,
          "the content of its file has changed since its import; restore it from a backup")
      ]
    } catch let error as LibraryError where error.kind == .cancelled {
      throw error
    } catch {
      return [.file(recording, .error, "its file cannot be read: \(error)")]
    }
  }

  /// Folders of the library that are links out of it.
  private func folderProblems() -> [LibraryProblem] {
    let sources = ((try? files.contents(of: LibraryFolder.sourcesName)) ?? []).map {
      "\(LibraryFolder.sourcesName)/\($0)"
    }
    return
      (LibraryPath.Folder.allCases.map(\.rawValue)
      + [
        LibraryFolder.locksName, LibraryFolder.backupsName, LibraryFolder.capturesName,
        LibraryFolder.sourcesName, LibraryFolder.learntName, LibraryFolder.listsName,
      ] + sources)
      .filter { name in
        do throws(LibraryError) {
          _ = try files.contents(of: name)
          return false
        } catch {
          return true
        }
      }.map {
        LibraryProblem(
          severity: .error, subject: $0,
          message:
            "a link that leads outside the library and is not followed; replace it with a folder")
      }
  }

  private func orphans(
    among recordings: [Recording]
  ) throws(LibraryError) -> [LibraryProblem] {
    // A backup brings the files first, and the database that knows them last.
    if FileLock.isHeld(folder.backupLock) { return [] }
    let known = Set(
      recordings.compactMap { recording -> LibraryPath? in
        if case .library(let path) = recording.place { return path }
        return nil
      })
    var problems: [LibraryProblem] = []
    for folder in LibraryPath.Folder.allCases {
      for name in (try? files.contents(of: folder.rawValue)) ?? [] where !name.hasPrefix(".") {
        guard let path = LibraryPath(folder, name), !known.contains(path),
          try isOrphan(path)
        else { continue }
        problems.append(
          LibraryProblem(
            severity: .warning, subject: path.description,
            message: "belongs to no recording; 'import' it if it is one"))
      }
    }
    return problems
  }

  /// Whether a file that nobody knew a moment ago is still there and nobody's.
  private func isOrphan(_ path: LibraryPath) throws(LibraryError) -> Bool {
    var patience = Self.patienceWithOthers
    // Copies begin with the recording's id.
    _ = waitForOthers(with: Recording.ID(rawValue: String(path.name.prefix(36))), &patience)
    guard files.contains(path.description) else { return false }
    do throws(LibraryError) {
      return try read { db in
        try Row.fetchOne(
          db, sql: "SELECT 1 FROM recording WHERE path = ?", arguments: [path.description]) == nil
      }
    } catch {
      guard error.kind == .damaged else { throw error }
      return true
    }
  }
}
