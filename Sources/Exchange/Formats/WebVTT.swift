// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// WebVTT subtitles (W3C): one cue per segment, to the millisecond.
///
/// A segment that has no length in milliseconds is left out, a cue having to end after it starts.
/// Read back, an edge lies within half a millisecond of where it was.
public enum WebVTT {
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

  /// Reads cues; notes, styles, regions and settings are skipped, tags taken out.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)``.
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    let format = LabelFormat.vtt
    var lines = TextLines(input, format)
    guard let first = try lines.next()?.text, first.hasPrefix("WEBVTT"),
      first == "WEBVTT" || first.dropFirst(6).first?.isWhitespace == true
    else { throw format.fault(1, "the first line is not WEBVTT") }
    var cues = LinesOfCues(lines: lines)
    return LabelFile(
      try SubtitleReader(format: format).labels { () throws(ExchangeError) in
        try cues.next()
      } text: {
        unescaped(withoutTags($0) { _ in true })
      })
  }

  private static func unescaped(_ text: String) -> String {
    guard text.contains("&") else { return text }
    var unescaped = ""
    var rest = text[...]
    while let ampersand = rest.firstIndex(of: "&") {
      unescaped += rest[..<ampersand]
      rest = rest[ampersand...]
      let entity = entities.first(where: { rest.hasPrefix($0.name) })
      unescaped += entity?.text ?? "&"
      rest = rest.dropFirst(entity?.name.count ?? 1)
    }
    return unescaped + rest
  }

  private static let entities: [(name: String, text: String)] = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&lrm;", ""),
    ("&rlm;", ""),
  ]
}

/// The lines after the first without the blocks that are no cues, which may hold an arrow.
private struct LinesOfCues {
  var lines: TextLines
  private var isComment = false
  /// What follows the first line belongs to its block until a blank line.
  private var startsBlock = false

  init(lines: TextLines) { self.lines = lines }

  mutating func next() throws(ExchangeError) -> TextLine? {
    while let line = try lines.next() {
      if startsBlock {
        isComment = ["NOTE", "STYLE", "REGION"].contains {
          line.text == $0 || line.text.hasPrefix($0 + " ") || line.text.hasPrefix($0 + "\t")
        }
      }
      startsBlock = line.isBlank
      if !isComment { return line }
    }
    return nil
  }
}
