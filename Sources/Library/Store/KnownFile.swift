// SPDX-License-Identifier: GPL-3.0-or-later

import Decoding
import Glibc

/// By what a recording's file is known again.
public struct KnownFile: Hashable, Sendable {
  public internal(set) var size: Int64
  /// Nanoseconds since 1970. One that has not changed spares the reading of ``probe``.
  public internal(set) var modified: Int64
  /// Hash of samples from all over the file, 16 bytes.
  public internal(set) var probe: [UInt8]
  /// Hash of the whole file, 16 bytes.
  public internal(set) var contentHash: [UInt8]

  init(size: Int64, modified: Int64, probe: [UInt8], contentHash: [UInt8]) {
    self.size = size
    self.modified = modified
    self.probe = probe
    self.contentHash = contentHash
  }

  /// Reads a file through.
  /// - Parameter shouldGoOn: asked now and then; false ends the reading with `.cancelled`.
  init(
    reading file: MediaFile, shouldGoOn: () -> Bool = { true }
  ) throws(LibraryError) {
    self.init(
      size: file.size, modified: file.identity.modified, probe: try Self.probe(of: file),
      contentHash: try Self.contentHash(of: file, shouldGoOn: shouldGoOn))
  }

  /// Whether a file is there and is this one, as far as its size and its probe can tell.
  func isLike(fileAt path: String) -> Bool {
    guard let file = try? MediaFile(path: path), file.size == size else { return false }
    return (try? Self.probe(of: file)) == probe
  }

  /// Whether a file that is longer begins with this one, as far as its probe can tell.
  func isBeginning(of file: MediaFile) -> Bool {
    file.size > size && (try? Self.probe(of: file, upTo: size)) == probe
  }

  /// As hexadecimal digits.
  public var contentHashText: String { contentHash.map { hexadecimal($0) }.joined() }

  /// - Parameter size: of the part of the file that counts; nil for all of it.
  static func probe(of file: MediaFile, upTo size: Int64? = nil) throws(LibraryError) -> [UInt8] {
    var hash = ContentHash()
    let count: Int64 = 18
    let size = size ?? file.size
    for number in 0..<count {
      let offset = size * number / count
      try read(file, at: offset, count: Int(min(4096, size - offset))) { hash.update($0) }
    }
    return hash.digest()
  }

  static func contentHash(
    of file: MediaFile, upTo size: Int64? = nil, shouldGoOn: () -> Bool
  ) throws(LibraryError) -> [UInt8] {
    var hash = ContentHash()
    var offset: Int64 = 0
    let size = size ?? file.size
    while offset < size {
      guard shouldGoOn() else { throw LibraryError(.cancelled, file.path) }
      let wanted = Int(min(1 << 20, size - offset))
      let count = try read(file, at: offset, count: wanted) { hash.update($0) }
      guard count > 0 else {
        throw LibraryError(.changed, file.path, detail: "the file became shorter during the import")
      }
      offset += Int64(count)
    }
    return hash.digest()
  }

  @discardableResult
  private static func read(
    _ file: MediaFile, at offset: Int64, count: Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(LibraryError) -> Int {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { buffer.deallocate() }
    let filled: Int
    do throws(Decoding.DecodingError) {
      filled = try file.read(at: offset, into: buffer)
    } catch {
      throw LibraryError(error)
    }
    body(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
    return filled
  }
}

func hexadecimal(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16)
  return digits.count == 1 ? "0" + digits : digits
}

/// Eight digits.
func hexadecimal(_ number: UInt32) -> String {
  (0..<4).reversed().map { hexadecimal(UInt8(truncatingIfNeeded: number >> ($0 * 8))) }.joined()
}
