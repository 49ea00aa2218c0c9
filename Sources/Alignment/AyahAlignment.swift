// SPDX-License-Identifier: GPL-3.0-or-later

public import Analysis
public import Annotation
public import AudioCore
public import Quran

/// The content of a recording, found from its sound and from what a person said about it.
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

  public typealias Word = TimedWord

  /// Tile the recording in order.
  public var segments: [Segment] = []
  /// The inner edges of the segments, with the probability that each is within a quarter of a second of
  /// where it belongs.
  public var boundaries: [Boundary] = []
  /// Every pause, in order.
  public var pauses: [Pause]
  /// The start and end of each word, in order of time; a repeated word appears again.
  public var words: [Word] = []
  /// The last ayah of the passage, or of the portions of a prayer, found or told; nil when nothing could be
  /// aligned.
  public var last: AyahReference?
  /// All remarks, doubts first.
  public private(set) var remarks: [AlignmentRemark] = []

  public init(pauses: [Pause]) { self.pauses = pauses }

  public mutating func remark(_ remark: AlignmentRemark) {
    let place = remark.isDoubt ? remarks.prefix { $0.isDoubt }.count : remarks.count
    remarks.insert(remark, at: place)
  }

  /// Takes back the remark that what is heard does not fit the text, where nobody said that it does.
  /// - Returns: whether there was such a remark.
  public mutating func takeBackOtherText() -> Bool {
    let count = remarks.count
    remarks.removeAll { if case .otherText = $0 { true } else { false } }
    return remarks.count < count
  }

  /// The first remark that the recording does not match its description; nil if it matches.
  public var doubt: AlignmentRemark? { remarks.first { $0.isDoubt } }

  /// Whether ayat are left out right after the first one that is recited, or what comes before it is recited later.
  var goesAstray: Bool {
    let recited = segments.compactMap(\.assignment.recited)
    guard let first = recited.first, let next = first.last.next, recited.count > 1 else {
      return false
    }
    return recited[1].first > next || recited.contains { $0.first < first.first }
  }

  /// Whether something else is said before the text begins.
  var opensWithSpeech: Bool {
    segments.prefix { !$0.assignment.isRecitation }.contains { $0.assignment == .unused(.speech) }
  }

  /// The last ayah, where it is another than was told.
  ///
  /// - Parameter mayGoOn: whether other passages may follow, as the surahs of the witr do in a night of prayer: then the
  ///   last ayah is the one that is reached without leaving any out.
  func last(otherThan told: AyahReference, mayGoOn: Bool) -> AyahReference? {
    let recited = Set(
      segments.compactMap(\.assignment.recited)
        .compactMap { AyahRange(first: $0.first, last: $0.last) }.joined())
    guard mayGoOn, recited.contains(told) else { return last == told ? nil : last }
    let end = sequence(first: told) { $0.next.flatMap { recited.contains($0) ? $0 : nil } }
      .reduce(told) { $1 }
    return end == told ? nil : end
  }

  /// How many times al-Fatiha is recited to its end.
  public var fatihas: Int {
    let end = AyahReference.first.surah.lastAyah
    return segments.count { $0.assignment.recited?.last == end }
  }
}

extension AyahAlignment {
  /// Puts pieces that tile a recording end to end.
  init(_ pieces: [AlignedPiece], words: [Word], pauses: [Pause]) {
    self.init(pauses: pauses)
    self.words = words
    for piece in pieces.withBasmalahsNamed where !piece.span.isEmpty {
      let confidence = min(piece.start, piece.end)
      if let last = segments.last, last.assignment == piece.assignment,
        !last.assignment.isRecitation
      {
        segments[segments.count - 1].span = last.span.lowerBound..<piece.span.upperBound
        segments[segments.count - 1].confidence = min(last.confidence, confidence)
        continue
      }
      if !segments.isEmpty {
        boundaries.append(Boundary(position: piece.span.lowerBound, confidence: piece.start))
      }
      segments.append(.init(piece.span, piece.assignment, confidence: confidence))
    }
    let recited = segments.compactMap { $0.assignment.recited?.last }
    last = recited.last { !$0.isInFatiha } ?? recited.last
  }

  /// What is doubted is judged by `Scripts/tell-wrong-hints.py`.
  mutating func limitConfidence() {
    for index in segments.indices {
      segments[index].confidence = min(
        segments[index].confidence, AlignmentJudgement.greatestDoubted)
    }
  }

  /// Whether that was done.
  var isLimited: Bool {
    segments.allSatisfy { $0.confidence <= AlignmentJudgement.greatestDoubted }
  }
}

extension [AlignedPiece] {
  /// The same with each basmalah that of the surah which begins after it: where another passage follows, it is heard as that of
  /// the surah that would have come next.
  fileprivate var withBasmalahsNamed: [AlignedPiece] {
    var pieces = self
    for index in indices {
      let next = self[(index + 1)...].first { $0.assignment != .unused(.silence) }
      guard let ayah = next?.assignment.beginning, ayah.ayah == 1 else { continue }
      pieces[index].assignment = pieces[index].assignment.beforeBeginning(of: ayah.surah)
    }
    return pieces
  }
}

extension Assignment {
  /// The same, where a basmalah is that of a surah.
  fileprivate func beforeBeginning(of surah: Surah) -> Assignment {
    switch self {
    case .leadIn(.basmalah): .leadIn(.basmalah(of: surah))
    case .leadIn(.istiadhahAndBasmalah): .leadIn(.istiadhahAndBasmalah(of: surah))
    default: self
    }
  }
}
