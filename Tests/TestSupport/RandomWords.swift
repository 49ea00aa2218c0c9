// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
import AudioCore
import Quran

/// Words of a passage made up: in order, with and without gaps, some said again.
public func randomWords(in passage: Passage, using random: inout SplitMix64) -> [TimedWord] {
  let span = passage.span
  let isJoined = Bool.random(using: &random)
  let edges = Set(
    (0..<8).map { _ in
      Int64.random(in: span.lowerBound.frames...span.upperBound.frames, using: &random)
    }
  ).sorted()
  return stride(from: 0, to: edges.count - 1, by: isJoined ? 1 : 2).map { index in
    TimedWord(
      passage.ayah, .random(in: 1...QuranSounds.wordCount(of: passage.ayah), using: &random),
      FramePosition(edges[index])..<FramePosition(edges[index + 1]))
  }
}
