// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// What lies in folders, whatever bytes names are made of.
public enum FolderListing {
  /// The names of all entries, sorted; nil, with `errno` set, where the folder cannot be read.
  public static func names(in path: String) -> [String]? {
    names(in: open(path.diskName, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  /// The same of an open folder, which is closed; nil of -1.
  public static func names(in descriptor: Int32) -> [String]? {
    guard descriptor >= 0 else { return nil }
    guard let directory = fdopendir(descriptor) else {
      close(descriptor)
      return nil
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(diskName: Array(bytes.prefix { $0 != 0 }))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
