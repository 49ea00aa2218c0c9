// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// A place where one ayah may end and the next begin.
struct AlignmentCandidate: Hashable {
  /// Where the boundary would lie.
  var position: FramePosition
  /// The same in seconds.
  var time: Double
  /// The silence it lies in; empty for a weak dip.
  var span: Range<FramePosition>
  /// Whether the level fell to the background's for a while.
  var isDip: Bool
}

/// All candidates of a recording, in order, with what tells boundaries from breaths.
struct AlignmentCandidates {
  /// What is measured at each candidate. Spectra and levels are relative to this recording: the median
  /// over candidates of the same kind is 0, their standard deviation 1.
  enum Feature: Int, CaseIterable {
    /// Logarithm of the core's length against 20 hops.
    case core
    /// dB, against 20 dB and in steps of 10; for a weak dip against 5 in steps of 5.
    case depth
    /// Logarithm of the change of the spectrum over 0.7 s before: low when the last syllable was held.
    case steadiness
    /// The same over 0.3 s.
    case lastSteadiness
    /// Levels of the upper bands against the lowest over 0.3 s before: the sound of the rhyme.
    case endingLow, endingMiddle, endingHigh
    /// The same over 0.2 s after.
    case openingLow, openingMiddle, openingHigh
    /// dB from half a second before to half a second after.
    case drop
    /// The level of half a second before.
    case levelBefore
    /// The level of half a second after.
    case levelAfter
    /// dB by which the level rises within 50 ms of the voice's return.
    case onset
    /// Logarithm of the seconds to a longer dip.
    case isolation

    var isRelative: Bool {
      switch self {
      case .core, .depth, .isolation: false
      default: true
      }
    }
  }

  static let featureCount = Feature.allCases.count

  let candidates: [AlignmentCandidate]
  /// `featureCount` numbers for each candidate.
  let features: [Double]
  /// All silences, longer ones and shorter ones, in order.
  let dips: [MeasuredDip]
  /// What boundaries look like before anything is learnt of the recording.
  var evidence = BoundaryEvidence.fitted

  var count: Int { candidates.count }

  func features(of candidate: Int) -> ArraySlice<Double> {
    features[(candidate * Self.featureCount)..<((candidate + 1) * Self.featureCount)]
  }

  init(_ envelope: Envelope, _ tracks: SoundTracks) throws(AnalysisError) {
    guard let dips = try PauseDetector().measuredDips(of: envelope) else {
      self.init()
      return
    }
    self.init(dips, tracks, envelope.grid)
  }

  /// None, of a recording in which nothing is to be heard.
  private init() {
    candidates = []
    features = []
    dips = []
  }

  private init(_ dips: [MeasuredDip], _ tracks: SoundTracks, _ grid: HopGrid) {
    let rate = grid.rate
    let spans = dips.map {
      grid.hop(containing: $0.span.lowerBound)..<(grid.hop(containing: $0.span.upperBound) + 1)
    }
    let weak = WeakDips.find(in: tracks.levels, besides: spans)
    let isolations = Self.isolations(dips, spans: spans, hopCount: tracks.count)

    var candidates: [AlignmentCandidate] = []
    var features: [Double] = []
    candidates.reserveCapacity(dips.count + weak.count)
    features.reserveCapacity((dips.count + weak.count) * Self.featureCount)
    var nextWeak = 0
    func addWeak(upTo limit: Int) {
      while nextWeak < weak.count, weak[nextWeak].hop < limit {
        let dip = weak[nextWeak]
        nextWeak += 1
        let start = grid.start(ofHop: dip.hop)
        let length = (grid.start(ofHop: dip.hop + 1) - start).frames
        let position = FramePosition(start.frames + length / 2)
        candidates.append(
          AlignmentCandidate(
            position: position, time: position.seconds(at: rate), span: position..<position,
            isDip: false))
        features.append(0)
        features.append((Double(dip.prominence) - 5) / 5)
        features += Self.surroundings(
          of: max(dip.hop - 1, 1)..<max(dip.hop + 1, 2), in: tracks)
        features.append(0)
      }
    }
    for (index, dip) in dips.enumerated() {
      addWeak(upTo: spans[index].lowerBound)
      let position = Self.boundary(in: dip.span, rate)
      candidates.append(
        AlignmentCandidate(
          position: position, time: position.seconds(at: rate), span: dip.span, isDip: true))
      features.append(log((Double(dip.core) + 3) / 20))
      features.append((dip.depth - 20) / 10)
      features += Self.surroundings(of: spans[index], in: tracks)
      features.append(isolations[index])
    }
    addWeak(upTo: .max)
    Self.normalize(&features, candidates)
    self.candidates = candidates
    self.features = features
    self.dips = dips
  }

  /// A boundary lies so many seconds before the voice returns, or this share of a short pause.
  ///
  /// Later than those of ``PauseDetector``, which may take a breath for a boundary.
  private static let lead = 0.06
  private static let leadShare = 0.25

  private static func boundary(
    in span: Range<FramePosition>, _ rate: SampleRate
  ) -> FramePosition {
    let lead = min(
      FrameCount(seconds: lead, at: rate).frames, Int64(Double(span.length.frames) * leadShare))
    return span.upperBound - FrameCount(lead)
  }

  /// What lies around a span of hops, from ``Feature/steadiness`` to ``Feature/onset``.
  private static func surroundings(of span: Range<Int>, in tracks: SoundTracks) -> [Double] {
    let start = max(span.lowerBound, 1)
    let end = min(span.upperBound, tracks.count - 1)
    let before = tracks.level(in: (start - 50)..<start)
    let after = tracks.level(in: end..<(end + 50))
    let onset = tracks.levels[min(end + 4, tracks.count - 1)] - tracks.levels[max(end - 1, 0)]
    return [
      tracks.steadiness(in: (start - 70)..<start), tracks.steadiness(in: (start - 30)..<start),
    ]
      + tracks.tilt(in: (start - 30)..<start) + tracks.tilt(in: end..<(end + 20))
      + [before - after, before, after, Double(onset)]
  }

  /// Makes the relative features relative, among dips and among weak dips.
  private static func normalize(_ features: inout [Double], _ candidates: [AlignmentCandidate]) {
    for isDip in [true, false] {
      let members = candidates.indices.filter { candidates[$0].isDip == isDip }
      guard members.count > 1 else { continue }
      for feature in Feature.allCases where feature.isRelative {
        let values = members.map { features[$0 * featureCount + feature.rawValue] }
        let median = values.sorted()[values.count / 2]
        let mean = values.reduce(0, +) / Double(values.count)
        let variance =
          values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
        let scale = max(variance.squareRoot(), leastScale)
        for (member, value) in zip(members, values) {
          features[member * featureCount + feature.rawValue] =
            ((value - median) / scale).clamped(to: -furthest...furthest)
        }
      }
    }
  }

  /// No feature's standard deviation counts as less, so that one that hardly varies is not blown up.
  private static let leastScale = 0.3
  /// Nor does anything lie further off than so many of them.
  private static let furthest = 4.0

  /// For each dip the logarithm of the seconds to a longer one, or to an end of the recording.
  private static func isolations(
    _ dips: [MeasuredDip], spans: [Range<Int>], hopCount: Int
  ) -> [Double] {
    let ranks = dips.indices.map { Double(dips[$0].core) + 1e-3 * Double(spans[$0].count) }
    var nearest = dips.indices.map { spans[$0].lowerBound }
    var longer: [Int] = []
    for dip in dips.indices {
      while let last = longer.last, ranks[last] <= ranks[dip] { longer.removeLast() }
      if let last = longer.last { nearest[dip] -= spans[last].lowerBound }
      longer.append(dip)
    }
    longer = []
    for dip in dips.indices.reversed() {
      while let last = longer.last, ranks[last] <= ranks[dip] { longer.removeLast() }
      let next = longer.last.map { spans[$0].lowerBound } ?? hopCount
      nearest[dip] = min(nearest[dip], next - spans[dip].lowerBound)
      longer.append(dip)
    }
    return nearest.map { log(Double($0) / Double(HopGrid.hopsPerSecond) + 0.2) }
  }
}
