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
    return try recording(withContentOf: path)
  }

  /// The recording whose file this is, byte for byte; nil when there is none.
  ///
  /// - Parameters:
  ///   - path: absolute.
  ///   - shouldGoOn: asked while the file is read; false ends that with `.cancelled`.
  func recording(
    withContentOf path: String, shouldGoOn: () -> Bool = { true }
  ) throws(LibraryError) -> Recording? {
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
    let hash = try KnownFile.contentHash(of: file, shouldGoOn: shouldGoOn)
    return try read { try Self.entered(hash, $0) }.flatMap { $0.removedAt == nil ? $0 : nil }
  }
}
