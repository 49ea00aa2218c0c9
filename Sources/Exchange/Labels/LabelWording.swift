// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Quran

extension Assignment {
  /// Its name in labels, from which ``LabelTextParser`` makes it again, but for the joins: as its
  /// description, with the surah of a basmalah: `isti'adhah + basmalah (2)`.
  var labelText: String {
    guard case .leadIn(let leadIn) = self, let surah = leadIn.basmalah else { return description }
    return "\(description) (\(surah.number))"
  }

  /// Its name for who listens, readable by ``LabelTextParser`` too: `Al-Baqarah 255`,
  /// `Basmalah (Al-Baqarah)`, `Takbir`.
  var listenersText: String {
    if hasBasmalah { return "Basmalah + \(withBasmalah(false).listenersText)" }
    return switch self {
    case .ayah(let ayah, let part, _):
      Self.name(of: ayah) + (part.map { " (\($0.rawValue))" } ?? "")
    case .crossSurah(let ayah, _, let end, _): "\(Self.name(of: ayah)) | \(Self.name(of: end))"
    case .ayat(let range, _, _): "\(Self.name(of: range.first)) - \(Self.name(of: range.last))"
    case .leadIn(.istiadhah): "Isti'adhah"
    case .leadIn(.basmalah(let surah)): "Basmalah (\(surah.name))"
    case .leadIn(.istiadhahAndBasmalah(let surah)): "Isti'adhah + basmalah (\(surah.name))"
    case .unused(let reason): reason.rawValue.prefix(1).uppercased() + reason.rawValue.dropFirst()
    }
  }

  private static func name(of ayah: AyahReference) -> String { "\(ayah.surah.name) \(ayah.ayah)" }
}

extension SegmentPiece {
  /// Its name for who listens.
  var title: String { assignment?.listenersText ?? "Unassigned" }
}
