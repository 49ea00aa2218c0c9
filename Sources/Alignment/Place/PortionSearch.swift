// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Quran

extension AcousticAligner {
  /// Where in the Quran the portions of a prayer begin, that is what follows al-Fatiha.
  ///
  /// The first portion whose place is clear tells; where none is, the one that fits best. Without any al-Fatiha the
  /// recording is searched as if it were no prayer.
  ///
  /// - Parameter search: carried out for one portion after another.
  /// - Returns: nil where nothing is said, or the search was stopped.
  func portionPlaces(
    _ search: PlaceSearch, threadCount: Int, isStopped: @escaping @Sendable () -> Bool
  ) -> PlaceReport? {
    let scores = scores.withHeldSoundsCountedLess
    func places(in frames: Range<Int>, isCut: Bool) -> PlaceReport? {
      var report = search.ofPortion(isCut: isCut).places(
        scores[frames], threadCount: threadCount, isStopped: isStopped)
      report?.candidates.removeAll { $0.first.isInFatiha }
      return report
    }
    var best: PlaceReport?
    for portion in portions(scores, threadCount: threadCount, isStopped) {
      guard let report = places(in: portion, isCut: portion.lowerBound == 0) else { continue }
      if report.isClear { return report }
      if report.misfit < best?.misfit ?? .infinity { best = report }
    }
    guard !isStopped() else { return nil }
    return best ?? places(in: 0..<scores.count, isCut: true)
  }

  /// What is heard before the first al-Fatiha, as of a recording that begins within a standing, and after each.
  ///
  /// - Returns: frames of the scores; none where al-Fatiha is not heard.
  private func portions(
    _ scores: AcousticScores, threadCount: Int, _ isStopped: @escaping @Sendable () -> Bool
  ) -> [Range<Int>] {
    let grammar = RecitationGrammar.fatihas(in: riwayah)
    guard let path = grammar.path(scores, threadCount: threadCount, isStopped: isStopped) else {
      return []
    }
    let margins = BoundaryMargins(chain: grammar.chain, scores: scores, path: path)
    var fatihas: [Range<Int>] = []
    var ayah = Int.max
    for heard in grammar.chain.heard(along: path) {
      if heard.token > ayah, let first = fatihas.last?.lowerBound {
        fatihas[fatihas.count - 1] = first..<heard.frames.upperBound
      } else {
        fatihas.append(heard.frames)
      }
      ayah = heard.token
    }
    // What only resembles al-Fatiha is hardly cheaper than speech that is not known.
    fatihas.removeAll { margins.misfit($0) > PlaceReport.greatestMisfit }
    let starts = fatihas.map(\.lowerBound) + [scores.count]
    let ends = [0] + fatihas.map(\.upperBound)
    return fatihas.isEmpty ? [] : zip(ends, starts).map { $0..<max($0, $1) }
  }
}
