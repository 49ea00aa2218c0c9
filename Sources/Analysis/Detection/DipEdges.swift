// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// Finds where exactly the voice ends and begins again around a dip.
///
/// The dip was found in a level smoothed over 50 ms, which the voice's own power spreads into the pause.
/// Here the eighths of each hop, 1.25 ms apart, are compared with the dip's threshold.
struct DipEdges {
  /// Hops around the smoothed edge that are searched: its smoothing and one more.
  private static let reach = LevelReader.reach + 1

  let envelope: Envelope

  /// The span of a dip, from just after the last loud eighth to the first loud one again.
  func refine(_ dip: Dip) throws(AnalysisError) -> Range<FramePosition> {
    let limit = Float(pow(10, dip.threshold / 10))
    let start = dip.span.lowerBound
    let end = dip.span.upperBound
    let middle = (start + end) / 2

    var first = envelope.grid.start(ofHop: start)
    if start > 0 {
      let range = max(0, start - Self.reach)..<min(start + Self.reach, middle)
      if let last = try loudEighths(in: range, limit).last {
        first = last.upperBound
      } else if let hop = range.first {
        first = envelope.grid.start(ofHop: hop)
      }
    }
    let length = FramePosition.zero + envelope.length
    var last = min(envelope.grid.start(ofHop: end), length)
    if end < envelope.hopCount {
      let range = max(end - Self.reach, middle)..<min(end + Self.reach, envelope.hopCount)
      if let next = try loudEighths(in: range, limit).first {
        last = next.lowerBound
      }
    }
    return first < last ? first..<last : envelope.grid.start(ofHop: start)..<last
  }

  private func loudEighths(
    in hops: Range<Int>, _ limit: Float
  ) throws(AnalysisError) -> [Range<FramePosition>] {
    var found: [Range<FramePosition>] = []
    for (number, hop) in zip(hops, try envelope.hops(in: hops)) {
      let start = envelope.grid.start(ofHop: number).frames
      let count = envelope.grid.start(ofHop: number + 1).frames - start
      for part in 0..<Hop.partCount where hop.meanSquare(ofPart: part) >= limit {
        let low = start + count * Int64(part) / Int64(Hop.partCount)
        let high = start + count * Int64(part + 1) / Int64(Hop.partCount)
        found.append(FramePosition(low)..<FramePosition(high))
      }
    }
    return found
  }
}
