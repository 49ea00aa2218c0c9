// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore
import Editor

/// The hops of a recording that is still being analysed, made ready for the screen a few times a second.
final class GrowingSound: Sendable {
  /// What there is to show.
  struct Piece: Sendable {
    /// Of everything so far.
    let envelope: Envelope
    /// Levels that were not shown before.
    let firstHop: Int
    let codes: [UInt8]
    let overview: [Float]
    /// 0...1.
    let fraction: Double
  }

  private let rate: SampleRate
  private let length: FrameCount
  private let state = Monitor(State())

  private struct State {
    var hops: [Hop] = []
    var shownCount = 0
    var shownAt: ContinuousClock.Instant?
  }

  private static let interval = Duration.milliseconds(250)
  private static let overviewPoints = 1500

  init(rate: SampleRate, length: FrameCount) {
    self.rate = rate
    self.length = length
  }

  /// - Returns: nil where something has been shown a moment ago.
  func take(_ hops: [Hop]) -> Piece? {
    let now = ContinuousClock.now
    let (all, first) = state.update { state -> ([Hop], Int) in
      state.hops += hops
      if let shownAt = state.shownAt, now - shownAt < Self.interval { return ([], 0) }
      state.shownAt = now
      defer { state.shownCount = state.hops.count }
      return (state.hops, state.shownCount)
    }
    guard !all.isEmpty else { return nil }
    let envelope = Envelope(rate: rate, length: length, hops: all)
    let hopCount = max(HopGrid(rate: rate).hopCount(covering: length), all.count, 1)
    let points = max(Self.overviewPoints * all.count / hopCount, 1)
    let known = (try? envelope.overview(points: points)) ?? []
    let unknown = [Float](repeating: 0, count: max(Self.overviewPoints - known.count, 0))
    return Piece(
      envelope: envelope, firstHop: first,
      codes: all[first...].map { LevelTrack.code(meanSquare: $0.meanSquare) },
      overview: known + unknown, fraction: Double(all.count) / Double(hopCount))
  }
}
