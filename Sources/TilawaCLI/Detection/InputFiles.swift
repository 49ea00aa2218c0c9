// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Glibc

/// The recordings that the arguments of a command name.
struct InputFiles {
  struct Input: Hashable, Sendable {
    let path: String
    /// Bytes, to show progress by.
    let size: Int64
  }

  private(set) var inputs: [Input] = []
  /// Folders that could not be listed, with the reason.
  private(set) var problems: [(path: String, message: String)] = []

  /// Device and inode of each input.
  private var known: Set<[UInt64]> = []

  /// Endings that make a file in a folder an input even when its content is no audio.
  private static let extensions: Set<String> = [
    "3gp", "aac", "ac3", "aif", "aifc", "aiff", "amr", "ape", "au", "avi", "caf", "flac", "m4a",
    "m4b", "mka", "mkv", "mov", "mp1", "mp2", "mp3", "mp4", "oga", "ogg", "opus", "wav", "webm",
    "wma", "wv",
  ]
  /// Folders within folders beyond this are a loop.
  private static let deepest = 32

  /// Files as they are, and in place of a folder the recordings in it and below it, by name.
  ///
  /// A named file is always an input. In a folder, what has neither the ending nor the content of a
  /// recording is left out, and so is what begins with a dot.
  init(_ arguments: [String]) {
    for argument in arguments {
      var status = stat()
      let isFolder = stat(argument.diskName, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      guard isFolder else {
        add(argument, status)
        continue
      }
      let (inputsBefore, problemsBefore) = (inputs.count, problems.count)
      addFolder(argument, depth: 0)
      if inputs.count == inputsBefore, problems.count == problemsBefore {
        problems.append((argument, "no recordings in this folder"))
      }
    }
  }

  /// Adds a file, unless it is an input already under this or another name.
  private mutating func add(_ path: String, _ status: stat) {
    let isThere = status.st_ino != 0
    if isThere, !known.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted { return }
    inputs.append(Input(path: path, size: Int64(status.st_size)))
  }

  private mutating func addFolder(_ folder: String, depth: Int) {
    guard depth < Self.deepest, let names = FolderListing.names(in: folder) else {
      problems.append((folder, "cannot list this folder: \(String(cString: strerror(errno)))"))
      return
    }
    for name in names where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      var status = stat()
      // Links to folders are not followed: they may lead back here.
      guard lstat(path.diskName, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        addFolder(path, depth: depth + 1)
      } else if stat(path.diskName, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        Self.isRecording(path)
      {
        add(path, status)
      }
    }
  }

  private static func isRecording(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    if let dot = name.lastIndex(of: ".") {
      let ending = name[name.index(after: dot)...].lowercased()
      if extensions.contains(ending) { return true }
    }
    return MediaFile.looksLikeAudio(path: path)
  }
}
