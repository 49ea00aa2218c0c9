// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// The names under which programs that carry files keep those that have not come whole.
enum Arrival {
  /// - Parameter isLeft: whether what has this program's own name for a part was left by one that has ended.
  /// - Returns: nil when nothing speaks of the file.
  static func look(for path: String, expecting size: Int64, isLeft: Bool) -> Availability? {
    let folder = parentFolder(of: path) ?? ""
    let name = fileName(of: path)
    for partial in partials(of: name) where !(isLeft && partial == own(name)) {
      var status = stat()
      guard stat((folder + "/" + partial).diskName, &status) == 0 else { continue }
      return .downloading(min(Double(status.st_size) / Double(max(size, 1)), 1))
    }
    // Nextcloud names them `.NAME.~1a2b`, rsync `.NAME.Xa3fG9`.
    let prefix = "." + name + "."
    if access(path.diskName, F_OK) != 0 {
      for entry in LibraryFolder.contents(of: folder) where entry.hasPrefix(prefix) {
        if entry == prefix + "icloud" { return .remoteOnly }
        var status = stat()
        guard stat((folder + "/" + entry).diskName, &status) == 0 else { continue }
        return .downloading(min(Double(status.st_size) / Double(max(size, 1)), 1))
      }
      for suffix in [".nextcloud", ".owncloud", ".cloud"]
      where access((path + suffix).diskName, F_OK) == 0 {
        return .remoteOnly
      }
    }
    return nil
  }

  /// This program's own.
  static func own(_ name: String) -> String { name + ".part" }

  /// This program's own and browsers', rclone's, Syncthing's.
  private static func partials(of name: String) -> [String] {
    [
      own(name), "." + name + ".part", name + ".partial", name + ".crdownload",
      ".syncthing." + name + ".tmp", "~syncthing~" + name + ".tmp",
    ]
  }
}
