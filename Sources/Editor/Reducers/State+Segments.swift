// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

extension State {
  mutating func performOnSegment(_ action: Action, _ effects: inout [Effect]) {
    let segment = selectedSegment
    switch action {
    case .segmentNext: go(to: segment.index + 1, &effects)
    case .segmentPrevious: go(to: segment.index - 1, &effects)
    case .segmentFirst: go(to: 0, &effects)
    case .segmentLast: go(to: document.records.count - 1, &effects)
    case .segmentHere: select(document.segment(containing: transport.position))
    case .segmentSpan: selection.span = segment.span.isEmpty ? nil : segment.span
    case .segmentCommit: commit(&effects)
    case .segmentAssign: assign(segment, &effects)
    case .segmentUnused: panel = .unused(UnusedPanel(segment.id, last: settings.lastUnusedReason))
    case .segmentUnconfirm: edit(.unconfirm(segment.id), &effects)
    case .segmentClear: edit(.clear(segment.id), &effects)
    case .segmentNote: panel = .note(NotePanel(segment))
    case .segmentFlag: edit(.setFlag(segment.id, !segment.content.isFlagged), &effects)
    case .reviewLeastSure:
      if let next = leastSure() {
        go(to: next, playing: true, &effects)
        reviewed = selection.segment
        takeInHand(doubtfulEdge(of: selectedSegment))
      }
    case .reviewNextOpen:
      if let next = next(after: segment.index, where: { !$0.isConfirmed }) {
        go(to: next, playing: true, &effects)
      }
    case .reviewNextFlag:
      if let next = next(after: segment.index, where: \.isMarked) { go(to: next, &effects) }
    default: break
    }
  }

  /// Makes a segment the one that keys act on, and shows it.
  mutating func select(_ segment: Segment) {
    selection.select(segment)
    listFollowsSelection = true
    viewport.reveal(segment.span.lowerBound)
    if !transport.isPlaying { transport.position = segment.span.lowerBound }
  }

  /// Opens the assignment of a segment, which is heard again and again meanwhile.
  mutating func assign(_ segment: Segment, _ effects: inout [Effect]) {
    panel = .assignment(AssignmentPanel(self, segment))
    play(.segment(segment.id), segment.span, looping: true, &effects)
  }

  /// Goes to a segment; one that is heard there is heard instead of another that was.
  mutating func go(to index: Int, playing: Bool = false, _ effects: inout [Effect]) {
    guard document.segments.indices.contains(index) else { return }
    let segment = document.segments[index]
    var wasPlayingSegment = false
    if transport.isPlaying, case .segment = transport.target { wasPlayingSegment = true }
    select(segment)
    if playing || wasPlayingSegment {
      play(.segment(segment.id), segment.span, looping: settings.loopsSegments, &effects)
    }
  }

  private func next(after index: Int, where holds: (SegmentContent) -> Bool) -> Int? {
    let count = document.records.count
    return (1...max(count, 1)).lazy.map { (index + $0) % count }
      .first { holds(document.records[$0].content) }
  }
}

// MARK: Confirming

extension State {
  /// Confirms the segment with what it holds or, where it holds nothing, with what follows the one
  /// before, and goes to the next. Asks where there is nothing to confirm.
  private mutating func commit(_ effects: inout [Effect]) {
    let segment = selectedSegment
    if segment.assignment == nil {
      guard let proposal = proposal(for: segment.index) else {
        assign(segment, &effects)
        notice = Notice(.hint, "Say what is heard here; the segments after it follow from that")
        return
      }
      guard edit(.assign(segment.id, Attribution(proposal), confirming: true), &effects) else {
        return
      }
    } else if !edit(.confirm(segment.id), &effects) {
      return
    }
    goOn(from: segment.id, &effects)
  }

  /// Goes to the segment after one and has it played.
  mutating func goOn(from id: SegmentID, _ effects: inout [Effect]) {
    guard let index = document.index(of: id) else { return }
    if index + 1 < document.records.count {
      go(to: index + 1, playing: true, &effects)
      return
    }
    let left = facts.progress.segments - facts.progress.confirmed
    notice = Notice(
      .done,
      left == 0
        ? "Every segment is confirmed" + hint(.save, " publishes them")
        : "The last segment; \(left) are not confirmed yet" + hint(.reviewNextOpen, " goes to one")
    )
  }

  /// A hint that a key does something, nothing where it has none.
  private func hint(_ action: Action, _ does: String) -> String {
    keymap.hint(for: action, in: .normal).map { "; \($0)\(does)" } ?? ""
  }

  /// What a segment probably holds, going by what is recited before it.
  func proposal(for index: Int) -> Assignment? { document.proposal(for: index) }
}

// MARK: Reviewing

extension State {
  /// The suggestion to review next: the least sure, and then the next in order of certainty and of
  /// place, going round.
  func leastSure() -> Int? {
    var order: [(sureness: Double, index: Int)] = []
    for (index, record) in document.records.enumerated() {
      if let sureness = record.sureness { order.append((sureness, index)) }
    }
    order.sort { ($0.sureness, $0.index) < ($1.sureness, $1.index) }
    // From where this led last it goes on; from anywhere else it begins with the least sure of all.
    guard let reviewed, reviewed == selection.segment,
      let here = order.firstIndex(where: { $0.index == selectedSegment.index })
    else { return order.first?.index }
    return order[(here + 1) % order.count].index
  }
}

// MARK: The edge to look at

extension State {
  /// The edge for whose sake a segment is unsure: the less sure of those that were suggested. The start
  /// where it is not the segment's content that is unsure, for a marker is reviewed with the segment that
  /// it begins.
  private func doubtfulEdge(of segment: Segment) -> Selection.Edge {
    let records = document.records
    guard let attribution = segment.content.attribution, attribution.origin != .person,
      segment.index + 1 < records.count, let end = records[segment.index + 1].start,
      end.isSuggestion
    else { return .start }
    guard let start = records[segment.index].start, start.isSuggestion else { return .end }
    return end.sureness < start.sureness ? .end : .start
  }

  /// Makes an edge of the selected segment the one that keys move, and shows it.
  mutating func takeInHand(_ edge: Selection.Edge) {
    selection.edge = edge
    if let marker = selectedMarker { viewport.reveal(marker.position) }
  }
}

extension Marker {
  /// How sure its finder is, 0...1; the middle where nothing was measured.
  fileprivate var sureness: Double { confidence ?? 0.5 }
}

extension SegmentRecord {
  /// How sure the suggestions in it are, 0...1; nil where there are none to review.
  fileprivate var sureness: Double? {
    if content.isConfirmed { return nil }
    var values: [Double] = []
    if let start, start.isSuggestion { values.append(start.sureness) }
    if let attribution = content.attribution, attribution.origin != .person {
      values.append(attribution.confidence ?? 0.5)
    }
    return values.min()
  }
}
