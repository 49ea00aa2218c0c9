// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import Fetch
import Library
import Quran

/// What was fetched of a source, and what the library knows of it.
struct SourceCache {
  let library: Library
  let source: ReciterSource

  private var path: String { library.folder.fetched(of: source) }

  /// Enters whole files that nobody had come to enter when the program ended. To be called with the source locked.
  func mend() throws {
    let known = Set(try library.files(of: source.id).map(\.name))
    for file in AyahFolder(path, source.fetchedNumbering).files where !known.contains(file.name) {
      guard let left = Downloader.leftRecord(of: path + "/" + file.name) else { continue }
      try enter(file.ayah, file.name, url: left.url, etag: left.etag)
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
