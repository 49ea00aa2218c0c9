// SPDX-License-Identifier: GPL-3.0-or-later

public import Foundation
import Glibc

/// Keeps a recording to one editor at a time.
///
/// The lock is the system's, on a file in the library's Locks folder, so it ends with the process that
/// holds it; what the file says of its holder is for people. A file that nobody has locked is left
/// over from a process that ended, and is taken over.
public final class EditLock: Sendable {
  /// Who edits a recording.
  public struct Holder: Hashable, Sendable, Codable {
    public let pid: Int32
    public let host: String
    public let since: Date
  }

  private let lock: FileLock

  /// - Throws: `.held` whose detail names the holder.
  init(_ recording: Recording.ID, in folder: LibraryFolder, now: Date) throws(LibraryError) {
    let path = try Self.path(recording, folder)
    do throws(LibraryError) {
      lock = try FileLock(trying: path)
    } catch {
      guard error.kind == .held else { throw error }
      throw LibraryError(
        .held, recording.short, detail: Self.explanation(Self.holder(at: path), now: now))
    }
    let holder = Holder(pid: getpid(), host: Self.hostName, since: now)
    if let text = try? JSONText.encode(holder) { lock.write(text) }
  }

  /// Who edits a recording now; nil when nobody does.
  static func holder(of recording: Recording.ID, in folder: LibraryFolder) -> Holder? {
    guard let path = try? path(recording, folder) else { return nil }
    return FileLock.isHeld(path) ? holder(at: path) : nil
  }

  /// Clears the file away once its recording is gone for good; its lock must be held.
  static func forget(_ recording: Recording.ID, in folder: LibraryFolder) {
    guard recording.isUUID else { return }
    try? LibraryFiles(folder).remove("\(LibraryFolder.locksName)/\(recording.rawValue).lock")
  }

  private static func path(
    _ recording: Recording.ID, _ folder: LibraryFolder
  ) throws(LibraryError) -> String {
    guard recording.isUUID else { throw .noUUID(recording) }
    return folder.locks + "/" + recording.rawValue + ".lock"
  }

  private static func holder(at path: String) -> Holder? {
    FileLock.text(of: path).flatMap { try? JSONText.decode(Holder.self, from: $0) }
  }

  private static func explanation(_ holder: Holder?, now: Date) -> String {
    guard let holder else { return "another process is editing it" }
    let minutes = Int(max(0, now.timeIntervalSince(holder.since)) / 60)
    let since =
      minutes < 1 ? "just now" : minutes < 120 ? "\(minutes) min ago" : "\(minutes / 60) h ago"
    return "process \(holder.pid) on \(holder.host) is editing it (started \(since));"
      + " close it there, or open the recording read-only"
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
