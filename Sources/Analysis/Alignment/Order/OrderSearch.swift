// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// Finds which stretches of a recording were said again, and aligns the rest.
///
/// A stretch that was said again is no part of the passage: with it cut out the lengths of the ayat fit
/// no worse. Words that come twice in the passage sound as much alike, but without them lengths fit worse.
struct OrderSearch {
  let candidates: AlignmentCandidates
  let timeline: AlignmentTimeline
  let rate: SampleRate
  /// For each candidate the silence it lies in, in seconds.
  let silences: [ClosedRange<Double>]
  /// The alignment of a timeline without some stretches; nil when there is none.
  let align: (AlignmentTimeline) -> LengthAligner.Result?
  /// The logarithm of how likely such a timeline is, by what the straight alignment has learnt.
  let likelihood: (AlignmentTimeline) -> Double?

  /// How much likelier, as a logarithm, each unit of likeness makes a repeat, and what a repeat has to be
  /// likelier than: reciters seldom go back. Of recordings in which repeats were planted nearly all are
  /// above this, of those that go straight on nearly all below (`Scripts/plant-structures.py`).
  private static let weightOfLikeness = 0.7
  private static let costOfRepeat = 8.0
  /// How many stretches are looked at, and of those that overlap.
  private static let looked = 8
  private static let lookedAmongOverlapping = 3
  /// What is less alike than this cannot become a repeat by lengths that fit better.
  private static let leastLikeness = 4.0
  /// An end of a stretch is at a silence, or the end of all, that is less than so many seconds away.
  private static let nearby = 0.5
  /// No repeat is surer than this.
  private static let greatestProbability = 0.97

  struct Found {
    /// Of the timeline without the repeats.
    var result: LengthAligner.Result
    var repeats: [HeardAgain] = []

    var clock: CutClock { CutClock(repeats.map(\.again)) }
  }

  /// - Parameters:
  ///   - straight: the alignment that goes straight on.
  ///   - heard: what sounds like what precedes it.
  func found(_ straight: LengthAligner.Result, _ heard: [HeardAgain]) -> Found {
    var found = Found(result: straight)
    var left = heard.filter { $0.likeness > Self.leastLikeness }.map { snapped($0) }
      .sorted { $0.likeness > $1.likeness }
    guard !left.isEmpty, var reached = likelihood(timeline) else { return found }
    for _ in 0..<Self.looked {
      guard let top = left.first else { break }
      var best: (score: Double, likelihood: Double, found: Found)?
      for again in left.filter({ $0.overlaps(top) || $0 == top }).prefix(
        Self.lookedAmongOverlapping)
      {
        var other = Found(result: found.result, repeats: found.repeats + [again])
        guard let likelihood = likelihood(timeline.without(other.clock)) else { continue }
        let score =
          likelihood - reached + Self.weightOfLikeness * again.likeness - Self.costOfRepeat
        guard score > best?.score ?? 0 else { continue }
        other.repeats[other.repeats.count - 1].probability = min(
          1 / (1 + exp(-score)), Self.greatestProbability)
        best = (score, likelihood, other)
      }
      if let best {
        found = best.found
        reached = best.likelihood
      }
      let gone = best?.found.repeats.last ?? top
      left.removeAll { $0.overlaps(gone) || $0 == gone }
    }
    guard !found.repeats.isEmpty else { return found }
    guard let result = align(timeline.without(found.clock)) else {
      return Found(result: straight)
    }
    found.result = result
    return found
  }

  /// With its ends where silences are.
  private func snapped(_ again: HeardAgain) -> HeardAgain {
    var again = again
    if let stop = nearest(again.stop) { again.stop = candidates.candidates[stop].time }
    if let resumed = nearest(again.resumed) {
      again.resumed = max(candidates.candidates[resumed].time, again.stop)
    }
    if let end = timeline.points.last?.time, again.resumed > end - Self.nearby {
      again.resumed = end
    }
    return again
  }

  /// The silence nearest to a time.
  private func nearest(_ seconds: Double) -> Int? {
    func distance(_ index: Int) -> Double {
      max(silences[index].lowerBound - seconds, seconds - silences[index].upperBound, 0)
    }
    return silences.indices.filter {
      candidates.candidates[$0].isDip && distance($0) < Self.nearby
    }
    .min { distance($0) < distance($1) }
  }
}

/// Finds what sounds like what precedes it, first by the bands of the hops, then by cepstra of what is
/// found so.
struct LikenessSearch {
  let bands: Cepstra
  /// Spans of silence in seconds, in order.
  let silences: [ClosedRange<Double>]
  let excerpts: SoundExcerpts
  let rate: SampleRate

  /// Bands are alike by less than this between the same words as between others.
  private static let limitOfBands: Float = 0.4
  private static let leastLikenessOfBands = 2.0
  private static let thinningOfBands = 4
  /// Seconds around a stretch that are heard, and at most in all.
  private static let margin = 1.0
  private static let most = 480.0

  func found() -> [HeardAgain] {
    let rough = RepeatSearch(
      bands, silences: silences, limit: Self.limitOfBands, thinning: Self.thinningOfBands
    ).found()
      .filter { $0.likeness > Self.leastLikenessOfBands }
    return stretches(around: rough).flatMap { found(in: $0) }
  }

  /// In order, apart from each other.
  private func stretches(around rough: [HeardAgain]) -> [ClosedRange<Double>] {
    var stretches: [ClosedRange<Double>] = []
    for again in rough.sorted(by: { $0.likeness > $1.likeness }) {
      var stretch =
        max(again.first - Self.margin, 0)...min(again.resumed + Self.margin, bands.seconds)
      for other in stretches where other.overlaps(stretch) {
        stretch =
          min(stretch.lowerBound, other.lowerBound)...max(stretch.upperBound, other.upperBound)
      }
      let others = stretches.filter { !$0.overlaps(stretch) }
      let total = (others + [stretch]).reduce(0) { $0 + $1.upperBound - $1.lowerBound }
      if total <= Self.most { stretches = others + [stretch] }
    }
    return stretches.sorted { $0.lowerBound < $1.lowerBound }
  }

  private func found(in stretch: ClosedRange<Double>) -> [HeardAgain] {
    // On the grid of the cepstra's frames.
    let frames = Double(Cepstra.framesPerSecond)
    let start = (stretch.lowerBound * frames).rounded(.down) / frames
    let span =
      FramePosition.zero + FrameCount(seconds: start, at: rate)
      ..< .zero + FrameCount(seconds: stretch.upperBound, at: rate)
    guard let cepstra = excerpts.cepstra(in: span) else { return [] }
    let within = silences.filter {
      $0.lowerBound > stretch.lowerBound && $0.upperBound < stretch.upperBound
    }
    let search = RepeatSearch(
      cepstra, silences: within.map { $0.lowerBound - start...$0.upperBound - start })
    return search.found().map { search.followed($0).moved(by: start) }
  }
}
