// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// Whether a recording can be what it is said to be.
extension AyahAligner {
  /// Of the recordings that the model was tried on, all that were what they were said to be had a mean
  /// probability above these, without a reference and with one, but for the shortest; of those that were
  /// not nine in ten had less, and all with a reference.
  static let leastMean = 0.82
  static let leastGuidedMean = 0.9
  /// Fewer boundaries than this say nothing.
  private static let leastJudged = 6

  func isSure(_ result: LengthAligner.Result, _ least: Double) -> Bool {
    result.probabilities.count <= Self.leastJudged || result.meanProbability >= least
  }

  /// An alignment to go by, and what a reference has to do with it.
  struct Choice {
    var result: LengthAligner.Result
    var use: ReferenceUse
    /// Whether lengths alone were sure of it.
    var isSureByLengths: Bool
    /// Whether what is heard had a part in it.
    var isHeard = false
  }

  /// With the reference where that fits; without, where only the lengths do.
  ///
  /// - Parameters:
  ///   - straight: by lengths alone.
  ///   - lengths: the same with what was left out.
  ///   - compared: with a reference, or with what is built in of al-Fatiha.
  func choice(
    _ straight: LengthAligner.Result?, _ lengths: LengthAligner.Result?,
    _ compared: LengthAligner.Result?, hasReference: Bool
  ) -> Choice? {
    let isSureByLengths = straight.map { isSure($0, Self.leastMean) } ?? false
    func choice(
      _ result: LengthAligner.Result, _ use: ReferenceUse, isHeard: Bool = false
    ) -> Choice {
      Choice(
        result: result, use: hasReference ? use : .none, isSureByLengths: isSureByLengths,
        isHeard: isHeard)
    }
    guard let compared else { return lengths.map { choice($0, .used) } }
    if isSure(compared, Self.leastGuidedMean) { return choice(compared, .used, isHeard: true) }
    // What is built in was nobody's claim.
    if !hasReference || lengths.map({ isSure($0, Self.leastMean) }) ?? false {
      return lengths.map { choice($0, .leftAside) }
    }
    return choice(compared, .doubtful)
  }

  /// Says where a passage hardly can be what it is said to be.
  func judge(
    _ aligned: inout AyahAlignment, _ result: LengthAligner.Result, _ choice: Choice,
    _ request: AlignmentRequest
  ) {
    if choice.use == .leftAside {
      aligned.doubt(Self.doubtOfReference(request))
    } else if result.pace < Self.possiblePaces.lowerBound, let last = request.last {
      aligned.doubt(
        .doubtful(
          "\(Self.name(of: request)) would be recited faster here than anybody does; if the recording ends "
            + "before \(last), leave the last ayah out"))
    } else if choice.use == .doubtful
      || choice.use == .none && !choice.isSureByLengths && !choice.isHeard
      || !isSure(choice.result, Self.leastMean) || !Self.possiblePaces.contains(result.pace)
    {
      aligned.doubt(Self.doubt(request))
    }
  }

  static func doubtOfReference(_ request: AlignmentRequest) -> AyahAlignment.Verdict {
    .doubtful(
      "the reference does not sound like \(name(of: request)) in this recording, and was left aside; "
        + "check the start, and the reference")
  }

  static func doubt(_ request: AlignmentRequest) -> AyahAlignment.Verdict {
    .doubtful("these pauses do not fit \(name(of: request)) at any steady pace; check the start")
  }

  /// Seconds per unit at which people recite; 0.09 is a fast hadr, 0.46 a slow mujawwad.
  private static let possiblePaces = 0.065...0.9

  /// The same mean of what is recited in a prayer: of a night told rightly it was 0.97, told to begin with
  /// other surahs at most 0.82.
  static let leastPrayerMean = 0.84

  /// Says where a night hardly can be what it is said to be.
  func judge(_ aligned: inout AyahAlignment, _ night: PrayerNight, _ request: AlignmentRequest) {
    guard let recital = night.recitals.first else { return }
    if recital.reference == .leftAside {
      aligned.doubt(Self.doubtOfReference(request))
    } else if recital.reference == .doubtful || !isSure(recital.result, Self.leastPrayerMean) {
      aligned.doubt(Self.doubt(request))
    }
  }

  /// Says which start near the one that was told fits far better, if one does; the ayat that would be others
  /// are unsure then.
  ///
  /// - Parameters:
  ///   - heard: where it begins by its sound; nil where lengths alone can tell.
  ///   - isHeard: whether what is heard had a part in the alignment, which then is no chance.
  func judgeBeginning(
    _ aligned: inout AyahAlignment, _ result: LengthAligner.Result, _ request: AlignmentRequest,
    _ timeline: AlignmentTimeline, _ heard: [AyahProposal]?, isHeard: Bool
  ) {
    guard !stopFlag.isStopped else { return }
    let search = PlaceSearch(
      candidates: candidates, timeline: timeline, stopFlag: stopFlag,
      isPrayer: request.prayer != .none)
    var better: PlaceSearch.Beginning?
    if let heard {
      better = Self.betterStart(request, heard).flatMap {
        search.beginning(with: $0, pace: result.pace)
      }
    } else {
      switch search.judge(request.first, pace: result.pace) {
      case .likely: break
      case .better(let beginning): better = beginning
      case .unlikely: if !isHeard { aligned.doubt(Self.doubt(request)) }
      }
    }
    guard let better, let end = better.starts.values.max() else { return }
    aligned.doubt(
      startsOtherThan: better.starts, tolerance: FrameCount(seconds: Self.sameStart, at: rate),
      in: .zero...end)
    aligned.note(
      [
        "the beginning fits \(better.first) better than \(request.first); if it starts there, say so"
      ],
      about: .start)
  }

  /// Where a recording ends that can hardly end where it was told to.
  func betterEnd(
    _ request: AlignmentRequest, _ timeline: AlignmentTimeline, _ lengths: LengthAligner.Result?
  ) -> EndSearch.Ending? {
    guard let last = request.last, !stopFlag.isStopped, let lengths else { return nil }
    let search = EndSearch(candidates: candidates, timeline: timeline, stopFlag: stopFlag)
    if let ending = search.better(than: lengths) { return ending }
    // Where nothing is sure up to an end, all of it may be without that end.
    guard lengths.meanProbability < Self.leastGuidedMean else { return nil }
    var request = request
    request.last = nil
    guard let open = bestAlignment(request, timeline), let found = open.lastAyah, found != last,
      open.meanProbability > Self.leastGuidedMean, open.logLikelihood > lengths.logLikelihood
    else { return nil }
    return EndSearch.Ending(last: found, starts: open.starts)
  }

  /// Says that another end fits far better; the ayat that would be others are unsure then.
  func judgeEnd(
    _ aligned: inout AyahAlignment, _ ending: EndSearch.Ending, _ last: AyahReference
  ) {
    guard let start = ending.starts.values.min() else { return }
    aligned.doubt(
      startsOtherThan: ending.starts, tolerance: FrameCount(seconds: Self.sameStart, at: rate),
      in: start...(.zero + length))
    aligned.note(
      ["the end fits \(ending.last) better than \(last); if it ends there, say so"], about: .end)
  }

  /// Two alignments have an ayah at the same place when it is less than so many seconds away.
  private static let sameStart = 1.0

  /// Where a recording seems to begin by its sound, if not where it was told to.
  private static func betterStart(
    _ request: AlignmentRequest, _ heard: [AyahProposal]
  ) -> AyahReference? {
    let told = heard.first { $0.first == request.first }?.confidence ?? 0
    guard let likeliest = heard.first, likeliest.first != request.first,
      likeliest.confidence > clearly * max(told, leastTold)
    else { return nil }
    return likeliest.first
  }

  /// How many times likelier another start has to be by its sound; what is not among those proposed
  /// counts as this likely.
  private static let clearly = 20.0
  private static let leastTold = 0.045

  static func name(of request: AlignmentRequest) -> String {
    guard let last = request.last,
      let range = AyahRange(first: request.first, last: last)
    else { return "what follows \(request.first)" }
    return range.numericDescription
  }
}
