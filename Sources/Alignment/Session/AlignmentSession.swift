// SPDX-License-Identifier: GPL-3.0-or-later

public import Analysis
public import AudioCore
import Annotation
import Quran

/// Realigns a recording while a person confirms parts of it.
///
/// A value: the measurements of the recording, the first alignment, and the changes around anchors
/// so far. ``realign(_:stopFlag:)`` searches again only around anchors that contradict the first
/// alignment; it moves nothing confirmed and leaves distant parts as they were.
///
/// Both methods compute on the calling thread: call them off the main thread, keep the returned
/// session, and raise the flag to cancel. The same anchors give the same alignment in any order.
public struct AlignmentSession: Sendable {
  /// The latest alignment.
  public private(set) var alignment: AyahAlignment
  public private(set) var anchors = AlignmentAnchors()
  public let request: AlignmentRequest

  private let aligner: AcousticAligner
  /// The alignment without anchors.
  private let first: AyahAlignment
  private let base: [AlignedPiece]
  private var known: [Section: AcousticAligner.Found?] = [:]

  /// Aligns without anchors.
  ///
  /// - Throws: ``AnalysisError/cancelled`` when the flag is raised.
  public init(
    _ aligner: AcousticAligner, _ request: AlignmentRequest, stopFlag: StopFlag = StopFlag()
  ) throws(AnalysisError) {
    var aligner = aligner
    aligner.stopFlag = stopFlag
    self.aligner = aligner
    self.request = request
    let outcome = aligner.outcome(request)
    if stopFlag.isStopped { throw .cancelled }
    first = outcome.alignment
    alignment = outcome.alignment
    base = outcome.found?.pieces ?? []
  }

  /// Aligns with other anchors than before.
  ///
  /// - Parameter anchors: all of them, those of before included.
  /// - Throws: ``AnalysisError/cancelled`` when the flag is raised; the session is as it was.
  /// - Returns: ``alignment``.
  @discardableResult
  public mutating func realign(
    _ anchors: AlignmentAnchors, stopFlag: StopFlag = StopFlag()
  ) throws(AnalysisError) -> AyahAlignment {
    guard !anchors.isEmpty else {
      self.anchors = anchors
      known = [:]
      alignment = first
      return first
    }
    var search = AnchoredSearch(
      aligner: aligner, request: request, base: base, baseWords: first.words, known: known)
    search.aligner.stopFlag = stopFlag
    var outcome = search.outcome(anchors)
    if outcome.withoutRoom != nil, let sure = anchors.withoutAssumptions {
      outcome = search.outcome(sure)
    }
    if stopFlag.isStopped { throw .cancelled }
    self.anchors = anchors
    known = search.used
    alignment = AyahAlignment(outcome.pieces, words: outcome.words, pauses: first.pauses)
    alignment.snap(to: anchors.places.map(\.position), rate: aligner.rate)
    remark(outcome.withoutRoom)
    return alignment
  }

  /// What is to be said of the latest alignment.
  private mutating func remark(_ withoutRoom: AyahReference?) {
    let given = anchors.given
    let isPrayer = request.prayer != .none
    // In a prayer al-Fatiha tells nothing of where the recitation begins.
    let recited = alignment.segments.filter { segment in
      segment.assignment.recited.map { !(isPrayer && $0.last.isInFatiha) } ?? false
    }
    func isGiven(_ segments: ArraySlice<AyahAlignment.Segment>) -> Bool {
      segments.contains { segment in given.contains { $0.overlaps(segment.span) } }
    }
    if let withoutRoom { alignment.remark(.noRoom(withoutRoom)) }
    for remark in first.remarks {
      switch remark {
      case .beginsWith, .soundsLike:
        if !isGiven(recited.prefix(1)) { alignment.remark(remark) }
      case .endsWith(let end, _):
        // Other passages may follow.
        let ends = recited.filter { $0.assignment.recited?.last == end }
        if !isGiven(ends.isEmpty ? recited.suffix(1) : ends[...]) { alignment.remark(remark) }
      case .otherText:
        // What a person has said of half of it is so.
        if anchors.spans.count * 2 < alignment.segments.count { alignment.remark(remark) }
      case .heardAgain, .outOfOrder, .leftOut: break
      case .noVoice, .noPlace, .manyPlaces, .beginsOutside, .noRoom, .isPrayer, .isNoPrayer,
        .otherReading:
        alignment.remark(remark)
      }
    }
    if first.isLimited, let doubt = first.doubt, alignment.remarks.contains(doubt) {
      alignment.limitConfidence()
    }
    for remark in OrderRemarks.remarks(
      alignment.segments, isPrayer: isPrayer, from: aligner.origin, rate: aligner.rate)
    {
      alignment.remark(remark)
    }
  }
}

extension AyahAlignment {
  /// Puts a boundary where a person has placed one, if it lies near.
  fileprivate mutating func snap(to places: [FramePosition], rate: SampleRate) {
    let reach = FrameCount(seconds: Self.reach, at: rate)
    for place in places where place > .zero && !boundaries.contains(where: { $0.position == place })
    {
      let near = boundaries.indices.filter { index in
        let distance = boundaries[index].position - place
        return distance <= reach && FrameCount(-distance.frames) <= reach
          && !places.contains(boundaries[index].position)
          && segments[index].span.lowerBound < place && place < segments[index + 1].span.upperBound
      }
      let nearest = near.min {
        abs((boundaries[$0].position - place).frames)
          < abs((boundaries[$1].position - place).frames)
      }
      guard let index = nearest else { continue }
      boundaries[index].position = place
      boundaries[index].confidence = 1
      segments[index].span = segments[index].span.lowerBound..<place
      segments[index + 1].span = place..<segments[index + 1].span.upperBound
    }
  }

  /// A boundary that a person has placed is one that was found no further away than this, in seconds;
  /// judged by `Scripts/measure-learning.py`.
  fileprivate static let reach = 1.5
}
