// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// A stretch in which the level has fallen clearly below the voice's: a pause, a breath, or a consonant
/// that closes for long.
struct Dip: Hashable {
  /// Hops from the fall to the rise.
  var span: Range<Int>
  /// Hops of it near the background's level.
  var core: Int
  /// dB from the voice's level down to the dip's.
  var depth: Double
  /// The level that separates voice from dip at its edges, in dBFS.
  var threshold: Double
  /// Logarithm of how much the spectrum changed just before: low when the last syllable was held.
  var steadiness: Double
}

/// Finds the dips of a recording by hysteresis between voice and background.
struct DipFinder {
  /// Voice above background is taken to lie in this range, in dB, so that neither noise nor digital
  /// silence sets the thresholds.
  private static let range = 10.0...40.0
  /// A dip falls by this share of the range,
  private static let enterShare = 0.60
  /// by no less and no more than this, in dB,
  private static let enterLimits = 6.0...25.0
  /// and lasts until it has risen to this share of that depth.
  static let leaveShare = 0.75
  /// A rise that stays so many dB below the voice is a breath, and does not end it.
  private static let breathDrop = 4.0
  /// Shorter dips are ordinary stop consonants.
  static let leastHops = 8
  /// Share of the range above the background below which a hop belongs to the core.
  private static let coreShare = 0.40
  /// The percentile of a dip's levels that stands for it.
  private static let levelPercent = 20
  /// Hops before a dip over which the change of the spectrum is averaged.
  private static let syllable = 70
  /// dB added before the logarithm.
  private static let minChange = 0.5

  private let reader: LevelReader
  private let tracks: LevelTracks

  init(reader: LevelReader, tracks: LevelTracks) {
    self.reader = reader
    self.tracks = tracks
  }

  /// All dips, in order.
  func find() throws(AnalysisError) -> [Dip] {
    let hopCount = reader.envelope.hopCount
    var dips: [Dip] = []
    var runs = QuietRuns()
    for block in stride(from: 0, to: hopCount, by: 8000) {
      let range = block..<min(block + 8000, hopCount)
      for (hop, level) in zip(range, try reader.levels(in: range)) {
        let speech = tracks.speech(at: hop)
        let enter = Self.enterDepth(speech: speech, floor: tracks.floor(at: hop))
        let ended = runs.take(
          hop, level: level, isQuiet: level < speech - enter * Self.leaveShare,
          isDeep: level < speech - enter, isBreath: level < speech - Self.breathDrop)
        for run in ended {
          if let dip = try measure(run) { dips.append(dip) }
        }
      }
    }
    for run in runs.finish() {
      if let dip = try measure(run) { dips.append(dip) }
    }
    return dips
  }

  /// How far below the voice's level a dip has to fall, in dB.
  static func enterDepth(speech: Double, floor: Double) -> Double {
    let range = (speech - floor).clamped(to: range)
    return (range * enterShare).clamped(to: enterLimits)
  }

  private func measure(_ run: QuietRuns.Run) throws(AnalysisError) -> Dip? {
    let levels = run.levels
    guard run.isDeep, levels.count >= Self.leastHops else { return nil }
    let start = run.start
    let end = start + levels.count
    let speech = max(
      tracks.speech(at: start), tracks.speech(at: min(end, reader.envelope.hopCount - 1)))
    let lowest = (start..<end).reduce(Double.infinity) { min($0, tracks.floor(at: $1)) }
    let range = (speech - lowest).clamped(to: Self.range)
    let floor = max(lowest, speech - Self.range.upperBound)
    let coreLimit = floor + Self.coreShare * range
    let own = levels.sorted()[levels.count * Self.levelPercent / 100]
    let enter = (range * Self.enterShare).clamped(to: Self.enterLimits)
    return Dip(
      span: start..<end, core: levels.count { $0 < coreLimit }, depth: speech - own,
      threshold: speech - enter * Self.leaveShare, steadiness: try steadiness(before: start))
  }

  private func steadiness(before start: Int) throws(AnalysisError) -> Double {
    let range = max(0, start - Self.syllable)..<max(start, 1)
    let changes = try reader.spectralChange(in: range)
    return log(changes.reduce(0, +) / Double(changes.count) + Self.minChange)
  }
}

extension Comparable {
  /// The nearest value within a range.
  func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
