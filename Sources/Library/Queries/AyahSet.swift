// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

/// A set of ayat, a bit each; small enough that a thousand recordings are united in a few milliseconds.
struct AyahSet: Equatable {
  /// Bit `n % 8` of byte `n / 8` is the ayah of absolute index `n + 1`.
  private(set) var bytes: [UInt8]

  static let byteCount = (AyahReference.count + 7) / 8

  init() { bytes = [UInt8](repeating: 0, count: Self.byteCount) }

  init(_ ayat: some Sequence<AyahReference>) {
    self.init()
    for ayah in ayat {
      let bit = ayah.absoluteIndex - 1
      bytes[bit / 8] |= 1 << UInt8(bit % 8)
    }
  }

  func contains(_ ayah: AyahReference) -> Bool {
    let bit = ayah.absoluteIndex - 1
    return bytes[bit / 8] & 1 << UInt8(bit % 8) != 0
  }

  /// Adds what a column holds; what is too short or long counts as far as it goes.
  mutating func formUnion(_ other: UnsafeRawBufferPointer) {
    bytes.withUnsafeMutableBytes { mine in
      for index in 0..<min(mine.count, other.count) { mine[index] |= other[index] }
    }
  }
}
