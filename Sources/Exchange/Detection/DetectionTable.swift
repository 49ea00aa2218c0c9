// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// Detection for people: columns and rows of text, still to be laid out.
///
/// Cells are free of controls only as far as the report is; whoever prints them makes them safe.
public struct DetectionTable: Hashable, Sendable {
  public struct Column: Hashable, Sendable {
    public var title: String
    /// Numbers and times are set against the right.
    public var isRightAligned: Bool
    /// Whether the column may be shortened to fit a terminal.
    public var isFlexible: Bool
  }

  public var columns: [Column]
  /// One cell per column.
  public var rows: [[String]]
  /// The whole result in one line: `night.m4a: 39:07.874, 285 boundaries, 12 below 60%`.
  public var summary: String

  /// One row per segment, times as `1:23.500`.
  public init(_ report: DetectionReport) {
    columns = [
      Column(title: "#", isRightAligned: true, isFlexible: false),
      Column(title: "start", isRightAligned: true, isFlexible: false),
      Column(title: "end", isRightAligned: true, isFlexible: false),
      Column(title: "length", isRightAligned: true, isFlexible: false),
      Column(title: "content", isRightAligned: false, isFlexible: true),
      Column(title: "confidence", isRightAligned: true, isFlexible: false),
    ]
    rows = report.segments.enumerated().map { index, segment in
      let length = FramePosition.zero + segment.span.length
      return [
        String(index + 1),
        TimeText.short(segment.span.lowerBound, at: report.rate),
        TimeText.short(segment.span.upperBound, at: report.rate),
        TimeText.short(length, at: report.rate),
        segment.assignment?.description ?? "-",
        segment.confidence.isFinite ? "\(segment.confidence.percent)%" : "-",
      ]
    }
    summary = Self.summary(of: report)
  }

  private static func summary(of report: DetectionReport) -> String {
    let duration = TimeText.short(.zero + report.frames, at: report.rate)
    let count = report.boundaries.count
    let boundaries = count == 1 ? "1 boundary" : "\(count) boundaries"
    // What is said to be recited may be less sure than the places where it begins and ends.
    let isAligned = report.segments.contains { $0.assignment != nil }
    let unsure =
      isAligned
      ? report.segments.count {
        $0.confidence.isFinite && Confidence($0.confidence) == .unsure
      }
      : report.boundaries.count { Confidence($0.confidence) == .unsure }
    let what = isAligned ? unsure == 1 ? " segment" : " segments" : ""
    return "\(report.file): \(duration), \(boundaries)"
      + (unsure > 0 ? ", \(unsure)\(what) below \(Confidence.fairPercent)%" : "")
  }
}
