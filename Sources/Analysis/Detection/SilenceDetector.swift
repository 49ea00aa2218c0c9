// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// The fixed detector: silence is whatever lies below a share of the loudest hop for long enough.
///
/// Hops whose RMS is below `threshold` times the loudest hop's form a region; regions of `minimumSilence`
/// or more are kept, a trailing one included, and then merged where at most `mergeGap` lies between them.
/// A boundary lies at the middle of each region, leading and trailing ones too.
public struct SilenceDetector: Hashable, Sendable {
  /// Share of the peak RMS, 0...1; 0.02 is about -34 dB.
  public var threshold: Float
  /// In hops of 10 ms.
  public var minimumSilence: Int
  /// In hops of 10 ms.
  public var mergeGap: Int

  public init(threshold: Float = 0.02, minimumSilence: Int = 40, mergeGap: Int = 10) {
    self.threshold = threshold
    self.minimumSilence = minimumSilence
    self.mergeGap = mergeGap
  }

  /// Finds the silences of a recording and the boundaries in their middles.
  public func detect(in envelope: Envelope) throws(AnalysisError) -> Detection {
    let peak = try envelope.peakRMS()
    let regions = try silences(in: envelope, peak: peak)
    let end = FramePosition.zero + envelope.length
    var pauses: [Pause] = []
    var boundaries: [Boundary] = []
    for region in regions {
      let span =
        envelope.grid.start(
          ofHop: region.lowerBound)..<min(envelope.grid.start(ofHop: region.upperBound), end)
      let level = try rms(of: envelope, in: region)
      let depth = peak > 0 ? 20 * log10(Double(peak) / max(Double(level), 1e-5)) : 0
      pauses.append(Pause(span: span, depth: depth, confidence: 1))
      let middle = FramePosition((span.lowerBound.frames + span.upperBound.frames) / 2)
      // Nothing lies before a boundary at frame 0.
      if middle > .zero { boundaries.append(Boundary(position: middle, confidence: 1)) }
    }
    return Detection(pauses: pauses, boundaries: boundaries)
  }

  /// The silent regions, in hops.
  func silences(in envelope: Envelope, peak: Float) throws(AnalysisError) -> [Range<Int>] {
    let limit = threshold * peak
    var regions: [Range<Int>] = []
    var start: Int?
    func close(_ end: Int) {
      if let begun = start, end - begun >= minimumSilence { regions.append(begun..<end) }
      start = nil
    }
    try envelope.forEachBlock { first, hops in
      for (index, hop) in hops.enumerated() {
        // Where nothing is to be heard at all, everything is silence.
        if peak == 0 || hop.meanSquare.squareRoot() < limit {
          if start == nil { start = first + index }
        } else {
          close(first + index)
        }
      }
    }
    close(envelope.hopCount)
    return merged(regions)
  }

  private func merged(_ regions: [Range<Int>]) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for region in regions {
      if let last = merged.last, region.lowerBound - last.upperBound <= mergeGap {
        merged[merged.count - 1] = last.lowerBound..<region.upperBound
      } else {
        merged.append(region)
      }
    }
    return merged
  }

  private func rms(of envelope: Envelope, in region: Range<Int>) throws(AnalysisError) -> Float {
    var sum = 0.0
    for start in stride(from: region.lowerBound, to: region.upperBound, by: 8192) {
      for hop in try envelope.hops(in: start..<min(start + 8192, region.upperBound)) {
        sum += Double(hop.meanSquare)
      }
    }
    return Float((sum / Double(max(region.count, 1))).squareRoot())
  }
}
