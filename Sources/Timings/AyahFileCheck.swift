// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
public import Quran

/// What is wrong with a file that is named by the ayah it holds.
public enum AyahFileFinding: Hashable, Sendable {
  /// It cannot be decoded; why, not safe to print as it is.
  case notDecodable(String)
  /// It was decoded, but is damaged; how, likewise.
  case damaged(String)
  /// Nothing is said in it.
  case silent
  /// Another ayah is heard; nil where it is not known which.
  case otherAyah(heard: AyahReference?)
  /// Words are missing at the start, and at the end; none where only a part of a word is.
  case cutAtStart(words: Int)
  case cutAtEnd(words: Int)
  /// A neighbour is heard too, or some words of it.
  case alsoHolds(AyahReference, isWhole: Bool)
  /// Its published words are all late by as much, early when negative;
  case wordsShifted(seconds: Double)
  /// or some of them are wrong by themselves.
  case wordsWrong([WordsCheck.Wrong])

  /// What JSON calls it.
  public var code: String {
    switch self {
    case .notDecodable: "not_decodable"
    case .damaged: "damaged"
    case .silent: "silent"
    case .otherAyah: "other_ayah"
    case .cutAtStart: "cut_at_start"
    case .cutAtEnd: "cut_at_end"
    case .alsoHolds: "also_holds"
    case .wordsShifted: "words_shifted"
    case .wordsWrong: "words_wrong"
    }
  }

  /// For people. Not safe to print as it is.
  public var summary: String {
    func missing(_ words: Int) -> String {
      words == 0
        ? "a part of a word is missing"
        : words == 1 ? "1 word is missing" : "\(words) words are missing"
    }
    return switch self {
    case .notDecodable(let why): "cannot be decoded: \(why)"
    case .damaged(let how): "damaged: \(how)"
    case .silent: "no speech detected"
    case .otherAyah(let heard?): "holds \(heard) instead"
    case .otherAyah(nil): "holds another text"
    case .cutAtStart(let words): "cut at its start: \(missing(words))"
    case .cutAtEnd(let words): "cut at its end: \(missing(words))"
    case .alsoHolds(let ayah, let isWhole): "also holds \(isWhole ? "" : "a part of ")\(ayah)"
    case .wordsShifted(let seconds):
      "its words are \(TimingsCheck.seconds(abs(seconds))) \(seconds > 0 ? "late" : "early")"
    case .wordsWrong(let words) where words.count == 1:
      "word \(words[0].number) is \(TimingsCheck.seconds(abs(words[0].seconds)))"
        + " \(words[0].seconds > 0 ? "late" : "early")"
    case .wordsWrong(let words):
      "words \(words.map { "\($0.number)" }.joined(separator: ", ")) are wrong, by up to"
        + " \(TimingsCheck.seconds(words.map { abs($0.seconds) }.max() ?? 0))"
    }
  }
}

/// What a file was found to be that is named by the ayah it holds.
public struct AyahFileCheck: Hashable, Sendable {
  public var findings: [AyahFileFinding]
  /// How much better the file fits when it begins, and ends, elsewhere than at the edges of the ayah: in nats of the
  /// acoustic model's scores. Nil where that was not measured.
  public var startEvidence: Double?
  public var endEvidence: Double?
  /// How loud its first and its last twentieth of a second are, in decibels below the loudest twentieth part of it. What
  /// breaks off is loud there.
  public var startLevel: Double?
  public var endLevel: Double?
  /// By how many nats another place of the Quran fits better than what it is named by, where the text fits badly.
  public var otherEvidence: Double?
  /// Its published words, compared with what is heard; nil where there are none that can be.
  public private(set) var words: WordsCheck?
  /// Why it is not known whether its published words are right; what else it holds was checked all the same.
  public var wordsObstacle: WordsCheck.Obstacle?

  /// Words that are missing if it is cut at the start, and at the end; nil where it cannot be, or that is not asked.
  public var startMissing: Int?
  public var endMissing: Int?
  /// How likely it is that something is cut off at the start, 0...1; nil where that was not measured.
  public private(set) var startCutProbability: Double?
  /// The same of the end.
  public private(set) var endCutProbability: Double?

  public init(_ findings: [AyahFileFinding]) { self.findings = findings }

  /// Takes in what its published words were found to be.
  public mutating func add(_ words: WordsCheck) {
    self.words = words
    if abs(words.shift) > TimingsCheck.tolerance {
      findings.append(.wordsShifted(seconds: words.shift))
    }
    if !words.wrong.isEmpty { findings.append(.wordsWrong(words.wrong)) }
  }

  /// Finds what is cut among the files of a set. Where a publisher has trimmed most of them closely, loud edges are
  /// the habit and tell little.
  public static func judgingCuts(in set: [AyahFileCheck]) -> [AyahFileCheck] {
    func habit(_ levels: [Double]) -> Double {
      levels.count < fewestForHabit
        ? 0 : max(0, (ClockRegression.median(levels) ?? quietEdge) - quietEdge)
    }
    let start = habit(set.compactMap(\.startLevel))
    let end = habit(set.compactMap(\.endLevel))
    return set.map { check in
      var check = check
      check.startCutProbability = startWeights.probability(
        check.startEvidence, check.startLevel.map { $0 - start })
      check.endCutProbability = endWeights.probability(
        check.endEvidence, check.endLevel.map { $0 - end })
      if let words = check.startMissing, check.startCutProbability ?? 0 > 0.5 {
        check.findings.append(.cutAtStart(words: words))
      }
      if let words = check.endMissing, check.endCutProbability ?? 0 > 0.5 {
        check.findings.append(.cutAtEnd(words: words))
      }
      return check
    }
  }

  /// Files of which a habit can be told.
  private static let fewestForHabit = 8
  /// Decibels: edges of files that were not trimmed closely are quieter.
  private static let quietEdge = -30.0

  // Fitted by `Scripts/measure-ayah-files.py --fit` on 281 cuts in 1,212 files of three reciters.
  private static let startWeights = CutWeights(base: 0.42, evidence: 3.07, level: 0.346)
  private static let endWeights = CutWeights(base: 3.57, evidence: 3.28, level: 0.439)
}

/// What evidence and level say of a cut: a logistic regression.
private struct CutWeights {
  let base: Double
  /// For the logarithm of 1 and the nats,
  let evidence: Double
  /// and for each decibel.
  let level: Double

  func probability(_ nats: Double?, _ decibels: Double?) -> Double? {
    guard let nats, let decibels else { return nil }
    let sum =
      base + evidence * log1p(min(max(nats, 0), Self.mostNats))
      + level * max(decibels, Self.leastLevel)
    return 1 / (1 + exp(-sum))
  }

  // Beyond these the fit was not told them apart.
  private static let mostNats = 60.0
  private static let leastLevel = -40.0
}
