// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

extension AnnotationDocument {
  /// Suggested markers in the range go, as if each were deleted, and the new ones come, as if each
  /// were added; then each segment that is not confirmed takes what was found for it.
  ///
  /// Markers that a person confirmed or placed stay. A new one is not taken within
  /// ``Suggestions/clearance`` of those, inside a confirmed segment, or on the frame of one before it;
  /// what was found from there on then goes to the segment from the marker that stays near it. One on
  /// the frame of an old suggestion renews it and leaves its segment as it was. An attribution whose
  /// joins do not fit the segment that came out is left out. What was aligned before in a span that came out with other
  /// edges goes, where nothing was found for it. Words that were heard in the range take the
  /// place of those there as far as they agree with the segments that came out.
  func replacing(_ suggestions: Suggestions) throws(EditRefusal) -> Change {
    let range = suggestions.range.clamped(to: .zero..<end)
    let boundaries = suggestions.boundaries.sorted { $0.marker.position < $1.marker.position }
    if let stray = boundaries.first(where: { !range.contains($0.marker.position) }) {
      throw .suggestionOutsideRange(stray.marker.position)
    }
    guard !range.isEmpty else { return Change(first: 0, old: [], new: []) }

    let staying = records.compactMap(\.start).filter { !$0.isSuggestion }.map(\.position)
    let clearance = FrameCount(seconds: Suggestions.clearance, at: rate)
    var accepted: [FramePosition: Marker] = [:]
    var found: [FramePosition: Attribution] = [:]
    for boundary in boundaries {
      let position = boundary.marker.position
      var target: FramePosition? = position
      if let near = nearest(in: staying, to: position), near.distance < clearance {
        target = near.position
      } else if records[index(containing: position)].content.isConfirmed {
        target = nil
      } else if accepted[position] == nil {
        accepted[position] = boundary.marker
      }
      if let target, found[target] == nil { found[target] = boundary.attribution }
    }

    let first = index(containing: max(range.lowerBound - FrameCount(1), .zero))
    let last = index(containing: range.upperBound - FrameCount(1))
    var new = [records[first]]
    for record in records[first...last].dropFirst() {
      guard var marker = record.start else { continue }
      if let renewed = accepted[marker.position] {
        marker.origin = renewed.origin
        marker.confidence = renewed.confidence
        accepted[marker.position] = nil
      } else if marker.isSuggestion, range.contains(marker.position),
        marker.position != range.lowerBound || suggestions.opening == nil
      {
        new[new.count - 1].content = new[new.count - 1].content.merged(with: record.content)
        continue
      }
      new.append(SegmentRecord(start: marker, content: record.content))
    }
    new = cut(new, at: accepted.values.sorted { $0.position < $1.position })
    if let opening = suggestions.opening,
      let index = new.lastIndex(where: { $0.lowerBound <= range.lowerBound })
    {
      found[new[index].lowerBound] = found[new[index].lowerBound] ?? opening
    }
    let ends = (first...last).map { (records[$0].lowerBound, span(at: $0).upperBound) }
    attribute(
      found, to: &new, endingAt: span(at: last).upperBound,
      knowing: Dictionary(uniqueKeysWithValues: ends))
    let change = replacing(first...last, with: new)
    guard let heard = suggestions.words else { return change }
    var next = self
    try next.apply(change)
    return Change(
      first: change.first, exactly: change.old, change.new,
      words: WordChange(old: words, new: next.words(hearing: heard, in: range)))
  }

  /// Gives each record that is not confirmed what was found from its start on, if that fits it, and takes away what was
  /// aligned in another span.
  ///
  /// - Parameter ends: where the records before ended, by where they began.
  private func attribute(
    _ found: [FramePosition: Attribution], to records: inout [SegmentRecord],
    endingAt end: FramePosition, knowing ends: [FramePosition: FramePosition]
  ) {
    for index in records.indices where !records[index].content.isConfirmed {
      let start = records[index].lowerBound
      let upper = index + 1 < records.count ? records[index + 1].lowerBound : end
      if let attribution = found[start] {
        guard (try? attribution.assignment.check(in: start..<upper)) != nil else { continue }
        records[index].content.attribution = attribution
      } else if records[index].content.attribution?.origin == .aligned, ends[start] != upper {
        records[index].content.attribution = nil
      }
    }
  }

  /// The records with markers added to them, both in order.
  private func cut(_ records: [SegmentRecord], at markers: [Marker]) -> [SegmentRecord] {
    var result: [SegmentRecord] = []
    var remaining = markers[...]
    for (index, record) in records.enumerated() {
      result.append(record)
      let end = index + 1 < records.count ? records[index + 1].lowerBound : nil
      while let marker = remaining.first, end.map({ marker.position < $0 }) ?? true {
        let contents = result[result.count - 1].content.split(at: marker)
        result[result.count - 1].content = contents.left
        result.append(SegmentRecord(start: marker, content: contents.right))
        remaining.removeFirst()
      }
    }
    return result
  }
}
