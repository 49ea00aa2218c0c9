// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore
public import Foundation
import GRDB
public import Quran

/// A recording that the library knows, whether its file is here or not.
public struct Recording: Hashable, Sendable, Identifiable {
  /// A UUID in lower case.
  public struct ID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static func new() -> ID { ID(rawValue: UUID().uuidString.lowercased()) }
    public var description: String { rawValue }
    /// Whether it is one: files are named by it, so nothing else may pass for one.
    var isUUID: Bool { UUID(uuidString: rawValue) != nil }
    /// As tables show it; usually enough to name it by.
    public var short: String { String(rawValue.prefix(8)) }
  }

  /// Where the file lies.
  public enum Place: Hashable, Sendable {
    /// A copy in the library.
    case library(LibraryPath)
    /// Where the person keeps it; absolute. The one exception: it is read there, and never written or removed.
    case inPlace(String)
    /// What the table says, and cannot be: nothing is read, written or removed there.
    case outside(String)

    init(path: String, isInPlace: Bool) {
      if isInPlace, path.utf8.first == UInt8(ascii: "/") {
        self = .inPlace(path)
      } else if !isInPlace, let path = LibraryPath(path) {
        self = .library(path)
      } else {
        self = .outside(path)
      }
    }

    /// As the table keeps it.
    var columns: (path: String, isInPlace: Bool) {
      switch self {
      case .library(let path): (path.description, false)
      case .inPlace(let path): (path, true)
      case .outside(let path): (path, path.utf8.first == UInt8(ascii: "/"))
      }
    }
  }

  public let id: ID
  /// SQLite's number of it, which the other tables use.
  let rowID: Int64
  public var title: String
  public internal(set) var place: Place
  /// What the file was when it was last seen whole.
  public internal(set) var file: KnownFile
  public internal(set) var media: MediaFacts
  public var recordedAt: Date?
  public internal(set) var importedAt: Date
  /// When it was put into the bin.
  public internal(set) var removedAt: Date?
  public internal(set) var reciter: Reciter?
  public var riwayah: Riwayah
  public internal(set) var night: Night?
  public internal(set) var status: AnnotationStatus
  /// The lowest and the highest surah that it has published.
  public internal(set) var covers: ClosedRange<Surah>?
  /// Grows with every edit.
  public internal(set) var revision: Int64
  /// What of it can be played.
  public internal(set) var publication: PublicationState

  /// The audio of a recording as a decoder delivers it.
  public struct MediaFacts: Hashable, Sendable {
    public var container: String
    public var codec: String
    public var rate: SampleRate
    public var channels: Int
    /// Exact, encoder delay and padding removed.
    public var length: FrameCount
    /// Counted from 1; nil takes the default one.
    public var track: Int?

    public var seconds: Double { length.seconds(at: rate) }
  }

  /// One of several files of an occasion.
  public struct Night: Hashable, Sendable {
    public let name: String
    /// From 1.
    public let order: Int
  }

  public var isInPlace: Bool {
    if case .inPlace = place { return true }
    return false
  }

  /// For messages.
  var short: String { "\(id.short) (\(title))" }

  /// The path of its file for people and programs to see; who opens it asks ``Library/file(of:)``.
  public func shownPath(in folder: LibraryFolder) -> String {
    switch place {
    case .library(let path): folder.path + "/" + path.description
    case .inPlace(let path), .outside(let path): path
    }
  }
}

extension Recording {
  static let query = """
    SELECT recording.*, night.name AS nightName,
      reciter.id AS reciter_id, reciter.name AS reciter_name, reciter.riwayah AS reciter_riwayah,
      reciter.priority AS reciter_priority,
      EXISTS (SELECT 1 FROM segment WHERE recordingID = recording.id) AS hasSegments,
      (SELECT count(*) FROM segment WHERE recordingID = recording.id AND isManual = 0)
        AS unconfirmed
    FROM recording LEFT JOIN reciter ON reciter.id = recording.reciterID
      LEFT JOIN night ON night.id = recording.nightID
    """

  init(row: Row) throws {
    id = ID(rawValue: row["uuid"])
    rowID = row["id"]
    title = row["title"]
    place = Place(path: row["path"], isInPlace: row["isInPlace"])
    file = KnownFile(
      size: row["fileSize"], modified: row["fileModified"], probe: row.bytes("probe"),
      contentHash: row.bytes("contentHash"))
    guard let rate = SampleRate(hertz: row["rate"]) else {
      throw LibraryError(.damaged, id.rawValue, detail: "no sample rate")
    }
    media = MediaFacts(
      container: row["container"], codec: row["codec"], rate: rate, channels: row["channels"],
      length: FrameCount(row["length"]), track: row["track"])
    recordedAt = (row["recordedAt"] as Int64?).map(Date.init(timestamp:))
    importedAt = Date(timestamp: row["importedAt"])
    removedAt = (row["removedAt"] as Int64?).map(Date.init(timestamp:))
    if row["reciter_id"] as Int64? != nil {
      let columns = ["id", "name", "riwayah", "priority"]
      reciter = try Reciter(
        row: Row(Dictionary(uniqueKeysWithValues: columns.map { ($0, row["reciter_\($0)"]) })))
    }
    riwayah = try row.decoded("riwayah")
    night = (row["nightName"] as String?).map { name in
      Night(name: name, order: (row["nightOrder"] as Int?) ?? 1)
    }
    status = try row.decoded("status")
    let start: Int? = row["coversSurahStart"]
    let end: Int? = row["coversSurahEnd"]
    if let first = start.flatMap(Surah.init(_:)), let last = end.flatMap(Surah.init(_:)) {
      covers = first...last
    }
    revision = row["revision"]
    let unconfirmed: Int = row["unconfirmed"]
    if row["hasSegments"] {
      publication =
        (row["publishedRevision"] as Int64?) == revision
        ? .current(unconfirmed: unconfirmed) : .outdated(unconfirmed: unconfirmed)
    } else {
      publication = .nothing
    }
  }
}

extension Date {
  init(timestamp: Int64) { self.init(timeIntervalSince1970: Double(timestamp)) }
  var timestamp: Int64 { Int64(timeIntervalSince1970) }
}
