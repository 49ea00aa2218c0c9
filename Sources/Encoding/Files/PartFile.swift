// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// A file that is written beside its place, under a name that ends in `.part`, and moved there when it is
/// whole and on the disk. One that is not finished leaves nothing.
final class PartFile {
  let sink: FileSink
  private let path: String
  private let partPath: String
  private let isReplacing: Bool
  private var isFinished = false

  /// - Parameter isReplacing: whether a file of that name may be replaced.
  /// - Throws: `.alreadyExists`, `.noSuchFolder` and what else `open` has to say.
  init(
    _ path: String, isReplacing: Bool, calls: FileCalls = FileCalls()
  ) throws(EncodingError) {
    var status = stat()
    if !isReplacing, lstat(path.diskName, &status) == 0 {
      throw EncodingError(.alreadyExists, file: path)
    }
    self.path = path
    self.isReplacing = isReplacing
    partPath = "\(path).\(getpid()).part"
    sink = try FileSink(creating: path, as: partPath, calls: calls)
  }

  deinit {
    if !isFinished { unlink(partPath.diskName) }
  }

  /// Puts the file in its place.
  func finish() throws(EncodingError) {
    try sink.sync()
    try move()
    isFinished = true
  }

  private func move() throws(EncodingError) {
    if isReplacing {
      guard rename(partPath.diskName, path.diskName) == 0 else {
        throw .system("rename", errno, file: path)
      }
      return
    }
    // `link` refuses to replace, where `rename` would not.
    if link(partPath.diskName, path.diskName) == 0 {
      unlink(partPath.diskName)
      return
    }
    // FAT and some network file systems have no links; there, looking first has to do.
    guard errno == EPERM || errno == EOPNOTSUPP || errno == EMLINK else {
      throw .system("link", errno, file: path)
    }
    var status = stat()
    if lstat(path.diskName, &status) == 0 { throw EncodingError(.alreadyExists, file: path) }
    guard rename(partPath.diskName, path.diskName) == 0 else {
      throw .system("rename", errno, file: path)
    }
  }
}
