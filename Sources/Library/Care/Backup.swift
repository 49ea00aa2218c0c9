// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import GRDB
import Glibc

extension Library {
  /// Copies one state of the database to a file, while others may go on writing.
  /// - Throws: `.nameTaken` when there is such a file and it may not be replaced; `.full`.
  public func backUpDatabase(to path: String, isReplacing: Bool = false) throws(LibraryError) {
    do {
      try DatabaseCopy.make(of: database, at: path, isReplacing: isReplacing)
    } catch {
      throw LibraryError(error, path)
    }
  }

  /// Makes a folder a library like this one: the database, and the copies of recordings that are not in
  /// it yet. Doing it again brings it up to date.
  ///
  /// - Parameter progress: gets the name of a recording and the share of all done; says whether to go on.
  /// - Returns: the recordings whose files could not be copied, and why.
  public func backUp(
    to target: LibraryFolder, progress: (String, Double) -> Bool = { _, _ in true }
  ) throws(LibraryError) -> [(Recording, LibraryError)] {
    try LibraryFolder.make(target.recordings)
    guard Importer.resolved(target.path) != Importer.resolved(folder.path) else {
      throw LibraryError(.unusable, target.path, detail: "a backup needs a folder of its own")
    }
    // The files first: a database that knows more than there is would be the worse half.
    var filter = RecordingFilter()
    filter.isRemoved = true
    let all = try recordings() + recordings(filter)
    var failures: [(Recording, LibraryError)] = []
    for (index, recording) in all.enumerated() {
      func goOn(_ share: Double) -> Bool {
        progress(recording.title, (Double(index) + share) / Double(all.count))
      }
      guard goOn(0) else { throw LibraryError(.cancelled, target.path) }
      do throws(LibraryError) {
        try copyFile(of: recording, to: target, progress: goOn)
      } catch {
        if error.kind == .full || error.kind == .cancelled { throw error }
        failures.append((recording, error))
      }
    }
    try backUpDatabase(to: target.database, isReplacing: true)
    return failures
  }

  private func copyFile(
    of recording: Recording, to target: LibraryFolder, progress: (Double) -> Bool
  ) throws(LibraryError) {
    guard case .library(let path) = recording.place else { return }
    let goal = target.path + "/" + path
    if recording.file.isLike(fileAt: goal) { return }
    if recording.removedAt != nil { try LibraryFolder.make(target.bin) }
    // It went into the bin, or out of it, since the last backup.
    let name = fileName(of: path)
    for other in [target.recordings + "/" + name, target.bin + "/" + name]
    where recording.file.isLike(fileAt: other) {
      return try FileMove.rename(other, to: goal)
    }
    let file: MediaFile
    do throws(Decoding.DecodingError) {
      file = try MediaFile(path: recording.path(in: folder))
    } catch {
      throw LibraryError(error)
    }
    let part = goal + ".part"
    unlink(part)
    let copy = try FileCopy(at: part)
    let hash = try copy.fill(from: file, progress: progress)
    guard hash == recording.file.contentHash else {
      throw LibraryError(.changed, path, detail: "its file has changed since it came in")
    }
    try copy.keep(as: goal)
  }
}
