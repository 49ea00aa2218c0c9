// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// The beginning of a standing, in which al-Fatiha is looked for.
struct FatihaStretch {
  /// What the end of a recording may have cut off.
  enum Edge { case beginsInside, endsInside }

  private(set) var timeline: AlignmentTimeline
  let standing: PrayerStructure.Standing
  var edge: Edge?
  /// Whether this is the one that the others are compared with.
  var isTemplate = false
  /// For each point the silence that it lies in, in seconds.
  private var silences: [ClosedRange<Double>]
  /// For each point how likely al-Fatiha is to end there, by what follows.
  private var ends: [Double]
  /// The silences before which nothing but a takbir is heard, in seconds.
  private var silencesAfterTakbir: [ClosedRange<Double>]
  /// How each boundary fits by what al-Fatiha sounds like, and by how it was found to sound that night.
  private(set) var costs: BoundaryCosts?
  private var voiceCosts: BoundaryCosts?

  /// How likely al-Fatiha is to be followed at once by a silence; by ameen and then a silence; by
  /// what is recited next.
  private static let silenceShare = 0.3
  private static let ameenShare = 0.8
  private static let joinedShare = 0.02
  /// The same for a silence after something as short as ameen.
  private static let afterAmeenShare = 0.05
  /// A silence of this many seconds follows ameen, or al-Fatiha itself; shorter ones than the other part
  /// nothing.
  static let longPause = 1.0
  static let shortestPause = 0.25
  /// How much that counts against sounds.
  private static let endWeight = 1.0
  /// How long ameen is, in seconds.
  static let ameen = 0.6...3.6
  /// How often the basmalah is said silently, and how likely a cut is before each ayah.
  private static let silentBasmalah = 0.1
  private static let cutShare = 0.3
  /// Something else may be heard first: for how long, and how likely that ends at each place.
  private static let latestStart = 20.0
  private static let lateStart = 0.001
  /// The same where what is heard before is as long as a takbir, and parted from al-Fatiha.
  private static let startAfterTakbir = 0.2
  /// How much what is heard counts against lengths and pauses, and its greatest excess.
  private static let soundWeight = 3.0
  private static let mostExcess = 10.0
  /// The same of where it begins: before its first word anything may be heard, which is no measure of it.
  private static let mostExcessOfStart = 0.5
  private static let mostExcessOfVoicedStart = 2.0
  /// How much pauses count where sounds are known.
  private static let pauseWeight = 0.6
  /// Seconds by which boundaries of sounds may be off.
  private static let reach = 0.08

  init(
    _ standing: PrayerStructure.Standing, _ candidates: AlignmentCandidates, _ rate: SampleRate
  ) {
    self.standing = standing
    let end = min(standing.span.upperBound, standing.span.lowerBound + FatihaFinder.longest)
    timeline = AlignmentTimeline(
      candidates,
      stretches: [
        FramePosition(
          seconds: standing.span.lowerBound, at: rate)..<FramePosition(seconds: end, at: rate)
      ], rate: rate)
    let silences = timeline.points.map { point -> ClosedRange<Double> in
      guard let candidate = point.candidate else { return point.time...point.time }
      let span = candidates.candidates[candidate].span
      return span.lowerBound.seconds(at: rate)...span.upperBound.seconds(at: rate)
    }
    self.silences = silences
    let pauses = standing.pauses(besides: silences, end: end)
    ends = Self.ends(silences, pauses: pauses)
    silencesAfterTakbir = pauses.filter {
      $0.length >= Self.shortestPause
        && PrayerAligner.takbir.contains($0.lowerBound - standing.span.lowerBound)
    }
  }

  var isCompared: Bool { costs != nil }

  /// How much this sounds like al-Fatiha: like that of the night, if that is known.
  var gain: Double { Double((voiceCosts ?? costs)?.gain ?? 0) }

  /// What has al-Fatiha sounds like it by no less than this share of what is usual: others say some of its
  /// sounds as well, but not in that voice.
  var leastLikeness: Double { voiceCosts == nil ? 0.5 : 0.2 }

  /// - Parameter words: of several voices; one voice alone misleads where it pauses elsewhere.
  mutating func compare(with words: [[SpectralFrames]], _ sound: SpectralFrames) {
    costs = BoundaryCosts(meanOf: words.map { boundaryCosts($0, sound) })
  }

  /// Takes over what several stretches tell together.
  mutating func setExcess(_ excess: [[Float]]) { costs?.excess = excess }

  mutating func compare(withVoice words: [SpectralFrames], _ sound: SpectralFrames) {
    voiceCosts = boundaryCosts(words, sound)
  }

  private func boundaryCosts(
    _ words: [SpectralFrames], _ sound: SpectralFrames
  ) -> BoundaryCosts {
    let start = standing.span.lowerBound - StandingSound.margin
    var isSilent = [Bool](repeating: false, count: sound.count)
    for silence in silences {
      let first = Int(((silence.lowerBound - start) * Double(Cepstra.framesPerSecond)).rounded())
      let last = Int(((silence.upperBound - start) * Double(Cepstra.framesPerSecond)).rounded())
      for frame in (first..<max(first, last)).clamped(to: isSilent.indices) {
        isSilent[frame] = true
      }
    }
    var costsOfEnd = [Float](
      repeating: Float(-log(Self.joinedShare) * Self.endWeight), count: isSilent.count)
    for (silence, share) in zip(silences, ends) {
      let first = Int((silence.lowerBound - Self.reach - start) * Double(Cepstra.framesPerSecond))
      let last = Int((silence.upperBound + Self.reach - start) * Double(Cepstra.framesPerSecond))
      let cost = Float(-log(share) * Self.endWeight)
      for frame in (first..<max(first, last)).clamped(to: costsOfEnd.indices) {
        costsOfEnd[frame] = min(costsOfEnd[frame], cost)
      }
    }
    return BoundaryCosts(
      recording: sound, isSilent: isSilent, costsOfEnd: costsOfEnd, parts: words,
      entries: edge == .beginsInside ? 0..<7 : 0..<2,
      exits: (edge == .endsInside ? 0 : 6)..<7, coda: FatihaSounds.ameen)
  }

  /// How well each point fits as each boundary by what is heard around it.
  private func placements(_ costs: BoundaryCosts, mostExcessOfStart: Double) -> [[Double]] {
    let start = standing.span.lowerBound - StandingSound.margin
    func frame(_ seconds: Double) -> Int {
      Int((seconds - start) * Double(Cepstra.framesPerSecond))
    }
    return (0...7).map { row in
      let most = row == 0 ? mostExcessOfStart : Self.mostExcess
      return silences.map { silence in
        let first = frame(silence.lowerBound - Self.reach)
        let last = frame(silence.upperBound + Self.reach)
        let excess = Double(costs.excess(of: row, in: first...max(first, last)))
        return exp(-Self.soundWeight * min(excess, most))
      }
    }
  }

  private var placements: [[Double]] {
    guard let costs, !costs.excess.isEmpty else { return [] }
    let all = placements(costs, mostExcessOfStart: Self.mostExcessOfStart)
    guard let voiceCosts, !voiceCosts.excess.isEmpty else { return all }
    let voiced = placements(voiceCosts, mostExcessOfStart: Self.mostExcessOfVoicedStart)
    return zip(all, voiced).map { zip($0, $1).map { $0 * $1 } }
  }

  /// The same with places among its points that a person has named.
  private func adding(_ positions: [FramePosition], _ rate: SampleRate) -> FatihaStretch {
    var result = self
    let known = Dictionary(
      zip(timeline.points.map(\.position), zip(silences, ends))
    ) { first, _ in first }
    let new = Set(positions).filter { known[$0] == nil }.sorted()
    result.timeline = timeline.adding(new, rate: rate)
    result.silences = result.timeline.points.map { known[$0.position]?.0 ?? $0.time...$0.time }
    result.ends = result.timeline.points.map { known[$0.position]?.1 ?? Self.joinedShare }
    return result
  }

  /// Al-Fatiha with some of its boundaries where a person has put them.
  ///
  /// - Parameters:
  ///   - fixed: by the number of the boundary, in order; 0 is where the first ayah begins.
  ///   - finding: what is known of al-Fatiha in that night.
  func fatiha(
    _ fixed: [Int: FramePosition], _ finding: FatihaFinder.Finding, rate: SampleRate
  ) -> FatihaFinder.Fatiha? {
    let stretch = adding(Array(fixed.values), rate)
    let points = stretch.timeline.points
    var problem = stretch.problem(finding.durations, finding.spread, finding.ratios)
    let places = fixed.mapValues { position in
      points.firstIndex { $0.position == position } ?? 0
    }
    for row in problem.windows.indices {
      let least = places.filter { $0.key < row }.values.max() ?? 0
      let most = places.filter { $0.key > row }.values.min() ?? points.count - 1
      guard least <= most else { return nil }
      let window = places[row].map { $0..<($0 + 1) } ?? least..<(most + 1)
      problem.windows[row] = window
      if row < problem.placements.count {
        problem.placements[row] =
          places[row] == nil ? Array(problem.placements[row][window]) : [1]
      }
    }
    for place in places.values { problem.evidence[place] = 1 }
    if let start = places[0] { problem.starts[start] = 1 }
    if let end = places[7] { problem.ends[end] = 1 }
    return AlignmentLattice(problem: problem).posterior().flatMap { stretch.fatiha($0) }
  }

  /// - Parameters:
  ///   - durations: expected, of the seven, in seconds.
  ///   - ratios: for each candidate how much it looks like a boundary.
  func problem(_ durations: [Double], _ spread: Double, _ ratios: [Double]) -> LatticeProblem {
    let points = timeline.points
    let model = DurationModel(spread: spread)
    let first = points[0].time
    var skips = [Double](
      repeating: edge == .beginsInside ? Self.cutShare : 0, count: durations.count)
    skips[0] = max(skips[0], isCompared ? Self.silentBasmalah : 0)
    return LatticeProblem(
      steps: points.map { Int(($0.active / DurationModel.step).rounded()) },
      evidence: points.map { point in
        let ratio = point.candidate.map { ratios[$0] } ?? 1
        return isCompared ? pow(ratio, Self.pauseWeight) : ratio
      },
      durations: durations.map { model.table(expected: $0) },
      skips: skips, windows: [Range<Int>](repeating: 0..<points.count, count: 8),
      starts: zip(points, silences).map { point, silence in
        if point.time == first { return 1 }
        guard isCompared else { return 0 }
        if silencesAfterTakbir.contains(where: { $0.overlaps(silence) }) {
          return Self.startAfterTakbir
        }
        return point.time < first + Self.latestStart ? Self.lateStart : 0
      },
      ends: ends,
      earliestStarts: timeline.earliestStarts, latestEnds: timeline.latestEnds,
      endings: (0...7).map { $0 == 7 || (edge == .endsInside && $0 > 0) ? 1 : 0 },
      placements: placements)
  }

  /// For each point how likely al-Fatiha is to end there, by the silences around it.
  private static func ends(
    _ silences: [ClosedRange<Double>], pauses: [ClosedRange<Double>]
  ) -> [Double] {
    silences.map { silence in
      let own = pauses.first { $0.overlaps(silence) } ?? silence
      let long = pauses.first { $0.lowerBound > own.upperBound && $0.length >= longPause }
      if let long, ameen.contains(long.lowerBound - own.upperBound), own.length >= shortestPause {
        return ameenShare
      }
      guard own.length >= longPause else { return joinedShare }
      // What is short and parted from what it follows is ameen already.
      let before = pauses.last { $0.upperBound < own.lowerBound }
      let isAmeen = before.map { ameen.contains(own.lowerBound - $0.upperBound) } ?? false
      return isAmeen ? afterAmeenShare : silenceShare
    }
  }

  /// The boundaries that a posterior has; nil when they are in no order.
  func fatiha(_ posterior: LatticePosterior) -> FatihaFinder.Fatiha? {
    guard
      let path = LikelyPath(
        posterior, times: timeline.points.map(\.time), skips: [Double](repeating: 1, count: 7))
    else { return nil }
    return FatihaFinder.Fatiha(
      points: path.points.map { timeline.points[$0] }, probabilities: path.probabilities)
  }
}

extension PrayerStructure.Standing {
  /// All silences that matter, be they dips of the level or gaps between runs of the voice, in order.
  func pauses(
    besides dips: [ClosedRange<Double>], end: Double
  ) -> [ClosedRange<Double>] {
    let gaps = zip(runs, runs.dropFirst()).map { $0.upperBound...$1.lowerBound }
    let all = (dips.filter { $0.length >= FatihaStretch.shortestPause } + gaps)
      .filter { $0.lowerBound < end }.sorted { $0.lowerBound < $1.lowerBound }
    var merged: [ClosedRange<Double>] = []
    for pause in all {
      if let last = merged.last, pause.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, pause.upperBound)
      } else {
        merged.append(pause)
      }
    }
    return merged + [end...(end + FatihaStretch.longPause)]
  }
}

extension ClosedRange where Bound == Double {
  var length: Double { upperBound - lowerBound }
}
