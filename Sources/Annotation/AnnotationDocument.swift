// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// The annotation of one recording: N markers and the N + 1 segments that they cut.
///
/// Always true of it:
/// - the segments tile `0..<length`, each at least one frame long (but the only one of an empty
///   recording);
/// - no two markers have one id or lie on one frame;
/// - the joins of an assignment lie strictly inside its segment, in order;
/// - a confirmed segment is assigned, and its edges are confirmed;
/// - the words lie inside the recording in order, none is empty or overlaps the next, and each is a word
///   of its ayah.
///
/// A place is found in O(log n); an edit moves the records behind it in memory.
public struct AnnotationDocument: Equatable, Sendable {
  public let length: FrameCount
  public let rate: SampleRate
  /// The segments in order; the first alone starts at no marker.
  public private(set) var records: [SegmentRecord]
  /// When words are heard, as an alignment has it; some may no longer agree with the segments, see
  /// ``words(in:)-(Segment)``.
  public private(set) var words: [TimedWord] = []
  private var positions: [MarkerID: FramePosition]

  /// One unassigned segment; a negative length counts as none.
  public init(length: FrameCount, rate: SampleRate) {
    self.length = max(length, .zero)
    self.rate = rate
    records = [SegmentRecord(start: nil, content: SegmentContent())]
    positions = [:]
  }

  /// A document as it was kept.
  /// - Throws: a refusal when one of the promises above is broken.
  public init(
    length: FrameCount, rate: SampleRate, records: [SegmentRecord], words: [TimedWord] = []
  ) throws(EditRefusal) {
    self.init(length: length, rate: rate)
    try apply(
      Change(
        first: 0, old: self.records, new: records, words: WordChange(old: [], new: words)))
  }
}

// MARK: What there is

extension AnnotationDocument {
  /// The segments in order, each made when asked for.
  public var segments: Segments { Segments(document: self) }

  /// The frame after the last.
  var end: FramePosition { .zero + length }

  /// The markers in order.
  public var markers: [Marker] { records.compactMap(\.start) }

  /// An id that no marker has; the ones after it are free too.
  public var unusedMarkerID: MarkerID {
    MarkerID((records.lazy.compactMap { $0.start?.id.rawValue }.max() ?? 0) + 1)
  }

  public func marker(_ id: MarkerID) -> Marker? {
    index(of: .from(id)).flatMap { records[$0].start }
  }

  public func segment(_ id: SegmentID) -> Segment? { index(of: id).map { segment(at: $0) } }

  /// The segment heard at a place; the first or last one for a place outside the recording.
  public func segment(containing position: FramePosition) -> Segment {
    segment(at: index(containing: position))
  }

  /// The place among the segments, from 0; nil when there is no such segment.
  public func index(of id: SegmentID) -> Int? {
    guard let marker = id.marker else { return 0 }
    return positions[marker].map { index(containing: $0) }
  }

  /// The index of the last segment that starts at or before a place.
  func index(containing position: FramePosition) -> Int {
    var low = 0
    var high = records.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if records[middle].lowerBound <= position { low = middle } else { high = middle }
    }
    return low
  }

  fileprivate func segment(at index: Int) -> Segment {
    let record = records[index]
    return Segment(id: record.id, index: index, span: span(at: index), content: record.content)
  }

  func span(at index: Int) -> Range<FramePosition> {
    let upper = index + 1 < records.count ? records[index + 1].lowerBound : end
    return records[index].lowerBound..<upper
  }
}

/// The segments of a document, numbered from 0.
public struct Segments: RandomAccessCollection, Sendable {
  fileprivate let document: AnnotationDocument

  public var startIndex: Int { 0 }
  public var endIndex: Int { document.records.count }

  public subscript(index: Int) -> Segment { document.segment(at: index) }
}

// MARK: Changing it

extension AnnotationDocument {
  /// Carries out an edit, in whole or not at all.
  /// - Returns: what it did, whose inverse undoes it; empty when all was so already.
  @discardableResult
  public mutating func apply(_ edit: Edit) throws(EditRefusal) -> Change {
    let change = try change(for: edit)
    try apply(change)
    return change
  }

  /// Does, undoes or redoes what an edit did.
  /// - Throws: ``EditRefusal/documentChanged`` unless the document is as the change found it.
  public mutating func apply(_ change: Change) throws(EditRefusal) {
    let (range, wordRange) = try check(change)
    for marker in change.old.compactMap(\.start) { positions[marker.id] = nil }
    for marker in change.new.compactMap(\.start) { positions[marker.id] = marker.position }
    records.replaceSubrange(range, with: change.new)
    if let wordChange = change.words { words.replaceSubrange(wordRange, with: wordChange.new) }
  }

  /// - Returns: the segments and the words that a change replaces.
  func check(
    _ change: Change
  ) throws(EditRefusal) -> (segments: Range<Int>, words: Range<Int>) {
    let segments = try checkSegments(change)
    guard let words = change.words else { return (segments, 0..<0) }
    return (segments, try check(words))
  }

  private func checkSegments(_ change: Change) throws(EditRefusal) -> Range<Int> {
    guard change.first >= 0, change.first <= records.count - change.old.count else {
      throw .documentChanged
    }
    let range = change.first..<change.first + change.old.count
    guard records[range].elementsEqual(change.old) else { throw .documentChanged }
    guard !change.old.isEmpty || !change.new.isEmpty else { return range }

    let replaced = Set(change.old.compactMap { $0.start?.id })
    var added = Set<MarkerID>()
    for marker in change.new.compactMap(\.start) {
      guard FramePosition.zero < marker.position, marker.position < end else {
        throw .markerOutsideRecording(marker.position)
      }
      guard marker.id.rawValue > 0, marker.id.rawValue < .max else {
        throw .unusableMarkerID(marker.id)
      }
      let isTaken = positions[marker.id] != nil && !replaced.contains(marker.id)
      guard !isTaken, added.insert(marker.id).inserted else { throw .markerInUse(marker.id) }
    }

    // The end of the segment before the run is the start of the run.
    let window = Array(records[..<range.lowerBound].suffix(1) + change.new)
    let following = range.upperBound < records.count ? records[range.upperBound] : nil
    guard !window.isEmpty, range.lowerBound > 0 || window[0].start == nil,
      window.dropFirst().allSatisfy({ $0.start != nil })
    else { throw .noSingleFirstSegment }
    for (record, next) in zip(window, window.dropFirst().map { $0 } + [following]) {
      try check(record, before: next)
    }
    return range
  }

  private func check(
    _ record: SegmentRecord, before next: SegmentRecord?
  ) throws(EditRefusal) {
    let edge = next?.lowerBound ?? end
    guard record.lowerBound < edge || next == nil else {
      throw record.lowerBound == edge
        ? .twoMarkersOnOneFrame(edge) : .markersOutOfOrder(record.lowerBound, edge)
    }
    try record.content.assignment?.check(in: record.lowerBound..<edge)
    guard record.content.isConfirmed else { return }
    guard record.content.attribution != nil else { throw .nothingToConfirm }
    guard record.start?.isConfirmed != false, next?.start?.isConfirmed != false else {
      throw .confirmedBetweenUnconfirmedEdges(record.id)
    }
  }
}
