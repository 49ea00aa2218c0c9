// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import GRDB
import Library
import Playback
import Quran
import ReciterSources

/// Fills a library with a million published segments and three sources, and prints how long its queries take, and how long
/// it takes to find what play asks for.
///
///     swift run -c release LibraryNumbers [FOLDER]
///
/// A folder that is named is kept, and used again when it is there.
@main struct LibraryNumbers {
  static let unavailableCount = 200

  static func main() async throws {
    let given = CommandLine.arguments.dropFirst().first
    let path = given ?? FileManager.default.temporaryDirectory.path + "/tilawa-numbers"
    let folder = LibraryFolder(path: path)
    if given == nil { try? FileManager.default.removeItem(atPath: path) }
    if !FileManager.default.fileExists(atPath: folder.database) {
      try Library(at: folder).close()
      try Filling(folder).fill()
      try SourceFilling(folder).fill()
    }
    try await measure(folder)
    if given == nil { try FileManager.default.removeItem(atPath: path) }
  }

  private static func measure(_ folder: LibraryFolder) async throws {
    try print("open", times(20) { try Library(at: folder).close() })
    let library = try Library(at: folder)
    let recordings = try library.recordings()
    var filter = SourceFilter()
    // The first reciter's are the ones that would be chosen.
    let heard = recordings.sorted { $0.reciter?.priority ?? .max < $1.reciter?.priority ?? .max }
    filter.unavailable = Set(heard.prefix(unavailableCount).map(\.id))
    for (name, filter) in [("", SourceFilter()), (", 200 unavailable", filter)] {
      try resolveAll(library, filter, name)
      try print(
        "missing ayat of the Quran\(name)", times(20) { _ = try library.missingAyat(filter) })
      try print(
        "basmalah of surah 114\(name)",
        times(20) { _ = try library.basmalah(of: Surah.last, filter) })
    }
    var absent = SourceFilter()
    absent.riwayah = .warsh
    try print("resolve what nobody has", times(1000) { _ = try library.resolve(.first, absent) })
    let nobody = SourceFilter(.nobodyKnown)
    try print("resolve 1:1, nobody known", times(1000) { _ = try library.resolve(.first, nobody) })
    try print("sources(of: 1:1)", times(5) { _ = try library.sources(of: .first) })
    try print(
      "sources(of: 2:100)",
      times(100) { _ = try library.sources(of: AyahReference(surah: 2, ayah: 100)!) })
    try await resolveEverywhere(library)
    try await edit(library, recordings[0])
  }

  /// As play does: each ayah in its library and its sources, for everybody and for a reciter of each kind. The first time
  /// opens the file of an ayah, the second knows it.
  private static func resolveEverywhere(_ library: Library) async throws {
    let stopFlag = StopFlag()
    let reciters = try library.reciters()
    let resolver = LayeredResolver(
      [
        try LibraryResolver(library, stopFlag: stopFlag),
        try SourceResolver(library, stopFlag: stopFlag),
      ], priority: reciters.map { ReciterID(rawValue: $0.id.rawValue) })
    func id(_ name: String) -> ReciterID? {
      reciters.first { $0.name == name }.map { ReciterID(rawValue: $0.id.rawValue) }
    }
    let ofSources = SourceFilling.Kind.allCases.map { id($0.rawValue) }
    let choices: [(String, ReciterChoice)] =
      [
        ("everybody", .anybody),
        ("sources first", .inOrder(ofSources.reversed() + [id("Reciter 1")])),
      ]
      + SourceFilling.Kind.allCases.map { ($0.rawValue, .inOrder([id($0.rawValue)])) }
    for (name, choice) in choices {
      let query = ResolverQuery(riwayah: .hafs, reciters: choice)
      for pass in ["first", "again"] {
        var all: [Double] = []
        for ayah in AyahRange.wholeQuran {
          let start = ContinuousClock.now
          _ = await resolver.clip(of: ayah, query)
          all.append(start.duration(to: .now).seconds)
        }
        print("a clip of one ayah, three sources: \(name), \(pass)", all)
      }
    }
  }

  private static func resolveAll(
    _ library: Library, _ filter: SourceFilter, _ name: String
  ) throws {
    var all: [Double] = []
    var worst = (seconds: 0.0, ayah: AyahReference.first)
    for ayah in AyahRange.wholeQuran {
      // The best of three, so that the machine's own hiccups are not an ayah's.
      let seconds = try times(3) { _ = try library.resolve(ayah, filter) }.min() ?? 0
      all.append(seconds)
      if seconds > worst.seconds { worst = (seconds, ayah) }
    }
    print("resolve one ayah\(name) (worst: \(worst.ayah))", all)
  }

  private static func edit(_ library: Library, _ recording: Recording) async throws {
    let engine = try AnnotationEngine(editing: recording.id, in: library)
    var all: [Double] = []
    for number in 0..<300 {
      let edit = Edit.setNote(.first, "\(number)")
      let start = ContinuousClock.now
      try await engine.apply(edit)
      all.append(start.duration(to: .now).seconds)
    }
    print("one edit", all)
    while try await engine.undo() != nil {}
  }

  private static func times(_ count: Int, _ body: () throws -> Void) rethrows -> [Double] {
    try (0..<count).map { _ in
      let start = ContinuousClock.now
      try body()
      return start.duration(to: .now).seconds
    }
  }

  private static func print(_ name: String, _ seconds: [Double]) {
    let sorted = seconds.sorted()
    func at(_ share: Double) -> String {
      String(format: "%9.3f", sorted[Int(Double(sorted.count - 1) * share)] * 1000)
    }
    Swift.print(
      "p50\(at(0.5)) ms  p99\(at(0.99)) ms  worst\(at(1)) ms  \(name)")
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}

extension AyahReference {
  fileprivate static var first: AyahReference { AyahReference(absoluteIndex: 1)! }
}

extension Surah {
  fileprivate static var last: Surah { Surah(114)! }
}

/// Writes the rows that publishing would write.
private struct Filling {
  let database: DatabaseQueue
  let recordings: String
  let recordingCount = 1000
  let segmentsEach = 1000
  let reciterCount = 12

  init(_ folder: LibraryFolder) throws {
    database = try DatabaseQueue(path: folder.database)
    recordings = folder.path + "/Recordings"
    try FileManager.default.createDirectory(
      atPath: recordings, withIntermediateDirectories: true)
  }

  func fill() throws {
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    try database.write { db in
      for reciter in 1...reciterCount {
        try db.execute(
          sql: "INSERT INTO reciter (id, name, riwayah, priority) VALUES (?, ?, 'hafs', ?)",
          arguments: [reciter, "Reciter \(reciter)", reciter])
      }
    }
    for recording in 1...recordingCount { try database.write { try enter(recording, $0) } }
    try database.close()
  }

  private func enter(_ number: Int, _ db: Database) throws {
    let uuid = UUID().uuidString.lowercased()
    // What is not here is not heard.
    _ = FileManager.default.createFile(
      atPath: "\(recordings)/\(uuid).wav", contents: Data([0]),
      attributes: [.modificationDate: Date(timeIntervalSince1970: 0)])
    let hash = Data(uuid.utf8.prefix(16))
    // A tenth of them is nobody's, and the first reciters have more than the others.
    let reciter =
      number % 10 == 0 ? nil : Int(Double(reciterCount) * pow(.random(in: 0..<1), 2)) + 1
    try db.execute(
      sql: """
        INSERT INTO recording (id, uuid, title, path, isInPlace, fileSize, fileModified, probe,
          contentHash, container, codec, rate, channels, length, importedAt, reciterID, riwayah,
          status, revision, publishedRevision)
        VALUES (?, ?, ?, ?, 0, 1, 0, ?, ?, 'WAV', 'PCM', 44100, 1, 1000000000, ?, ?, 'hafs',
          'complete', 0, 0)
        """,
      arguments: [
        number, uuid, "Night \(number)", "Recordings/\(uuid).wav", hash, hash, number, reciter,
      ])
    try db.execute(
      sql: """
        INSERT INTO marker (recordingID, id, position, isMarkerConfirmed, isConfirmed, note, isFlagged)
        VALUES (?, 0, 0, 0, 0, '', 0)
        """, arguments: [number])
    var ayah = Int.random(in: 1...6236)
    var best = Set<Int>()
    for ordinal in 0..<segmentsEach {
      // Each fifth segment al-Fatiha, each fifth juz 30, the rest a stretch of the Quran.
      let chosen: Int
      switch ordinal % 10 {
      case 0, 5: chosen = ordinal / 5 % 7 + 1
      case 1, 6: chosen = .random(in: 5673...6236)
      default:
        ayah = ayah % 6236 + 1
        chosen = ayah
      }
      let isLeadIn = ordinal % 50 == 49
      try enter(
        chosen, number, ordinal, reciter, isLeadIn: isLeadIn,
        isBest: isLeadIn || best.insert(chosen).inserted, db)
    }
    var bits = Data(count: (6236 + 7) / 8)
    for ayah in best { bits[(ayah - 1) / 8] |= 1 << UInt8((ayah - 1) % 8) }
    try db.execute(sql: "INSERT INTO coverage VALUES (?, ?)", arguments: [number, bits])
  }

  private func enter(
    _ ayah: Int, _ recording: Int, _ ordinal: Int, _ reciter: Int?, isLeadIn: Bool, isBest: Bool,
    _ db: Database
  ) throws {
    let confidence = Double(Int.random(in: 0...20)) / 20
    let (start, isManual) = (ordinal * 100_000, ordinal % 3 != 0)
    let segment = try db.cachedStatement(
      sql: """
        INSERT INTO segment (recordingID, ordinal, start, end, kind, assignment, basmalahSurah,
          isManual, confidence, publishedAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let reference = AyahReference(absoluteIndex: ayah)!
    try segment.execute(arguments: [
      recording, ordinal, start, start + 100_000, isLeadIn ? "lead_in" : "ayah",
      isLeadIn
        ? #"{"kind":"lead_in","basmalah":\#(reference.surah.number)}"#
        : #"{"kind":"ayah","ayah":"\#(reference)"}"#,
      isLeadIn ? reference.surah.number : nil, isManual, confidence, recording,
    ])
    guard !isLeadIn else { return }
    let passage = try db.cachedStatement(
      sql: """
        INSERT INTO passage (segmentID, ordinal, ayah, start, end, part, role, isBest, recordingID,
          reciterID, riwayah, isManual, confidence, publishedAt)
        VALUES (?, 0, ?, ?, ?, NULL, 'whole', ?, ?, ?, 'hafs', ?, ?, ?)
        """)
    try passage.execute(arguments: [
      db.lastInsertedRowID, ayah, start, start + 100_000, isBest, recording, reciter, isManual,
      confidence, recording,
    ])
  }
}

/// Adds three sources, each of a reciter of its own: a folder with an MP3 for each ayah, a folder with a file for each surah
/// and trusted timings, and addresses of which nothing has been fetched.
private struct SourceFilling {
  enum Kind: String, CaseIterable {
    case byAyah = "files by ayah"
    case bySurah = "files by surah"
    case notHere = "not fetched"
  }

  let folder: LibraryFolder

  init(_ folder: LibraryFolder) { self.folder = folder }

  func fill() throws {
    let library = try Library(at: folder)
    let sound = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Fixtures/mp3-cbr-lame.mp3")
    let files = FileManager.default
    let copy = folder.path + "/sound.mp3"
    try files.copyItem(at: sound, to: URL(filePath: copy))
    func links(_ name: String, _ stems: some Sequence<Int>, digits: Int) throws -> String {
      let path = folder.path + "/" + name
      try files.createDirectory(atPath: path, withIntermediateDirectories: false)
      for stem in stems {
        try files.linkItem(
          atPath: copy, toPath: path + "/" + String(format: "%0\(digits)d.mp3", stem))
      }
      return path
    }
    func add(_ kind: Kind, at place: ReciterSource.Place) throws -> ReciterSource {
      let reciter = try library.addReciter(kind.rawValue, riwayah: .hafs)
      return try library.addSource(
        kind.rawValue, of: reciter.id, riwayah: .hafs, at: place, timings: nil)
    }
    let ayat = AyahRange.wholeQuran.map { $0.surah.number * 1000 + $0.ayah }
    _ = try add(.byAyah, at: .folder(try links("ayat", ayat, digits: 6)))
    let bySurah = try add(.bySurah, at: .folder(try links("surahs", 1...114, digits: 3)))
    for surah in Surah.all {
      let spans = surah.ayat.map { ayah in
        SourceSpan(ayah, ayah.ayah * 5..<ayah.ayah * 5 + 5, bytes: nil)
      }
      try library.replaceSpans(of: surah.ayat, with: spans, in: bySurah.id)
    }
    _ = try add(.notHere, at: .addresses("https://example.org/{surah:3}{ayah:3}.mp3"))
    try library.close()
  }
}
