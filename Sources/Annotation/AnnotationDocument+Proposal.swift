// SPDX-License-Identifier: GPL-3.0-or-later

import Quran

extension AnnotationDocument {
  /// What a segment probably holds, going by what is recited before it: after a part of an ayah its end,
  /// else the next ayah. Nil where nothing is.
  ///
  /// - Parameter index: the segment's place, from 0.
  public func proposal(for index: Int) -> Assignment? {
    for record in records[..<min(max(index, 0), records.count)].reversed() {
      guard let next = proposal(after: record) else { continue }
      return next.ayah.map { .ayah($0, part: next.part) }
    }
    return nil
  }

  /// What is recited after a segment; nil where it says nothing of that, an ayah of nil after the last of
  /// the Quran.
  func proposal(after record: SegmentRecord) -> (ayah: AyahReference?, part: AyahPart?)? {
    switch record.content.assignment {
    case nil, .unused: return nil
    case .leadIn(let leadIn): return leadIn.basmalah.map { ($0.firstAyah, nil) }
    case .ayah(let ayah, let part, _):
      switch part {
      case .beginning, .middle: return (ayah, .end)
      case .end, nil: return (ayah.next, nil)
      }
    case .crossSurah(_, _, let end, _): return (end.next, nil)
    case .ayat(let range, _, _): return (range.last.next, nil)
    }
  }
}
