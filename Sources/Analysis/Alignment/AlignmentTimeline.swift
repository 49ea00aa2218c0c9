// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// The places of a recording, or of some stretches of it, where something recited may begin or end.
struct AlignmentTimeline {
  struct Point: Hashable {
    /// Which candidate this is, nil for the edge of a stretch.
    var candidate: Int?
    var position: FramePosition
    /// Seconds in the recording without what was cut out of the timeline, or of a ``JoinedClock``.
    var time: Double
    /// Seconds of reciting before this place: what lies between the stretches, and all but the first
    /// second of each silence, does not count.
    var active: Double
  }

  /// Longer silences than this are no part of reciting, in seconds.
  static let longestBreath = 1.0

  private(set) var points: [Point] = []
  /// See ``LatticeProblem/earliestStarts``.
  private(set) var earliestStarts: [Int] = []
  private(set) var latestEnds: [Int] = []

  /// - Parameter stretches: in order, not empty; reciting goes on from one to the next, and no ayah
  ///   lies across their edges.
  init(
    _ candidates: AlignmentCandidates, stretches: [Range<FramePosition>], rate: SampleRate
  ) {
    var elapsed = 0.0
    var next = 0
    var edges: [Int] = []
    for (number, stretch) in stretches.enumerated() {
      let start = stretch.lowerBound.seconds(at: rate)
      if number == 0 {
        points.append(Point(candidate: nil, position: stretch.lowerBound, time: start, active: 0))
      }
      edges.append(points.count - 1)
      var skipped = 0.0
      while next < candidates.count,
        candidates.candidates[next].position <= stretch.lowerBound
      {
        next += 1
      }
      while next < candidates.count, candidates.candidates[next].position < stretch.upperBound {
        let candidate = candidates.candidates[next]
        // Of a silence that began before the stretch only what lies within it counts.
        let silence = candidate.span.clamped(to: stretch).length.seconds(at: rate)
        skipped += max(0, silence - Self.longestBreath)
        points.append(
          Point(
            candidate: next, position: candidate.position, time: candidate.time,
            active: elapsed + candidate.time - start - skipped))
        next += 1
      }
      let end = stretch.upperBound.seconds(at: rate)
      elapsed += end - start - skipped
      points.append(
        Point(candidate: nil, position: stretch.upperBound, time: end, active: elapsed))
    }
    edges.append(points.count - 1)
    earliestStarts = [Int](repeating: 0, count: points.count)
    latestEnds = [Int](repeating: points.count - 1, count: points.count)
    for (start, end) in zip(edges, edges.dropFirst()) {
      for point in (start + 1)..<(end + 1) { earliestStarts[point] = start }
      for point in start..<end { latestEnds[point] = end }
    }
  }

  var duration: Double { points.last?.active ?? 0 }

  /// The same points and others, at which nothing is heard but which a person has named; for one stretch.
  ///
  /// - Parameter positions: in order, none of them a point already.
  func adding(_ positions: [FramePosition], rate: SampleRate) -> AlignmentTimeline {
    guard let first = points.first else { return self }
    var result = self
    for position in positions {
      let time = position.seconds(at: rate)
      let before = points.last { $0.position < position } ?? first
      let active =
        before.position < position
        ? min(
          before.active + time - before.time,
          points.first { $0.position > position }?.active ?? .infinity)
        : first.active + time - first.time
      result.points.append(Point(candidate: nil, position: position, time: time, active: active))
    }
    result.points.sort { $0.position < $1.position }
    result.earliestStarts = [Int](repeating: 0, count: result.points.count)
    result.latestEnds = [Int](repeating: result.points.count - 1, count: result.points.count)
    return result
  }

  /// The same points with other times.
  func timed(by clock: JoinedClock) -> AlignmentTimeline {
    var result = self
    for index in points.indices {
      result.points[index].time = clock.seconds(at: points[index].position)
    }
    return result
  }

  /// The points of the first so many active seconds.
  func prefix(seconds: Double) -> AlignmentTimeline {
    var result = self
    let count = max(firstPoint(after: seconds), 1)
    result.points = Array(points.prefix(count))
    result.earliestStarts = Array(earliestStarts.prefix(count))
    result.latestEnds = latestEnds.prefix(count).map { min($0, count - 1) }
    return result
  }

  /// The points from one on, which is where reciting begins then.
  func suffix(fromPoint first: Int) -> AlignmentTimeline {
    var result = self
    result.points = Array(points[first...])
    for index in result.points.indices { result.points[index].active -= points[first].active }
    result.earliestStarts = earliestStarts[first...].map { max($0 - first, 0) }
    result.latestEnds = latestEnds[first...].map { $0 - first }
    return result
  }

  /// Only some of the points, given by their numbers in order; edges of stretches always stay.
  func thinned(to kept: [Int]) -> AlignmentTimeline {
    var result = self
    var place = [Int](repeating: 0, count: points.count)
    for (new, old) in kept.enumerated() { place[old] = new }
    result.points = kept.map { points[$0] }
    result.earliestStarts = kept.map { place[earliestStarts[$0]] }
    result.latestEnds = kept.map { place[latestEnds[$0]] }
    return result
  }

  /// As if some stretches of the recording had been cut out, each after the point where it begins: what
  /// is recited there is recited elsewhere. For a timeline of one stretch.
  func without(_ clock: CutClock) -> AlignmentTimeline {
    guard !clock.cuts.isEmpty else { return self }
    var result = self
    for cut in clock.cuts.reversed() {
      let all = result.points
      guard let first = all.indices.last(where: { all[$0].time <= cut.lowerBound + Self.nearby }),
        first + 1 < all.count
      else { continue }
      let next = all.indices.first { $0 > first && all[$0].time > cut.upperBound } ?? all.count - 1
      // The place at which he had come as far as before, in active seconds.
      let before = all[next - 1]
      let resumed = min(before.active + max(cut.upperBound - before.time, 0), all[next].active)
      // The end of the timeline stays, in place of the point where the stretch begins.
      let isEnd =
        next == all.count - 1 && first > 0 && all[next].time - cut.upperBound < Self.nearby
      result.points = Array(all[...(isEnd ? first - 1 : first)])
      for var point in all[next...] {
        point.active = isEnd ? all[first].active : point.active - resumed + all[first].active
        point.time = isEnd ? all[first].time : point.time - cut.upperBound + cut.lowerBound
        result.points.append(point)
      }
    }
    let count = result.points.count
    result.earliestStarts = [Int](repeating: 0, count: count)
    result.latestEnds = [Int](repeating: count - 1, count: count)
    return result
  }

  /// Places that are less than so many seconds apart are the same.
  private static let nearby = 0.02

  /// The points within a span of active seconds.
  func window(_ span: ClosedRange<Double>) -> Range<Int> {
    let first = firstPoint(notBefore: span.lowerBound)
    return first..<max(first, firstPoint(after: span.upperBound))
  }

  /// The points within a span of seconds in the recording.
  func window(fromTime first: Double, toTime last: Double) -> Range<Int> {
    let start = points.partitioningIndex { $0.time >= first }
    return start..<max(start, points.partitioningIndex { $0.time > last })
  }

  private func firstPoint(notBefore active: Double) -> Int {
    points.partitioningIndex { $0.active >= active }
  }

  private func firstPoint(after active: Double) -> Int {
    points.partitioningIndex { $0.active > active }
  }
}

extension Array {
  /// The first index whose element meets a condition that holds for all elements from some index on.
  func partitioningIndex(_ condition: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
