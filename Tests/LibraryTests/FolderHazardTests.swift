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

  @Test func aLinkToACarriedFolderIsSeenThrough() throws {
    try FileManager.default.createDirectory(
      atPath: root.path("carried/.stfolder"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: root.path("link"), withDestinationPath: root.path("carried"))
    #expect(
      LibraryFolder(path: root.path("link/library")).hazards
        == [.syncTool("Syncthing", folder: root.path("carried"))])
  }

  @Test func nextcloudIsKnownByItsJournal() throws {
    try root.write([1], to: "carried/.sync_5f3a1b2c9d0e.db")
    #expect(folder.hazards == [.syncTool("Nextcloud", folder: root.path("carried"))])
  }

  @Test func storageOfAnotherMachineIsKnownByItsMount() {
    let mounts = """
      /dev/sda1 / ext4 rw 0 0
      drive: /home/a/My\\040Drive fuse.rclone rw 0 0
      bucket /home/a/bucket fuse.s3fs rw 0 0
      /dev/sdb1 /home/a/usb fuseblk rw 0 0
      host:/ /home/a/back\\134040slash\\011 fuse.sshfs rw 0 0
      systemd-1 /home/a/nas autofs rw 0 0
      host:/ /home/a/nas fuse.sshfs rw 0 0
      """
    func remote(_ path: String) -> String? { LibraryFolder.remoteMount(of: path, in: mounts) }
    #expect(remote("/home/a/My Drive/library") == "rclone" && remote("/home/a/bucket") == "s3fs")
    #expect(remote("/home/a/My Drives") == nil && remote("/home/a/usb/library") == nil)
    #expect(remote("/home/a/back\\040slash\t/library") == "sshfs")
    #expect(remote("/home/a/nas/library") == "sshfs", "mounted over its automount")
  }

  @Test(arguments: [
    (0x6969, "NFS"), (0x517B, "SMB"), (0xFF53_4D42, "SMB"), (0xFE53_4D42, "SMB"),
    (0x0102_1997, "9P"), (0x00C3_6400, "Ceph"), (0x6573_5546, "rclone"), (-1, "rclone"),
    (0xEF53, nil), (0x0102_1994, nil),
  ])
  func networkDisksAreKnownByTheirKind(type: Int, name: String?) {
    let found = LibraryFolder.networkDisk(of: "/home/a/library", type: type) {
      "/dev/sda1 / ext4 rw 0 0\ndrive: /home/a fuse.rclone rw 0 0\n"
    }
    #expect(found == name)
    let local = LibraryFolder.networkDisk(of: "/home/b/library", type: 0x6573_5546) {
      "/dev/sdb1 /home/b fuseblk rw 0 0\ndrive: /home/a fuse.rclone rw 0 0\n"
    }
    #expect(local == nil)
  }

  @Test func conflictCopiesOfTheDatabaseAreNamed() throws {
    let copies = [
      "library (conflicted copy 2026-01-01).sqlite",
      "library-laptop-safeBackup-0001.sqlite", "library.sqlite..path2", "library.sqlite.conflict1",
      "library.sync-conflict-20260101-120000-ABCDEFG.sqlite",
    ]
    for name in copies + ["library-before.sqlite", "other.sync-conflict-1.sqlite"] {
      try root.write([1], to: "carried/library/" + name)
    }
    #expect(folder.hazards == copies.map { .conflictCopy($0) })
  }
}
