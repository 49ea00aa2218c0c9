// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Quran

/// What the text of a label says is heard: an assignment that may lack its joins, and the surah of
/// its basmalah.
enum SpokenContent: Hashable, Sendable {
  case ayah(AyahReference, part: AyahPart? = nil, withBasmalah: Bool = false)
  case pair(AyahReference, AyahReference, withBasmalah: Bool = false)
  case ayat(AyahRange, withBasmalah: Bool = false)
  case istiadhah
  /// The basmalah of a surah, or of the one that follows where none is named.
  case basmalah(Surah?, afterIstiadhah: Bool)
  case unused(UnusedReason)

  /// The first and last ayah heard, nil outside of recitation.
  var ends: (first: AyahReference, last: AyahReference)? {
    switch self {
    case .ayah(let ayah, _, _): (ayah, ayah)
    case .pair(let first, let last, _): (first, last)
    case .ayat(let range, _): (range.first, range.last)
    case .istiadhah, .basmalah, .unused: nil
    }
  }

  /// The same with the basmalah of each surah that begins in it; nil where none has one, or it is there already.
  var withBasmalah: SpokenContent? {
    switch self {
    case .ayah(let ayah, let part, false)
    where ayah.followsBasmalah && (part ?? .beginning) == .beginning:
      .ayah(ayah, part: part, withBasmalah: true)
    case .pair(let first, let last, false) where first.followsBasmalah || last.followsBasmalah:
      .pair(first, last, withBasmalah: true)
    case .ayat(let range, false) where range.contains(where: \.followsBasmalah):
      .ayat(range, withBasmalah: true)
    default: nil
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
      case .ayah(let ayah, let part, let has): .ayah(ayah, part: part, withBasmalah: has)
      case .crossSurah(let ayah, _, let end, let has): .pair(ayah, end, withBasmalah: has)
      case .ayat(let range, _, let has): .ayat(range, withBasmalah: has)
      case .leadIn(.istiadhah): .istiadhah
      case .leadIn(.basmalah(let surah)): .basmalah(surah, afterIstiadhah: false)
      case .leadIn(.istiadhahAndBasmalah(let surah)): .basmalah(surah, afterIstiadhah: true)
      case .unused(let reason): .unused(reason)
      }
  }
}
