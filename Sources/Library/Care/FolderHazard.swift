// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CStore
import Glibc

/// Something about the place of a library that endangers its database, which is of one machine.
public enum FolderHazard: Hashable, Sendable {
  /// A sync tool carries the folder, file by file, so that database and log come apart.
  case syncTool(String, folder: String)
  /// Locks between machines cannot be relied on.
  case networkDisk(String)
  /// A sync tool found two versions of the database and kept both.
  case conflictCopy(String)
}

extension FolderHazard: CustomStringConvertible {
  /// What it is and what to do, in one line. Not safe to print as it is.
  public var description: String {
    switch self {
    case .syncTool(let tool, let folder):
      "\(tool) syncs \(folder), which damages a database in use; move the library elsewhere and sync"
        + " a copy made by 'backup'"
    case .networkDisk(let kind):
      "it is on a network disk (\(kind)), where database locks are unreliable; move it to a local disk"
    case .conflictCopy(let name):
      "\(name) is another version of the database, kept by a sync tool; inspect it before you delete it"
    }
  }
}

extension LibraryFolder {
  /// What endangers the database where it is.
  public var hazards: [FolderHazard] {
    var hazards: [FolderHazard] = []
    var above: String? = path
    while let folder = above {
      if let tool = Self.syncTool(of: folder) {
        hazards.append(.syncTool(tool, folder: folder))
        break
      }
      above = parentFolder(of: folder)
    }
    if let kind = Self.networkDisk(disk_type(path.diskName)) { hazards.append(.networkDisk(kind)) }
    let copies = Self.contents(of: path).filter(Self.isConflictCopy)
    return hazards + copies.map { .conflictCopy($0) }
  }

  /// By what the tools leave in the folders they carry.
  private static func syncTool(of folder: String) -> String? {
    let marks = [
      (".stfolder", "Syncthing"), (".dropbox", "Dropbox"), (".dropbox.cache", "Dropbox"),
      (".sync_folder_id", "Nextcloud"), (".nextcloudsync.log", "Nextcloud"),
      (".owncloudsync.log", "ownCloud"),
    ]
    return marks.first { access((folder + "/" + $0.0).diskName, F_OK) == 0 }?.1
  }

  /// By the numbers of `statfs(2)`.
  private static func networkDisk(_ type: Int) -> String? {
    switch type {
    case 0x6969: "NFS"
    case 0x517B, 0xFE53_4D42, 0xFF53_4D42: "SMB"
    case 0x0102_1997: "9P"
    case 0x00C3_6400: "Ceph"
    default: nil
    }
  }

  /// `library.sync-conflict-20260101-120000-ABCDEFG.sqlite`, `library (conflicted copy 2026-01-01).sqlite`.
  static func isConflictCopy(_ name: String) -> Bool {
    name.hasPrefix("library") && name.hasSuffix(".sqlite") && name != databaseName
      && (name.contains(".sync-conflict-") || name.lowercased().contains("conflict"))
  }
}
