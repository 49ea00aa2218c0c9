// SPDX-License-Identifier: GPL-3.0-or-later

import Quran
import TerminalUI

/// The labels of segments in a row: whole where there is room for all, else the ayat alone, evenly thinned.
struct LabelRow {
  struct Segment {
    let column: Int
    private let makeText: () -> TerminalText
    /// Where it holds an ayah, whose number alone may stand for it.
    let ayah: AyahReference?
    let style: Style
    let isSelected: Bool

    /// - Parameter text: made when it is asked for, which of most segments of a night it never is.
    init(
      column: Int, text: @autoclosure @escaping () -> TerminalText, ayah: AyahReference?,
      style: Style, isSelected: Bool
    ) {
      self.column = column
      makeText = text
      self.ayah = ayah
      self.style = style
      self.isSelected = isSelected
    }

    var text: TerminalText { makeText() }
  }

  struct Label: Hashable {
    let column: Int
    let text: TerminalText
    let style: Style

    var columns: Range<Int> { column..<column + text.width }
  }

  /// From the left; none reaches into another.
  let labels: [Label]

  /// Ayat from one label to the next, of which the least that fits is taken.
  private static let steps = [1, 2, 5, 10, 20, 50, 100]

  /// - Parameter segments: From the left.
  init(_ segments: [Segment], columns: Int) {
    if let whole = Self.whole(segments, columns) {
      labels = whole
      return
    }
    // The selected one is always there, and whole.
    let selected = segments.first(where: \.isSelected).map {
      Short(label: Label($0, $0.text, columns), surah: $0.ayah?.surah, saysSurah: true)
    }
    for step in Self.steps {
      let short = Self.short(segments, step, columns).filter { !$0.label.touches(selected?.label) }
      let others = short.filter { $0.ayat == nil }
      guard Self.fit(others.map(\.label), columns) || step == Self.steps.last else { continue }
      let firsts = Self.apart(short)
      var kept: [Short] = []
      for other in others
      where !other.label.touches(kept.last?.label)
        && !firsts.contains(where: { other.label.touches($0.label) })
      {
        kept.append(other)
      }
      let all = firsts + kept + [selected].compactMap(\.self)
      labels = Self.understood(all.sorted { $0.label.column < $1.label.column }).map(\.label)
      return
    }
    labels = []
  }

  /// The labels of all segments; nil where there is no room for them.
  private static func whole(_ segments: [Segment], _ columns: Int) -> [Label]? {
    var labels: [Label] = []
    for segment in segments {
      let label = Label(segment, segment.text, columns)
      guard !label.touches(labels.last), label.columns.upperBound <= columns else { return nil }
      labels.append(label)
    }
    return labels
  }

  /// A label of what may not be shown whole.
  private struct Short {
    let label: Label
    /// How many ayat in sight belong to the surah that it begins; nil for any other.
    var ayat: Int?
    /// Where it holds an ayah.
    var surah: Surah?
    /// Whether it names that, or the ayah alone.
    var saysSurah = false
  }

  /// Each surah's first ayah in sight with its surah, and of the others every so many.
  private static func short(_ segments: [Segment], _ step: Int, _ columns: Int) -> [Short] {
    var surah: Surah?
    var first = 0
    var labels: [Short] = []
    for (index, segment) in segments.enumerated() where !segment.isSelected {
      let end = index + 1 < segments.count ? segments[index + 1].column : columns
      if let ayah = segment.ayah {
        if ayah.surah != surah {
          surah = ayah.surah
          first = labels.count
          // What begins a surah says so where it has room, or where nothing else would.
          let label = Label(segment, segment.text, columns)
          labels.append(Short(label: label, ayat: 1, surah: surah, saysSurah: true))
          continue
        }
        labels[first].ayat = labels[first].ayat.map { $0 + 1 }
        guard ayah.ayah % step == 0 else { continue }
        let label = Label(segment, TerminalText("\(ayah.ayah)"), columns)
        labels.append(Short(label: label, surah: surah))
      } else if segment.text.width < end - segment.column {
        labels.append(Short(label: Label(segment, segment.text, columns)))
      }
    }
    return labels
  }

  /// Of the labels that begin surahs those for which there is room; in a prayer al-Fatiha gives way to what is recited after
  /// it, for there is more of that.
  private static func apart(_ labels: [Short]) -> [Short] {
    var kept: [Short] = []
    for label in labels {
      guard let ayat = label.ayat else { continue }
      if let last = kept.last, label.label.touches(last.label) {
        guard ayat > last.ayat ?? 0 else { continue }
        kept.removeLast()
      }
      kept.append(label)
    }
    return kept
  }

  /// Without those of an ayah alone that would be read as of another surah: that of the label before.
  private static func understood(_ labels: [Short]) -> [Short] {
    var surah: Surah?
    return labels.filter { label in
      if label.saysSurah { surah = label.surah ?? surah }
      return label.saysSurah || label.surah == nil || label.surah == surah
    }
  }

  private static func fit(_ labels: [Label], _ columns: Int) -> Bool {
    zip(labels, labels.dropFirst()).allSatisfy { !$1.touches($0) }
      && (labels.last?.columns.upperBound ?? 0) <= columns
  }
}

extension LabelRow.Label {
  /// At a segment's start or, at the right end, as near as it fits whole.
  fileprivate init(_ segment: LabelRow.Segment, _ text: TerminalText, _ columns: Int) {
    column = max(min(segment.column, columns - text.width), 0)
    self.text = text.truncated(to: columns)
    style = segment.style
  }

  /// Whether there is no column between two.
  fileprivate func touches(_ other: LabelRow.Label?) -> Bool {
    guard let other else { return false }
    return column <= other.columns.upperBound && other.column <= columns.upperBound
  }
}
