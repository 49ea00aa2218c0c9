// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Annotation
import Foundation
import Quran

/// Names what is said between the standings of a prayer, and the silences there.
///
/// A prayer goes from step to step, each with a call and a silence of its own. What is chosen is the likeliest way
/// through the steps, by the sounds of the calls and by how long the silences are. A call of which the sounds are not
/// understood is named by its place; one that is not heard is passed over.
struct PrayerCalls {
  struct Call: Hashable {
    /// Frames from its first sound to its last, half-open.
    var frames: Range<Int>
    var reason: UnusedReason
    /// What the silence after it is.
    var silence = UnusedReason.silence
  }

  /// What comes before and after what is said.
  struct Surroundings: OptionSet {
    let rawValue: Int
    static let followsStanding = Surroundings(rawValue: 1)
    static let precedesStanding = Surroundings(rawValue: 2)
    /// Reciting goes on after it without al-Fatiha, so it is a prostration of recitation.
    static let isProstration = Surroundings(rawValue: 4)
  }

  let scores: AcousticScores

  /// - Parameter runs: stretches of speech in order, in frames of the scores.
  func named(_ runs: [Range<Int>], _ surroundings: Surroundings) -> [Call] {
    guard !runs.isEmpty else { return [] }
    return calls(likeliestWay(runs, surroundings), runs, surroundings)
  }

  // MARK: - Steps

  /// Where a prayer is after each of its calls.
  private enum Step: Int, CaseIterable {
    case standing
    case bowing, rising, prostrating, sitting, prostratingAgain, standingUp
    case standingUpAfterTashahhud, firstSalam, secondSalam, opening
    case prostratingInRecitation, standingUpInRecitation

    var formula: SpokenFormula {
      switch self {
      case .rising: .tasmee
      case .firstSalam, .secondSalam: .salam
      default: .takbir
      }
    }

    var reason: UnusedReason {
      switch formula {
      case .tasmee: .tasmee
      case .salam: .salam
      default: .takbir
      }
    }
  }

  /// From one step to the next.
  private struct Arc {
    var from: Step
    var to: Step
    /// The silence between them, and how long it is in the middle, in seconds; nil where it may have any length.
    var silence = UnusedReason.silence
    var seconds: Double?
  }

  /// How long each lasts is what those who lead prayers keep to: three glorifications in bowing and prostration, a
  /// breath between them.
  private static let arcs: [Arc] = [
    Arc(from: .standing, to: .bowing),
    Arc(from: .bowing, to: .rising, silence: .ruku, seconds: 7),
    Arc(from: .rising, to: .prostrating, seconds: 2.5),
    Arc(from: .prostrating, to: .sitting, silence: .sujud, seconds: 8),
    Arc(from: .sitting, to: .prostratingAgain, seconds: 3),
    Arc(from: .prostratingAgain, to: .standingUp, silence: .sujud, seconds: 8),
    Arc(from: .standingUp, to: .standing, seconds: 4),
    Arc(from: .standingUp, to: .firstSalam, silence: .tashahhud, seconds: 30),
    Arc(from: .standingUp, to: .standingUpAfterTashahhud, silence: .tashahhud, seconds: 20),
    Arc(from: .standingUpAfterTashahhud, to: .standing, seconds: 4),
    Arc(from: .firstSalam, to: .secondSalam, seconds: 1.5),
    Arc(from: .secondSalam, to: .opening),
    Arc(from: .opening, to: .standing, seconds: 6),
    Arc(from: .standing, to: .prostratingInRecitation),
    Arc(from: .prostratingInRecitation, to: .standingUpInRecitation, silence: .sujud, seconds: 8),
    Arc(from: .standingUpInRecitation, to: .standing, seconds: 3),
  ]

  /// How many calls are passed over from one step to another, by both; nil where one does not lead to the other.
  /// Standing is where all of them begin and end, and is not passed.
  private static let distances: [[Int?]] = Step.allCases.map { from in
    var distances = [Int?](repeating: nil, count: Step.allCases.count)
    var reached = [from]
    for distance in Step.allCases.indices {
      reached = arcs.filter { reached.contains($0.from) && distances[$0.to.rawValue] == nil }
        .map(\.to)
      for step in reached { distances[step.rawValue] = distances[step.rawValue] ?? distance }
      reached.removeAll { $0 == .standing }
    }
    return distances
  }

  // MARK: - The likeliest way

  /// A call of some runs, or speech, which has no step of its own.
  private struct Part {
    var runs: Range<Int>
    var step: Step
    var isSpeech: Bool
  }

  /// A part and the likeliest way to it.
  private struct Way {
    var cost: Double
    var part: Part
    /// The part before, of the parts that were tried; nil at the first.
    var previous: Int?
  }

  /// The parts that are heard, in order.
  private func likeliestWay(_ runs: [Range<Int>], _ surroundings: Surroundings) -> [Part] {
    var tried: [Way] = []
    // By the run at which they end: of each step the cheapest that ends with its call and with speech after it.
    var ways = [[Int?]](
      repeating: [Int?](repeating: nil, count: 2 * Step.allCases.count), count: runs.count + 1)
    func reach(_ part: Part, cost: Double, previous: Int?) {
      let place = 2 * part.step.rawValue + (part.isSpeech ? 1 : 0)
      if let best = ways[part.runs.upperBound][place], tried[best].cost <= cost { return }
      ways[part.runs.upperBound][place] = tried.count
      tried.append(Way(cost: cost, part: part, previous: previous))
    }
    for run in runs.indices {
      let before: [Int?] = run == 0 ? [nil] : ways[run].filter { $0 != nil }
      for end in calls(from: run, runs) {
        let prices = prices(ofCall: runs[run..<end])
        for step in Step.allCases where step != .standing {
          for previous in before {
            let way = previous.map { tried[$0] }
            guard let price = price(way?.part, step, at: run, runs, surroundings) else { continue }
            reach(
              Part(runs: run..<end, step: step, isSpeech: false),
              cost: (way?.cost ?? 0) + price + (prices[step.formula] ?? .infinity),
              previous: previous)
          }
        }
      }
      let frames = price(ofSpeech: runs[run])
      for previous in before {
        let way = previous.map { tried[$0] }
        if let way, way.part.isSpeech,
          runs[run].lowerBound - runs[run - 1].upperBound < Self.withinSpeech
        {
          var part = way.part
          part.runs = part.runs.lowerBound..<run + 1
          reach(part, cost: way.cost + frames, previous: way.previous)
        }
        reach(
          Part(runs: run..<run + 1, step: way?.part.step ?? .standing, isSpeech: true),
          cost: (way?.cost ?? 0) + frames + Self.speech, previous: previous)
      }
    }
    func total(_ way: Int) -> Double {
      tried[way].cost + price(ofEnd: tried[way].part, runs, surroundings)
    }
    var last = ways[runs.count].compactMap { $0 }.min { total($0) < total($1) }
    var parts: [Part] = []
    while let way = last.map({ tried[$0] }) {
      parts.append(way.part)
      last = way.previous
    }
    return parts.reversed()
  }

  /// Where calls may end that begin with a run.
  private func calls(from run: Int, _ runs: [Range<Int>]) -> [Int] {
    var ends = [run + 1]
    while let end = ends.last, end < runs.count, ends.count < Self.mostRuns,
      runs[end].lowerBound - runs[end - 1].upperBound <= Self.longestBreath
    {
      ends.append(end + 1)
    }
    return ends.filter { runs[$0 - 1].upperBound - runs[run].lowerBound <= Self.longestCall }
  }

  /// What coming to a step costs at a run; nil where nothing leads there.
  ///
  /// - Parameter before: nil at the first run.
  private func price(
    _ before: Part?, _ step: Step, at run: Int, _ runs: [Range<Int>], _ surroundings: Surroundings
  ) -> Double? {
    // Before the first standing nobody knows where a recording begins.
    if before == nil, !surroundings.contains(.followsStanding) { return 0 }
    let from = before?.step ?? .standing
    guard let passed = Self.distances[from.rawValue][step.rawValue] else { return nil }
    guard passed == 0, run > 0, run < runs.count, before?.isSpeech == false,
      let seconds = Self.arcs.first(where: { $0.from == from && $0.to == step })?.seconds
    else { return Self.unheard * Double(passed) }
    let silence = Double(max(runs[run].lowerBound - runs[run - 1].upperBound, 1))
    let deviation = log(silence / Self.framesPerSecond / seconds) / Self.spreadOfSilences
    return min(deviation * deviation / 2, Self.mostOfSilence)
  }

  /// What ending with a part costs, before a standing or at the end of the recording.
  private func price(ofEnd part: Part, _ runs: [Range<Int>], _ surroundings: Surroundings) -> Double
  {
    guard surroundings.contains(.precedesStanding), part.step != .standing else { return 0 }
    let isProstration = part.step == .standingUpInRecitation
    let fatiha = isProstration == surroundings.contains(.isProstration) ? 0 : Self.unheard
    return fatiha + (price(part, .standing, at: runs.count, runs, surroundings) ?? .infinity)
  }

  private func calls(_ parts: [Part], _ runs: [Range<Int>], _ surroundings: Surroundings) -> [Call]
  {
    parts.indices.map { index in
      let part = parts[index]
      let frames = runs[part.runs.lowerBound].lowerBound..<runs[part.runs.upperBound - 1].upperBound
      guard part.isSpeech else {
        let next = parts[(index + 1)...].first { !$0.isSpeech }?.step
        let arc =
          Self.arcs.first { $0.from == part.step && $0.to == next }
          ?? Self.arcs.first { $0.from == part.step }
        return Call(frames: frames, reason: part.step.reason, silence: arc?.silence ?? .silence)
      }
      let maySupplicate =
        surroundings.contains(.followsStanding)
        && [.standing, .rising].contains(part.step)
      return Call(
        frames: frames,
        reason: maySupplicate && !surroundings.contains(.isProstration)
          && frames.count > Self.longestCall
          ? .qunut : .speech)
    }
  }

  // MARK: - Sounds

  /// What some runs cost as each of the formulas, in nats.
  private func prices(ofCall runs: ArraySlice<Range<Int>>) -> [SpokenFormula: Double] {
    guard let first = runs.first, let last = runs.last else { return [:] }
    let frames = first.lowerBound..<last.upperBound
    let unknown = runs.reduce(Self.misheard) { $0 + price(ofSpeech: $1) }
    return Self.chains.mapValues { min(price(of: $0, in: frames), unknown) }
  }

  /// What frames cost in which one of some wordings is said: how much less likely it is than whatever fits each
  /// frame best.
  private func price(of wordings: [SoundChain], in frames: Range<Int>) -> Double {
    let wide =
      max(frames.lowerBound - Self.margin, 0)..<min(frames.upperBound + Self.margin, scores.count)
    let part = scores[wide]
    let best = (0..<part.count).reduce(0) { $0 + Int(part.likeliest($1)) }
    let prices = wordings.compactMap { chain -> Double? in
      ChainSearch(chain, soundCount: part.soundCount).run(
        part, starts: [.init(state: 0, price: 0)],
        ends: { $0 >= (chain.words.last?.last ?? 0) ? 0 : nil }
      ).map { Double(Int64(best) - $0.score) / Double(AcousticScores.unitsPerNat) }
    }
    return prices.min() ?? .infinity
  }

  private func price(ofSpeech frames: Range<Int>) -> Double {
    Double(frames.count) * Double(ChainPrices().otherSpeech) / Double(AcousticScores.unitsPerNat)
  }

  /// By formula, one for each of its wordings; one who leads a prayer may praise aloud after his tasmee.
  private static let chains: [SpokenFormula: [SoundChain]] = {
    var wordings = Dictionary(
      uniqueKeysWithValues: [SpokenFormula.takbir, .tasmee, .salam].map {
        ($0, QuranSounds.wordings(of: $0))
      })
    wordings[.tasmee]? += QuranSounds.wordings(of: .tasmee).flatMap { tasmee in
      QuranSounds.wordings(of: .tahmeed).map { tasmee + $0 }
    }
    return wordings.mapValues { $0.map(chain(of:)) }
  }()

  private static func chain(of words: [SpokenWord]) -> SoundChain {
    var chain = SoundChain()
    // It may begin a little after its stretch does.
    chain.append(
      [SoundChain.silence], skips: [0], silence: SoundChain.silence, stop: 0, token: 0, index: 0,
      isLastOfToken: false)
    chain.append(words, 0, ChainPrices())
    return chain
  }

  private static let framesPerSecond = Double(LogMelFrames.framesPerSecond)
  /// Frames of the longest call: longer speech is none. Nine seconds.
  private static let longestCall = 9 * LogMelFrames.framesPerSecond
  /// A call is said in three breaths at most, with a second and a half between them.
  private static let mostRuns = 3
  private static let longestBreath = 3 * LogMelFrames.framesPerSecond / 2
  /// Frames around a call in which its sounds may begin and end.
  private static let margin = 5
  /// Frames of silence within the same speech at most: three seconds.
  private static let withinSpeech = 3 * LogMelFrames.framesPerSecond
  /// Prices in nats, chosen by hand and tried on nights of `Scripts/plant-prayers.py`: a call of which nothing is
  /// heard, one whose sounds are not understood, and speech that is no call.
  private static let unheard = 16.0
  private static let misheard = 8.0
  private static let speech = 16.0
  /// The standard deviation of the logarithm of how long a silence is, and the most that a length costs.
  private static let spreadOfSilences = 0.7
  private static let mostOfSilence = 6.0
}

extension AcousticScores {
  /// The score of the likeliest sound of a frame, or of silence.
  fileprivate func likeliest(_ frame: Int) -> Int16 {
    values[frame * soundCount..<(frame + 1) * soundCount].max() ?? 0
  }

  /// Stretches in which something is said, be it known or not.
  ///
  /// - Parameter frames: where to look.
  func speech(in frames: Range<Int>) -> [Range<Int>] {
    runs(in: frames).filter { $0.count >= Self.shortestSpeech }
  }

  /// Stretches with sound, however short.
  func runs(in frames: Range<Int>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for frame in frames {
      guard isSound(frame) else { continue }
      if let run = runs.last, frame - run.upperBound <= Self.shortestPause {
        runs[runs.count - 1] = run.lowerBound..<frame + 1
      } else {
        runs.append(frame..<frame + 1)
      }
    }
    return runs
  }

  /// Whether any sound is likelier than silence.
  func isSound(_ frame: Int) -> Bool {
    let row = values[frame * soundCount..<(frame + 1) * soundCount]
    return row.last.map { last in row.dropLast().contains { $0 > last } } ?? false
  }

  /// Frames of silence that part two things said: half a second; as the next, judged by nights of
  /// `Scripts/plant-prayers.py`.
  private static let shortestPause = 12
  /// Frames of sound that are something said, and no cough: six tenths of a second, less than any call takes.
  static let shortestSpeech = 15
}
