// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// The lists that a person has made, a text each, in files that the person may edit; named without their ending.
extension Library {
  private static func lists(in files: LibraryFiles) -> SmallFiles {
    SmallFiles(
      files: files, folder: LibraryFolder.listsName, ending: ".toml", greatestSize: longestList)
  }

  private var lists: SmallFiles { Self.lists(in: files) }

  /// Bytes of a list at most.
  public static let longestList = 1 << 20

  /// - Throws: `.outside` where their folder is a link that leads out.
  public func listNames() throws(LibraryError) -> [String] { try lists.names() }

  /// The text of a list, or a byte more than ``longestList``; nil where there is none of that name.
  /// - Throws: `.outside`, `.inputOutput`.
  public func list(named name: String) throws(LibraryError) -> [UInt8]? { try lists.read(name) }

  /// The file of a list, for a program that edits it; nil where there is none.
  public func path(ofList name: String) throws(LibraryError) -> String? {
    let path = lists.path(of: name)
    return files.hasFile(path) ? try files.path(forReading: path) : nil
  }

  /// On disk when it returns.
  /// - Throws: `.nameTaken` where there is one that may not be replaced; `.outside`, `.full`, `.readOnly`.
  public func keepList(
    _ bytes: [UInt8], named name: String, isReplacing: Bool
  ) throws(LibraryError) {
    try requireWriting()
    let path = lists.path(of: name)
    if !isReplacing, files.contains(path) { throw .taken(files.absolute(path)) }
    try lists.keep(bytes, as: name)
  }

  /// - Returns: whether there was one.
  public func removeList(named name: String) throws(LibraryError) -> Bool { try lists.remove(name) }

  /// Has a backup hold the lists of this library and no others.
  func backUpLists(to target: LibraryFiles) throws(LibraryError) {
    let copies = Self.lists(in: target)
    let names = try lists.names()
    for name in try copies.names() where !names.contains(name) { try copies.remove(name) }
    for name in names {
      guard let bytes = try lists.read(name), try copies.read(name) != bytes else { continue }
      try copies.keep(bytes, as: name)
    }
  }
}
