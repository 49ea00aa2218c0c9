// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Quran

/// What the text of a label says is heard: an assignment that may lack its joins, and the surah of
/// its basmalah.
enum SpokenContent: Hashable, Sendable {
  case ayah(AyahReference, part: AyahPart? = nil)
  case pair(AyahReference, AyahReference)
  case ayat(AyahRange)
  case istiadhah
  /// The basmalah of a surah, or of the one that follows where none is named.
  case basmalah(Surah?, afterIstiadhah: Bool)
  case unused(UnusedReason)

  /// The first and last ayah heard, nil outside of recitation.
  var ends: (first: AyahReference, last: AyahReference)? {
    switch self {
    case .ayah(let ayah, _): (ayah, ayah)
    case .pair(let first, let last): (first, last)
    case .ayat(let range): (range.first, range.last)
    case .istiadhah, .basmalah, .unused: nil
    }
  }

  /// One ayah, several consecutive ones or a pair of two surahs, whichever the ayat make; nil where
  /// they make none.
  init?(_ ayat: [AyahReference]) {
    guard let first = ayat.first, let last = ayat.last else { return nil }
    if ayat.count == 1 {
      self = .ayah(first)
    } else if let range = AyahRange(first: first, last: last), Array(range) == ayat {
      // The last of a surah and the first of the next are told from a run by how they are written,
      // and a pair is what people mean.
      self = ayat.count == 2 && first.surah != last.surah ? .pair(first, last) : .ayat(range)
    } else if ayat.count == 2, first.surah != last.surah {
      self = .pair(first, last)
    } else {
      return nil
    }
  }

  init(_ assignment: Assignment) {
    self =
      switch assignment {
      case .ayah(let ayah, let part): .ayah(ayah, part: part)
      case .crossSurah(let ayah, _, let end): .pair(ayah, end)
      case .ayat(let range, _): .ayat(range)
      case .leadIn(.istiadhah): .istiadhah
      case .leadIn(.basmalah(let surah)): .basmalah(surah, afterIstiadhah: false)
      case .leadIn(.istiadhahAndBasmalah(let surah)): .basmalah(surah, afterIstiadhah: true)
      case .unused(let reason): .unused(reason)
      }
  }
}
