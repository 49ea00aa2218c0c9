// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Quran

/// Names a segment by the marker it starts at, so that edits elsewhere do not rename it.
public enum SegmentID: Hashable, Sendable, CustomStringConvertible {
  /// The one that starts with the recording.
  case first
  case from(MarkerID)

  /// The marker it starts at, nil for the first.
  public var marker: MarkerID? {
    switch self {
    case .first: nil
    case .from(let marker): marker
    }
  }

  init(_ marker: MarkerID?) { self = marker.map { .from($0) } ?? .first }

  public var description: String {
    switch self {
    case .first: "the first segment"
    case .from(let marker): "the segment from \(marker)"
    }
  }
}

/// An assignment, who made it and how sure that is.
public struct Attribution: Hashable, Sendable, Codable {
  public internal(set) var assignment: Assignment
  public let origin: Origin
  /// 0...1; nil where nothing was measured.
  public let confidence: Double?

  /// A confidence beyond 0...1 becomes the nearer end of that, and one that is no number nil.
  public init(_ assignment: Assignment, origin: Origin = .person, confidence: Double? = nil) {
    self.assignment = assignment
    self.origin = origin
    self.confidence = confidence.flatMap(clampedConfidence)
  }

  private enum CodingKeys: String, CodingKey { case assignment, origin, confidence }
}

/// What is known of a segment apart from where it lies.
public struct SegmentContent: Hashable, Sendable, Codable {
  /// Nil while it is unassigned.
  public internal(set) var attribution: Attribution?
  /// Whether a person has said that the assignment and both edges are right.
  public internal(set) var isConfirmed: Bool
  /// Zero characters are left out, since neither databases nor label files keep them.
  public internal(set) var note: String { didSet { note = Self.withoutZeros(note) } }
  public internal(set) var isFlagged: Bool

  public init(
    _ attribution: Attribution? = nil, isConfirmed: Bool = false, note: String = "",
    isFlagged: Bool = false
  ) {
    self.attribution = attribution
    self.isConfirmed = isConfirmed
    self.note = Self.withoutZeros(note)
    self.isFlagged = isFlagged
  }

  private static func withoutZeros(_ text: String) -> String {
    text.utf8.contains(0) ? String(text.unicodeScalars.filter { $0 != "\0" }) : text
  }

  public var assignment: Assignment? { attribution?.assignment }

  private enum CodingKeys: String, CodingKey {
    case attribution, note
    case isConfirmed = "confirmed"
    case isFlagged = "flagged"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decodeIfPresent(Attribution.self, forKey: .attribution),
      isConfirmed: try values.decode(Bool.self, forKey: .isConfirmed),
      note: try values.decode(String.self, forKey: .note),
      isFlagged: try values.decode(Bool.self, forKey: .isFlagged))
  }

  /// What a segment made of this one and its right neighbour holds: this one's assignment, or the
  /// neighbour's if this has none; both notes; confirmed if both were, and hold the same: nobody has said of
  /// the whole that it is what the left part was. Where a machine had said of both what they hold, how sure it was says
  /// nothing of the whole.
  func merged(with right: SegmentContent) -> SegmentContent {
    var merged = attribution ?? right.attribution
    if let known = merged, known.origin != .person, right.assignment != nil,
      right.assignment != assignment, assignment != nil
    {
      merged = Attribution(known.assignment, origin: known.origin)
    }
    return SegmentContent(
      merged,
      isConfirmed: isConfirmed && right.isConfirmed && assignment == right.assignment,
      note: note.isEmpty || right.note.isEmpty ? note + right.note : note + "\n" + right.note,
      isFlagged: isFlagged || right.isFlagged)
  }

  /// What the two sides of a cut hold. Note and flag stay on the left; it stays confirmed if the new
  /// edge is, and its assignment is not cut short.
  func split(at edge: Marker) -> (left: SegmentContent, right: SegmentContent) {
    guard let attribution else { return (self, SegmentContent()) }
    let (kept, rest) = attribution.assignment.split(at: edge.position)
    var left = self
    left.isConfirmed = isConfirmed && edge.isConfirmed && kept == attribution.assignment
    left.attribution?.assignment = kept
    var right = rest.map { _ in attribution }
    if let rest { right?.assignment = rest }
    return (left, SegmentContent(right))
  }
}

/// A segment as a document keeps it: the marker it starts at and what it holds.
public struct SegmentRecord: Hashable, Sendable, Codable {
  /// Nil for the first segment alone.
  public internal(set) var start: Marker?
  public internal(set) var content: SegmentContent

  public init(start: Marker?, content: SegmentContent) {
    self.start = start
    self.content = content
  }

  public var id: SegmentID { SegmentID(start?.id) }

  /// The first frame.
  var lowerBound: FramePosition { start?.position ?? .zero }

  private enum CodingKeys: String, CodingKey {
    case start = "marker"
    case content = "segment"
  }
}

/// What lies between two boundaries, the ends of the recording included.
public struct Segment: Hashable, Sendable, Identifiable {
  public let id: SegmentID
  /// The place among the segments, from 0.
  public let index: Int
  /// Half-open.
  public let span: Range<FramePosition>
  public let content: SegmentContent

  public init(
    id: SegmentID, index: Int, span: Range<FramePosition>, content: SegmentContent
  ) {
    self.id = id
    self.index = index
    self.span = span
    self.content = content
  }

  public var assignment: Assignment? { content.assignment }
  public var isConfirmed: Bool { content.isConfirmed }
}

extension AnnotationDocument {
  /// How sure what is suggested of a segment is, its first marker included, 0...1; nil where nothing
  /// is, or nothing was measured.
  public func confidence(of segment: Segment) -> Double? {
    guard !segment.isConfirmed else { return nil }
    let start = records[segment.index].start.flatMap { $0.isSuggestion ? $0.confidence : nil }
    let held = suggestedAttribution(ofSegmentAt: segment.index)?.confidence
    return [start, held].compactMap(\.self).min()
  }

  /// What a machine says that a segment holds; nil where a person has said it, or has decided what it is in doubt by.
  public func suggestedAttribution(ofSegmentAt index: Int) -> Attribution? {
    guard let attribution = records[index].content.attribution, attribution.origin != .person else {
      return nil
    }
    // An alignment is as sure of a segment as of the less sure of its edges: when a person has decided that one, the
    // doubt has gone. One that was placed has no confidence left.
    let lessSure = edges(ofSegmentAt: index).min { $0.confidence ?? 0 < $1.confidence ?? 0 }
    guard let lessSure, !lessSure.isSuggestion else { return attribution }
    // A doubt that neither of its edges accounts for was not what was decided.
    return attribution.confidence ?? 0 < lessSure.confidence ?? 0 ? attribution : nil
  }

  /// The markers that bound a segment.
  public func edges(ofSegmentAt index: Int) -> [Marker] {
    [records[index].start, index + 1 < records.count ? records[index + 1].start : nil]
      .compactMap(\.self)
  }
}

/// An ayah, or a part of one, and where in the recording it is heard.
public struct Passage: Hashable, Sendable {
  public let segment: SegmentID
  public let ayah: AyahReference
  /// Nil when the whole ayah is heard.
  public let part: AyahPart?
  /// Half-open; the segment's span, cut at the joins.
  public let span: Range<FramePosition>
  /// Whether the basmalah is heard first.
  public internal(set) var beginsWithBasmalah = false

  public var isComplete: Bool { part == nil }

  /// How much there is to recite in it, the whole ayah and the basmalah before it.
  public var phoneticUnits: Int {
    ayah.length.phoneticUnits + (beginsWithBasmalah ? AyahLength.basmalah.phoneticUnits : 0)
  }
}

extension Segment {
  /// The ayat heard in it, in order; none in a lead-in, an unused or an unassigned segment.
  public var passages: [Passage] {
    switch assignment {
    case nil, .leadIn, .unused: []
    case .ayah(let ayah, let part, _): [passage(ayah, part: part, span)]
    case .crossSurah(let ayah, let join, let end, _): passages([ayah, end], joins: [join])
    case .ayat(let range, let joins, _): passages(Array(range), joins: joins)
    }
  }

  private func passages(_ ayat: [AyahReference], joins: [FramePosition]) -> [Passage] {
    let edges = [span.lowerBound] + joins + [span.upperBound]
    return zip(ayat, zip(edges, edges.dropFirst())).map { ayah, span in
      passage(ayah, part: nil, span.0..<span.1)
    }
  }

  private func passage(
    _ ayah: AyahReference, part: AyahPart?, _ span: Range<FramePosition>
  ) -> Passage {
    Passage(
      segment: id, ayah: ayah, part: part, span: span,
      beginsWithBasmalah: ayah.followsBasmalah && assignment?.hasBasmalah == true)
  }
}
