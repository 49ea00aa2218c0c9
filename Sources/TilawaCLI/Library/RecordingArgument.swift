// SPDX-License-Identifier: GPL-3.0-or-later

import Library

extension Library {
  /// What a command writes must not lie in the library's own folder.
  func refuseAsTarget(_ path: String) throws(Failure) {
    let path = UserFolders.absolute(path)
    guard path == folder.path || path.hasPrefix(folder.path + "/") else { return }
    throw Failure(
      code: "usage", message: "\(path) is inside the library; choose another place")
  }

  /// The recording that an argument means: an id or its beginning, a path, or a title.
  func recording(named text: String, isRemoved: Bool = false) throws(Failure) -> Recording {
    do throws(LibraryError) {
      return try recording(
        matching: text, absolutePath: text.isEmpty ? nil : UserFolders.absolute(text),
        isRemoved: isRemoved)
    } catch {
      throw Failure(error)
    }
  }
}
