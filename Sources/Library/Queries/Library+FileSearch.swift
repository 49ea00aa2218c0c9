// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import Foundation
import GRDB

extension Library {
  /// The recording whose file this is: by its path, or else by every byte of it; nil when there is none.
  ///
  /// - Parameter path: absolute.
  public func recording(ofFile path: String) throws(LibraryError) -> Recording? {
    do throws(LibraryError) {
      return try recording(matching: path, absolutePath: path)
    } catch {
      guard error.kind == .noSuchRecording else { throw error }
    }
    let file: MediaFile
    do throws(Decoding.DecodingError) {
      file = try MediaFile(path: path)
    } catch {
      throw LibraryError(error)
    }
    let probe = try KnownFile.probe(of: file)
    // Reading it whole is spared where not even its samples are known.
    let isLikely = try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM recording WHERE fileSize = ? AND probe = ?)",
        arguments: [file.size, Data(probe)]) ?? false
    }
    guard isLikely else { return nil }
    let hash = try KnownFile.contentHash(of: file) { true }
    return try read { try Self.entered(hash, $0) }.flatMap { $0.removedAt == nil ? $0 : nil }
  }
}
