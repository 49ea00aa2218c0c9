// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Audacity's label track: a line per region, `start TAB end TAB label`, seconds with six decimals.
///
/// Source: Audacity manual, "Importing and Exporting Labels".
public enum AudacityLabels {
  /// One region per segment.
  public static func text(of report: DetectionReport) -> String {
    text(of: report.labelledSegments, at: report.rate)
  }

  static func text(of spans: [LabelledSpan], at rate: SampleRate) -> String {
    spans.map { item in
      let start = TimeText.seconds(item.span.lowerBound, at: rate, decimals: 6)
      let end = TimeText.seconds(item.span.upperBound, at: rate, decimals: 6)
      return "\(start)\t\(end)\t\(singleLine(item.label))\n"
    }.joined()
  }
}
