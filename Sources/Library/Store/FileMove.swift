// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// Renames that are on disk when they return.
enum FileMove {
  static func rename(_ path: String, to target: String) throws(LibraryError) {
    guard Glibc.rename(path.diskName, target.diskName) == 0 else {
      throw LibraryError(errno: errno, "rename", path)
    }
    let descriptor = open(
      (parentFolder(of: target) ?? "/").diskName, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
