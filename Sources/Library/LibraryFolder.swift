// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// The folder a library lives in, and what lies where in it.
///
/// Everything in it is named relative to it, so that it can be moved, or carried by a sync tool.
public struct LibraryFolder: Hashable, Sendable {
  public let path: String

  public init(path: String) { self.path = path }

  public var database: String { path + "/" + Self.databaseName }
  /// Copies of recordings, `{uuid}.{ending}`.
  public var recordings: String { path + "/Recordings" }
  /// Whether recordings lie here, be there a database that knows them or not.
  public var hasRecordings: Bool {
    Self.contents(of: recordings).contains { !$0.hasPrefix(".") }
  }
  /// Whether this account may not see what lies in it.
  public var isUnreadable: Bool { access(database.diskName, F_OK) != 0 && errno == EACCES }
  /// Recordings that are being made.
  var captures: String { path + "/" + Self.capturesName }
  /// Removed recordings, until the bin is emptied.
  public var bin: String { path + "/Bin" }
  /// Copies of the database made before it was brought up to date.
  public var backups: String { path + "/" + Self.backupsName }
  /// Files by which programs keep out of each other's way: those that edit a recording, fetch a source, or ask a host.
  public var locks: String { path + "/" + Self.locksName }
  /// Locked, in shares, by all who have the library open for writing.
  var useLock: String { locks + "/library.open" }
  /// Locked by whoever makes this folder a backup.
  var backupLock: String { path + "/backup.lock" }

  /// What was fetched of a source, and is being fetched.
  public func fetched(of source: ReciterSource) -> String {
    "\(path)/\(Self.sourcesName)/\(source.uuid)"
  }

  static let sourcesName = "Sources"
  static let learntName = "Learnt"
  static let listsName = "Playlists"
  static let databaseName = "library.sqlite"
  static let capturesName = "Recording"
  static let backupsName = "Backups"
  static let locksName = "Locks"

  /// The place of a recording that is being made; nil for what is no name.
  static func capture(named name: String) -> String? {
    name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") } ? nil : "\(capturesName)/\(name).flac"
  }

  /// Makes a folder and those above it, for nobody but the user.
  static func make(_ path: String) throws(LibraryError) {
    guard mkdir(path.diskName, 0o700) != 0, errno != EEXIST else { return }
    guard errno == ENOENT, let parent = parentFolder(of: path) else {
      throw LibraryError(errno: errno, "mkdir", path)
    }
    try make(parent)
    guard mkdir(path.diskName, 0o700) == 0 || errno == EEXIST else {
      throw LibraryError(errno: errno, "mkdir", path)
    }
  }

  /// Names of what is in a folder; none when it is not there.
  static func contents(of path: String) -> [String] { FolderListing.names(in: path) ?? [] }

  /// The same of an open folder, which is closed; none of -1.
  static func contents(of descriptor: Int32) -> [String] {
    FolderListing.names(in: descriptor) ?? []
  }
}
