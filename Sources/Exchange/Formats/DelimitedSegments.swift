// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// Segments as rows of fields: what CSV and TSV share.
///
/// Columns are `start,end,kind,label,surah,ayah,confidence`, times in seconds with the fewest decimals
/// that give back the frame. `kind` is the assignment's in JSON, or `unassigned`; `surah` and `ayah`
/// are the first of several. For several recordings in one text `file` comes before them; for an
/// annotation `joins,confirmed,flagged,note` come after: joins as seconds with spaces between,
/// `confirmed` and `flagged` as `yes` or nothing.
enum DelimitedSegments {
  static func header(namingFiles: Bool) -> [String] {
    (namingFiles ? ["file"] : []) + [
      "start", "end", "kind", "label", "surah", "ayah", "confidence",
    ]
  }

  static func rows(of report: DetectionReport, namingFiles: Bool) -> [[String]] {
    zip(report.segments, report.segmentLabels).map { segment, label in
      (namingFiles ? [report.file] : [])
        + fields(
          of: segment.span, segment.assignment, label: label, confidence: segment.confidence,
          at: report.rate)
    }
  }

  /// The header and a row per segment.
  static func table(of recording: AnnotatedRecording, including inclusion: Inclusion) -> [[String]]
  {
    let document = recording.document
    let rate = document.rate
    let header = header(namingFiles: false) + ["joins", "confirmed", "flagged", "note"]
    return [header]
      + recording.segments(inclusion).map { segment in
        let joins = segment.assignment?.joins ?? []
        return fields(
          of: segment.span, segment.assignment, label: segment.assignment?.labelText ?? "",
          confidence: document.confidence(of: segment), at: rate)
          + [
            joins.map { TimeText.seconds($0, at: rate) }.joined(separator: " "),
            segment.isConfirmed ? "yes" : "",
            segment.content.isFlagged ? "yes" : "",
            severalLines(segment.content.note),
          ]
      }
  }

  private static func fields(
    of span: Range<FramePosition>, _ assignment: Assignment?, label: String, confidence: Double?,
    at rate: SampleRate
  ) -> [String] {
    let leading = assignment?.leading
    return [
      TimeText.seconds(span.lowerBound, at: rate),
      TimeText.seconds(span.upperBound, at: rate),
      assignment?.kind ?? "unassigned",
      label,
      leading?.surah.map { String($0) } ?? "",
      leading?.ayah.map { String($0) } ?? "",
      confidence.flatMap { measureText($0, decimals: 3) } ?? "",
    ]
  }
}
