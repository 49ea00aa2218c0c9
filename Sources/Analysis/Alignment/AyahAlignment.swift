// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore
public import Quran

/// What a recording holds, as far as its sound and what a person said of it tell.
public struct AyahAlignment: Hashable, Sendable {
  public struct Segment: Hashable, Sendable {
    /// Half-open.
    public var span: Range<FramePosition>
    public var assignment: Assignment
    /// The probability that assignment and both edges are right, 0...1.
    public var confidence: Double

    public init(_ span: Range<FramePosition>, _ assignment: Assignment, confidence: Double) {
      self.span = span
      self.assignment = assignment
      self.confidence = confidence
    }
  }

  /// When a word is said.
  public struct Word: Hashable, Sendable {
    public var ayah: AyahReference
    /// From 1 on, as a whitespace token of the QPC Hafs text.
    public var number: Int
    /// From its first sound to its last, half-open.
    public var span: Range<FramePosition>

    public init(_ ayah: AyahReference, _ number: Int, _ span: Range<FramePosition>) {
      self.ayah = ayah
      self.number = number
      self.span = span
    }
  }

  public init(
    segments: [Segment], boundaries: [Boundary], pauses: [Pause], words: [Word] = [],
    last: AyahReference?, verdict: Verdict
  ) {
    self.segments = segments
    self.boundaries = boundaries
    self.pauses = pauses
    self.words = words
    self.last = last
    self.verdict = verdict
  }

  /// Tile the recording in order.
  public var segments: [Segment]
  /// The inner edges of the segments, with the probability that each is within a quarter of a second of
  /// where it belongs.
  public var boundaries: [Boundary]
  /// Every pause, in order.
  public var pauses: [Pause]
  /// When each word is said, where that is known, in the order of time; words said again come again.
  public var words: [Word] = []
  /// The last ayah, found or told; nil when nothing could be aligned.
  public var last: AyahReference?
  public var verdict: Verdict
  /// What else a person should know, and until when.
  private(set) var notes: [Note] = []

  /// Whether the recording can be what it is said to be.
  public enum Verdict: Hashable, Sendable {
    case plausible
    /// Something does not fit; a sentence for people says what, and what to do.
    case doubtful(String)
  }

  /// What else a person should know, one sentence each.
  public var remarks: [String] { notes.map(\.text) }

  struct Note: Hashable, Sendable {
    var text: String
    var subject: Subject

    enum Subject: Hashable, Sendable {
      /// The order of the ayat; follows from the segments.
      case order
      /// The first ayah or the last; holds until a person has said what is heard near it.
      case start, end
      case other
    }
  }

  /// Adds something that a person should know.
  public mutating func remark(_ text: String) { note([text], about: .other) }

  /// Says where the reciter goes back or leaves something out, as the segments tell.
  package mutating func remarkOnOrder(rate: SampleRate) {
    note(
      OrderRemarks.remarks(segments, byLengths: false, from: .zero, rate: rate), about: .order)
  }

  mutating func note(_ texts: [String], about subject: Note.Subject) {
    notes += texts.map { Note(text: $0, subject: subject) }
  }

  /// Takes over what an earlier alignment of the same says, as far as that holds for this one.
  ///
  /// - Parameters:
  ///   - order: what is to be said of the order of its ayat.
  ///   - given: where a person has said what is heard.
  mutating func takeNotes(
    of earlier: AyahAlignment, order: [String], given: [Range<FramePosition>]
  ) {
    let reciting = segments.filter { $0.assignment.isRecitation }
    func isGiven(_ near: ArraySlice<Segment>) -> Bool {
      near.contains { segment in given.contains { $0.overlaps(segment.span) } }
    }
    notes = earlier.notes.filter { note in
      switch note.subject {
      case .order: false
      case .start: !isGiven(reciting.prefix(Self.near))
      case .end: !isGiven(reciting.suffix(Self.near))
      case .other: true
      }
    }
    note(order, about: .order)
  }

  /// Segments with ayat that are near the start, or the end.
  private static let near = 5

  /// No assignment is surer than this where the whole is doubtful.
  private static let greatestDoubted = 0.5

  /// Says that the recording can hardly be what it is said to be.
  mutating func doubt(_ verdict: Verdict) {
    self.verdict = verdict
    for index in segments.indices {
      segments[index].confidence = min(segments[index].confidence, Self.greatestDoubted)
    }
  }

  /// Doubts the ayat that another alignment of the beginning, or of the end, has somewhere else.
  ///
  /// - Parameters:
  ///   - starts: where that one has each ayah, as far as it goes.
  ///   - span: what begins within it is compared.
  mutating func doubt(
    startsOtherThan starts: [AyahReference: FramePosition], tolerance: FrameCount,
    in span: ClosedRange<FramePosition>
  ) {
    for index in segments.indices where span.contains(segments[index].span.lowerBound) {
      guard let ayah = segments[index].assignment.recited?.first else { continue }
      let start = segments[index].span.lowerBound
      if let other = starts[ayah], start < other + tolerance, other < start + tolerance {
        continue
      }
      segments[index].confidence = min(segments[index].confidence, Self.greatestDoubted)
    }
  }
}

/// What a person says of a recording before it is aligned.
public struct AlignmentRequest: Hashable, Sendable {
  /// The first ayah recited; in a prayer the first after al-Fatiha.
  public var first: AyahReference
  /// The last, nil when nobody knows.
  public var last: AyahReference?
  public var prayer: Prayer

  public init(first: AyahReference, last: AyahReference? = nil, prayer: Prayer = .none) {
    self.first = first
    self.last = last
    self.prayer = prayer
  }

  /// All ayat that a recording of so many seconds may hold, be it recited as fast as people recite.
  public func ayat(withinSeconds seconds: Double) -> AyahRange {
    AyahAligner.ayat(self, withinSeconds: seconds)
  }

  /// Kinds of prayer whose structure is known.
  public enum Prayer: String, Hashable, Sendable, CaseIterable {
    case none, taraweeh
  }
}
