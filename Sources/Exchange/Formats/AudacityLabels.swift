// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// Audacity's label track: a line per label, `start TAB end TAB text`, seconds with six decimals,
/// which always give back the frame. A label that ends where it starts is a point.
///
/// Source: Audacity manual, "Importing and Exporting Labels".
public enum AudacityLabels {
  /// One region per segment.
  public static func text(of report: DetectionReport) -> String {
    text(of: report.labelledSegments, at: report.rate)
  }

  /// One region per segment, without text where it is unassigned, and at each join a point with the
  /// ayah that begins there. Notes and flags have no place.
  public static func text(
    of recording: AnnotatedRecording, including inclusion: Inclusion = .everything
  ) -> String {
    let spans = recording.segments(inclusion).flatMap { segment in
      [LabelledSpan(segment.span, segment.assignment?.labelText ?? "")]
        + segment.passages.dropFirst().map {
          LabelledSpan($0.span.lowerBound..<$0.span.lowerBound, $0.ayah.description)
        }
    }
    return text(of: spans, at: recording.document.rate)
  }

  static func text(of spans: [LabelledSpan], at rate: SampleRate) -> String {
    spans.map { item in
      let start = TimeText.seconds(item.span.lowerBound, at: rate, decimals: 6)
      let end = TimeText.seconds(item.span.upperBound, at: rate, decimals: 6)
      return "\(start)\t\(end)\t\(singleLine(item.label))\n"
    }.joined()
  }

  /// Reads labels; lines that begin with a backslash, the frequencies of spectral labels, are skipped.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)``.
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    let format = LabelFormat.audacity
    var labels: [Label] = []
    var counter = LabelCounter(format)
    var lines = TextLines(input, format)
    while let line = try lines.next() {
      guard !line.isBlank, line.text.utf8.first != UInt8(ascii: "\\") else { continue }
      let fields = line.text.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count >= 2 else {
        throw format.fault(
          line.number, "no tab; a label is start, tab, end, tab, text, times in seconds")
      }
      let place = TextPlace.line(line.number)
      let start = try format.seconds(fields[0], at: place)
      let end = try format.seconds(fields[1], at: place)
      try format.checkOrder(start, end, at: place)
      try counter.add(at: place)
      labels.append(
        Label(
          start: start, end: start == end ? nil : end,
          text: fields.count > 2 ? String(fields[2]) : "", place: place))
    }
    return LabelFile(labels)
  }
}
