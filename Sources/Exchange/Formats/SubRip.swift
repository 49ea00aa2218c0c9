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
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    let format = LabelFormat.srt
    var lines = TextLines(input, format)
    var firstWithText: Int?
    let reader = SubtitleReader(format: format)
    let labels = try reader.labels { () throws(ExchangeError) in
      let line = try lines.next()
      if firstWithText == nil, let line, !line.isBlank { firstWithText = line.number }
      return line
    } text: { line in
      withoutTags(line) { tag in
        let name = tag.drop { $0 == "/" }.prefix { $0.isLetter }.lowercased()
        return ["i", "b", "u", "s", "font"].contains(name)
      }
    }
    if labels.isEmpty, let firstWithText {
      throw format.fault(firstWithText, "no line of times; write 00:01:02,345 --> 00:01:05,000")
    }
    return LabelFile(labels)
  }
}
