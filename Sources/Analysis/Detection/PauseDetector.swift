// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// The adaptive detector: finds pauses in a quiet room and in a reverberant mosque alike, and chooses those
/// that are probably the ends of ayat.
///
/// Dips are found by hysteresis between moving estimates of the voice and the background; a dip with
/// enough time near the background is a pause; `BoundaryChooser` decides which are boundaries. Memory is
/// a few bytes for every tenth of a second. Scores of 0.05 have come from fixed thresholds where this
/// reaches 0.84; `CONTRIBUTING.md` has the table.
public struct PauseDetector: Hashable, Sendable {
  /// Hops near the background's level that make a dip a pause.
  private static let leastCore = 12
  /// A boundary lies just before the voice returns: this many seconds, or this share of a short pause.
  ///
  /// Not at the middle: the decay of the last vowel belongs to what precedes, and in a mosque lasts.
  private static let lead = 0.15
  private static let leadShare = 0.25

  public init() {}

  /// Finds the pauses of a recording and the boundaries among them.
  public func detect(in envelope: Envelope) throws(AnalysisError) -> Detection {
    let reader = LevelReader(envelope: envelope)
    let whole = FramePosition.zero..<(.zero + envelope.length)
    guard let tracks = try LevelTracks(reader) else {
      return Detection(pauses: [Pause(span: whole, depth: 0, confidence: 1)], boundaries: [])
    }
    let dips = try DipFinder(reader: reader, tracks: tracks).find()
    let rate = envelope.grid.rate
    var spans: [Range<FramePosition>] = []
    let edges = DipEdges(envelope: envelope)
    for dip in dips {
      let earliest = spans.last?.upperBound ?? .zero
      spans.append(try edges.refine(dip).clamped(to: earliest..<whole.upperBound))
    }
    let positions = spans.map { Self.boundary(in: $0, rate) }
    let chooser = BoundaryChooser(
      dips, hopCount: envelope.hopCount, times: positions.map { $0.seconds(at: rate) },
      duration: envelope.length.seconds(at: rate))

    let isChosen = Set(chooser.chosen)
    let pauses = dips.indices.filter { dips[$0].core >= Self.leastCore || isChosen.contains($0) }
    return Detection(
      pauses: pauses.map { index in
        Pause(
          span: spans[index], depth: dips[index].depth, confidence: Self.confidence(dips[index]))
      },
      boundaries: chooser.chosen.map { index in
        Boundary(
          position: positions[index],
          confidence: Self.shown(chooser.probabilities[index]))
      })
  }

  private static func boundary(
    in span: Range<FramePosition>, _ rate: SampleRate
  ) -> FramePosition {
    let lead = min(
      FrameCount(seconds: lead, at: rate).frames, Int64(Double(span.length.frames) * leadShare))
    return span.upperBound - FrameCount(lead)
  }

  /// How sure a pause is: more for a longer core and a greater depth. There is no truth to fit this to.
  private static func confidence(_ dip: Dip) -> Double {
    let length = log((Double(dip.core) + 1e-9) / Double(leastCore))
    return sigmoid(4 * length + 0.15 * (dip.depth - 12) + 1)
  }

  /// Of the boundaries given 0.99 by the model, 0.90 were right on reciters it was not fitted to.
  private static func shown(_ probability: Double) -> Double {
    probability * (1 - 0.1 * pow(probability, 4))
  }
}
