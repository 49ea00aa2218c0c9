// SPDX-License-Identifier: GPL-3.0-or-later

import CZlib

/// Streams of zlib (RFC 1950).
public enum Zlib {
  /// Bytes made smaller by the quickest method; nil where there is no memory for that.
  public static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var count = compressBound(uLong(bytes.count))
    var result = Z_OK
    let compressed = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, used in
      result = compress2(buffer.baseAddress, &count, bytes, uLong(bytes.count), Z_BEST_SPEED)
      used = result == Z_OK ? Int(count) : 0
    }
    return result == Z_OK ? compressed : nil
  }
}
