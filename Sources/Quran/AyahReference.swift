// SPDX-License-Identifier: GPL-3.0-or-later

/// An ayah that exists, named by surah and ayah in the counting of Hafs an Asim.
///
/// Ordered as in the mushaf.
public struct AyahReference: Hashable, Sendable {
  public let surah: Surah
  private let storedAyah: UInt16

  /// The place in the surah, from 1.
  public var ayah: Int { Int(storedAyah) }

  /// How many ayat there are, 6,236.
  public static let count = 6236

  /// Nil when the surah has no such ayah.
  public init?(surah: Surah, ayah: Int) {
    guard ayah >= 1, ayah <= surah.ayahCount else { return nil }
    self.init(trusted: surah, ayah: ayah)
  }

  /// Nil when there is no such surah, or no such ayah in it.
  public init?(surah: Int, ayah: Int) {
    guard let surah = Surah(surah) else { return nil }
    self.init(surah: surah, ayah: ayah)
  }

  /// - Throws: ``QuranError/noSuchSurah(_:)`` or ``QuranError/noSuchAyah(_:_:)``.
  public init(checking surah: Int, ayah: Int) throws(QuranError) {
    try self.init(checking: Surah(checking: surah), ayah: ayah)
  }

  /// - Throws: ``QuranError/noSuchAyah(_:_:)``.
  public init(checking surah: Surah, ayah: Int) throws(QuranError) {
    guard let reference = AyahReference(surah: surah, ayah: ayah) else {
      throw .noSuchAyah(surah, ayah)
    }
    self = reference
  }

  /// The ayah at a place in the whole Quran; nil unless `absoluteIndex` is 1...6236.
  public init?(absoluteIndex: Int) {
    guard absoluteIndex >= 1, absoluteIndex <= Self.count else { return nil }
    self.init(trustedIndex: absoluteIndex)
  }

  /// For ayat known to exist.
  init(trusted surah: Surah, ayah: Int) {
    self.surah = surah
    storedAyah = UInt16(ayah)
  }

  /// For indices known to be in 1...6236.
  init(trustedIndex absoluteIndex: Int) {
    let row = StructureTables.surahs.lastIndex(notAbove: absoluteIndex)
    self.init(
      trusted: Surah(trusted: row + 1), ayah: absoluteIndex - StructureTables.surahs[row] + 1)
  }

  /// The place in the whole Quran, 1...6236.
  public var absoluteIndex: Int { surah.firstAbsoluteIndex + ayah - 1 }

  public static var first: AyahReference { AyahReference(trustedIndex: 1) }

  public static var last: AyahReference { AyahReference(trustedIndex: count) }

  /// The ayah after this, in the next surah if need be; nil after 114:6.
  public var next: AyahReference? { advanced(by: 1) }

  /// The ayah before this, in the surah before if need be; nil before 1:1.
  public var previous: AyahReference? { advanced(by: -1) }

  /// The ayah so many places on, or back if negative; nil beyond either end of the Quran.
  public func advanced(by ayat: Int) -> AyahReference? {
    let (index, overflow) = absoluteIndex.addingReportingOverflow(ayat)
    return overflow ? nil : AyahReference(absoluteIndex: index)
  }
}

extension AyahReference: Comparable {
  public static func < (left: AyahReference, right: AyahReference) -> Bool {
    (left.surah.number, left.ayah) < (right.surah.number, right.ayah)
  }
}

extension AyahReference: LosslessStringConvertible {
  /// Surah and ayah, "2:255".
  public var description: String { "\(surah.number):\(ayah)" }

  /// Reads what `description` writes and nothing else; ``init(parsing:)`` reads what people type.
  public init?(_ description: String) {
    let numbers = description.split(separator: ":")
    guard numbers.count == 2, let surah = decimalNumber(numbers[0]),
      let ayah = decimalNumber(numbers[1]), let reference = AyahReference(surah: surah, ayah: ayah),
      reference.description == description
    else { return nil }
    self = reference
  }
}

// MARK: Where it lies

extension AyahReference {
  /// The juz, 1...30.
  public var juz: Int { QuranDivision.juz.number(containing: self) }

  /// The hizb, 1...60.
  public var hizb: Int { QuranDivision.hizb.number(containing: self) }

  /// The quarter of a hizb, 1...240.
  public var rub: Int { QuranDivision.rub.number(containing: self) }

  /// The page of the Madinah mushaf, 1...604.
  public var page: Int { QuranDivision.page.number(containing: self) }

  /// The manzil, 1...7.
  public var manzil: Int { QuranDivision.manzil.number(containing: self) }

  /// The ruku counted through the whole Quran, 1...556.
  public var ruku: Int { QuranDivision.ruku.number(containing: self) }

  /// The prostration that follows this ayah, if one does.
  public var sajdah: Sajdah? { Sajdah.all.first { $0.ayah == self } }
}

extension AyahReference {
  /// Whether it is of the surah that is recited in each rak'ah.
  public var isInFatiha: Bool { surah.number == 1 }
}
