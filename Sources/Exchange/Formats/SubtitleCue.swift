// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// A cue with its times as text.
struct SubtitleCue {
  var start: String
  var end: String
  var text: String

  static func cues(
    of spans: [LabelledSpan], at rate: SampleRate, decimalSign: String
  ) -> [SubtitleCue] {
    spans.compactMap { item in
      let start = TimeText.milliseconds(item.span.lowerBound, at: rate)
      let end = TimeText.milliseconds(item.span.upperBound, at: rate)
      guard start < end else { return nil }
      return SubtitleCue(
        start: TimeText.clock(milliseconds: start, decimalSign: decimalSign),
        end: TimeText.clock(milliseconds: end, decimalSign: decimalSign),
        text: singleLine(item.label))
    }
  }
}
