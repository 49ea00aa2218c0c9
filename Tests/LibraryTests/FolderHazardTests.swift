// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import Library

struct FolderHazardTests {
  private let root: TemporaryFolder
  private let folder: LibraryFolder

  init() throws {
    root = try TemporaryFolder()
    folder = LibraryFolder(path: root.path("carried/library"))
    try Library(at: folder).close()
  }

  @Test func aLibraryOfItsOwnIsInNoDanger() { #expect(folder.hazards == []) }

  @Test func aSyncToolThatCarriesAFolderAboveIsNamed() throws {
    try FileManager.default.createDirectory(
      atPath: root.path("carried/.stfolder"), withIntermediateDirectories: false)
    #expect(folder.hazards == [.syncTool("Syncthing", folder: root.path("carried"))])
  }

  @Test func conflictCopiesOfTheDatabaseAreNamed() throws {
    let copies = [
      "library (conflicted copy 2026-01-01).sqlite",
      "library.sync-conflict-20260101-120000-ABCDEFG.sqlite",
    ]
    for name in copies + ["library-before.sqlite", "other.sync-conflict-1.sqlite"] {
      try root.write([1], to: "carried/library/" + name)
    }
    #expect(folder.hazards == copies.map { .conflictCopy($0) })
  }
}
