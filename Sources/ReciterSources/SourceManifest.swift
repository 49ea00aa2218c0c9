// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import Fetch
public import Foundation
public import Library
import Quran

/// A source without its sound, for others to have the same one: `tilawa.source/1`.
public struct SourceManifest: Codable, Hashable, Sendable {
  public static let schema = "tilawa.source/1"
  /// Bytes of a manifest at most; the whole Quran by ayah takes 1.5 MB.
  public static let largestSize = 16 << 20

  public struct File: Codable, Hashable, Sendable {
    /// The first ayah in it.
    public var ayah: String
    /// Which of the files of that ayah it is, from 1 on; nil for the first.
    public var part: Int?
    public var name: String
    public var bytes: Int64
    /// In hexadecimal digits.
    public var sha256: String

    /// What a file holds, whatever it is named.
    struct Place: Hashable {
      let ayah: String
      let part: Int

      init(_ ayah: String, _ part: Int) { (self.ayah, self.part) = (ayah, part) }
      init(_ file: AyahFolder.File) { self.init(file.ayah.description, file.part) }
    }

    var place: Place { Place(ayah, part ?? 1) }

    /// Whether a file is not the one that was exported.
    /// - Parameters:
    ///   - isRead: whether to read the file for that, and not only look at its length.
    ///   - known: what an earlier comparison has found; nil without one.
    func differs(
      from file: MediaFile, isRead: Bool = true, known: Bool? = nil
    ) throws(DecodingError) -> Bool {
      guard file.size == bytes else { return true }
      return isRead ? try SourceCache.sha256(of: file) != sha256 : known ?? false
    }
  }

  /// Where an ayah lies in the file of its surah, checked or trusted.
  public struct Span: Codable, Hashable, Sendable {
    public var ayah: String
    /// Milliseconds,
    public var start: Int
    /// half-open.
    public var end: Int
    /// Of the file in which it was checked.
    public var bytes: Int64?
    /// `[number, start, end]`, milliseconds from the ayah's start; nil where nobody has published them.
    public var words: [[Int]]?
  }

  public var schema: String
  public var name: String
  public var reciter: String?
  public var riwayah: String
  /// The pattern of its addresses; nil for a folder.
  public var url: String?
  public var ayah_offset: Int
  /// The lines of its mapping; nil for none.
  public var mapping: [String]?
  public var files: [File]
  public var timings: [Span]

  /// Why a file is no manifest, for people.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
  }

  /// Reads every file of a source that is here.
  /// - Parameter progress: gets the share done and says whether to go on.
  public init(
    of source: ReciterSource, reciter: String?, in library: Library, progress: (Double) -> Bool
  ) throws {
    schema = Self.schema
    name = source.name
    self.reciter = reciter
    riwayah = source.riwayah.rawValue
    if case .addresses(let pattern) = source.place {
      do throws(SourcePattern.Problem) {
        url = try SourcePattern(pattern).description
      } catch {
        throw LibraryError(
          .unusable, source.name,
          detail: "\(error.description); correct the pattern with 'source edit --url'")
      }
    }
    ayah_offset = source.ayahOffset
    mapping = source.mapping?.lines
    let folder = try AyahFolder(of: source, in: library)
    if let fault = folder.faultAndRemedy(of: source) {
      throw LibraryError(.unusable, source.name, detail: "\(folder.path): \(fault)")
    }
    let all = folder.files
    files = []
    for (index, entry) in all.enumerated() {
      guard progress(Double(index) / Double(all.count)) else {
        throw LibraryError(.cancelled, source.name)
      }
      let file = try MediaFile(path: folder.path + "/" + entry.name)
      files.append(
        File(
          ayah: entry.ayah.description, part: entry.part == 1 ? nil : entry.part, name: entry.name,
          bytes: file.size, sha256: try SourceCache.sha256(of: file)))
    }
    timings = try library.spans(of: source.id).values.sorted { $0.ayah < $1.ayah }.map {
      Span(
        ayah: $0.ayah.description, start: $0.milliseconds.lowerBound,
        end: $0.milliseconds.upperBound, bytes: $0.bytes,
        words: $0.words.isEmpty
          ? nil
          : $0.words.map { [$0.number, $0.milliseconds.lowerBound, $0.milliseconds.upperBound] })
    }
  }

  /// - Throws: a problem where it is none, or says what cannot be.
  public init(json: Data) throws(Problem) {
    guard json.count <= Self.largestSize else {
      throw Problem(
        description: "larger than the limit of \(Self.largestSize >> 20) MiB for a manifest")
    }
    let manifest: SourceManifest
    do {
      manifest = try JSONDecoder().decode(SourceManifest.self, from: json)
    } catch {
      throw Problem(description: "not the manifest of a source; 'source export' writes one")
    }
    self = manifest
    guard schema == Self.schema else {
      throw Problem(description: "unknown schema \(schema); expected \(Self.schema)")
    }
    guard Riwayah(rawValue: riwayah) != nil else {
      throw Problem(description: "unknown riwayah \(riwayah)")
    }
    for name in [name, reciter ?? ""] {
      if let fault = name.faultAsName { throw Problem(description: fault) }
    }
    if let url {
      do throws(SourcePattern.Problem) {
        _ = try SourcePattern(url)
      } catch {
        throw Problem(description: "\(url): \(error.description)")
      }
    }
    do throws(AyahMapping.Problem) {
      _ = try ayahMapping
    } catch {
      throw Problem(description: "mapping: \(error)")
    }
    guard mapping == nil || ayah_offset == 0 else {
      throw Problem(description: "it has both a mapping and an offset")
    }
    for file in files {
      guard AyahReference(file.ayah) != nil, (file.part ?? 1) > 0, file.bytes > 0,
        file.sha256.utf8.count == 64
      else {
        throw Problem(description: "the file \(file.name) has no ayah, size or SHA-256")
      }
    }
    for span in timings {
      guard AyahReference(span.ayah) != nil, span.start >= 0, span.end > span.start,
        span.bytes.map({ $0 > 0 }) ?? true,
        (span.words ?? []).allSatisfy({
          $0.count == 3 && $0[0] > 0 && $0[1] >= 0 && $0[1] < $0[2]
            && $0[2] <= span.end - span.start
        })
      else { throw Problem(description: "the timings of \(span.ayah) are invalid") }
    }
  }

  /// Which of its files hold which ayat; nil for none.
  public var ayahMapping: AyahMapping? {
    get throws(AyahMapping.Problem) {
      guard let mapping else { return nil }
      return try AyahMapping(parsing: mapping.joined(separator: "\n"))
    }
  }

  /// As one writes it: keys in order, a line for each value.
  public var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return (try? encoder.encode(self)) ?? Data()
  }

  /// Lets a source that was added have the timings that were checked, and be checked by what the files were. Timings count
  /// for the very files that were exported: of a folder those are looked for here, and what is fetched is compared as it
  /// comes. Timings that somebody took unchecked count for nobody else.
  /// - Parameter progress: gets the share done and says whether to go on.
  /// - Returns: how many ayat have timings that wait for a check, as their files are others or not here.
  @discardableResult
  public func enter(
    _ source: ReciterSource, in library: Library, progress: (Double) -> Bool = { _ in true }
  ) throws -> Int {
    let own = try exported(among: source, in: library, progress)
    let spans = timings.compactMap { span in
      AyahReference(span.ayah).flatMap { ayah -> SourceSpan? in
        span.bytes.flatMap {
          own.contains(ayah) || own.contains(ayah.surah.firstAyah) && ofSurahs.contains(ayah.surah)
            ? span.sourceSpan(of: ayah, bytes: $0) : nil
        }
      }
    }
    for (surah, spans) in Dictionary(grouping: spans, by: \.ayah.surah) {
      try library.replaceSpans(of: surah.ayat, with: spans, in: source.id)
    }
    // Held while it is written, so that no fetch is under way.
    let lock = try library.lock(source)
    defer { withExtendedLifetime(lock) {} }
    try json.write(to: Self.place(of: source, in: library), options: .atomic)
    return timings.count - spans.count
  }

  /// The surahs that are one file.
  private var ofSurahs: Set<Surah> {
    Set(files.filter { SourceFile.isOfSurah($0.name) }.compactMap { AyahReference($0.ayah)?.surah })
  }

  /// The first ayat of files that are those that were exported, and of those that are still to be fetched.
  private func exported(
    among source: ReciterSource, in library: Library, _ progress: (Double) -> Bool
  ) throws -> Set<AyahReference> {
    let listed = Dictionary(files.map { ($0.place, $0) }, uniquingKeysWith: { first, _ in first })
    guard case .folder = source.place else {
      return Set(files.compactMap { AyahReference($0.ayah) })
    }
    let folder = try AyahFolder(of: source, in: library)
    let timed = Set(timings.compactMap { AyahReference($0.ayah) })
    let wanted = folder.files.filter { folder.ayat(in: $0).contains(where: timed.contains) }
    var own: Set<AyahReference> = []
    for (index, file) in wanted.enumerated() {
      guard progress(Double(index) / Double(wanted.count)) else {
        throw LibraryError(.cancelled, source.name)
      }
      guard let published = listed[.init(file)] else { continue }
      do throws(DecodingError) {
        if try !published.differs(from: MediaFile(path: folder.path + "/" + file.name)) {
          own.insert(file.ayah)
        }
      } catch {
        // 'source check' tells what is wrong with it.
        continue
      }
    }
    return own
  }

  /// What was imported with a source; nil for nothing.
  static func imported(with source: ReciterSource, in library: Library) -> SourceManifest? {
    guard let data = try? Data(contentsOf: place(of: source, in: library)) else { return nil }
    return try? SourceManifest(json: data)
  }

  fileprivate static func place(of source: ReciterSource, in library: Library) -> URL {
    URL(filePath: source.manifestPath(in: library))
  }
}

extension SourceManifest.Span {
  fileprivate func sourceSpan(of ayah: AyahReference, bytes: Int64?) -> SourceSpan {
    SourceSpan(
      ayah, start..<end, bytes: bytes,
      words: (words ?? []).map { SourceSpan.Word($0[0], $0[1]..<$0[2]) })
  }
}

extension ReciterSource {
  /// Where the manifest lies that it was imported from, if it was.
  public func manifestPath(in library: Library) -> String {
    library.folder.fetched(of: self) + "/manifest.json"
  }

  /// Whether it was imported from a manifest.
  public func hasManifest(in library: Library) -> Bool {
    AyahFolder.size(of: manifestPath(in: library)) != nil
  }

  /// Where ayat lie by the manifest that it was imported from, whatever their files are now; none without one.
  public func manifestSpans(in library: Library) -> [SourceSpan] {
    (SourceManifest.imported(with: self, in: library)?.timings ?? []).compactMap { span in
      AyahReference(span.ayah).map { span.sourceSpan(of: $0, bytes: nil) }
    }
  }
}

extension ReciterSource {
  /// Enters whole files that nobody had come to enter when an earlier program ended, of all sources that no other
  /// program fetches.
  public static func mendAll(in library: Library) throws(LibraryError) {
    for source in try library.sources() {
      guard case .addresses = source.place else { continue }
      let names = try? FileManager.default.contentsOfDirectory(
        atPath: library.folder.fetched(of: source))
      guard let names, names.contains(where: Downloader.isRecord) else { continue }
      do {
        let lock = try library.lock(source)
        defer { withExtendedLifetime(lock) {} }
        try SourceCache(library: library, source: source).mend()
      } catch {
        // Another program fetches it; else what cannot be entered now is entered at the next opening.
        continue
      }
    }
  }
}
