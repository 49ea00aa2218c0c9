// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// WebVTT subtitles (W3C): one cue per segment, to the millisecond.
///
/// A segment that has no length in milliseconds is left out, a cue having to end after it starts.
public enum WebVTT {
  public static func text(of report: DetectionReport) -> String {
    text(of: report.labelledSegments, at: report.rate)
  }

  static func text(of spans: [LabelledSpan], at rate: SampleRate) -> String {
    "WEBVTT\n"
      + SubtitleCue.cues(of: spans, at: rate, decimalSign: ".").map { cue in
        "\n\(cue.start) --> \(cue.end)\n\(escaped(cue.text))\n"
      }.joined()
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
