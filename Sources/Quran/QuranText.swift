// SPDX-License-Identifier: GPL-3.0-or-later

/// The words of the ayat, from a file that the person has supplied.
public struct QuranText: Hashable, Sendable {
  private let ayat: [String]

  /// - Parameter ayat: one text for each ayah in order, 6,236 in all; nil for any other number.
  public init?(ayat: [String]) {
    guard ayat.count == AyahReference.count else { return nil }
    self.ayat = ayat
  }

  public subscript(ayah: AyahReference) -> String { ayat[ayah.absoluteIndex - 1] }
}
