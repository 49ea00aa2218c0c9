// SPDX-License-Identifier: GPL-3.0-or-later

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
  var labelledSegments: [LabelledSpan] {
    zip(segments, segmentLabels).map { LabelledSpan($0.span, $1) }
  }
}
