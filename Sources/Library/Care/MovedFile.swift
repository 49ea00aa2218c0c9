// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import GRDB

// A file that was moved or renamed is the same recording.
extension Library {
  /// The recording whose file this is, as ``recording(ofFile:)`` finds it. If its own file is missing, it has this
  /// one from now on, unless the library is only read or somebody is editing the recording.
  ///
  /// - Parameter path: absolute.
  public func recording(relinkedTo path: String) throws(LibraryError) -> Recording? {
    guard let known = try recording(ofFile: path) else { return nil }
    do throws(LibraryError) {
      return try relinkIfMissing(known, to: path) { _ in true } ?? known
    } catch {
      guard error.kind == .held || error.kind == .readOnly else { throw error }
      return known
    }
  }

  /// Gives a recording the file that it has lost; nil, and nothing is done, unless it is missing and this is that
  /// file byte for byte.
  ///
  /// - Parameter progress: gets the share copied and says whether to go on.
  func relinkIfMissing(
    _ recording: Recording, to path: String, progress: (Double) -> Bool
  ) throws(LibraryError) -> Recording? {
    guard access == .readWrite, !availability(of: recording).isAvailable else { return nil }
    let lock = try lockForEditing(recording.id)
    defer { withExtendedLifetime(lock) {} }
    guard let same = try SameFile(of: recording, at: path, shouldGoOn: { progress(0) }) else {
      return nil
    }
    try relink(recording, to: same, isCopied: !recording.isInPlace, progress: progress)
    return try self.recording(recording.id)
  }

  /// Gives a recording its own file in another place. Nothing that the library knows of the sound changes.
  func relink(
    _ recording: Recording, to same: SameFile, isCopied: Bool, progress: (Double) -> Bool
  ) throws(LibraryError) {
    let copy = try settle(
      same.file, hash: recording.file.contentHash, for: recording, isCopied: isCopied, progress)
    try replaceFile(of: recording, by: copy) { db in
      let (path, isInPlace) = copy.place.columns
      try db.execute(
        sql: "UPDATE recording SET path = ?, isInPlace = ?, fileModified = ? WHERE id = ?",
        arguments: [
          path, isInPlace, copy.modified ?? same.file.identity.modified, recording.rowID,
        ])
    }
  }
}

/// A file that is a recording's own, byte for byte, wherever it lies.
struct SameFile {
  let file: MediaFile

  /// Nil where it is another file.
  init?(
    of recording: Recording, at path: String, shouldGoOn: () -> Bool
  ) throws(LibraryError) {
    guard recording.file.isLike(fileAt: path) else { return nil }
    do throws(Decoding.DecodingError) {
      file = try MediaFile(path: path)
    } catch {
      throw LibraryError(error)
    }
    let hash = try KnownFile.contentHash(of: file, shouldGoOn: shouldGoOn)
    guard hash == recording.file.contentHash else { return nil }
  }
}
