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

  /// The recording that an argument means: an id or its beginning, a title, or the path of its file, which may have
  /// been moved there.
  func recording(named text: String, isRemoved: Bool = false) throws(Failure) -> Recording {
    let path = text.isEmpty ? nil : UserFolders.absolute(text)
    do throws(LibraryError) {
      return try recording(matching: text, absolutePath: path, isRemoved: isRemoved)
    } catch {
      guard error.kind == .noSuchRecording, !isRemoved, let path,
        let moved = try movedRecording(path)
      else { throw Failure(error) }
      return moved
    }
  }

  private func movedRecording(_ path: String) throws(Failure) -> Recording? {
    guard FileKind(path: path) == .file else { return nil }
    do throws(LibraryError) {
      return try recording(relinkedTo: path)
    } catch {
      // What is no sound is said where it is opened.
      guard case .media = error.kind else { throw Failure(error) }
      return nil
    }
  }
}
