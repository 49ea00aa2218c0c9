// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Exchange
import Quran

extension SegmentAssignment {
  /// What the exchange formats call an assignment.
  init(_ assignment: Assignment) {
    switch assignment {
    case .ayah(let ayah, let part):
      self = .ayah(ayah, part: part.flatMap { AyahPart(rawValue: $0.rawValue) })
    case .crossSurah(let ayah, let join, let end): self = .crossSurah(ayah, join: join, end: end)
    case .ayat(let range, let joins):
      self = .ayat(first: range.first, last: range.last, joins: joins)
    case .leadIn(let leadIn):
      self = .leadIn(
        istiadhah: leadIn.hasIstiadhah, basmalahOf: leadIn.basmalah?.number)
    case .unused(let reason): self = .unused(UnusedReason(rawValue: reason.rawValue) ?? .other)
    }
  }
}
