// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// Segments as rows of fields: what CSV and TSV share.
///
/// Columns are `start,end,kind,label,surah,ayah,confidence`, with `file` before them where several
/// recordings go into one text. `kind` is the assignment's in JSON, or `unassigned`; `surah` and
/// `ayah` are the first of several.
enum DelimitedSegments {
  static func header(namingFiles: Bool) -> [String] {
    (namingFiles ? ["file"] : []) + [
      "start", "end", "kind", "label", "surah", "ayah", "confidence",
    ]
  }

  static func rows(of report: DetectionReport, namingFiles: Bool) -> [[String]] {
    zip(report.segments, report.segmentLabels).map { segment, label in
      (namingFiles ? [report.file] : []) + fields(of: segment, label: label, at: report.rate)
    }
  }

  private static func fields(
    of segment: DetectionReport.Segment, label: String, at rate: SampleRate
  ) -> [String] {
    let leading = segment.assignment?.leading
    return [
      TimeText.seconds(segment.span.lowerBound, at: rate),
      TimeText.seconds(segment.span.upperBound, at: rate),
      segment.assignment?.kind ?? "unassigned",
      label,
      leading?.surah.map { String($0) } ?? "",
      leading?.ayah.map { String($0) } ?? "",
      measureText(segment.confidence, decimals: 3) ?? "",
    ]
  }
}
