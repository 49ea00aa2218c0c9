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

extension LibraryProblem {
  fileprivate static func annotation(_ recording: Recording, _ message: String) -> LibraryProblem {
    LibraryProblem(severity: .error, subject: recording.short, message: message)
  }
}

extension Library {
  /// Looks through the whole library.
  ///
  /// - Parameters:
  ///   - isThorough: reads each file whole and compares it with what the library knows of it.
  ///   - progress: gets the share done, and says whether to go on.
  /// - Throws: `.cancelled`; `.busy`, `.inputOutput` when the database cannot be read for other reasons than
  ///   damage, which is reported.
  public func check(
    isThorough: Bool = false, progress: (Double) -> Bool = { _ in true }
  ) throws(LibraryError) -> [LibraryProblem] {
    let problems = databaseProblems()
    do throws(LibraryError) {
      return problems + (try recordingProblems(isThorough: isThorough, progress))
    } catch {
      // What damaged the database has been said already.
      if error.kind == .damaged, !problems.isEmpty { return problems }
      throw error
    }
  }

  private func recordingProblems(
    isThorough: Bool, _ progress: (Double) -> Bool
  ) throws(LibraryError) -> [LibraryProblem] {
    var filter = RecordingFilter()
    filter.isRemoved = true
    let all = try recordings() + recordings(filter)
    var problems: [LibraryProblem] = []
    for (index, recording) in all.enumerated() {
      let share = Double(index) / Double(all.count)
      guard progress(share) else { throw LibraryError(.cancelled, folder.path) }
      problems += annotationProblems(of: recording)
      problems += try fileProblems(of: recording, isThorough: isThorough) { progress(share) }
    }
    return problems + orphans(among: all)
  }

  private func databaseProblems() -> [LibraryProblem] {
    var found: [String] = []
    do throws(LibraryError) {
      try read { db in
        found += try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
        found += try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { row in
          "a row of \(row["table"] as String) belongs to nothing"
        }
      }
    } catch {
      found.append(error.detail)
    }
    return found.map {
      LibraryProblem(
        severity: .error, subject: nil,
        message: "\($0); restore the newest copy of the database from Backups or from 'backup'")
    }
  }

  /// Reads the annotation, and walks its whole journal back and forth.
  private func annotationProblems(of recording: Recording) -> [LibraryProblem] {
    do {
      let (recording, document) = try annotation(of: recording.id)
      let journal = try read { db in
        try Row.fetchAll(
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
      }
      var forth = document
      for step in journal where step.isUndone { try forth.apply(step.change) }
      var back = document
      for step in journal.reversed() where !step.isUndone {
        try back.apply(step.change.inverse)
      }
      if back != AnnotationDocument(length: back.length, rate: back.rate) {
        return [.annotation(recording, "its journal does not lead back to its beginning")]
      }
    } catch let error as LibraryError {
      return [.annotation(recording, "its annotation cannot be read: \(error.detail)")]
    } catch let refusal as EditRefusal {
      return [
        .annotation(
          recording, "its journal does not fit its annotation, undo will stop early: \(refusal)")
      ]
    } catch {
      return [.annotation(recording, "its journal cannot be read: \(error)")]
    }
    return []
  }

  private func fileProblems(
    of recording: Recording, isThorough: Bool, shouldGoOn: () -> Bool
  ) throws(LibraryError) -> [LibraryProblem] {
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
    let problem: String
    do {
      let file = try MediaFile(path: recording.path(in: folder))
      let hash = try KnownFile.contentHash(of: file, shouldGoOn: shouldGoOn)
      if hash == recording.file.contentHash { return [] }
      problem = "its file has changed inside since it came in; restore it from a backup"
    } catch let error as LibraryError where error.kind == .cancelled {
      throw error
    } catch {
      problem = "its file cannot be read: \(error)"
    }
    return [LibraryProblem(severity: .error, subject: recording.short, message: problem)]
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
