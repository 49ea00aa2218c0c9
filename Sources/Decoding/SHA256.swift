// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg

/// SHA-256, by FFmpeg's libavutil: by this others can compare a file with what `sha256sum` says.
public struct SHA256: ~Copyable {
  private let context: OpaquePointer?

  public init() {
    context = av_sha_alloc()
    if let context { av_sha_init(context, 256) }
  }

  deinit { av_free(UnsafeMutableRawPointer(context)) }

  /// Adds bytes to what is hashed.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let context, let base = bytes.baseAddress else { return }
    av_sha_update(context, base.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// The hash of everything added, in hexadecimal digits; ends the hashing.
  public consuming func digest() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    if let context { av_sha_final(context, &digest) }
    return digest.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
