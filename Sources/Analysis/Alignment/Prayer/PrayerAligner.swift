// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import Quran

/// Finds what each standing of a night is: al-Fatiha in each rak'ah, the portion that goes on from the
/// one before, and what is no reciting.
struct PrayerAligner {
  /// What is heard in a standing.
  enum Kind: Hashable {
    /// A rak'ah, from al-Fatiha on.
    case rakah
    /// What goes on after a prostration of recitation, or was begun before the recording.
    case continuation
    /// The qunut of the witr.
    case supplication
    case speech
  }

  struct Standing {
    var kind: Kind
    var structure: PrayerStructure.Standing
    var fatiha: FatihaFinder.Fatiha?
    /// The takbir with which the standing begins, where al-Fatiha follows it so soon that it is no run of its
    /// own.
    var opening: Range<Double>?
    var ameen: Range<Double>?
    /// The qunut, where it is said before the bow.
    var qunut: Range<Double>?
    /// What is recited besides, in seconds.
    var portion: Range<Double>
    /// The takbir that ends the standing, where it follows so soon that it is no run of its own.
    var takbir: Range<Double>?
  }

  let candidates: AlignmentCandidates
  let rate: SampleRate
  let voice: VoiceRuns
  let duration: Double
  var sound: Cepstra?
  /// What al-Fatiha sounds like, one way or several.
  var words = [FatihaSounds.frames]

  /// How long a takbir is, in seconds, and how long the pause before it at least.
  static let takbir = 1.0...4.2
  private static let pauseBeforeTakbir = 0.35
  /// Ameen follows al-Fatiha within so many seconds.
  private static let waitForAmeen = 2.5
  /// A portion begins so many seconds before the voice, as the other boundaries do.
  private static let lead = 0.1
  /// A portion is no shorter than this, in seconds.
  static let shortestPortion = 4.0
  /// The qunut begins within so many seconds of the tasmee.
  private static let waitForQunut = 6.0
  /// A bow takes no less than this, in seconds.
  private static let shortestBow = 4.0
  /// After a rak'ah there are more calls than this before anybody recites again; before one, fewer.
  private static let fewCalls = 2

  /// What is heard before anything is known of how it is recited.
  struct Outline {
    fileprivate var structure: PrayerStructure
    fileprivate var finder: FatihaFinder
    fileprivate var stretches: [FatihaStretch]
  }

  func outline() -> Outline {
    let structure = PrayerStructure(voice)
    var finder = FatihaFinder(
      candidates: candidates, rate: rate, evidence: candidates.evidence, duration: duration)
    finder.words = words
    if let sound { finder.sound = StandingSound(sound, structure.standings) }
    return Outline(
      structure: structure, finder: finder, stretches: finder.stretches(of: structure.standings))
  }

  /// - Parameter portions: an alignment of what is recited after al-Fatiha; nil if there is none yet, and
  ///   the night is only to tell where that is.
  func night(_ outline: Outline, after portions: LengthAligner.Result? = nil) -> PrayerNight {
    let structure = outline.structure
    var finder = outline.finder
    if let portions {
      finder.evidence = portions.evidence
      finder.pace = portions.pace
    }
    let fatihas = finder.find(in: outline.stretches, isRough: portions == nil)
    var calls = PrayerCalls(structure.calls, pauses: dips)
    let kinds = kinds(structure.standings, fatihas.fatihas, calls)
    var parts = structure.standings
    for (number, kind) in kinds.enumerated()
    where kind == .supplication && parts[number].runs.count > 1
      && calls.isTasmee(parts[number].runs[0])
    {
      calls.insert(parts[number].runs.removeFirst())
    }
    let standings = zip(kinds, zip(parts, fatihas.fatihas)).map { kind, found in
      standing(kind, found.0, found.1, calls)
    }
    var aligner = self
    aligner.sound = nil
    return PrayerNight(aligner: aligner, standings: standings, calls: calls, fatihas: fatihas)
  }

  private var dips: [ClosedRange<Double>] {
    candidates.candidates.filter(\.isDip).map {
      $0.span.lowerBound.seconds(at: rate)...$0.span.upperBound.seconds(at: rate)
    }
  }

  private func kinds(
    _ standings: [PrayerStructure.Standing], _ fatihas: [FatihaFinder.Fatiha?],
    _ calls: PrayerCalls
  ) -> [Kind] {
    var kinds: [Kind] = []
    for (number, standing) in standings.enumerated() {
      if fatihas[number] != nil {
        kinds.append(.rakah)
        continue
      }
      let isLast = number == standings.count - 1
      let next = isLast ? Double.infinity : standings[number + 1].span.lowerBound
      let after = calls.between(standing.span.upperBound, next)
      if kinds.allSatisfy({ $0 == .speech }) {
        // Either the recording begins within a portion, or somebody speaks before the prayer.
        kinds.append(isLast || after.count > Self.fewCalls ? .continuation : .speech)
        continue
      }
      let before = calls.between(standings[number - 1].span.upperBound, standing.span.lowerBound)
      if calls.salams(in: before) != nil || kinds[number - 1] == .speech {
        kinds.append(.speech)
      } else if isAfterBow(standing, standings[number - 1], before, calls),
        // After reciting there is a bow, and so a tasmee, again.
        !after.prefix(2).contains(where: { calls.isTasmee($0) })
      {
        kinds.append(.supplication)
      } else {
        kinds.append(.continuation)
      }
    }
    return kinds
  }

  /// Whether a standing begins with or just after the call that ends a bow.
  private func isAfterBow(
    _ standing: PrayerStructure.Standing, _ previous: PrayerStructure.Standing,
    _ before: [Range<Double>], _ calls: PrayerCalls
  ) -> Bool {
    if let last = before.last, calls.isTasmee(last), before.count <= Self.fewCalls,
      standing.span.lowerBound - last.upperBound < Self.waitForQunut
    {
      return true
    }
    return standing.runs.count > 1 && calls.isTasmee(standing.runs[0])
      && standing.span.lowerBound - previous.span.upperBound >= Self.shortestBow
  }

  func standing(
    _ kind: Kind, _ structure: PrayerStructure.Standing, _ fatiha: FatihaFinder.Fatiha?,
    _ calls: PrayerCalls
  ) -> Standing {
    var standing = Standing(
      kind: kind, structure: structure, fatiha: fatiha, portion: structure.span)
    guard kind == .rakah || kind == .continuation else {
      standing.portion = structure.span.upperBound..<structure.span.upperBound
      return standing
    }
    if let start = fatiha?.points.first?.time {
      standing.opening = opening(before: start, structure)
    }
    if let end = fatiha?.points.last?.time {
      standing.ameen = ameen(after: end, structure)
      let start = standing.ameen?.upperBound ?? end
      let voice = returnOfVoice(after: start, structure)
      standing.portion =
        min(voice, structure.span.upperBound)..<structure.span.upperBound
    }
    let isCallNear = calls.spans.contains {
      $0.lowerBound >= structure.span.upperBound
        && $0.lowerBound - structure.span.upperBound < 3 && Self.takbir.contains($0.length)
    }
    if !isCallNear, let ending = takbir(atEndOf: standing.portion, structure) {
      standing.takbir = ending.takbir
      standing.portion = standing.portion.lowerBound..<ending.endOfReciting
    }
    return standing
  }

  /// What is heard before al-Fatiha, if it is no longer than a takbir.
  private func opening(
    before start: Double, _ structure: PrayerStructure.Standing
  ) -> Range<Double>? {
    let pause = structure.pauses(besides: dips, end: structure.span.upperBound).first {
      $0.lowerBound < start && $0.upperBound > start - Self.lead
    }
    let end = min(pause?.lowerBound ?? start, start)
    let begin = structure.span.lowerBound
    return Self.takbir.contains(end - begin) ? begin..<end : nil
  }

  /// The sound between the end of al-Fatiha and the next long silence, if it is as short as ameen.
  private func ameen(
    after end: Double, _ structure: PrayerStructure.Standing
  ) -> Range<Double>? {
    let start = returnOfVoice(after: end, structure)
    guard start - end < Self.waitForAmeen,
      let silence = structure.pauses(besides: dips, end: structure.span.upperBound).first(where: {
        $0.lowerBound > start + Self.lead && $0.length >= FatihaStretch.longPause
      })
    else { return nil }
    let stop = silence.lowerBound
    guard FatihaStretch.ameen.contains(stop - start), stop < structure.span.upperBound else {
      return nil
    }
    return start..<stop
  }

  /// Just before the voice is heard again.
  private func returnOfVoice(
    after time: Double, _ structure: PrayerStructure.Standing
  ) -> Double {
    let dip = candidates.candidates.first {
      $0.isDip && $0.span.upperBound.seconds(at: rate) > time
        && $0.span.lowerBound.seconds(at: rate) <= time + Self.lead
    }
    let gap = zip(structure.runs, structure.runs.dropFirst()).first {
      $1.lowerBound > time && $0.upperBound <= time + Self.lead
    }
    return max(time, dip?.time ?? time, gap.map { $0.1.lowerBound - Self.lead } ?? time)
  }

  /// The last thing said before the end, if it is parted from what precedes and no longer than a takbir.
  private func takbir(
    atEndOf portion: Range<Double>, _ structure: PrayerStructure.Standing
  ) -> (takbir: Range<Double>, endOfReciting: Double)? {
    if let last = structure.runs.last, structure.runs.count > 1, Self.takbir.contains(last.length),
      last.lowerBound > portion.lowerBound
    {
      let before = structure.runs[structure.runs.count - 2].upperBound
      return (
        (last.lowerBound - Self.lead)..<last.upperBound,
        max(portion.lowerBound, min(before, last.lowerBound - Self.lead))
      )
    }
    let end = portion.upperBound
    let pause = candidates.candidates.filter {
      $0.isDip && $0.time > portion.lowerBound + Self.shortestPortion
        && Self.takbir.contains(end - $0.span.upperBound.seconds(at: rate))
        && $0.span.length.seconds(at: rate) >= Self.pauseBeforeTakbir
    }.max { $0.span.length < $1.span.length }
    return pause.map { ($0.time..<end, $0.time) }
  }

  /// A stretch of reciting that goes on from the one before.
  struct Portion: Hashable {
    var span: Range<FramePosition>
    /// The number of the standing that it is in.
    var standing: Int
    /// Whether al-Fatiha precedes it.
    var isRakah: Bool
  }

  func portions(_ standings: [Standing]) -> [Portion] {
    var isRakah = false
    return standings.enumerated().compactMap { number, standing in
      if standing.kind == .rakah { isRakah = true }
      guard standing.portion.length >= Self.shortestPortion else { return nil }
      defer { isRakah = false }
      return Portion(
        span: FramePosition(
          seconds: standing.portion.lowerBound, at: rate)..<FramePosition(
            seconds: standing.portion.upperBound, at: rate),
        standing: number, isRakah: isRakah)
    }
  }
}
