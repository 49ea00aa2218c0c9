// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import Quran

/// Aligns a night of taraweeh: al-Fatiha in each rak'ah, and the portions that go on from each other.
struct PrayerAligner {
  /// One rak'ah, or what follows a prostration of recitation.
  struct Rakah {
    var standing: PrayerStructure.Standing
    var fatiha: FatihaFinder.Fatiha?
    var ameen: Range<Double>?
    /// What is recited besides, in seconds.
    var portion: Range<Double>
    /// The takbir that ends the standing, where it follows so soon that it is no run of its own.
    var takbir: Range<Double>?
  }

  let candidates: AlignmentCandidates
  let rate: SampleRate
  let voice: VoiceRuns

  /// How long a takbir is, in seconds, and how long the pause before it at least.
  private static let takbir = 1.0...4.2
  private static let pauseBeforeTakbir = 0.35
  /// Ameen follows al-Fatiha within so many seconds.
  private static let waitForAmeen = 2.5
  /// A portion begins so many seconds before the voice, as the other boundaries do.
  private static let lead = 0.1
  /// A portion is no shorter than this, in seconds.
  private static let shortestPortion = 4.0

  /// - Parameter portions: an alignment of what is recited after al-Fatiha, if there is one already.
  func rakahs(
    after portions: LengthAligner.Result? = nil
  ) -> (rakahs: [Rakah], calls: [Range<Double>]) {
    let structure = PrayerStructure(voice)
    var finder = FatihaFinder(candidates: candidates, rate: rate)
    if let portions {
      finder.evidence = portions.evidence
      finder.pace = exp(portions.paces.reduce(0, +) / Double(max(portions.paces.count, 1)))
    }
    let fatihas = finder.find(in: structure.standings)
    let rakahs = zip(structure.standings, fatihas).map { standing, fatiha in
      rakah(standing, fatiha, structure.calls)
    }
    return (rakahs, structure.calls)
  }

  private func rakah(
    _ standing: PrayerStructure.Standing, _ fatiha: FatihaFinder.Fatiha?, _ calls: [Range<Double>]
  ) -> Rakah {
    var rakah = Rakah(standing: standing, fatiha: fatiha, portion: standing.span)
    if let end = fatiha?.points.last?.time {
      var start = end
      if let number = standing.runs.firstIndex(where: { $0.upperBound > end + 0.4 }) {
        let run = standing.runs[number]
        let next = number + 1 < standing.runs.count ? standing.runs[number + 1] : nil
        let left = run.upperBound - max(end, run.lowerBound)
        let isNear = run.lowerBound - end < Self.waitForAmeen
        if FatihaFinder.ameen.contains(left), isNear, let next {
          rakah.ameen = max(end, run.lowerBound)..<run.upperBound
          start = next.lowerBound - Self.lead
        } else if run.lowerBound > end {
          start = run.lowerBound - Self.lead
        }
      }
      rakah.portion = min(start, standing.span.upperBound)..<standing.span.upperBound
    }
    let isCallNear = calls.contains {
      $0.lowerBound >= standing.span.upperBound && $0.lowerBound - standing.span.upperBound < 3
        && Self.takbir.contains($0.length)
    }
    if !isCallNear, let takbir = takbir(atEndOf: rakah.portion, standing) {
      rakah.takbir = takbir
      rakah.portion = rakah.portion.lowerBound..<takbir.lowerBound
    }
    return rakah
  }

  /// The last thing said before the end, if it is parted from what precedes and no longer than a takbir.
  private func takbir(
    atEndOf portion: Range<Double>, _ standing: PrayerStructure.Standing
  ) -> Range<Double>? {
    if let last = standing.runs.last, standing.runs.count > 1, Self.takbir.contains(last.length),
      last.lowerBound > portion.lowerBound
    {
      return (last.lowerBound - Self.lead)..<last.upperBound
    }
    let end = portion.upperBound
    let pause = candidates.candidates.filter {
      $0.isDip && $0.time > portion.lowerBound + Self.shortestPortion
        && Self.takbir.contains(end - $0.span.upperBound.seconds(at: rate))
        && $0.span.length.seconds(at: rate) >= Self.pauseBeforeTakbir
    }.max { $0.span.length < $1.span.length }
    return pause.map { $0.time..<end }
  }

  /// The portions as stretches of reciting, with the rak'ah that each belongs to.
  func portions(_ rakahs: [Rakah]) -> [(rakah: Int, span: Range<FramePosition>)] {
    rakahs.enumerated().compactMap { index, rakah in
      guard rakah.portion.length >= Self.shortestPortion else { return nil }
      return (
        index,
        FramePosition(
          seconds: rakah.portion.lowerBound, at: rate)..<FramePosition(
            seconds: rakah.portion.upperBound, at: rate)
      )
    }
  }
}
