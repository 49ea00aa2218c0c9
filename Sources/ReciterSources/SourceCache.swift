// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Decoding
import Fetch
public import Library
public import Quran

/// Something wrong with a file of a source.
public struct SourceProblem: Hashable, Sendable {
  /// The ayah that the file holds, or the first of its surah.
  public let ayah: AyahReference
  public let file: String
  /// What is wrong and what to do, in one line. Not safe to print as it is.
  public let message: String
}

/// What was fetched of a source, and what the library knows of it.
struct SourceCache {
  let library: Library
  let source: ReciterSource

  private var path: String { library.folder.fetched(of: source) }

  /// Enters whole files that nobody had come to enter when the program ended. To be called with the source locked.
  func mend() throws {
    let known = Set(try library.files(of: source.id).map(\.name))
    for (ayah, name) in AyahFolder(path).files where !known.contains(name) {
      let file = path + "/" + name
      guard let left = Downloader.leftRecord(of: file) else { continue }
      try enter(ayah, name, url: left.url, etag: left.etag)
    }
  }

  func enter(_ ayah: AyahReference, _ name: String, url: String, etag: String?) throws {
    let file = try MediaFile(path: path + "/" + name)
    try library.enter(
      SourceFile(
        ayah: ayah, name: name, url: url, bytes: file.size, hash: try Self.hash(of: file),
        etag: etag),
      of: source.id)
    Downloader.forgetRecord(of: path + "/" + name)
  }

  static func hash(of file: MediaFile) throws(DecodingError) -> [UInt8] {
    var hash = ContentHash()
    try read(file) { hash.update($0) }
    return hash.digest()
  }

  static func sha256(of file: MediaFile) throws(DecodingError) -> String {
    var hash = SHA256()
    try read(file) { hash.update($0) }
    return hash.digest()
  }

  private static func read(
    _ file: MediaFile, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(DecodingError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while offset < file.size {
      let count = try file.read(at: offset, into: buffer)
      guard count > 0 else { break }
      take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
  }
}

extension ReciterSource {
  /// Reads every file of the source to its end, and compares what was fetched with what it was then.
  /// - Parameter progress: gets the share done and says whether to go on.
  public func check(
    in library: Library, stopFlag: StopFlag, progress: (Double) -> Bool
  ) throws -> [SourceProblem] {
    let folder = AyahFolder(of: self, in: library.folder)
    var problems: [SourceProblem] = []
    let known = Dictionary(
      try library.files(of: id).map { ($0.ayah, $0) }, uniquingKeysWith: { first, _ in first })
    let here = folder.files
    let published = Dictionary(
      (SourceManifest.imported(with: self, in: library)?.files ?? []).map { ($0.ayah, $0) },
      uniquingKeysWith: { first, _ in first })
    let names = here.merging(known.mapValues(\.name)) { here, _ in here }
    for (index, (ayah, name)) in names.sorted(by: { $0.key < $1.key }).enumerated() {
      guard progress(Double(index) / Double(names.count)), !stopFlag.isStopped else {
        throw LibraryError(.cancelled, self.name)
      }
      let path = folder.path + "/" + name
      func add(_ message: String) {
        problems.append(SourceProblem(ayah: ayah, file: path, message: message))
      }
      if here[ayah] == nil {
        add("it was fetched, but is gone; 'source fetch' brings it again")
      } else if let file = known[ayah],
        try MediaFile(path: path).size != file.bytes
          || SourceCache.hash(of: MediaFile(path: path)) != file.hash
      {
        add("it is not what was fetched; delete it, and 'source fetch' brings it again")
      } else if let file = published[ayah.description],
        try MediaFile(path: path).size != file.bytes
          || SourceCache.sha256(of: MediaFile(path: path)) != file.sha256
      {
        add("it is another file than the manifest has, by its size or SHA-256")
      } else if let reason = WholeFile.problem(of: path, stopFlag: stopFlag) {
        add(reason)
      }
    }
    return problems
  }
}
