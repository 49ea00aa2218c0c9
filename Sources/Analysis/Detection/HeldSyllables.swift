// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Two classes of dips in one recording: those before which the syllable was held, as at the end of an
/// ayah, and the others.
///
/// A mixture of two Gaussians with one variance, fitted to this recording alone by expectation and
/// maximisation, and started from what the pauses' lengths say. The rounds are few on purpose: run to
/// convergence it leaves the boundaries and finds other classes.
struct HeldSyllables {
  /// Log odds that the syllable before each candidate was held.
  let logOdds: [Double]
  /// How far the classes lie apart, in standard deviations, 0...6.
  let separation: Double

  private static let rounds = 25
  /// Fewer candidates than this tell nothing.
  private static let minCandidates = 5
  /// Weight of the prior, in candidates.
  private static let priorWeight = 10.0
  /// Share of boundaries among candidates, a priori.
  private static let priorShare = 0.3
  private static let greatestSeparation = 6.0

  init(_ steadiness: [Double], prior: [Double]) {
    var odds = prior.map { logit($0.clamped(to: 0.02...0.98)) }
    guard steadiness.count >= Self.minCandidates else {
      logOdds = odds
      separation = 0
      return
    }
    var weights = prior.map { $0.clamped(to: 0.02...0.98) }
    let count = Double(steadiness.count)
    let mean = steadiness.reduce(0, +) / count
    let spread = steadiness.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
    let priorVariance = max(spread / 2, 1e-3)
    var distance = 0.0
    var variance = priorVariance
    for _ in 0..<Self.rounds {
      let held = weights.reduce(0, +)
      let free = count - held
      var heldSum = 0.0
      var freeSum = 0.0
      for (weight, value) in zip(weights, steadiness) {
        heldSum += weight * value
        freeSum += (1 - weight) * value
      }
      let heldMean = heldSum / (held + 1e-6)
      let freeMean = freeSum / (free + 1e-6)
      var squares = Self.priorWeight * priorVariance
      for (weight, value) in zip(weights, steadiness) {
        squares += weight * (value - heldMean) * (value - heldMean)
        squares += (1 - weight) * (value - freeMean) * (value - freeMean)
      }
      variance = squares / (count + Self.priorWeight)
      // A class of two or three says little about where it lies.
      let fewer = min(held, free)
      distance = min(heldMean - freeMean, 0) * fewer / (fewer + 2)
      let share = (held + Self.priorWeight * Self.priorShare) / (count + Self.priorWeight)
      let constant = logit(share.clamped(to: 0.03...0.97))
      let middle = (heldMean + freeMean) / 2
      odds = steadiness.map { ($0 - middle) * distance / variance + constant }
      weights = odds.map { sigmoid($0.clamped(to: -12...12)) }
    }
    logOdds = odds.map { $0.clamped(to: -8...8) }
    separation = (-distance / variance.squareRoot()).clamped(to: 0...Self.greatestSeparation)
  }
}
