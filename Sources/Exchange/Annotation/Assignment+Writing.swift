// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

extension Assignment {
  /// The word for the case in JSON and tables.
  var kind: String {
    switch self {
    case .ayah: "ayah"
    case .crossSurah: "cross_surah"
    case .ayat: "ayat"
    case .leadIn: "lead_in"
    case .unused: "unused"
    }
  }

  /// The surah and ayah that a table's columns show: the first of several.
  var leading: (surah: Int?, ayah: Int?) {
    switch self {
    case .ayah(let ayah, _, _), .crossSurah(let ayah, _, _, _): (ayah.surah.number, ayah.ayah)
    case .ayat(let range, _, _): (range.first.surah.number, range.first.ayah)
    case .leadIn(let leadIn): (leadIn.basmalah?.number, nil)
    case .unused: (nil, nil)
    }
  }

  /// As JSON, with places in the recording as `place` writes them.
  func value(_ place: (FramePosition) -> JSONValue) -> JSONValue {
    var members: [JSONValue.Member] = [.init("kind", .string(kind))]
    switch self {
    case .ayah(let ayah, let part, _):
      members += [.init("surah", .integer(ayah.surah.number)), .init("ayah", .integer(ayah.ayah))]
      if let part { members.append(.init("part", .string(part.rawValue))) }
    case .crossSurah(let ayah, let join, let end, _):
      members += [
        .init("surah", .integer(ayah.surah.number)), .init("ayah", .integer(ayah.ayah)),
        .init("join", place(join)),
        .init("end_surah", .integer(end.surah.number)), .init("end_ayah", .integer(end.ayah)),
      ]
    case .ayat(let range, let joins, _):
      members += [
        .init("first", .string(range.first.description)),
        .init("last", .string(range.last.description)),
        .init("joins", .array(joins.map(place))),
      ]
    case .leadIn(let leadIn):
      members += [
        .init("istiadhah", .bool(leadIn.hasIstiadhah)),
        .init("basmalah", .bool(leadIn.basmalah != nil)),
        .init("surah", leadIn.basmalah.map { .integer($0.number) } ?? .null),
      ]
    case .unused(let reason):
      members.append(.init("reason", .string(reason.rawValue)))
    }
    if hasBasmalah { members.append(.init("with_basmalah", .bool(true))) }
    return .object(members)
  }
}
