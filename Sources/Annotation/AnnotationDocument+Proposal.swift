// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

extension AnnotationDocument {
  /// What a segment probably holds, going by what is recited before it: after a part of an ayah its end,
  /// else the next ayah. Nil where nothing is.
  ///
  /// - Parameter index: the segment's place, from 0.
  public func proposal(for index: Int) -> Assignment? {
    for record in records[..<min(max(index, 0), records.count)].reversed() {
      switch record.content.assignment {
      case nil, .unused: continue
      case .leadIn(let leadIn):
        guard let surah = leadIn.basmalah else { continue }
        return .ayah(surah.firstAyah)
      case .ayah(let ayah, let part):
        switch part {
        case .beginning, .middle: return .ayah(ayah, part: .end)
        case .end, nil: return ayah.next.map { .ayah($0) }
        }
      case .crossSurah(_, _, let end): return end.next.map { .ayah($0) }
      case .ayat(let range, _): return range.last.next.map { .ayah($0) }
      }
    }
    return nil
  }
}
