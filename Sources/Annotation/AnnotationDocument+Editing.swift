// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

extension AnnotationDocument {
  /// What an edit would do, without doing it.
  /// - Throws: the refusal that ``apply(_:)-(Edit)`` would throw.
  public func plan(_ edit: Edit) throws(EditRefusal) -> Change {
    let change = try change(for: edit)
    _ = try check(change)
    return change
  }

  func change(for edit: Edit) throws(EditRefusal) -> Change {
    switch edit {
    case .addMarker(let marker):
      return try adding(marker)
    case .moveMarker(let id, let position):
      return try moving(id, to: position)
    case .deleteMarker(let id):
      let index = try index(ofMarker: id)
      var merged = records[index - 1]
      merged.content = merged.content.merged(with: records[index].content)
      return replacing(index - 1...index, with: [merged])
    case .confirmMarker(let id):
      let index = try index(ofMarker: id)
      return rewriting(index...index) { $0[0].start?.isConfirmed = true }
    case .unconfirmMarker(let id):
      let index = try index(ofMarker: id)
      return rewriting(index - 1...index) { records in
        records[0].content.isConfirmed = false
        records[1].start?.isConfirmed = false
        records[1].content.isConfirmed = false
      }
    case .assign(let segment, let attribution, let confirming):
      return try assigning(attribution, to: segment, confirming: confirming)
    case .clear(let segment):
      return try rewriting(segment) {
        $0.attribution = nil
        $0.isConfirmed = false
      }
    case .confirm(let segment):
      guard let attribution = records[try existingIndex(of: segment)].content.attribution else {
        throw .nothingToConfirm
      }
      return try assigning(attribution, to: segment, confirming: true)
    case .confirmAll(let segments):
      return try confirming(segments)
    case .unconfirm(let segment):
      return try rewriting(segment) { $0.isConfirmed = false }
    case .moveJoin(let segment, let join, let position):
      var joins = records[try existingIndex(of: segment)].content.assignment?.joins ?? []
      guard joins.indices.contains(join) else { throw .noSuchJoin(segment, join) }
      joins[join] = position
      return try rewriting(segment) { $0.attribution?.assignment.replaceJoins(with: joins) }
    case .setNote(let segment, let note):
      return try rewriting(segment) { $0.note = note }
    case .setFlag(let segment, let isFlagged):
      return try rewriting(segment) { $0.isFlagged = isFlagged }
    case .fill(let fill):
      return try filling(fill)
    case .replaceSuggestions(let suggestions):
      return try replacing(suggestions)
    case .replaceAll(let records, let words):
      let words = words.flatMap { WordChange(old: self.words, new: $0) }
      return Change(first: 0, old: self.records, new: records, words: words)
    }
  }

  /// Where a marker may be moved: between its neighbours and the joins next to it, all excluded.
  /// - Returns: nil when there is no such marker.
  public func room(forMarker id: MarkerID) -> ClosedRange<FramePosition>? {
    guard let index = index(of: .from(id)), index > 0 else { return nil }
    let left = records[index - 1]
    let lower = left.content.assignment?.joins.last ?? left.lowerBound
    let upper = records[index].content.assignment?.joins.first ?? span(at: index).upperBound
    return lower + FrameCount(1)...upper - FrameCount(1)
  }

  /// Where a join may be moved: between the joins or edges next to it, all excluded.
  /// - Returns: nil when there is no such join.
  public func room(forJoin join: Int, of segment: SegmentID) -> ClosedRange<FramePosition>? {
    guard let index = index(of: segment),
      let joins = records[index].content.assignment?.joins, joins.indices.contains(join)
    else { return nil }
    let span = span(at: index)
    let lower = join > 0 ? joins[join - 1] : span.lowerBound
    let upper = join + 1 < joins.count ? joins[join + 1] : span.upperBound
    return lower + FrameCount(1)...upper - FrameCount(1)
  }

  private func adding(_ marker: Marker) throws(EditRefusal) -> Change {
    let index = index(containing: marker.position)
    var left = records[index]
    guard left.start?.position != marker.position else {
      throw .twoMarkersOnOneFrame(marker.position)
    }
    let contents = left.content.split(at: marker)
    left.content = contents.left
    return replacing(
      index...index, with: [left, SegmentRecord(start: marker, content: contents.right)])
  }

  private func moving(_ id: MarkerID, to position: FramePosition) throws(EditRefusal) -> Change {
    guard let room = room(forMarker: id) else { throw .unknownMarker(id) }
    let target = min(max(position, room.lowerBound), room.upperBound)
    let index = try index(ofMarker: id)
    return rewriting(index...index) { records in
      records[0].start?.isConfirmed = true
      guard records[0].lowerBound != target else { return }
      records[0].start?.position = target
      records[0].start?.origin = .person
      records[0].start?.confidence = nil
    }
  }

  private func assigning(
    _ attribution: Attribution, to segment: SegmentID, confirming: Bool
  ) throws(EditRefusal) -> Change {
    let index = try existingIndex(of: segment)
    let last = confirming ? min(index + 1, records.count - 1) : index
    return rewriting(index...last) { records in
      records[0].content.attribution = attribution
      records[0].content.isConfirmed = confirming
      guard confirming else { return }
      for index in records.indices { records[index].start?.isConfirmed = true }
    }
  }
}

extension AnnotationDocument {
  private func confirming(_ segments: [SegmentID]) throws(EditRefusal) -> Change {
    var indices: [Int] = []
    for segment in segments {
      let index = try existingIndex(of: segment)
      guard records[index].content.attribution != nil else { throw .nothingToConfirm }
      indices.append(index)
    }
    guard let first = indices.min(), let last = indices.max() else { throw .nothingToConfirm }
    return rewriting(first...min(last + 1, records.count - 1)) { records in
      for index in indices.map({ $0 - first }) {
        records[index].content.isConfirmed = true
        records[index].start?.isConfirmed = true
        if index + 1 < records.count { records[index + 1].start?.isConfirmed = true }
      }
    }
  }
}

// MARK: The pieces of plans

extension AnnotationDocument {
  func existingIndex(of segment: SegmentID) throws(EditRefusal) -> Int {
    guard let index = index(of: segment) else { throw .unknownSegment(segment) }
    return index
  }

  /// The index of the segment that starts at a marker; never 0.
  private func index(ofMarker id: MarkerID) throws(EditRefusal) -> Int {
    guard let index = index(of: .from(id)) else { throw .unknownMarker(id) }
    return index
  }

  func replacing(_ range: ClosedRange<Int>, with new: [SegmentRecord]) -> Change {
    Change(first: range.lowerBound, old: Array(records[range]), new: new)
  }

  /// A change of some records; `body` finds them from index 0 on.
  func rewriting(
    _ range: ClosedRange<Int>, _ body: (inout [SegmentRecord]) -> Void
  ) -> Change {
    var new = Array(records[range])
    body(&new)
    return replacing(range, with: new)
  }

  private func rewriting(
    _ segment: SegmentID, _ body: (inout SegmentContent) -> Void
  ) throws(EditRefusal) -> Change {
    let index = try existingIndex(of: segment)
    return rewriting(index...index) { body(&$0[0].content) }
  }
}
