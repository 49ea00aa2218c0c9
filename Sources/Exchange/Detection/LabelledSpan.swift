// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// A stretch of a recording with a name: what label tracks and subtitles are made of.
struct LabelledSpan {
  var span: Range<FramePosition>
  var label: String

  init(_ span: Range<FramePosition>, _ label: String) {
    self.span = span
    self.label = label
  }
}

extension DetectionReport {
  /// Names for the segments in order; one that is not assigned is called by its number, from 1.
  var segmentLabels: [String] {
    segments.enumerated().map { $1.assignment?.description ?? "segment \($0 + 1)" }
  }

  var labelledSegments: [LabelledSpan] {
    zip(segments, segmentLabels).map { LabelledSpan($0.span, $1) }
  }
}
