// SPDX-License-Identifier: GPL-3.0-or-later

/// One of the 114 surahs, in the order of the mushaf and the counting of Hafs an Asim.
///
/// Source of all numbers and names: Tanzil Quran Metadata; second names from quran.com.
public struct Surah: Hashable, Sendable {
  private let storedNumber: UInt8

  /// The place in the mushaf, 1...114.
  public var number: Int { Int(storedNumber) }

  /// Nil unless `number` is 1...114.
  public init?(_ number: Int) {
    guard Self.numbers.contains(number) else { return nil }
    storedNumber = UInt8(number)
  }

  /// - Throws: ``QuranError/noSuchSurah(_:)`` unless `number` is 1...114.
  public init(checking number: Int) throws(QuranError) {
    guard let surah = Surah(number) else { throw .noSuchSurah(number) }
    self = surah
  }

  /// For numbers that come from the tables; traps outside 1...114.
  init(trusted number: Int) {
    precondition(Self.numbers.contains(number), "no such surah")
    storedNumber = UInt8(number)
  }

  /// The numbers that surahs have, 1...114.
  public static let numbers = 1...114

  /// All surahs in the order of the mushaf.
  public static var all: [Surah] { numbers.map(Surah.init(trusted:)) }

  /// The next surah, nil after the 114th.
  public var next: Surah? { Surah(number + 1) }

  /// The surah before, nil before the first.
  public var previous: Surah? { Surah(number - 1) }
}

extension Surah: Comparable {
  public static func < (left: Surah, right: Surah) -> Bool {
    left.storedNumber < right.storedNumber
  }
}

extension Surah: CustomStringConvertible {
  /// Name and number, "Al-Baqarah (2)".
  public var description: String { "\(name) (\(number))" }
}

// MARK: Extent

extension Surah {
  /// How many ayat it has, 3...286, in Hafs counting.
  public var ayahCount: Int { StructureTables.surahs[number] - firstAbsoluteIndex }

  /// The absolute index of its first ayah, 1...6231.
  public var firstAbsoluteIndex: Int { StructureTables.surahs[number - 1] }

  public var firstAyah: AyahReference { AyahReference(trusted: self, ayah: 1) }

  public var lastAyah: AyahReference { AyahReference(trusted: self, ayah: ayahCount) }

  /// All of it.
  public var ayat: AyahRange { AyahRange(trusted: firstAyah, lastAyah) }

  /// The page on which it starts, 1...604 of the Madinah mushaf.
  public var startPage: Int { firstAyah.page }

  /// How many rukus it has, 1...40.
  public var rukuCount: Int { lastAyah.ruku - firstAyah.ruku + 1 }
}

// MARK: Revelation

extension Surah {
  /// Where a surah was revealed.
  public enum RevelationPlace: String, CaseIterable, Sendable {
    case meccan, medinan
  }

  public var revelationPlace: RevelationPlace {
    StructureTables.revelation[number - 1] & 1 == 0 ? .meccan : .medinan
  }

  /// Its place in the order of revelation, 1...114.
  public var revelationOrder: Int { StructureTables.revelation[number - 1] >> 1 }
}

// MARK: Basmalah

extension Surah {
  /// Whether it opens with a basmalah that is not counted as an ayah.
  ///
  /// So do all but the first, whose basmalah is 1:1 in Hafs counting, and the ninth, which has none.
  public var opensWithUncountedBasmalah: Bool { number != 1 && number != 9 }
}

extension AyahReference {
  /// Whether it is the first of a surah that opens with a basmalah which is not counted as an ayah.
  public var followsBasmalah: Bool { ayah == 1 && surah.opensWithUncountedBasmalah }
}
