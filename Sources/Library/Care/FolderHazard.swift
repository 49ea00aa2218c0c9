// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CStore
import Foundation
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
    // Where it lies, whatever links lead there.
    let path = Self.resolved(path)
    var above: String? = path
    while let folder = above {
      if let tool = Self.syncTool(of: folder) {
        hazards.append(.syncTool(tool, folder: folder))
        break
      }
      above = parentFolder(of: folder)
    }
    let kind = Self.networkDisk(of: path, type: disk_type(path.diskName)) {
      try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
    }
    if let kind { hazards.append(.networkDisk(kind)) }
    let copies = Self.contents(of: path).filter(Self.isConflictCopy)
    return hazards + copies.map { .conflictCopy($0) }
  }

  /// By what the tools leave in the folders they carry.
  private static func syncTool(of folder: String) -> String? {
    let marks = [
      (".stfolder", "Syncthing"), (".dropbox", "Dropbox"), (".dropbox.cache", "Dropbox"),
      (".sync_folder_id", "Nextcloud"), (".nextcloudsync.log", "Nextcloud"),
      (".owncloudsync.log", "ownCloud"), (".seafile-data", "Seafile"), (".megaignore", "MEGA"),
      (".sync", "Resilio Sync"),
    ]
    if let mark = marks.first(where: { access((folder + "/" + $0.0).diskName, F_OK) == 0 }) {
      return mark.1
    }
    return contents(of: folder).contains(where: isNextcloudJournal) ? "Nextcloud" : nil
  }

  /// `.sync_a1b2c3d4e5f6.db`, where what is synced stands.
  private static func isNextcloudJournal(_ name: String) -> Bool {
    (name.hasPrefix(".sync_") || name.hasPrefix("._sync_")) && name.hasSuffix(".db")
  }

  /// - Parameters:
  ///   - type: by the numbers of `statfs(2)`; -1 where that fails.
  ///   - mounts: gives `/proc/self/mounts`.
  static func networkDisk(of path: String, type: Int, mounts: () -> String?) -> String? {
    switch type {
    // FUSE: what is behind it, the list of mounts tells; as where nobody answers, such as some servers of sshfs.
    case 0x6573_5546, -1: mounts().flatMap { remoteMount(of: path, in: $0) }
    case 0x6969: "NFS"
    case 0x517B, 0xFE53_4D42, 0xFF53_4D42: "SMB"
    case 0x0102_1997: "9P"
    case 0x00C3_6400: "Ceph"
    default: nil
    }
  }

  /// The program that mounts storage of another machine where a path lies, such as `rclone`; nil for local ones.
  /// - Parameter mounts: as in `/proc/self/mounts`.
  static func remoteMount(of path: String, in mounts: String) -> String? {
    let above = mounts.split(separator: "\n").compactMap {
      line -> (place: String, kind: Substring)? in
      let fields = line.split(separator: " ")
      guard fields.count > 2 else { return nil }
      let place = unescaped(fields[1])
      return path == place || path.hasPrefix(place == "/" ? "/" : place + "/")
        ? (place, fields[2]) : nil
    }
    // What is mounted last at a place hides what was there before, such as systemd's automount.
    let deepest = above.reversed().max { $0.place.utf8.count < $1.place.utf8.count }
    return deepest.flatMap { mount in remoteKinds.first { mount.kind == "fuse.\($0)" } }
  }

  /// A path of the list of mounts, in which white space and backslashes stand as three octal digits.
  private static func unescaped(_ field: Substring) -> String {
    let parts = field.split(separator: "\\", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { path, part in
      let code = UInt8(part.prefix(3), radix: 8)
      path += (code.map { String(UnicodeScalar($0)) } ?? "\\" + part.prefix(3)) + part.dropFirst(3)
    }
  }

  /// FUSE serves local disks too, such as NTFS.
  private static let remoteKinds = [
    "rclone", "sshfs", "onedriver", "google-drive-ocamlfuse", "gvfsd-fuse", "davfs", "davfs2",
    "curlftpfs", "s3fs", "goofys", "mount-s3", "gcsfuse", "blobfuse2", "glusterfs", "ceph-fuse",
    "juicefs", "JuiceFS", "moosefs", "mfs", "smbnetfs", "afuse",
  ]

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path.diskName, nil) else { return path }
    defer { free(real) }
    return String(diskName: real)
  }

  /// `library.sync-conflict-20260101-120000-ABCDEFG.sqlite`, `library (conflicted copy 2026-01-01).sqlite`.
  ///
  /// rclone bisync puts `.conflict1` at the end, and `..path1` before version 1.66; OneDrive for Linux a `safeBackup` within.
  static func isConflictCopy(_ name: String) -> Bool {
    guard name.hasPrefix("library") else { return false }
    if name.hasPrefix(databaseName) {
      return ["\(databaseName).conflict", "\(databaseName)..path"].contains(where: name.hasPrefix)
    }
    let marks = ["conflict", "safebackup"]
    return name.hasSuffix(".sqlite") && marks.contains(where: name.lowercased().contains)
  }
}
