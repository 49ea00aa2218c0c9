// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Quran

/// Finds where in a reference recitation the beginning of a recording is heard.
///
/// Dynamic time warping that may begin and end anywhere in the reference, of which only one row is kept.
struct PassageSearch {
  let comparison: ReferenceComparison
  /// Seconds of the recording at which something is heard first.
  let start: Double

  /// Seconds of the recording that are looked for.
  private static let length = 75.0
  /// Frames that are averaged.
  private static let thinning = 5
  /// How many times slower than the recording the reference may be.
  private static let slowest = 3
  private static let proposed = 5
  /// How much the mean cost may differ between two places that are about as likely, in the unit of the
  /// logarithm of the likelihood.
  private static let costOfDoubt = 0.006
  /// Seconds of the reference by which the beginning found may lie before the ayah.
  private static let tolerance = 4.0

  private struct Passage {
    var first: AyahReference
    var cost: Double
  }

  func proposals() -> [AyahProposal] {
    let ayat = comparison.reference.ayat.keys.sorted()
    let rate = Cepstra.framesPerSecond
    let from = Int(start * Double(rate)) * Cepstra.width
    let to = min(
      comparison.recording.coefficients.count, from + Int(Self.length) * rate * Cepstra.width)
    guard !ayat.isEmpty, from < to else { return [] }
    let beginning = SpectralFrames(
      joining: [.known(Cepstra(coefficients: Array(comparison.recording.coefficients[from..<to])))]
    ).thinned(by: Self.thinning)
    // What is heard where, the basmalah before a surah counting as the beginning of its first ayah.
    var parts: [SpectralFrames.Part] = []
    var starts: [(frame: Int, ayah: AyahReference)] = []
    var frame = 0
    for ayah in ayat {
      let opening = ayah.ayah == 1 && ayah.surah.opensWithUncountedBasmalah
      let said = [
        opening ? comparison.reference.ayat[.first] : nil, comparison.reference.ayat[ayah],
      ]
      for cepstra in said.compactMap({ $0 }) {
        starts.append((frame, ayah))
        parts.append(.known(cepstra))
        frame += cepstra.count
      }
    }
    let reference = SpectralFrames(joining: parts)
    var passages: [Passage] = []
    for haste in 1...Self.slowest {
      let thinning = Self.thinning * haste
      let thin = reference.thinned(by: thinning)
      for (place, cost) in Self.warp(beginning, thin) {
        guard let index = Self.ayah(at: place * thinning, starts, rate: rate) else { continue }
        passages.append(Passage(first: starts[index].ayah, cost: cost))
      }
    }
    var best: [AyahReference: Double] = [:]
    for passage in passages {
      best[passage.first] = min(best[passage.first] ?? .infinity, passage.cost)
    }
    let ranked = best.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(Self.proposed)
    guard let least = ranked.first?.value else { return [] }
    let weights = ranked.map { exp((least - $0.value) / Self.costOfDoubt) }
    let total = weights.reduce(0, +)
    return zip(ranked, weights).map { AyahProposal($0.key, confidence: $1 / total) }
  }

  /// The ayah that begins near a frame; the last to begin before it, if that is too far.
  private static func ayah(
    at frame: Int, _ starts: [(frame: Int, ayah: AyahReference)], rate: Int
  ) -> Int? {
    guard let before = starts.lastIndex(where: { $0.frame <= frame }) else { return nil }
    let after = before + 1
    if after < starts.count, starts[after].frame - frame < Int(tolerance * Double(rate)),
      starts[after].frame - frame < frame - starts[before].frame
    {
      return after
    }
    return before
  }

  /// For the cheapest places, far enough from each other, where they begin and their mean cost.
  private static func warp(
    _ recording: SpectralFrames, _ reference: SpectralFrames
  ) -> [(start: Int, cost: Double)] {
    let columns = reference.count
    let rows = recording.count
    guard rows > 0, columns > 0 else { return [] }
    let warp = TimeWarp(recording: recording, reference: reference, entries: [], exits: [])
    var costs = (0..<columns).map { warp.distance(0, $0) }
    var starts = (0..<columns).map { Int32($0) }
    var nextCosts = costs
    var nextStarts = starts
    for row in 1..<max(rows, 1) {
      for column in 0..<columns {
        var least = Float.infinity
        var from = column
        for steps in 0...min(TimeWarp.mostSteps, column) {
          let cost = costs[column - steps] + Float(max(steps - 1, 0)) * TimeWarp.costOfSkip
          if cost < least {
            least = cost
            from = column - steps
          }
        }
        nextCosts[column] = least + warp.distance(row, column)
        nextStarts[column] = starts[from]
      }
      swap(&costs, &nextCosts)
      swap(&starts, &nextStarts)
    }
    var found: [(start: Int, cost: Double)] = []
    for column in costs.indices.sorted(by: { costs[$0] < costs[$1] }) {
      let start = Int(starts[column])
      if !found.contains(where: { abs($0.start - start) < rows / 4 }) {
        found.append((start, Double(costs[column]) / Double(rows)))
      }
      if found.count == proposed { break }
    }
    return found
  }
}
