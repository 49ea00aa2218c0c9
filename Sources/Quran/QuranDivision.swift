// SPDX-License-Identifier: GPL-3.0-or-later

/// A way of dividing the whole Quran into numbered parts that follow one another without gaps.
///
/// Source: Tanzil Quran Metadata.
public enum QuranDivision: String, CaseIterable, Sendable {
  /// 30 parts of eight rubs.
  case juz
  /// 60 parts of four rubs.
  case hizb
  /// 240 quarters of a hizb. The sources differ on one: rub 106 starts at 15:50 in Tanzil's table,
  /// used here, and at 15:49 by the sign printed in the Madinah mushaf.
  case rub
  /// The 604 pages of the Madinah mushaf.
  case page
  /// Seven parts, one for each day of a week.
  case manzil
  /// 556 passages; each surah starts one.
  case ruku

  /// How many parts there are.
  public var count: Int { (starts.count - 1) / startsPerPart }

  /// The first ayah of part `number`.
  /// - Throws: ``QuranError/noSuchPart(_:_:)`` unless `number` is 1...`count`.
  public func start(of number: Int) throws(QuranError) -> AyahReference {
    try range(of: number).first
  }

  /// All of part `number`.
  /// - Throws: ``QuranError/noSuchPart(_:_:)`` unless `number` is 1...`count`.
  public func range(of number: Int) throws(QuranError) -> AyahRange {
    guard number >= 1, number <= count else { throw .noSuchPart(self, number) }
    let first = starts[(number - 1) * startsPerPart]
    let next = starts[number * startsPerPart]
    return AyahRange(
      trusted: AyahReference(trustedIndex: first), AyahReference(trustedIndex: next - 1))
  }

  /// The number of the part that contains an ayah, 1...`count`.
  public func number(containing ayah: AyahReference) -> Int {
    starts.lastIndex(notAbove: ayah.absoluteIndex) / startsPerPart + 1
  }

  /// Absolute indices of first ayat, and the end of the Quran last.
  private var starts: PackedTable {
    switch self {
    case .juz, .hizb, .rub: StructureTables.rubs
    case .page: StructureTables.pages
    case .manzil: StructureTables.manzils
    case .ruku: StructureTables.rukus
    }
  }

  private var startsPerPart: Int {
    switch self {
    case .juz: 8
    case .hizb: 4
    case .rub, .page, .manzil, .ruku: 1
    }
  }
}
