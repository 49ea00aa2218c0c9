// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// A place in the library for a recording that is being made.
///
/// It is entered only when it is whole; until then it lies in the library's Recording folder, locked as
/// long as its process lives. One without a lock was cut off, and holds what was heard until then.
public final class RecordingSlot: Sendable {
  /// Where to write the sound.
  public let path: String
  private let lock: FileLock

  /// - Parameter name: of the file, without folder and ending.
  public init(_ name: String, in library: Library) throws(LibraryError) {
    try library.files.makeFolder(LibraryFolder.capturesName)
    var number = 1
    while true {
      let numbered = number == 1 ? name : "\(name)-\(number)"
      guard let file = LibraryFolder.capture(named: numbered) else {
        throw LibraryError(.unusable, name, detail: "not a valid file name")
      }
      let path = library.files.absolute(file)
      number += 1
      guard !library.files.contains(file) else { continue }
      do throws(LibraryError) {
        lock = try FileLock(trying: path + ".lock")
      } catch {
        guard error.kind == .held else { throw error }
        continue
      }
      self.path = path
      return
    }
  }

  /// Takes the lock's file away, once the sound is elsewhere.
  public func close() { unlink((path + ".lock").diskName) }
}

extension Library {
  /// Recordings that were cut off before they could be entered, and that nobody works on.
  public func cutOffRecordings() -> [String] {
    let names = (try? files.contents(of: LibraryFolder.capturesName)) ?? []
    return names.filter { $0.hasSuffix(".flac") }.compactMap { name in
      let path = folder.captures + "/" + name
      guard files.hasFile(LibraryFolder.capturesName + "/" + name) else { return nil }
      guard Glibc.access((path + ".lock").diskName, F_OK) == 0 else { return path }
      do throws(LibraryError) {
        _ = try FileLock(trying: path + ".lock")
        return path
      } catch {
        return nil
      }
    }
  }
}
