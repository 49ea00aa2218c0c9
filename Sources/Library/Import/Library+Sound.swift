// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Decoding
import Foundation
import GRDB

extension Recording.MediaFacts {
  init(_ source: MediaSource, _ analyzed: AnalyzedRecording, track: Int?) {
    self.init(
      container: source.description.container, codec: source.description.codec,
      rate: analyzed.format.rate, channels: analyzed.format.channels,
      length: analyzed.envelope.length, track: track)
  }
}

extension Library {
  func fingerprint(of recording: Recording) throws(LibraryError) -> Fingerprint? {
    try read { db in
      try Data.fetchOne(
        db, sql: "SELECT levels FROM fingerprint WHERE recordingID = ?",
        arguments: [recording.rowID]
      ).map { Fingerprint(levels: Array($0)) }
    }
  }

  /// A recording of nearly the same length that sounds the same.
  func sameSound(
    as fingerprint: Fingerprint, except id: Recording.ID
  ) throws(LibraryError) -> Recording? {
    let hops = fingerprint.levels.count
    let candidates = try read { db in
      try Row.fetchAll(
        db,
        sql: Recording.query + """
           WHERE removedAt IS NULL AND uuid <> ?
            AND abs(length * 100 / rate - ?) <= 300
          """, arguments: [id.rawValue, hops]
      ).map { try Recording(row: $0) }
    }
    for candidate in candidates {
      if let other = try self.fingerprint(of: candidate),
        let match = SoundMatch(fingerprint, in: other, longestDelay: 3), match.isSame
      {
        return candidate
      }
    }
    return nil
  }
}
