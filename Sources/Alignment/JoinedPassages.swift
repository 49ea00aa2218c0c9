// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Annotation
import AudioCore
import Quran

extension AcousticAligner {
  /// Hears a recording in two parts, where another passage follows the one that was told: several recitations may have
  /// been recorded one after another.
  ///
  /// - Parameters:
  ///   - straight: the section heard as one passage,
  ///   - wider: and once more with detours, if it was.
  /// - Returns: nil where no other place in the Quran fits clearly better what the passage does not fit.
  func joinedPassages(_ straight: AlignmentBuilder, _ wider: AlignmentBuilder?) -> Found? {
    let section = straight.section
    guard section.edges.end == .open, let stretch = straight.misfittingStretch,
      let report = place(from: section.firstFrame + stretch.lowerBound, in: section),
      report.isClear, let place = report.candidates.first?.first,
      report.misfit + Self.clearlyBetter < straight.margins.misfit(stretch),
      // With detours it was in reach.
      !(wider?.grammar.tokens.contains(.ayah(place)) ?? false)
    else { return nil }
    let cut = section.position(ofFrame: stretch.lowerBound, rate: rate)
    guard section.span.lowerBound < cut, cut < section.span.upperBound else { return nil }
    let before = self.section(
      section.span.lowerBound..<cut, edges: .init(start: section.edges.start),
      first: section.first, last: nil)
    let after = self.section(
      cut..<section.span.upperBound, first: place,
      last: section.last.flatMap { $0 < place ? nil : $0 })
    guard let first = found(in: before, .none), isText(first),
      let second = found(in: after, .none), isText(second)
    else { return nil }
    return first.joined(to: second)
  }

  private func place(from frame: Int, in section: Section) -> PlaceReport? {
    var search = PlaceSearch()
    search.riwayah = riwayah
    return search.places(
      scores[frame..<section.frames.upperBound], threadCount: threadCount,
      isStopped: { stopFlag.isStopped })
  }
}

extension AcousticAligner.Found {
  init(_ builder: AlignmentBuilder) {
    self.init(
      pieces: builder.pieces(), words: builder.words(), misfit: builder.margins.misfitOfText,
      misfitOfBeginning: builder.margins.misfit(PlaceSearch.frames(of: builder.scores)),
      repeats: builder.repeats, tokens: builder.heard.count)
  }

  /// What is found in two sections, one after the other.
  fileprivate func joined(to next: Self) -> Self {
    var result = self
    result.pieces += next.pieces
    result.words += next.words
    result.misfit = max(misfit, next.misfit)
    result.repeats += next.repeats
    result.tokens += next.tokens
    result.isJoined = true
    return result
  }
}

extension AlignmentBuilder {
  /// The frames which the path, with its jumps, fits worse than recitation usually fits its text, by more than chance.
  fileprivate var misfittingStretch: Range<Int>? {
    let costs = frameCosts()
    let usual = max(Self.usualMisfit, usualCost(costs) * 3 / 2)
    var sum = 0
    var first = 0
    var most: (sum: Int, frames: Range<Int>)?
    for frame in path.indices {
      if isJump(frame) {
        sum += Int(grammar.prices.jump)
      } else if path[frame] >= 0 {
        sum += Int(costs[frame].path - usual)
      } else if scores.isSound(frame) {
        sum += Int(ChainPrices.pauseWithSound - usual)
      }
      guard sum > 0 else {
        (sum, first) = (0, frame + 1)
        continue
      }
      if sum > most?.sum ?? 2 * Int(grammar.prices.jump) { most = (sum, first..<frame + 1) }
    }
    return most?.frames
  }

  /// Whether the path goes back or on to elsewhere there.
  private func isJump(_ frame: Int) -> Bool {
    guard frame > 0, let hub = grammar.jumpHub else { return false }
    return path[frame] == -1 - Int32(hub) && path[frame - 1] != path[frame]
  }

  /// In units of scores a frame: half of the recordings aligned rightly are below 0.45 nats, what is told another surah
  /// is at 0.6 to 1.1.
  private static let usualMisfit = Int32(0.6 * Double(AcousticScores.unitsPerNat))
}
