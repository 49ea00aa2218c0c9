// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Praat's TextGrid, long form, in UTF-8: the interval tiers `segments` and `pauses`.
///
/// Praat wants the intervals of a tier to tile the whole recording, so what lies between is written
/// as an interval without text; spans that overlap are cut where the one before ends. Source: Praat
/// manual, "TextGrid file formats".
public enum TextGrid {
  public static func text(of report: DetectionReport) -> String {
    let pauses = report.pauses.map { LabelledSpan($0.span, "pause") }
    return text(
      of: [("segments", report.labelledSegments), ("pauses", pauses)],
      duration: report.frames, at: report.rate)
  }

  static func text(
    of tiers: [(name: String, spans: [LabelledSpan])], duration: FrameCount, at rate: SampleRate
  ) -> String {
    func seconds(_ position: FramePosition) -> String { TimeText.seconds(position, at: rate) }
    let end = FramePosition.zero + duration
    var lines = [
      "File type = \"ooTextFile\"",
      "Object class = \"TextGrid\"",
      "",
      "xmin = 0",
      "xmax = \(seconds(end))",
      "tiers? <exists>",
      "size = \(tiers.count)",
      "item []:",
    ]
    for (index, tier) in tiers.enumerated() {
      let intervals = tiling(tier.spans, upTo: end)
      lines += [
        "    item [\(index + 1)]:",
        "        class = \"IntervalTier\"",
        "        name = \(quoted(tier.name))",
        "        xmin = 0",
        "        xmax = \(seconds(end))",
        "        intervals: size = \(intervals.count)",
      ]
      for (index, interval) in intervals.enumerated() {
        lines += [
          "        intervals [\(index + 1)]:",
          "            xmin = \(seconds(interval.span.lowerBound))",
          "            xmax = \(seconds(interval.span.upperBound))",
          "            text = \(quoted(interval.label))",
        ]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Spans that follow one another without gap from zero to `end`, none of them empty.
  static func tiling(_ spans: [LabelledSpan], upTo end: FramePosition) -> [LabelledSpan] {
    var tiles: [LabelledSpan] = []
    var reached = FramePosition.zero
    for item in spans.sorted(by: { $0.span.lowerBound < $1.span.lowerBound }) {
      let start = max(item.span.lowerBound, reached)
      let stop = min(item.span.upperBound, end)
      guard start < stop else { continue }
      if reached < start { tiles.append(LabelledSpan(reached..<start, "")) }
      tiles.append(LabelledSpan(start..<stop, item.label))
      reached = stop
    }
    if reached < end { tiles.append(LabelledSpan(reached..<end, "")) }
    return tiles
  }

  private static func quoted(_ text: String) -> String {
    let doubled = singleLine(text).split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + doubled.joined(separator: "\"\"") + "\""
  }
}
