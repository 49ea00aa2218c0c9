// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Glibc

/// The adaptive detector: finds pauses in a quiet room and in a reverberant mosque alike, and chooses those
/// that are probably the ends of ayat.
///
/// Dips are found by hysteresis between moving estimates of the voice and the background; a dip with
/// enough time near the background is a pause; `BoundaryChooser` decides which are boundaries. Memory is
/// a few bytes for every tenth of a second. Scores of 0.05 have come from fixed thresholds where this
/// reaches 0.84; `Documentation/detection.md` has the table.
public struct PauseDetector: Hashable, Sendable {
  /// Hops near the background's level that make a dip a pause.
  private static let minCore = 12
  /// A boundary lies just before the voice returns: this many seconds, or this share of a short pause.
  ///
  /// Not at the middle: the decay of the last vowel belongs to what precedes, and in a mosque lasts.
  private static let lead = 0.15
  private static let leadShare = 0.25

  public init() {}

  /// Finds the pauses of a recording and the boundaries among them.
  public func detect(in envelope: Envelope) throws(AnalysisError) -> Detection {
    guard let dips = try measuredDips(of: envelope) else {
      let whole = FramePosition.zero..<(.zero + envelope.length)
      let pauses = whole.isEmpty ? [] : [Pause(span: whole, depth: 0, confidence: 1)]
      return Detection(pauses: pauses, boundaries: [])
    }
    let rate = envelope.grid.rate
    let chooser = BoundaryChooser(
      dips.map(\.features), times: dips.map { $0.boundary.seconds(at: rate) },
      duration: envelope.length.seconds(at: rate))
    let isChosen = Set(chooser.chosen)
    let pauses = dips.indices.filter { dips[$0].isPause || isChosen.contains($0) }
    return Detection(
      pauses: pauses.map { index in
        Pause(
          span: dips[index].span, depth: dips[index].depth,
          confidence: Self.confidence(dips[index]))
      },
      boundaries: chooser.chosen.map { index in
        Boundary(
          position: dips[index].boundary,
          confidence: Self.shown(chooser.probabilities[index]))
      })
  }

  /// Everything that the choice of boundaries rests on; nil for a recording in which nothing is to be
  /// heard.
  package func measuredDips(of envelope: Envelope) throws(AnalysisError) -> [MeasuredDip]? {
    let reader = LevelReader(envelope: envelope)
    guard let tracks = try LevelTracks(reader) else { return nil }
    let dips = try DipFinder(reader: reader, tracks: tracks).find()
    let features = DipFeatures.of(dips, hopCount: envelope.hopCount)
    let edges = DipEdges(envelope: envelope)
    let end = FramePosition.zero + envelope.length
    var measured: [MeasuredDip] = []
    for (dip, features) in zip(dips, features) {
      let earliest = measured.last?.span.upperBound ?? .zero
      let span = try edges.refine(dip).clamped(to: earliest..<end)
      measured.append(
        MeasuredDip(
          span: span, boundary: Self.boundary(in: span, envelope.grid.rate), core: dip.core,
          depth: dip.depth, isPause: dip.core >= Self.minCore, features: features))
    }
    return measured
  }

  /// Where in a pause a boundary lies.
  public static func boundary(
    in span: Range<FramePosition>, _ rate: SampleRate
  ) -> FramePosition {
    let lead = min(
      FrameCount(seconds: lead, at: rate).frames, Int64(Double(span.length.frames) * leadShare))
    return span.upperBound - FrameCount(lead)
  }

  /// How sure a pause is: more for a longer core and a greater depth. There is no truth to fit this to.
  static func confidence(_ dip: MeasuredDip) -> Double {
    let length = log((Double(dip.core) + 1e-9) / Double(minCore))
    return sigmoid(4 * length + 0.15 * (dip.depth - 12) + 1)
  }

  /// Of the boundaries given 0.99 by the model, 0.90 were right on reciters it was not fitted to.
  private static func shown(_ probability: Double) -> Double {
    probability * (1 - 0.1 * pow(probability, 4))
  }
}

/// A dip with all that is known of it.
package struct MeasuredDip: Hashable, Sendable {
  /// To the frame, as far as the envelope tells.
  package let span: Range<FramePosition>
  /// Where a boundary would lie in it.
  package let boundary: FramePosition
  /// Hops of it near the background's level.
  package let core: Int
  /// dB from the voice's level down to the dip's.
  package let depth: Double
  /// Whether it is long enough to be shown as a pause, boundary or not.
  package let isPause: Bool
  package let features: DipFeatures
}
