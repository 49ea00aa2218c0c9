// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// SubRip subtitles (`.srt`): one numbered cue per segment, to the millisecond, as ``WebVTT``.
///
/// The format has no escapes, and no standard; players take `<i>` and the like for styling.
public enum SubRip {
  public static func text(of report: DetectionReport) -> String {
    text(of: report.labelledSegments, at: report.rate)
  }

  static func text(of spans: [LabelledSpan], at rate: SampleRate) -> String {
    SubtitleCue.cues(of: spans, at: rate, decimalSign: ",").enumerated().map { index, cue in
      "\(index + 1)\n\(cue.start) --> \(cue.end)\n\(cue.text)\n"
    }.joined(separator: "\n")
  }
}
