// SPDX-License-Identifier: GPL-3.0-or-later

import Alignment
import Annotation

extension AyahAlignment {
  /// Its words, each cut at the edges of a segment of its ayah.
  var wordsInSegments: [TimedWord] {
    segments.enumerated().flatMap { index, segment in
      words.agreeing(
        with: Annotation.Segment(
          id: .first, index: index, span: segment.span,
          content: SegmentContent(Attribution(segment.assignment))))
    }
  }
}
