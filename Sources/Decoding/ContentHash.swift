// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg

/// A 128-bit MurmurHash3, by FFmpeg's libavutil: tells files apart and damage from intent, but is no
/// defence against somebody who wants two things to look alike.
public struct ContentHash: ~Copyable {
  private let context: OpaquePointer?

  public init() {
    context = av_murmur3_alloc()
    if let context { av_murmur3_init(context) }
  }

  deinit { av_free(UnsafeMutableRawPointer(context)) }

  /// Adds bytes to what is hashed.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let context, let base = bytes.baseAddress else { return }
    av_murmur3_update(context, base.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// The hash of everything added, 16 bytes; ends the hashing.
  public consuming func digest() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 16)
    if let context { av_murmur3_final(context, &digest) }
    return digest
  }
}

extension MediaFile {
  /// A key under which to remember things about this file, and one of its audio tracks, as it is now.
  ///
  /// It changes when the file is written to or replaced, and not when it is renamed: identity, and samples
  /// of the content for the case that somebody set the time of change back.
  public func contentKey(track: Int?) throws(DecodingError) -> [UInt8] {
    var hash = ContentHash()
    for number in [
      UInt64(bitPattern: identity.size), identity.device, identity.inode,
      UInt64(bitPattern: identity.modified), UInt64(max(track ?? 0, 0)),
    ] {
      withUnsafeBytes(of: number.littleEndian) { hash.update($0) }
    }
    let probeCount: Int64 = 18
    for probe in 0..<probeCount {
      let offset = size * probe / probeCount
      let bytes = try bytes(at: offset, count: 4096)
      bytes.withUnsafeBytes { hash.update($0) }
    }
    return hash.digest()
  }
}
