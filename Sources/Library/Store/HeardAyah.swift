// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Foundation
import GRDB
public import Quran

/// One hearing of an ayah, or of a part of it.
public struct HeardAyah: Hashable, Sendable, Identifiable {
  /// The same on every machine, so that two logs can be merged.
  public let id: String
  /// When it ended, in whole seconds.
  public let at: Date
  public let ayah: AyahReference
  public let riwayah: Riwayah
  /// The name; nil when nobody knows who recites.
  public let reciter: String?
  /// The recording's id, or the file of a source.
  public let media: String
  /// Frames of the recording that were heard, and those that the ayah has.
  public let frames: FrameCount
  public let length: FrameCount
  /// Frames during which the picture of the recording was seen.
  public let watched: FrameCount
  public let rate: SampleRate
  /// The last at which it was played; 1 is the recording's own.
  public let speed: Double
  /// Whether the ayah was heard whole by then, and so counts as heard: in this hearing, or in pieces that followed
  /// each other.
  public let isWhole: Bool

  public init(
    id: String = UUID().uuidString.lowercased(), at: Date, ayah: AyahReference, riwayah: Riwayah,
    reciter: String?, media: String, frames: FrameCount, length: FrameCount,
    watched: FrameCount = .zero, rate: SampleRate, speed: Double, isWhole: Bool
  ) {
    self.id = id
    self.at = at
    self.ayah = ayah
    self.riwayah = riwayah
    self.reciter = reciter
    self.media = media
    self.frames = frames
    self.length = length
    self.watched = watched
    self.rate = rate
    self.speed = speed
    self.isWhole = isWhole
  }

  /// Seconds of the recording, whatever the speed.
  public var seconds: Double { frames.seconds(at: rate) }
  public var watchedSeconds: Double { watched.seconds(at: rate) }
}

/// Which hearings of the log.
public struct HeardFilter: Hashable, Sendable {
  /// Half-open; nil for all times.
  public var times: Range<Date>?
  public var reciter: String?
  public var ayat: AyahRange?

  public init(times: Range<Date>? = nil, reciter: String? = nil, ayat: AyahRange? = nil) {
    self.times = times
    self.reciter = reciter
    self.ayat = ayat
  }

  fileprivate var condition: (sql: String, arguments: StatementArguments) {
    var parts: [String] = []
    var arguments = StatementArguments()
    if let times {
      parts.append("at >= ? AND at < ?")
      arguments += [
        Int64(times.lowerBound.timeIntervalSince1970.rounded(.up)),
        Int64(times.upperBound.timeIntervalSince1970.rounded(.up)),
      ]
    }
    if let reciter {
      parts.append("reciter = ? COLLATE NOCASE")
      arguments += [reciter]
    }
    if let ayat {
      parts.append("ayah BETWEEN ? AND ?")
      arguments += [ayat.first.absoluteIndex, ayat.last.absoluteIndex]
    }
    return (parts.isEmpty ? "1" : parts.joined(separator: " AND "), arguments)
  }
}

extension Library {
  /// Adds hearings; one whose id is there already is left as it is.
  /// - Returns: how many were new.
  @discardableResult
  public func addHeard(_ heard: [HeardAyah]) throws(LibraryError) -> Int {
    try write { db in
      let statement = try db.cachedStatement(
        sql: """
          INSERT OR IGNORE INTO heard
            (uuid, at, ayah, riwayah, reciter, media, frames, length, watched, rate, speed, isWhole)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """)
      var count = 0
      for entry in heard {
        try statement.execute(arguments: [
          entry.id, Int64(entry.at.timeIntervalSince1970), entry.ayah.absoluteIndex,
          entry.riwayah.rawValue, entry.reciter, entry.media, entry.frames.frames,
          entry.length.frames, entry.watched.frames, entry.rate.hertz, entry.speed,
          entry.isWhole,
        ])
        count += db.changesCount
      }
      return count
    }
  }

  /// What was heard, the earliest first.
  public func heard(_ filter: HeardFilter = HeardFilter()) throws(LibraryError) -> [HeardAyah] {
    try read { db in
      let (condition, arguments) = filter.condition
      let rows = try Row.fetchCursor(
        db, sql: "SELECT * FROM heard WHERE \(condition) ORDER BY at, uuid", arguments: arguments)
      var heard: [HeardAyah] = []
      while let row = try rows.next() { heard.append(try HeardAyah(row: row)) }
      return heard
    }
  }

  /// When each ayah was last heard to its end.
  public func lastHeard() throws(LibraryError) -> [AyahReference: Date] {
    try read { db in
      let rows = try Row.fetchCursor(
        db, sql: "SELECT ayah, max(at) AS at FROM heard WHERE isWhole = 1 GROUP BY ayah")
      var times: [AyahReference: Date] = [:]
      while let row = try rows.next() {
        guard let ayah = AyahReference(absoluteIndex: row["ayah"]) else { continue }
        times[ayah] = Date(timestamp: row["at"])
      }
      return times
    }
  }

  /// Forgets hearings.
  /// - Returns: how many there were.
  public func forgetHeard(_ filter: HeardFilter = HeardFilter()) throws(LibraryError) -> Int {
    try write { db in
      let (condition, arguments) = filter.condition
      try db.execute(sql: "DELETE FROM heard WHERE \(condition)", arguments: arguments)
      return db.changesCount
    }
  }
}

extension HeardAyah {
  fileprivate init(row: Row) throws {
    let id: String = row["uuid"]
    guard let ayah = AyahReference(absoluteIndex: row["ayah"]),
      let rate = SampleRate(hertz: row["rate"])
    else { throw LibraryError(.damaged, id, detail: "a hearing without an ayah or a rate") }
    self.init(
      id: id, at: Date(timestamp: row["at"]), ayah: ayah, riwayah: try row.decoded("riwayah"),
      reciter: row["reciter"], media: row["media"], frames: FrameCount(row["frames"]),
      length: FrameCount(row["length"]), watched: FrameCount(row["watched"]), rate: rate,
      speed: row["speed"], isWhole: row["isWhole"])
  }
}
