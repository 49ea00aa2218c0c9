// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import Quran

/// One thing that is said, in its order.
enum RecitedToken: Hashable, Sendable {
  case ayah(AyahReference)
  /// Before a surah whose basmalah is no ayah.
  case basmalah(Surah)
  case formula(SpokenFormula)

  /// Its words as they are said. There are as many in every riwayah.
  func words(in riwayah: Riwayah = .hafs) -> [SpokenWord] {
    switch self {
    case .ayah(let ayah): QuranSounds.words(of: ayah, in: riwayah)
    case .basmalah: QuranSounds.words(of: .first)
    case .formula(let formula): QuranSounds.wordings(of: formula).first ?? []
    }
  }

  var ayah: AyahReference? {
    if case .ayah(let ayah) = self { ayah } else { nil }
  }

  /// Whether the first ayah of a surah follows.
  var isBasmalah: Bool { if case .basmalah = self { true } else { false } }

  /// Whether it is said between the standings of a prayer.
  var isCall: Bool {
    if case .formula(let formula) = self { SpokenFormula.calls.contains(formula) } else { false }
  }

  /// Ayat in order, with the basmalahs of surahs that are begun on the way.
  static func tokens(_ range: AyahRange) -> [RecitedToken] {
    range.flatMap { ayah -> [RecitedToken] in
      ayah != range.first && ayah.ayah == 1 && ayah.surah.opensWithUncountedBasmalah
        ? [.basmalah(ayah.surah), .ayah(ayah)] : [.ayah(ayah)]
    }
  }

  /// What it is in an annotation, of whose words all or some are heard.
  func assignment(part: AyahPart?) -> Assignment {
    switch self {
    case .ayah(let ayah): .ayah(ayah, part: part)
    case .basmalah(let surah): .leadIn(.basmalah(of: surah))
    case .formula(let formula):
      switch formula {
      case .istiadhah, .basmalah: .leadIn(.istiadhah)
      case .takbir: .unused(.takbir)
      case .tasmee: .unused(.tasmee)
      case .tahmeed: .unused(.tasmee)
      case .ameen: .unused(.ameen)
      case .salam: .unused(.salam)
      }
    }
  }
}
