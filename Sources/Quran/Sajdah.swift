// SPDX-License-Identifier: GPL-3.0-or-later

/// One of the 15 places where reciting an ayah calls for a prostration.
///
/// Source: Tanzil Quran Metadata. The schools differ on the number and on the rulings.
public struct Sajdah: Hashable, Sendable {
  public enum Ruling: String, CaseIterable, Sendable {
    case recommended, obligatory
  }

  /// The place among the 15, from 1.
  public let number: Int
  /// The ayah after which one prostrates.
  public let ayah: AyahReference
  /// As Tanzil's table has it.
  public let ruling: Ruling

  /// All 15 in the order of the mushaf.
  public static let all: [Sajdah] = {
    let table = StructureTables.sajdahs
    return (0..<table.count).map { row in
      Sajdah(
        number: row + 1, ayah: AyahReference(trustedIndex: table[row] >> 1),
        ruling: table[row] & 1 == 0 ? .recommended : .obligatory)
    }
  }()
}
