// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// The loudness of a whole recording in hops of 10 ms, with summaries for every zoom.
///
/// The hops stay on disk where possible, so that a night of ten hours takes no more memory than a
/// minute. Immutable; safe to read from any thread.
public final class Envelope: Sendable {
  public let grid: HopGrid
  /// The length of the recording, to the frame.
  public let length: FrameCount
  public let summary: EnvelopeSummary
  private let store: HopStore

  init(grid: HopGrid, length: FrameCount, summary: EnvelopeSummary, store: HopStore) {
    self.grid = grid
    self.length = length
    self.summary = summary
    self.store = store
  }

  /// An envelope of hops at hand.
  public convenience init(rate: SampleRate, length: FrameCount, hops: [Hop]) {
    var summary = EnvelopeSummary()
    for hop in hops { summary.append(hop) }
    summary.finish()
    self.init(
      grid: HopGrid(rate: rate), length: length, summary: summary, store: HopStore(hops))
  }

  public var hopCount: Int { store.count }

  /// The hops of a range, clamped to what there is.
  public func hops(in range: Range<Int>) throws(AnalysisError) -> [Hop] {
    let clamped = range.clamped(to: 0..<hopCount)
    return clamped.isEmpty ? [] : try store.hops(in: clamped)
  }

  /// The root mean square over the loudest hop, full scale 1.
  public func peakRMS() throws(AnalysisError) -> Float {
    var peak: Float = 0
    try forEachBlock { _, hops in
      for hop in hops { peak = max(peak, hop.meanSquare) }
    }
    return peak.squareRoot()
  }

  /// RMS at evenly spaced points over the whole recording, normalised so that the loudest is 1.
  ///
  /// - Parameter points: how many, usually 1,000 to 2,000; fewer where the recording has fewer hops.
  /// - Returns: at most `points` values in 0...1; all 0 for a silent recording.
  public func overview(points: Int) throws(AnalysisError) -> [Float] {
    let count = min(max(points, 1), hopCount)
    guard count > 0 else { return [] }
    var sums = [Double](repeating: 0, count: count)
    try forEachBlock { start, hops in
      for (index, hop) in hops.enumerated() {
        sums[(start + index) * count / self.hopCount] += Double(hop.meanSquare)
      }
    }
    var values = sums.indices.map { point in
      // The first hop of point p is the least k with k x count / hopCount = p.
      let first = (point * hopCount + count - 1) / count
      let next = ((point + 1) * hopCount + count - 1) / count
      return Float((sums[point] / Double(max(next - first, 1))).squareRoot())
    }
    if let peak = values.max(), peak > 0 { values = values.map { $0 / peak } }
    return values
  }

  /// The peaks of a span of hops divided evenly into columns, from the coarsest data that is exact enough.
  ///
  /// Columns narrower than a hop repeat it. Every column covers at least one entry; a column's extremes
  /// may reach into its neighbours by less than a sixteenth of its width.
  public func peaks(in span: Range<Int>, columns: Int) throws(AnalysisError) -> [Peaks] {
    let span = span.clamped(to: 0..<hopCount)
    guard !span.isEmpty, columns > 0 else { return [] }
    var level = -1
    var scale = 1
    while level + 1 < summary.levels.count,
      span.count / columns >= 16 * EnvelopeSummary.factor * scale
    {
      level += 1
      scale *= EnvelopeSummary.factor
    }
    let source = level < 0 ? try hops(in: span).map(Peaks.init) : summary.levels[level]
    let first = level < 0 ? span.lowerBound : 0
    return (0..<columns).map { column in
      let start = span.lowerBound + span.count * column / columns
      let end = max(span.lowerBound + span.count * (column + 1) / columns, start + 1)
      var accumulator = PeaksAccumulator()
      for index in (start / scale)..<((end + scale - 1) / scale) {
        accumulator.add(source[index - first])
      }
      return accumulator.peaks ?? Peaks(meanSquare: 0, minimum: 0, maximum: 0)
    }
  }

  /// Gives all hops to `body`, in blocks that fit the processor's cache.
  func forEachBlock(
    _ body: (_ start: Int, _ hops: [Hop]) -> Void
  ) throws(AnalysisError) {
    let blockLength = 8192
    var start = 0
    while start < hopCount {
      let end = min(start + blockLength, hopCount)
      body(start, try hops(in: start..<end))
      start = end
    }
  }
}
