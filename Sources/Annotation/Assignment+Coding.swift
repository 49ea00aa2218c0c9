// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran

extension Assignment: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind, ayah, part, join, end, first, last, joins, istiadhah, basmalah, reason, withBasmalah
  }

  private enum Kind: String, Codable {
    case ayah, ayat, unused
    case crossSurah = "cross_surah"
    case leadIn = "lead_in"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let has = try values.decodeIfPresent(Bool.self, forKey: .withBasmalah) ?? false
    switch try values.decode(Kind.self, forKey: .kind) {
    case .ayah:
      self = .ayah(
        try values.decode(AyahReference.self, forKey: .ayah),
        part: try values.decodeIfPresent(AyahPart.self, forKey: .part), withBasmalah: has)
    case .crossSurah:
      self = .crossSurah(
        try values.decode(AyahReference.self, forKey: .ayah),
        join: try values.decode(FramePosition.self, forKey: .join),
        end: try values.decode(AyahReference.self, forKey: .end), withBasmalah: has)
    case .ayat:
      let first = try values.decode(AyahReference.self, forKey: .first)
      let last = try values.decode(AyahReference.self, forKey: .last)
      guard let range = AyahRange(first: first, last: last) else {
        throw values.corrupted(.last, "\(last) comes before \(first)")
      }
      self = .ayat(
        range, joins: try values.decode([FramePosition].self, forKey: .joins), withBasmalah: has)
    case .leadIn:
      let istiadhah = try values.decode(Bool.self, forKey: .istiadhah)
      let number = try values.decodeIfPresent(Int.self, forKey: .basmalah)
      let surah = number.flatMap { Surah($0) }
      switch (istiadhah, surah) {
      case (true, nil) where number == nil: self = .leadIn(.istiadhah)
      case (false, let surah?): self = .leadIn(.basmalah(of: surah))
      case (true, let surah?): self = .leadIn(.istiadhahAndBasmalah(of: surah))
      case (_, nil): throw values.corrupted(.basmalah, "a lead-in of nothing, or of no surah")
      }
    case .unused:
      self = .unused(try values.decode(UnusedReason.self, forKey: .reason))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    if hasBasmalah { try values.encode(true, forKey: .withBasmalah) }
    switch self {
    case .ayah(let ayah, let part, _):
      try values.encode(Kind.ayah, forKey: .kind)
      try values.encode(ayah, forKey: .ayah)
      try values.encodeIfPresent(part, forKey: .part)
    case .crossSurah(let ayah, let join, let end, _):
      try values.encode(Kind.crossSurah, forKey: .kind)
      try values.encode(ayah, forKey: .ayah)
      try values.encode(join, forKey: .join)
      try values.encode(end, forKey: .end)
    case .ayat(let range, let joins, _):
      try values.encode(Kind.ayat, forKey: .kind)
      try values.encode(range.first, forKey: .first)
      try values.encode(range.last, forKey: .last)
      try values.encode(joins, forKey: .joins)
    case .leadIn(let leadIn):
      try values.encode(Kind.leadIn, forKey: .kind)
      try values.encode(leadIn.hasIstiadhah, forKey: .istiadhah)
      try values.encodeIfPresent(leadIn.basmalah?.number, forKey: .basmalah)
    case .unused(let reason):
      try values.encode(Kind.unused, forKey: .kind)
      try values.encode(reason, forKey: .reason)
    }
  }
}
