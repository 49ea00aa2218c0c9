// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Decoding
import Glibc

/// Files of the cache: what is damaged is as good as none, and one that cannot be written is none.
enum CacheFile {
  static let hashLength = 16

  /// The bytes of a file; nil where there is none, or it is longer than any of ours.
  static func read(_ path: String, atMost maxLength: Int) -> [UInt8]? {
    let descriptor = open(path.diskName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (hashLength...maxLength).contains(Int(status.st_size))
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress! + done, $0.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      done += count
    }
    return bytes
  }

  /// Puts bytes in place of what a file held.
  static func write(_ bytes: [UInt8], to path: String) {
    // A name of its own keeps two programs apart.
    let part = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 16)).part"
    let descriptor = open(part.diskName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      done += count
    }
    close(descriptor)
    if done < bytes.count || rename(part.diskName, path.diskName) != 0 { unlink(part.diskName) }
  }

  /// Content with its hash behind it.
  static func sealed(_ content: [UInt8]) -> [UInt8] { content + hash(content[...]) }

  /// What lies between the magic and the hash; nil where either is wrong.
  static func opened(_ bytes: [UInt8], magic: [UInt8]) -> ArraySlice<UInt8>? {
    guard bytes.count >= magic.count + hashLength, bytes.starts(with: magic) else { return nil }
    let content = bytes.dropLast(hashLength)
    guard hash(content) == Array(bytes.suffix(hashLength)) else { return nil }
    return content.dropFirst(magic.count)
  }

  static func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.digest()
  }
}

extension [UInt8] {
  mutating func put(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { self += $0 }
  }
}

extension ArraySlice<UInt8> {
  /// Takes a number from the front; nil where too little is left.
  mutating func take<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    let size = MemoryLayout<Value>.size
    guard count >= size else { return nil }
    let value = prefix(size).withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    self = dropFirst(size)
    return Value(littleEndian: value)
  }
}
