// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// Praat's TextGrid, long form, in UTF-8.
///
/// Praat wants the intervals of a tier to tile the whole recording, so what lies between is written
/// as an interval without text; spans that overlap are cut where the one before ends. Times are
/// seconds with the fewest decimals that give back the frame. Source: Praat manual, "TextGrid file
/// formats".
public enum TextGrid {
  /// The interval tiers `segments` and `pauses` and, where words are known, `words`.
  public static func text(of report: DetectionReport) -> String {
    let pauses = report.pauses.map { LabelledSpan($0.span, "pause") }
    return text(
      of: [Tier(TierName.segments.rawValue, report.labelledSegments), Tier("pauses", pauses)]
        + (report.words.map { [tier(of: $0)] } ?? []),
      duration: report.frames, at: report.rate)
  }

  /// The interval tier `words` with texts such as `2:5:1`, the first word of 2:5.
  private static func tier(of words: [TimedWord]) -> Tier {
    Tier(TierName.words.rawValue, words.map { LabelledSpan($0.span, $0.labelText) })
  }

  /// The interval tier `segments`, without text where one is unassigned, and, where there are any, the
  /// point tier `joins` with the ayat that begin there and the interval tiers `notes`, `flags` and `words`.
  public static func text(
    of recording: AnnotatedRecording, including inclusion: Inclusion = .everything
  ) -> String {
    let segments = recording.segments(inclusion)
    var tiers = [
      Tier(
        TierName.segments.rawValue,
        segments.map { LabelledSpan($0.span, $0.assignment?.labelText ?? "") })
    ]
    let joins = segments.flatMap { $0.passages.dropFirst() }.map {
      LabelledSpan($0.span.lowerBound..<$0.span.lowerBound, $0.ayah.description)
    }
    if !joins.isEmpty {
      tiers.append(Tier(TierName.joins.rawValue, joins, holdsPoints: true))
    }
    let notes = segments.filter { !$0.content.note.isEmpty }
    if !notes.isEmpty {
      tiers.append(
        Tier(
          TierName.notes.rawValue, notes.map { LabelledSpan($0.span, $0.content.note) },
          holdsLines: true))
    }
    let flags = segments.filter(\.content.isFlagged)
    if !flags.isEmpty {
      tiers.append(Tier(TierName.flags.rawValue, flags.map { LabelledSpan($0.span, "flag") }))
    }
    let words = segments.flatMap { recording.document.words(in: $0) }
    if !words.isEmpty { tiers.append(tier(of: words)) }
    return text(of: tiers, duration: recording.document.length, at: recording.document.rate)
  }

  struct Tier {
    var name: String
    var spans: [LabelledSpan]
    /// Whether it is a point tier, of which only the starts count.
    var holdsPoints: Bool
    /// Whether newlines in a text stay.
    var holdsLines: Bool

    init(
      _ name: String, _ spans: [LabelledSpan], holdsPoints: Bool = false, holdsLines: Bool = false
    ) {
      self.name = name
      self.spans = spans
      self.holdsPoints = holdsPoints
      self.holdsLines = holdsLines
    }
  }

  static func text(of tiers: [Tier], duration: FrameCount, at rate: SampleRate) -> String {
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
      let items = tier.holdsPoints ? tier.spans : tiling(tier.spans, upTo: end)
      let word = tier.holdsPoints ? "points" : "intervals"
      lines += [
        "    item [\(index + 1)]:",
        "        class = \(quoted(tier.holdsPoints ? "TextTier" : "IntervalTier"))",
        "        name = \(quoted(singleLine(tier.name)))",
        "        xmin = 0",
        "        xmax = \(seconds(end))",
        "        \(word): size = \(items.count)",
      ]
      for (index, item) in items.enumerated() {
        let text = quoted(tier.holdsLines ? severalLines(item.label) : singleLine(item.label))
        lines.append("        \(word) [\(index + 1)]:")
        if tier.holdsPoints {
          lines.append("            number = \(seconds(item.span.lowerBound))")
          lines.append("            mark = \(text)")
        } else {
          lines.append("            xmin = \(seconds(item.span.lowerBound))")
          lines.append("            xmax = \(seconds(item.span.upperBound))")
          lines.append("            text = \(text)")
        }
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
    let doubled = text.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + doubled.joined(separator: "\"\"") + "\""
  }
}
