// SPDX-License-Identifier: GPL-3.0-or-later

public import Acoustics
public import Quran
import AudioCore
import Glibc

/// Finds where in the Quran a recording begins, by its sound alone.
///
/// Aligns the first minute of speech with every place of the text at once, including formulas that
/// may come before it; `Scripts/measure-places.py` judges its numbers. Immutable; safe to use from any thread.
public struct PlaceSearch: Sendable {
  private let range: AyahRange
  private let last: AyahReference
  /// What is recited.
  var riwayah = Riwayah.hafs
  /// Whether a recording may begin within an ayah.
  var isCut = true
  /// Frames that what is said before the first ayah takes at most: half a minute.
  var longestLeadIn = 750
  var prices = PlacePrices()

  /// The number of speech frames used: a minute.
  public static let frames = 60 * LogMelFrames.framesPerSecond
  /// States that a reciter passes in a frame of 40 ms at most: about 37 a second.
  private static let statesPerFrame = 1.5
  /// About 24,000 states, whose numbers stay in a processor's second cache.
  private static let wordsPerPart = 3000

  /// - Parameters:
  ///   - range: where the recording begins.
  ///   - last: the last ayah that can be recited; nil when nobody knows.
  public init(in range: AyahRange = .wholeQuran, last: AyahReference? = nil) {
    self.range = range
    self.last = max(last ?? .last, range.first)
  }

  /// The places where a recording may begin, likeliest first.
  ///
  /// - Parameters:
  ///   - scores: what is heard, from the start of the recording on.
  ///   - threadCount: threads to share the work; the result is the same for any number.
  /// - Returns: nil where nothing is said, or `isStopped` says so.
  public func places(
    _ scores: AcousticScores, threadCount: Int = 1,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) -> PlaceReport? {
    guard let first = scores.firstSpeech else { return nil }
    let emissions = PlaceEmissions(
      scores, first..<min(first + Self.frames, scores.count), prices)
    let leadIn = PlaceLeadIn(emissions, prices, longest: longestLeadIn)
    let parts = parts
    let overlap = Int(Double(emissions.count) * Self.statesPerFrame)
    let found = WorkerThread.map(parts.count, among: threadCount) { number -> [Fit] in
      guard !isStopped() else { return [] }
      let text = PlaceText(
        parts[number], last: last, overlap: overlap, in: riwayah, prices)
      return fits(text, emissions, leadIn, isStopped) ?? []
    }
    guard !isStopped() else { return nil }
    return PlaceReport(found.flatMap { $0 }, of: emissions)
  }

  /// How well what is heard fits an ayah.
  struct Fit {
    var ayah: AyahReference
    /// The word that is heard first.
    var word: Int
    /// In units of scores; none has more than 0 but for joined words.
    var score: Int32
  }

  /// The range in parts of about the same length, each for one thread; they do not depend on how many
  /// threads there are.
  private var parts: [AyahRange] {
    var parts: [AyahRange] = []
    var first = range.first
    var words = 0
    for ayah in range {
      words += QuranSounds.wordCount(of: ayah)
      guard words >= Self.wordsPerPart || ayah == range.last else { continue }
      if let part = AyahRange(first: first, last: ayah) { parts.append(part) }
      first = ayah.next ?? ayah
      words = 0
    }
    return parts
  }

  /// The best place of each ayah, in order; nil when stopped.
  private func fits(
    _ text: PlaceText, _ emissions: PlaceEmissions, _ leadIn: PlaceLeadIn, _ isStopped: () -> Bool
  ) -> [Fit]? {
    var recursion = PlaceRecursion(text, emissions, prices)
    let openings = text.places.indices.filter { text.places[$0].opening != nil }
    var afterLeadIn = [Int32](repeating: PlaceLeadIn.impossible, count: openings.count)
    for frame in stride(from: emissions.count - 1, through: 0, by: -1) {
      if frame % 64 == 0, isStopped() { return nil }
      recursion.goBack(to: frame)
      guard leadIn.scores.indices.contains(frame) else { continue }
      let before = leadIn.scores[frame]
      guard before > PlaceLeadIn.impossible / 2 else { continue }
      for (index, place) in openings.enumerated() {
        guard let opening = text.places[place].opening else { continue }
        afterLeadIn[index] = max(afterLeadIn[index], before + recursion.score(opening))
      }
    }
    var fits: [Fit] = []
    func add(_ place: PlaceText.Place, _ score: Int32) {
      let fit = Fit(ayah: place.ayah, word: place.word, score: score)
      guard let latest = fits.last, latest.ayah == place.ayah else { return fits.append(fit) }
      if score > latest.score { fits[fits.count - 1] = fit }
    }
    var opening = 0
    for (index, place) in text.places.enumerated() {
      if openings.indices.contains(opening), openings[opening] == index {
        add(place, afterLeadIn[opening])
        opening += 1
      }
      for state in place.states {
        // States come in the opposite order: with those after the first sound comes the silence before it.
        let isWithin = !place.isBasmalah && (place.opening.map { state < $0 } ?? true)
        guard isCut || !isWithin else { continue }
        add(place, recursion.score(state) - (isWithin ? prices.within : 0))
      }
    }
    return fits
  }
}

/// The result of a search for the start of a recording.
public struct PlaceReport: Sendable {
  /// Likeliest first.
  public var candidates: [PlaceCandidate]
  /// How much worse the likeliest place scores than the best sound of each frame, in nats per
  /// frame.
  public var misfit: Double
  /// How much likelier than elsewhere the best sounds are, in nats per frame.
  private var likeness: Double

  init(_ fits: [PlaceSearch.Fit], of emissions: PlaceEmissions) {
    let unit = Double(AcousticScores.unitsPerNat)
    let ranked = fits.sorted { $0.score == $1.score ? $0.ayah < $1.ayah : $0.score > $1.score }
    let best = ranked.first?.score ?? 0
    misfit = -Double(best) / unit / Double(max(emissions.count, 1))
    likeness = emissions.likeness
    let weights = ranked.map { exp(Self.sharpness * Double($0.score - best) / unit) }
    let sum = weights.reduce(0, +)
    let words = ranked.first.map { QuranSounds.words(of: $0.ayah) } ?? []
    candidates = zip(ranked, weights).enumerated().map { index, pair in
      let (fit, weight) = pair
      return PlaceCandidate(
        first: fit.ayah, word: fit.word, probability: weight / sum,
        isWordedAlike: index > 0 && QuranSounds.words(of: fit.ayah) == words,
        disadvantage: Double(best - fit.score) / unit)
    }
  }

  /// Whether the recording contains the text of that place, and not another text.
  public var isHeard: Bool {
    misfit <= Self.greatestMisfit && likeness - misfit >= AcousticAligner.leastLikeness
  }

  /// Whether the likeliest place is more likely right than wrong.
  public var isClear: Bool { isHeard && (candidates.first?.probability ?? 0) >= Self.likely }

  /// Whether the likeliest place, or one near it, is more likely right than wrong: what is aligned from one of them is
  /// found to begin at the right one.
  var isClearNearby: Bool {
    guard isHeard, let first = candidates.first else { return false }
    return candidates.filter { $0.isNear(first) }.reduce(0) { $0 + $1.probability } >= Self.likely
  }

  /// Whether a place is more likely than all others together, be it understood well or badly.
  func isLikely(_ place: AyahReference) -> Bool {
    candidates.first.map { $0.first == place && $0.probability >= Self.likely } ?? false
  }

  /// Candidates as likely as this are more likely right than wrong.
  public static let likely = 0.5
  /// Of 69 excerpts of 15 seconds placed rightly (`Scripts/measure-places.py`) none is worse than 0.68.
  static let greatestMisfit = 0.7
  /// How much of a nat counts: fitted by `Scripts/measure-places.py --fit` on 210 excerpts
  /// with the first weights.
  static let sharpness = 0.26
}
