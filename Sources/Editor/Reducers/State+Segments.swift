// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TerminalUI

extension State {
  mutating func performOnSegment(_ action: Action, _ effects: inout [Effect]) {
    let segment = selectedSegment
    switch action {
    case .segmentNext: go(to: listed.next(after: segment.index), &effects)
    case .segmentPrevious: go(to: listed.previous(before: segment.index), &effects)
    case .segmentFirst: go(to: listed.first, &effects)
    case .segmentLast: go(to: listed.last, &effects)
    case .segmentHere: select(document.segment(containing: transport.position))
    case .segmentSpan: selection.span = segment.span.isEmpty ? nil : segment.span
    case .segmentCommit: commit(&effects)
    case .segmentAssign: assign(segment, &effects)
    case .segmentUnused: panel = .unused(UnusedPanel(segment.id, last: settings.lastUnusedReason))
    case .segmentUnconfirm: edit(.unconfirm(segment.id), &effects)
    case .segmentClear: edit(.clear(segment.id), &effects)
    case .segmentNote: panel = .note(NotePanel(segment))
    case .segmentFlag: edit(.setFlag(segment.id, !segment.content.isFlagged), &effects)
    case .reviewLeastSure: reviewLeastSure(&effects)
    case .reviewConfirmNext:
      if let marker = selectedMarker, marker.isSuggestion, isToBeHeard(marker) {
        guard isHeard(marker, &effects), edit(.confirmMarker(marker.id), &effects) else { return }
      }
      reviewLeastSure(&effects)
    case .reviewNextOpen:
      let next = next(after: segment.index, where: { !$0.isConfirmed })
      goListed(to: next, playing: true, &effects)
    case .reviewNextFlag:
      goListed(to: next(after: segment.index, where: \.isMarked), &effects)
    default: break
    }
  }

  /// Makes a segment the one that keys act on, and shows it.
  mutating func select(_ segment: Segment) {
    selection.select(segment)
    listFollowsSelection = true
    show(segment.span.lowerBound)
    if !transport.isPlaying { transport.position = segment.span.lowerBound }
  }

  /// Opens the assignment of a segment, which is heard again and again meanwhile.
  mutating func assign(_ segment: Segment, _ effects: inout [Effect]) {
    panel = .assignment(AssignmentPanel(self, segment))
    play(.segment(segment.id), segment.span, looping: true, &effects)
  }

  /// Goes to a segment wherever it is: where the list does not show it, it shows all.
  mutating func goListed(to index: Int?, playing: Bool = false, _ effects: inout [Effect]) {
    guard let index else { return }
    let isListed = listed.row(of: index) != nil
    if !isListed { filter = .all }
    go(to: index, playing: playing, &effects)
    if !isListed { notice = Self.listsAll }
  }

  /// Goes to a segment; one that is heard there is heard instead of another that was.
  mutating func go(to index: Int?, playing: Bool = false, _ effects: inout [Effect]) {
    guard let index, document.segments.indices.contains(index) else { return }
    let segment = document.segments[index]
    var wasPlayingSegment = false
    if transport.isPlaying, case .segment = transport.target { wasPlayingSegment = true }
    select(segment)
    if playing || wasPlayingSegment {
      play(.segment(segment.id), segment.span, looping: settings.loopsSegments, &effects)
    }
  }

  /// Goes to the segment after, or before: of what is heard, where more than one segment is.
  mutating func skip(isForward: Bool, _ effects: inout [Effect]) {
    var hearsMore = transport.isPlaying
    if case .segment = transport.target { hearsMore = false }
    let from = hearsMore ? document.segment(containing: transport.position) : selectedSegment
    guard
      let index = isForward ? listed.next(after: from.index) : listed.previous(before: from.index)
    else { return }
    go(to: index, &effects)
    if hearsMore { moveCursor(to: document.segments[index].span.lowerBound, &effects) }
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
        notice = Notice(.hint, "Assign this segment; the next ones continue from it")
        return
      }
      if case .ayah(let ayah, _, _) = proposal, let holder = holder(of: ayah, after: segment.index)
      {
        renumber(from: segment, ayah, heldBy: holder, &effects)
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

  /// The next segment with ayat, if it begins with an ayah.
  func holder(of ayah: AyahReference, after index: Int) -> Segment? {
    let next = document.segments[(index + 1)...].first { !$0.passages.isEmpty }
    return next?.passages.first?.ayah == ayah ? next : nil
  }

  /// Whether the segments after one, up to a confirmed one, were numbered by a person, the one of `holder` among
  /// them.
  private func isNumbered(after index: Int, with holder: Segment) -> Bool {
    let following = document.records[(index + 1)...].prefix { !$0.content.isConfirmed }
    return following.indices.contains(holder.index)
      && following.allSatisfy { ($0.content.attribution?.origin ?? .person) == .person }
  }

  /// Offers to number the segments from one on anew, or asks what it holds where they were not numbered.
  private mutating func renumber(
    from segment: Segment, _ ayah: AyahReference, heldBy holder: Segment, _ effects: inout [Effect]
  ) {
    guard isNumbered(after: segment.index, with: holder) else {
      assign(segment, &effects)
      let keys = [(Action.panelCancel, Context.assignment), (.openFill, .normal)]
        .compactMap { keymap.hint(for: $0, in: $1) }
      let hint = keys.count == 2 ? " (\(keys.joined(separator: " ")) renumbers from here)" : ""
      notice = Notice(.hint, "\(ayah) is in a later segment; what is recited here?\(hint)")
      return
    }
    panel = .fill(FillPanel(self))
    notice = Notice(.hint, "\(ayah) is in the next segment: this renumbers the segments")
  }

  /// What an unassigned segment probably holds: what follows the one before or, where a later segment has that and
  /// was not numbered by a person, the rest of the ayah that it was cut off from.
  func offer(for index: Int) -> Assignment? {
    let proposal = proposal(for: index)
    guard case .ayah(let ayah, _, _) = proposal, let holder = holder(of: ayah, after: index),
      !isNumbered(after: index, with: holder)
    else { return proposal }
    guard index > 0, !document.records[index - 1].content.isConfirmed,
      case .ayah(let cut, nil, _) = document.records[index - 1].content.assignment
    else { return nil }
    return .ayah(cut, part: .end)
  }

  /// Where a list that does not show all segments ends or starts, and the way out of it.
  func listEnd(_ end: String) -> String {
    "\(end) of the list" + hint(.panelCancel, " lists all")
  }

  /// Goes to the segment after one and has it played.
  mutating func goOn(from id: SegmentID, _ effects: inout [Effect]) {
    guard let index = document.index(of: id) else { return }
    if let next = listed.next(after: index) {
      go(to: next, playing: true, &effects)
      return
    }
    if filter != .all {
      notice = Notice(.done, listEnd("End"))
      return
    }
    let left = facts.progress.segments - facts.progress.confirmed
    notice = Notice(
      .done,
      left == 0
        ? "Every segment is confirmed" + hint(.save, " publishes them")
          + (queue.obstacle(toStepBy: 1) == nil
            ? hint(.openNext, " opens the next recording") : "")
        : "The last segment; \(left) \(left == 1 ? "is" : "are") not confirmed yet"
          + hint(.reviewNextOpen, " goes to one")
    )
  }

  /// A hint that a key does something, nothing where it has none.
  func hint(_ action: Action, _ does: String) -> String {
    keymap.hint(for: action, in: .normal).map { "; \($0)\(does)" } ?? ""
  }

  /// What a segment probably holds, going by what is recited before it.
  func proposal(for index: Int) -> Assignment? { document.proposal(for: index) }

  /// What the recording begins with if it is what its title names: its first segment, and one after others in which
  /// nothing is recited. It may be a lead-in, so nothing is confirmed by this alone.
  func namedStart(for index: Int) -> AyahReference? {
    let isStart = document.records[..<index].allSatisfy { record in
      record.content.assignment.map { !$0.isRecitation } ?? false
    }
    return isStart ? card?.namedStart : nil
  }
}

// MARK: Reviewing

extension State {
  /// Takes the least sure edge that nobody has decided in hand, shows it closely and has both its sides
  /// heard. Leads to each edge once before it begins again.
  private mutating func reviewLeastSure(_ effects: inout [Effect]) {
    let open = document.openEdges
    var ahead = open.filter { !visited.contains($0.marker.position) }
    if ahead.isEmpty {
      visited = []
      ahead = open
    }
    guard let edge = ahead.min(by: { $0.isHeardBefore($1) }) else {
      notice = Notice(.done, obstacleToReview)
      return
    }
    visited.insert(edge.marker.position)
    forgetBanner()
    if listed.row(of: edge.index) == nil { filter = .all }
    selection.select(document.segments[edge.index])
    listFollowsSelection = true
    isCentred = true
    viewport.show(seconds: settings.around * Self.shownAround, around: edge.marker.position)
    hear(around: edge.marker.position, &effects)
    notice = Notice(.hint, question(of: edge))
  }

  /// Whether a key has led to the edge in hand so that it is heard, or it was heard with what is around it.
  private func isToBeHeard(_ marker: Marker) -> Bool {
    visited.contains(marker.position) || heardEdge == marker.position || isAuditioned(marker)
  }

  /// Whether both sides of an edge are played, or were at last.
  private func isAuditioned(_ marker: Marker) -> Bool {
    if case .span(let span) = transport.target { span.contains(marker.position) } else { false }
  }

  /// Whether the edge in hand has been heard; has it heard again and says so where not, for nothing is confirmed by
  /// its sound that was not heard.
  private mutating func isHeard(_ marker: Marker, _ effects: inout [Effect]) -> Bool {
    guard transport.fault != nil || heardEdge != marker.position else { return true }
    let reason = transport.fault == nil ? "it was not heard yet" : "nothing can be heard"
    notice = Notice(
      .warning,
      "Not confirmed, since \(reason)" + hint(.markerConfirm, " confirms what you have seen"))
    let isUnderWay =
      transport.isPlaying && isAuditioned(marker) && transport.position < marker.position
    if transport.fault == nil, !isUnderWay {
      show(marker.position)
      hear(around: marker.position, &effects)
    }
    return false
  }

  /// How much more of the sound is shown than heard on one side of an edge.
  private static let shownAround = 2.5

  /// How sure an edge is, and what is left to decide.
  func question(of edge: OpenEdge) -> String {
    let others = document.openEdges.filter { $0.marker.id != edge.marker.id }
    let recited = others.filter { !$0.isBetweenUnused }
    var left: [String] = []
    if let least = recited.map(\.sureness).min() {
      let wrong = recited.reduce(0) { $0 + 1 - $1.sureness }
      left.append("\(recited.count) more from \(least.percent)% on, \(estimated(wrong)) wrong")
    }
    if others.count > recited.count {
      left.append("\(others.count - recited.count) with no ayah")
    }
    if left.isEmpty { left = ["it is the last"] }
    return "This edge is \(edge.sureness.percent)% sure; " + left.joined(separator: "; ")
  }

  /// Whether the edge in hand is one that the review led to.
  var isReviewing: Bool {
    isCentred && selectedMarker.map { visited.contains($0.position) } ?? false
  }

  /// The edge in hand, if the review led to it and it is not decided.
  var edgeUnderReview: OpenEdge? {
    guard isReviewing, let marker = selectedMarker else { return nil }
    return document.openEdges.first { $0.marker.id == marker.id }
  }

  /// Makes an edge of the selected segment the one that keys move, and shows it.
  mutating func takeInHand(_ edge: Selection.Edge) {
    selection.edge = edge
    if let marker = selectedMarker { show(marker.position) }
  }

  /// Brings a place into sight, in the middle while edges are looked at closely.
  mutating func show(_ position: FramePosition) {
    if isCentred { viewport.center(on: position) } else { viewport.reveal(position) }
  }
}
