// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import Quran

/// A stretch in which a reciter goes back, and says once more what he has just said.
struct HeardAgain: Hashable {
  /// Seconds at which those words were said first.
  var first: Double
  /// Seconds at which the reciter stopped, and began them anew.
  var stop: Double
  /// Seconds at which he had come as far as before.
  var resumed: Double
  /// How alike the two sound: sum over frames of how much less their distance is than
  /// ``RepeatSearch/limit``.
  var likeness: Double
  /// Seconds of what is said first, and of the same when it is said again; both in order.
  var path: [Step] = []
  /// The probability that it is so.
  var probability = 1.0

  struct Step: Hashable {
    var first: Double
    var again: Double
  }

  /// What is said again, in seconds; without it the recitation goes straight on.
  var again: ClosedRange<Double> { stop...max(stop, resumed) }

  /// Whether some of what is said again is the same; one may begin where another ends.
  func overlaps(_ other: HeardAgain) -> Bool {
    stop < other.resumed - 0.1 && other.stop < resumed - 0.1
  }

  func moved(by seconds: Double) -> HeardAgain {
    var moved = self
    moved.first += seconds
    moved.stop += seconds
    moved.resumed += seconds
    moved.path = path.map { Step(first: $0.first + seconds, again: $0.again + seconds) }
    return moved
  }

  /// When it is said again what was said at a time.
  func again(at seconds: Double) -> Double {
    var before = Step(first: first, again: stop)
    for step in path + [Step(first: stop, again: resumed)] {
      if step.first >= seconds {
        let share = (seconds - before.first) / max(step.first - before.first, 1e-6)
        return before.again + share.clamped(to: 0...1) * (step.again - before.again)
      }
      before = step
    }
    return resumed
  }
}

/// Puts what is said again into an alignment of everything else.
struct RepeatInsertion {
  let candidates: AlignmentCandidates
  let rate: SampleRate

  /// A place is at the edge of an ayah when it is less than so many seconds from it, or this share of
  /// the ayah.
  private static let nearEdge = 0.7
  private static let nearEdgeShare = 0.12
  private static let sameRow = 0.3
  /// A boundary said again lies within so many seconds of where the same words are; a Gaussian's
  /// deviation, and the furthest.
  private static let deviation = 0.3
  private static let furthest = 1.2

  /// - Parameters:
  ///   - result: of the timeline without the repeats, as its times are.
  ///   - repeats: in any order.
  func inserted(
    _ repeats: [HeardAgain], into result: LengthAligner.Result
  ) -> LengthAligner.Result {
    let clock = CutClock(repeats.map(\.again))
    var result = result
    result.placements = result.placements.map { $0.map { clock.place(after: $0) } }
    for index in result.points.indices {
      result.points[index].time = result.points[index].position.seconds(at: rate)
    }
    for again in repeats.sorted(by: { $0.stop < $1.stop }) { insert(again, into: &result) }
    result.repeats = repeats
    return result
  }

  private func insert(_ again: HeardAgain, into result: inout LengthAligner.Result) {
    let points = result.points
    let stop = point(at: again.stop)
    let resumed = point(at: again.resumed)
    let last = points.count - 1
    guard last > 0 else { return }
    if abs(points[last].time - again.resumed) < Self.sameRow, points[last - 1].time < again.stop {
      // The last thing recited is said again: its end is where it was first.
      var end = resumed
      end.position = points[last].position
      end.time = points[last].time
      insertWhole(again, endingAtRow: last, stop: stop, resumed: end, into: &result)
    } else if let row = points.indices.dropFirst().first(where: {
      abs(points[$0].time - again.stop) < Self.sameRow
    }) {
      insertWhole(again, endingAtRow: row, stop: points[row], resumed: resumed, into: &result)
    } else if let token = result.tokens.indices.first(where: {
      points[$0].time < again.stop && again.stop < points[$0 + 1].time
    }) {
      insertWithin(again, token, stop: stop, into: &result)
    }
  }

  /// After whole tokens.
  private func insertWhole(
    _ again: HeardAgain, endingAtRow row: Int, stop: AlignmentTimeline.Point,
    resumed: AlignmentTimeline.Point, into result: inout LengthAligner.Result
  ) {
    let (first, isPart) = token(at: again.first, before: row, result)
    var tokens = Array(result.tokens[first..<row])
    if isPart { tokens[0].part = .end }
    let inner = (first + 1..<row).map { place(again.again(at: result.points[$0].time)) }
    let rows = [stop] + ordered(inner, from: stop, to: resumed) + [resumed]
    result.replaceRow(row, by: rows, tokens: tokens, probability: again.probability)
  }

  /// The reciter stopped within a token.
  private func insertWithin(
    _ again: HeardAgain, _ index: Int, stop: AlignmentTimeline.Point,
    into result: inout LengthAligner.Result
  ) {
    let (first, isPart) = token(at: again.first, before: index + 1, result)
    var tokens = Array(result.tokens[first...index])
    if isPart { tokens[0].part = .end }
    let inner = (first + 1..<index + 1).map { place(again.again(at: result.points[$0].time)) }
    let rows = [stop] + ordered(inner, from: stop, to: result.points[index + 1])
    result.split(index, at: rows, tokens: tokens, probability: again.probability)
  }

  /// The token that is being recited at a time, and whether it was begun well before.
  private func token(
    at seconds: Double, before row: Int, _ result: LengthAligner.Result
  ) -> (index: Int, isPart: Bool) {
    let points = result.points
    for index in (0..<row).reversed() {
      let length = points[index + 1].time - points[index].time
      let edge = max(Self.nearEdge, Self.nearEdgeShare * length)
      if points[index].time <= seconds + min(edge, 0.5 * length) {
        return (index, seconds - points[index].time > edge)
      }
    }
    return (0, false)
  }

  /// The likeliest place of a boundary near a time.
  private func place(_ seconds: Double) -> AlignmentTimeline.Point {
    let ratios = BoundaryEvidence.fitted
    let near = candidates.candidates.indices.filter {
      abs(candidates.candidates[$0].time - seconds) < Self.furthest
    }
    let best = near.max { worth($0, seconds, ratios) < worth($1, seconds, ratios) }
    return best.map { point(ofCandidate: $0) } ?? point(at: seconds)
  }

  private func worth(_ candidate: Int, _ seconds: Double, _ evidence: BoundaryEvidence) -> Double {
    let span = candidates.candidates[candidate].span
    let start = span.lowerBound.seconds(at: rate)
    let end = max(span.upperBound.seconds(at: rate), candidates.candidates[candidate].time)
    let error = max(start - seconds, seconds - end, 0) / Self.deviation
    return log(evidence.likelihoodRatio(candidates, candidate)) - error * error / 2
  }

  private func point(ofCandidate candidate: Int) -> AlignmentTimeline.Point {
    AlignmentTimeline.Point(
      candidate: candidate, position: candidates.candidates[candidate].position,
      time: candidates.candidates[candidate].time, active: 0)
  }

  /// At a candidate where one is.
  private func point(at seconds: Double) -> AlignmentTimeline.Point {
    if let same = candidates.candidates.firstIndex(where: { abs($0.time - seconds) < 0.005 }) {
      return point(ofCandidate: same)
    }
    return AlignmentTimeline.Point(
      candidate: nil,
      position: FramePosition.zero + FrameCount(seconds: seconds, at: rate), time: seconds,
      active: 0)
  }

  /// With those that are out of order put where the one before is.
  private func ordered(
    _ inner: [AlignmentTimeline.Point], from start: AlignmentTimeline.Point,
    to end: AlignmentTimeline.Point
  ) -> [AlignmentTimeline.Point] {
    var last = start
    return inner.map { point in
      if point.position > last.position, point.position < end.position { last = point }
      return last
    }
  }
}

extension LengthAligner.Result {
  /// Puts rows in the place of one, with tokens between them.
  fileprivate mutating func replaceRow(
    _ row: Int, by rows: [AlignmentTimeline.Point], tokens new: [RecitedToken], probability: Double
  ) {
    let pace = Array(paces[(row - new.count)..<row])
    points.replaceSubrange(row...row, with: rows)
    probabilities.replaceSubrange(
      row...row, with: rows.map { _ in min(probabilities[row], probability) })
    tokens.insert(contentsOf: new, at: row)
    paces.insert(contentsOf: pace, at: row)
    if !placements.isEmpty {
      placements.insert(contentsOf: new.map { _ in nil }, at: row + 1)
    }
  }

  /// Breaks a token off, and goes on with others, of which the last ends where it did.
  fileprivate mutating func split(
    _ index: Int, at rows: [AlignmentTimeline.Point], tokens new: [RecitedToken],
    probability: Double
  ) {
    let pace = Array(paces[(index + 1 - new.count)...index])
    tokens[index].part = .beginning
    points.insert(contentsOf: rows, at: index + 1)
    let sure = min(probability, probabilities[index + 1])
    probabilities.insert(contentsOf: rows.map { _ in sure }, at: index + 1)
    tokens.insert(contentsOf: new, at: index + 1)
    paces.insert(contentsOf: pace, at: index + 1)
    if !placements.isEmpty {
      placements.insert(contentsOf: rows.map { _ in nil }, at: index + 1)
    }
  }
}
