// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Dispatch
import Foundation
import Glibc
import Library
import Playback
import TerminalUI

/// What went wrong in play, a line each in `playback.log` of the user's state folder; the file before it
/// is kept as `playback.log.1`. A log that cannot be written is done without.
final class PlaybackLog: Sendable {
  private let path: String?
  /// On which files are waited for.
  private let queue = DispatchQueue(label: "tilawa.log")

  private static let largestSize: off_t = 1 << 20

  init(folders: UserFolders = UserFolders()) { path = folders.state.map { $0 + "/playback.log" } }

  /// Returns at once.
  func add(_ notice: PlaybackNotice, at date: Date = Date()) {
    add(notice.description, at: date)
  }

  /// The same with words of another.
  func add(_ text: String, at date: Date = Date()) {
    guard let path else { return }
    let line = "\(date.formatted(.iso8601)) \(TerminalText(text).string)\n"
    queue.async { Self.append(line, to: path) }
  }

  /// Waits until everything is written.
  func close() { queue.sync {} }

  private static func append(_ line: String, to path: String) {
    guard let folder = parentFolder(of: path) else { return }
    try? UserFolders.make(folder)
    var status = stat()
    if stat(path.diskName, &status) == 0, status.st_size >= largestSize {
      rename(path.diskName, (path + ".1").diskName)
    }
    let file = open(path.diskName, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    defer { Glibc.close(file) }
    var line = line
    _ = line.withUTF8 { FileDescriptor.write(UnsafeRawBufferPointer($0), file) }
  }
}
