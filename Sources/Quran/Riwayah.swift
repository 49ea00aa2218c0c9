// SPDX-License-Identifier: GPL-3.0-or-later

/// A transmission of the Quran, of the eight that the project knows.
///
/// The project numbers ayat as Hafs an Asim does. A recording in another riwayah may divide the same
/// words into ayat elsewhere, which `ayahCount(of:)` shows.
///
/// Two independent sources confirm the counts of Hafs (6,236 ayat in all) and of Qalun and Warsh
/// (6,214); those of Douri and Sousi (6,217) and of Bazzi and Qunbul (6,221) rest on one.
public enum Riwayah: String, CaseIterable, Sendable {
  case hafs, shuba, qalun, warsh, douri, sousi, bazzi, qunbul

  /// Transmitter and reader, "Hafs an Asim".
  public var displayName: String {
    switch self {
    case .hafs: "Hafs an Asim"
    case .shuba: "Shu'bah an Asim"
    case .qalun: "Qalun an Nafi"
    case .warsh: "Warsh an Nafi"
    case .douri: "ad-Douri an Abi Amr"
    case .sousi: "as-Sousi an Abi Amr"
    case .bazzi: "al-Bazzi an Ibn Kathir"
    case .qunbul: "Qunbul an Ibn Kathir"
    }
  }

  /// How many ayat it counts in a surah.
  public func ayahCount(of surah: Surah) -> Int {
    guard let differences else { return surah.ayahCount }
    return surah.ayahCount + differences[surah.number - 1] - 32
  }

  /// How many ayat it counts in all.
  public var totalAyahCount: Int { Surah.all.reduce(0) { $0 + ayahCount(of: $1) } }

  /// Whether it counts every surah as Hafs does, so that references need no mapping.
  public var countsAsHafs: Bool { differences == nil }

  private var differences: PackedTable? {
    switch self {
    case .hafs, .shuba: nil
    case .qalun, .warsh: StructureTables.nafiDifferences
    case .douri, .sousi: StructureTables.abuAmrDifferences
    case .bazzi, .qunbul: StructureTables.ibnKathirDifferences
    }
  }
}
