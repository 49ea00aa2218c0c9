// SPDX-License-Identifier: GPL-3.0-or-later

import Library

extension Library {
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
