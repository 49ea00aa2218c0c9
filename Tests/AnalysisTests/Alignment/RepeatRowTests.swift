// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import Analysis

/// The likeness of words that are said again, by vectors, is what adding up frame by frame gives.
struct RepeatRowTests {
  @Test(arguments: 0..<30)
  func likenessIsThatOfTheBestWay(seed: Int) throws {
    var random = SplitMix64(state: UInt64(seed))
    let columns = Int.random(in: 2...50, using: &random)
    let said = (0..<columns).map { _ in sound(&random) }
    // The second half is said again, somewhat slower, and then something else.
    let again = said.suffix(columns / 2).flatMap { sound in
      [sound] + (Int.random(in: 0..<4, using: &random) == 0 ? [sound] : [])
    }
    let frames = SpectralFrames(
      joining: (said + again + (0..<10).map { _ in sound(&random) }).map {
        SpectralFrames(normalized: $0)
      })
    let limit: Float = 0.5
    let begins = Set([0, columns / 2, columns - 1])
    var row = RepeatRow(columns: columns)
    var scores: [Int: Float] = [:]
    for begin in begins.sorted() {
      let score = limit - 1 + frames.cosine(columns, frames, begin)
      row.begin(at: begin, score: score)
      scores[begin] = score
    }
    for frame in (columns + 1)..<frames.count {
      row.advance(frames, to: frame, from: 0, limit: limit)
      var next: [Int: Float] = [:]
      for column in 0..<columns {
        let reached = [0, 1, 2].compactMap { steps in
          scores[column - steps].map { $0 - (steps == 2 ? 0.3 : 0) }
        }.max()
        guard let reached, reached > -3 else { continue }
        let score = reached + limit - 1 + frames.cosine(frame, frames, column)
        if score > -3 { next[column] = score }
      }
      scores = next
      #expect(row.isEmpty == scores.isEmpty)
      guard let last = scores[columns - 1] else {
        #expect(row.last == nil)
        continue
      }
      let found = try #require(row.last)
      #expect(abs(found.score - last) < 1e-3)
      #expect(begins.contains(found.origin))
    }
  }

  private func sound(_ random: inout SplitMix64) -> [Float] {
    (0..<Cepstra.width).map { _ in Float.random(in: -1...1, using: &random) }
  }
}
