// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// Something heard in a prayer, with how sure both its edges are.
struct PrayerPiece {
  var span: Range<FramePosition>
  var assignment: Assignment
  var edges: (start: Double, end: Double)
  /// What the silence after it is.
  var silence = UnusedReason.silence
  /// Whether a person has said so.
  var isConfirmed = false

  var isEndOfFatiha: Bool {
    if case .ayah(let ayah, _) = assignment {
      ayah == ayah.surah.lastAyah && ayah.surah.number == 1
    } else {
      false
    }
  }
}
