// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// How a source numbers its files, by the numbers of ours.
public enum SourceNumbering: Hashable, Sendable {
  /// What is added to an ayah's number.
  case offset(Int)
  case mapping(AyahMapping)

  /// The numbers of the files in which an ayah is heard, in order; nil for none.
  public func numbers(of ayah: AyahReference) -> ClosedRange<Int>? {
    switch self {
    case .offset(let offset):
      let number = ayah.ayah + offset
      // A number beyond three digits would be another file's.
      return AyahMapping.numbers.contains(number) ? number...number : nil
    case .mapping(let mapping): return mapping.numbers(of: ayah)
    }
  }

  /// The first ayah that is heard in a file; nil for none.
  public func firstAyah(of number: Int, in surah: Surah) -> AyahReference? {
    switch self {
    case .offset(let offset): AyahReference(surah: surah.number, ayah: number - offset)
    case .mapping(let mapping): mapping.firstAyah(of: number, in: surah)
    }
  }

  /// The ayat that are heard in the files of an ayah, without a known place in them; that ayah alone for most.
  public func ayat(heardWith ayah: AyahReference) -> AyahRange {
    switch self {
    case .offset: AyahRange(ayah)
    case .mapping(let mapping): mapping.ayat(heardWith: ayah)
    }
  }
}
