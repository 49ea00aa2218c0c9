// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// The folder a library lives in, and what lies where in it.
///
/// Everything in it is named relative to it, so that it can be moved, or carried by a sync tool.
public struct LibraryFolder: Hashable, Sendable {
  public let path: String

  public init(path: String) { self.path = path }

  public var database: String { path + "/library.sqlite" }
  /// Copies of recordings, `{uuid}.{ending}`.
  public var recordings: String { path + "/Recordings" }
  /// Recordings that are being made.
  var captures: String { path + "/Recording" }
  /// Removed recordings, until the bin is emptied.
  public var bin: String { path + "/Bin" }
  /// Copies of the database made before it was brought up to date.
  public var backups: String { path + "/Backups" }
  /// One file for each recording that is being edited.
  var locks: String { path + "/Locks" }

  /// Makes a folder and those above it, for nobody but the user.
  static func make(_ path: String) throws(LibraryError) {
    guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    guard errno == ENOENT, let parent = parentFolder(of: path) else {
      throw LibraryError(errno: errno, "mkdir", path)
    }
    try make(parent)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw LibraryError(errno: errno, "mkdir", path)
    }
  }

  /// Names of what is in a folder; none when it is not there.
  static func contents(of path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
