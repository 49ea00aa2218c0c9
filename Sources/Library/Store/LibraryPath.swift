// SPDX-License-Identifier: GPL-3.0-or-later

/// Where a copy lies in the library: one of its two folders and one name in it.
///
/// Anything else in the column is a library's that was made or changed by others, and leads nowhere.
public struct LibraryPath: Hashable, Sendable, CustomStringConvertible {
  enum Folder: String, CaseIterable, Sendable {
    case recordings = "Recordings"
    case bin = "Bin"
  }

  let folder: Folder
  let name: String

  init?(_ folder: Folder, _ name: String) {
    guard !name.isEmpty, name != ".", name != "..",
      !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0)
    else { return nil }
    self.folder = folder
    self.name = name
  }

  /// Reads what the table keeps.
  init?(_ text: String) {
    for folder in Folder.allCases {
      let prefix = Array((folder.rawValue + "/").utf8)
      guard text.utf8.starts(with: prefix) else { continue }
      self.init(folder, String(decoding: Array(text.utf8.dropFirst(prefix.count)), as: UTF8.self))
      return
    }
    return nil
  }

  /// The same file in the other folder.
  func moved(to folder: Folder) -> LibraryPath { LibraryPath(folder, name) ?? self }

  /// As the table keeps it, relative to the library's folder.
  public var description: String { folder.rawValue + "/" + name }
}

extension LibraryPath {
  /// The place of a copy of a recording's file.
  static func copy(of recording: Recording.ID, _ ending: String) throws(LibraryError) -> LibraryPath
  {
    guard recording.isUUID, let path = LibraryPath(.recordings, recording.rawValue + ending) else {
      throw .noUUID(recording)
    }
    return path
  }

  /// Where the copy lies while it is made.
  var incoming: String { folder.rawValue + "/" + Importer.incoming + name }
}

extension LibraryError {
  static func noUUID(_ recording: Recording.ID) -> LibraryError {
    LibraryError(
      .damaged, recording.rawValue,
      detail: "the id of a recording is not a UUID and cannot name a file"
    )
  }
}
