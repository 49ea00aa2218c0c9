// SPDX-License-Identifier: GPL-3.0-or-later

public import Analysis
public import Annotation
import AudioCore
import Decoding
import GRDB
import Glibc

/// Why the library could not do something; nothing was changed then unless the kind says so.
public struct LibraryError: Error, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A folder is not there, or cannot be made or entered.
    case noFolder
    /// The file at the library's place is no library, or parts of it cannot be read.
    case damaged
    /// A later version of the program has made it.
    case newer
    /// Another process has kept it locked for too long.
    case busy
    case full
    case readOnly
    case inputOutput
    /// A path of the library, or a symbolic link in it, leads out of its folder.
    case outside
    /// The disk kept a file, but it is not what the library knows.
    case changed
    case noSuchRecording
    case ambiguousRecording
    case noSuchReciter
    case nameTaken
    case alreadyThere
    /// What was given does not make sense; the detail says why.
    case unusable
    /// Another process edits the recording.
    case held
    /// Another process has edited the recording in spite of the lock.
    case changedElsewhere
    case refused(EditRefusal)
    case media(AnalysisError)
    case cancelled
  }

  public let kind: Kind
  /// The file or name it concerns.
  public let subject: String
  /// What the system or SQLite said, or more of what is wrong; for people.
  public let detail: String
  /// SQLite's extended result code or `errno`; 0 where there is none.
  public let code: Int32

  public init(_ kind: Kind, _ subject: String, detail: String = "", code: Int32 = 0) {
    self.kind = kind
    self.subject = subject
    self.detail = detail
    self.code = code
  }

  /// What a call of the system has refused, by its `errno`.
  init(errno code: Int32, _ call: String, _ path: String) {
    let kind: Kind =
      switch code {
      case ENOSPC, EDQUOT, EFBIG: .full
      case EROFS, EACCES, EPERM: .readOnly
      case ENOTDIR, ENOENT, ENAMETOOLONG, ELOOP: .noFolder
      default: .inputOutput
      }
    self.init(kind, path, detail: "\(call): \(String(cString: strerror(code)))", code: code)
  }

  /// What a closure given to SQLite has thrown.
  init(_ error: any Error, _ path: String) {
    if let known = error as? LibraryError {
      self = known
    } else if let refusal = error as? EditRefusal {
      self.init(.refused(refusal), path, detail: refusal.description)
    } else if let database = error as? DatabaseError {
      self.init(
        Self.kind(of: database, path), path,
        // Without the statement, which fills many lines and helps nobody.
        detail: Self.detail(of: database),
        code: database.extendedResultCode.rawValue)
    } else if error is CancellationError {
      self.init(.cancelled, path)
    } else {
      self.init(.damaged, path, detail: "\(error)")
    }
  }

  private static func detail(of error: DatabaseError) -> String {
    if error.extendedResultCode == .SQLITE_IOERR_DATA {
      return "a page of the database does not match its checksum"
    }
    return "\(error.message ?? "SQLite"), code \(error.extendedResultCode.rawValue)"
  }

  private static func kind(of error: DatabaseError, _ path: String) -> Kind {
    // No room for the memory that readers share is an I/O error to SQLite.
    var room = statvfs()
    if error.resultCode == .SQLITE_IOERR, error.extendedResultCode != .SQLITE_IOERR_DATA,
      statvfs(path.diskName, &room) == 0, room.f_bavail == 0
    {
      return .full
    }
    return switch error.resultCode {
    case .SQLITE_FULL: .full
    case .SQLITE_READONLY, .SQLITE_PERM: .readOnly
    case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH,
      .SQLITE_ERROR:
      .damaged
    case .SQLITE_CANTOPEN: .noFolder
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_DATA: .damaged
    case .SQLITE_INTERRUPT, .SQLITE_ABORT: .cancelled
    default: .inputOutput
    }
  }

  /// What reading or analysing the audio has refused.
  init(_ error: AnalysisError, _ path: String) {
    self.init(error == .cancelled ? .cancelled : .media(error), path, detail: error.description)
  }

  init(_ error: Decoding.DecodingError) { self.init(AnalysisError(error), error.file) }
}

extension LibraryError {
  /// Whether what a failed transaction wrote may yet turn out to be on disk when the library is opened
  /// next: its last frame is in the log already when it is only the log's `fsync` that fails.
  var leavesOutcomeOpen: Bool { kind == .inputOutput || kind == .full }
}

extension LibraryError: CustomStringConvertible {
  /// What happened, to what, and what to do, in one line without a full stop.
  public var description: String { remedy.map { "\(cause); \($0)" } ?? cause }

  /// What to do; nil where nothing helps but what the cause says.
  public var remedy: String? {
    switch kind {
    case .damaged:
      "try 'check', and restore the newest copy in its Backups folder or one made with 'backup'"
    case .newer: "update the program"
    case .busy: "try again later"
    case .full: "free some disk space and try again"
    case .outside: "put what it leads to in its place, or see 'check'"
    case .noSuchRecording: "'list' shows them"
    case .ambiguousRecording: "type more of it"
    case .noSuchReciter: "'reciter' lists them, 'reciter add' adds one"
    case .changedElsewhere: "open it again, all edits are on disk"
    case .readOnly where code == EROFS:
      "its disk is mounted read-only: mount it for writing, or choose another library with --library"
    case .readOnly:
      "make it and its folder writable for your account ('ls -ld' shows who may write there)"
    case .noFolder where code == ENOTDIR: "move away what is there in place of a folder"
    case .noFolder, .inputOutput, .changed, .nameTaken, .alreadyThere, .unusable, .held,
      .refused, .media, .cancelled:
      nil
    }
  }

  /// What happened, and to what.
  public var cause: String {
    switch kind {
    case .noFolder: "\(subject): cannot be opened: \(detail)"
    case .damaged: "\(subject): the library is damaged (\(detail))"
    case .newer: "\(subject): made by a newer version of this program and not changed"
    case .busy: "\(subject): another program has locked the library for too long"
    case .full: "\(subject): the disk is full (\(detail))"
    case .readOnly: "\(subject): cannot be written (\(detail))"
    case .inputOutput: "\(subject): \(detail)"
    case .changed: "\(subject): \(detail)"
    case .outside:
      "\(subject): leads outside the library's folder, and is neither read nor written there"
    case .noSuchRecording: "\(subject): no such recording in the library"
    case .ambiguousRecording: "\(subject) could be \(detail)"
    case .noSuchReciter: "\(subject): no such reciter" + (detail.isEmpty ? "" : "; \(detail)")
    case .nameTaken, .unusable: "\(subject): \(detail)"
    case .alreadyThere: "\(subject): already in the library as \(detail)"
    case .held: "\(subject): \(detail)"
    case .changedElsewhere: "\(subject): another program has edited it meanwhile"
    case .refused(let refusal): "\(subject): \(refusal)"
    case .media(.decoding(let error)): "\(subject): \(error.explanation)"
    case .media(let error): "\(subject): \(error)"
    case .cancelled: "\(subject): interrupted"
    }
  }
}
