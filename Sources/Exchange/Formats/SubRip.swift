// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// SubRip subtitles (`.srt`): one numbered cue per segment, to the millisecond, as ``WebVTT``.
///
/// The format has no escapes, and no standard; players take `<i>` and the like for styling.
public enum SubRip {
  public static func text(of report: DetectionReport) -> String {
    text(of: report.labelledSegments, at: report.rate)
  }

  /// One cue per ayah, cut at the joins: `Al-Baqarah 255`.
  public static func text(
    of recording: AnnotatedRecording, including inclusion: Inclusion = .recited
  ) -> String {
    text(of: recording.listenersSpans(inclusion), at: recording.document.rate)
  }

  static func text(of spans: [LabelledSpan], at rate: SampleRate) -> String {
    SubtitleCue.cues(of: spans, at: rate, decimalSign: ",").enumerated().map { index, cue in
      "\(index + 1)\n\(cue.start) --> \(cue.end)\n\(cue.text)\n"
    }.joined(separator: "\n")
  }

  /// Reads cues, whatever their numbers; tags for styling are taken out.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)``.
  static func labels(in bytes: [UInt8]) throws(ExchangeError) -> LabelFile {
    let format = LabelFormat.srt
    let lines = try LabelText(bytes, format).lines
    if let first = lines.first(where: { !$0.isBlank }), !lines.contains(where: hasArrow) {
      throw format.fault(first.number, "no line of times; write 00:01:02,345 --> 00:01:05,000")
    }
    return LabelFile(
      try SubtitleReader(format: format).labels(in: lines[...]) { line in
        withoutTags(line) { tag in
          let name = tag.drop { $0 == "/" }.prefix { $0.isLetter }.lowercased()
          return ["i", "b", "u", "s", "font"].contains(name)
        }
      })
  }

  private static func hasArrow(_ line: TextLine) -> Bool { line.text.contains("-->") }
}
