// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore

/// Puts what is heard in a prayer end to end, with silence where nothing is heard; what a person has
/// confirmed stays where it is.
struct PrayerSegments {
  let candidates: AlignmentCandidates
  let rate: SampleRate
  let length: FrameCount
  private let spans: [AlignmentAnchors.Span]
  private let places: Set<FramePosition>

  /// How long the last sound goes on within a silence, in seconds.
  private static let decay = 0.4
  /// Shorter silences belong to what is beside them, in seconds.
  private static let shortestGap = 0.9
  /// A boundary that a person has placed is one that was found no further away than this, in seconds.
  private static let reach = 1.5

  init(
    candidates: AlignmentCandidates, rate: SampleRate, length: FrameCount,
    anchors: AlignmentAnchors
  ) {
    self.candidates = candidates
    self.rate = rate
    self.length = length
    spans = anchors.spansInOrder
    places = Set(
      anchors.places.map(\.position) + spans.flatMap { [$0.span.lowerBound, $0.span.upperBound] })
  }

  func list(_ found: [PrayerPiece]) -> SegmentList {
    var list = SegmentList(length: length)
    var previous: PrayerPiece?
    for var piece in inOrder(found) {
      let isFree = !places.contains(list.position)
      if isFree, !piece.assignment.isRecitation || previous?.isEndOfFatiha == true,
        let end = endOfReciting(before: piece.span.lowerBound, previous)
      {
        list.shorten(to: end)
      }
      let start = piece.span.lowerBound
      let gap = (start - list.position).seconds(at: rate)
      if gap > 0 {
        let mayBegin = !places.contains(start)
        let mayExtend = !places.contains(list.position)
        if gap >= Self.shortestGap || !(mayBegin || mayExtend) {
          list.append(
            upTo: start, .unused(previous?.silence ?? .silence), edge: piece.edges.start)
        } else if mayBegin, !mayExtend || !piece.assignment.isRecitation {
          piece.span = list.position..<piece.span.upperBound
        } else {
          list.extend(upTo: start)
        }
      }
      list.append(upTo: piece.span.upperBound, piece.assignment, edge: piece.edges.end)
      previous = piece
    }
    let end = FramePosition.zero + length
    if places.contains(list.position) {
      list.append(upTo: end, .unused(previous?.silence ?? .silence), edge: 1)
    } else {
      list.close(afterSilenceOf: Self.shortestGap, rate: rate)
    }
    for place in places.sorted() {
      list.mark(place, reach: FrameCount(seconds: Self.reach, at: rate), keeping: places)
    }
    return list
  }

  /// What was found, without what is confirmed to be something else, and what is confirmed.
  private func inOrder(_ found: [PrayerPiece]) -> [PrayerPiece] {
    let confirmed = spans.map(\.span)
    // Where a person says that something is recited, what was taken for speech is none.
    let recited = places.isEmpty ? [] : found.filter(\.assignment.isRecitation).map(\.span)
    let taken = (confirmed + recited).sorted { $0.lowerBound < $1.lowerBound }
    var pieces = spans.map {
      PrayerPiece(span: $0.span, assignment: $0.assignment, edges: (1, 1), isConfirmed: true)
    }
    for piece in found where !piece.span.isEmpty {
      let others = (piece.assignment.isRecitation ? confirmed : taken).filter {
        $0.overlaps(piece.span)
      }
      guard !others.isEmpty else {
        pieces.append(piece)
        continue
      }
      var rest = piece.span.lowerBound
      for span in others {
        add(piece, rest..<max(rest, span.lowerBound), to: &pieces)
        rest = max(rest, span.upperBound)
      }
      add(piece, rest..<max(rest, piece.span.upperBound), to: &pieces)
    }
    return pieces.sorted { $0.span.lowerBound < $1.span.lowerBound }
  }

  /// What is left of something beside what is confirmed: of a call no scraps.
  private func add(
    _ piece: PrayerPiece, _ span: Range<FramePosition>, to pieces: inout [PrayerPiece]
  ) {
    guard !span.isEmpty,
      piece.assignment.isRecitation || span.length.seconds(at: rate) >= Self.shortestGap
    else { return }
    var rest = piece
    rest.span = span
    if span.lowerBound != piece.span.lowerBound { rest.edges.start = 1 }
    if span.upperBound != piece.span.upperBound { rest.edges.end = 1 }
    pieces.append(rest)
  }

  /// Where a piece of reciting that something else follows falls silent: not, as between ayat, just before
  /// the voice returns.
  private func endOfReciting(
    before next: FramePosition, _ piece: PrayerPiece?
  ) -> FramePosition? {
    guard let piece, piece.assignment.isRecitation else { return nil }
    let margin = FrameCount(seconds: Self.decay, at: rate)
    let pause = candidates.candidates.last {
      $0.isDip && $0.span.lowerBound < piece.span.upperBound
        && $0.span.upperBound + margin > piece.span.upperBound
    }
    guard let pause, pause.span.lowerBound > piece.span.lowerBound else { return nil }
    let half = FrameCount(pause.span.length.frames / 2)
    return pause.span.lowerBound + min(half, margin)
  }
}
