// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Decoding
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
}

extension Library {
  /// Looks through the whole library.
  ///
  /// - Parameters:
  ///   - isThorough: reads each file whole and compares it with what the library knows of it.
  ///   - progress: gets the share done, and says whether to go on.
  /// - Throws: `.damaged` when not even the tables can be read; `.cancelled`.
  public func check(
    isThorough: Bool = false, progress: (Double) -> Bool = { _ in true }
  ) throws(LibraryError) -> [LibraryProblem] {
    var problems = try databaseProblems()
    var filter = RecordingFilter()
    filter.isRemoved = true
    let removed = try recordings(filter)
    let all = try recordings() + removed
    for (index, recording) in all.enumerated() {
      guard progress(Double(index) / Double(all.count)) else {
        throw LibraryError(.cancelled, folder.path)
      }
      problems += annotationProblems(of: recording)
      problems += fileProblems(of: recording, isThorough: isThorough, progress)
    }
    return problems + orphans(among: all)
  }

  private func databaseProblems() throws(LibraryError) -> [LibraryProblem] {
    try read { db in
      let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)")
        .filter { $0 != "ok" }
      let foreign = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { row in
        "a row of \(row["table"] as String) belongs to nothing"
      }
      return (integrity + foreign).map {
        LibraryProblem(
          severity: .error, subject: nil,
          message: "\($0); restore the newest copy of the database from Backups or from 'backup'")
      }
    }
  }

  /// Reads the annotation, takes back its whole journal and looks whether that leads to the beginning.
  private func annotationProblems(of recording: Recording) -> [LibraryProblem] {
    func problem(_ message: String) -> [LibraryProblem] {
      [LibraryProblem(severity: .error, subject: recording.short, message: message)]
    }
    do {
      var (_, document) = try annotation(of: recording.id)
      let changes = try read { db in
        try String.fetchAll(
          db,
          sql: """
            SELECT change FROM journal WHERE recordingID = ? AND isUndone = 0 ORDER BY sequence DESC
            """, arguments: [recording.rowID]
        ).map { try JSONText.decode(Change.self, from: $0) }
      }
      for change in changes { try document.apply(change.inverse) }
      if document.records.count != 1 || document.segments[0].assignment != nil {
        return problem("its journal does not lead back to its beginning; undo will stop early")
      }
    } catch let error as LibraryError {
      return problem("its annotation cannot be read: \(error.detail)")
    } catch let refusal as EditRefusal {
      return problem("its journal does not fit its annotation: \(refusal)")
    } catch {
      return problem("\(error)")
    }
    return []
  }

  private func fileProblems(
    of recording: Recording, isThorough: Bool, _ progress: (Double) -> Bool
  ) -> [LibraryProblem] {
    if recording.removedAt != nil {
      guard Glibc.access(recording.path(in: folder), F_OK) != 0 else { return [] }
      return [
        LibraryProblem(
          severity: .warning, subject: recording.short,
          message: "in the bin, but its file is gone")
      ]
    }
    let availability = availability(of: recording)
    if let advice = availability.advice {
      return [LibraryProblem(severity: .warning, subject: recording.short, message: advice)]
    }
    guard isThorough else { return [] }
    do {
      let file = try MediaFile(path: recording.path(in: folder))
      let hash = try KnownFile.contentHash(of: file) { progress(0) }
      if hash == recording.file.contentHash { return [] }
      return [
        LibraryProblem(
          severity: .error, subject: recording.short,
          message: "its file has changed inside since it came in; restore it from a backup")
      ]
    } catch {
      return [
        LibraryProblem(
          severity: .error, subject: recording.short, message: "its file cannot be read: \(error)")
      ]
    }
  }

  private func orphans(among recordings: [Recording]) -> [LibraryProblem] {
    let known = Set(
      recordings.compactMap { recording -> String? in
        if case .library(let path) = recording.place { return path }
        return nil
      })
    return [("Recordings", folder.recordings), ("Bin", folder.bin)].flatMap { name, path in
      LibraryFolder.contents(of: path).filter {
        !$0.hasPrefix(".") && !known.contains(name + "/" + $0)
      }.map {
        LibraryProblem(
          severity: .warning, subject: name + "/" + $0,
          message: "belongs to no recording; 'import' it, or delete it")
      }
    }
  }
}

extension Recording {
  var short: String { "\(id.short) (\(title))" }
}
