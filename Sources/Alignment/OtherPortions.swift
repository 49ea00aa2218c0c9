// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Annotation
import AudioCore
import Quran

extension AcousticAligner {
  /// Hears a prayer. Where a portion is not what follows the one before but is clearly of another place in the Quran, the
  /// prayer goes on from there.
  ///
  /// - Returns: nil where the section cannot be heard as a prayer.
  func prayer(_ section: Section) -> Found? {
    guard let straight = builder(in: section, .taraweeh) else { return nil }
    let found = Found(straight)
    guard section.edges.end == .open, let next = nextPortion(straight, found.pieces, in: section)
    else { return found }
    // With its al-Fatiha, since the calls before that get their names together.
    let before = self.section(
      section.span.lowerBound..<next.start, edges: .init(start: section.edges.start),
      first: section.first, last: nil)
    let after = self.section(
      next.opening.span.lowerBound..<section.span.upperBound, first: next.first,
      last: section.last.flatMap { $0 < next.first ? nil : $0 })
    guard let first = builder(in: before, .taraweeh), let second = prayer(after), isText(second)
    else { return found }
    return Found(first).upTo(next.opening).followed(by: second, next.opening)
  }

  /// A portion of another place than what was heard.
  private struct NextPortion {
    /// What its al-Fatiha begins with.
    var opening: AlignedPiece
    /// Where that ends.
    var start: FramePosition
    var first: AyahReference
  }

  /// The first portion that is clearly of another place than what was heard in it.
  private func nextPortion(
    _ straight: AlignmentBuilder, _ pieces: [AlignedPiece], in section: Section
  ) -> NextPortion? {
    let margins = straight.margins
    let searched = searched(section)
    var search = PlaceSearch().ofPortion()
    search.riwayah = riwayah
    for standing in straight.standings {
      let begin = section.position(ofFrame: standing.opening, rate: rate)
      let misfit = margins.misfit(standing.portion.prefix(PlaceSearch.frames))
      guard
        // Its edge may lie a little before or after its first sound.
        let opening = pieces.min(by: {
          abs(($0.span.lowerBound - begin).frames) < abs(($1.span.lowerBound - begin).frames)
        }),
        opening.span.lowerBound > section.span.lowerBound, misfit > Self.suspiciousMisfit,
        let report = search.places(
          searched[standing.portion], threadCount: threadCount,
          isStopped: { [stopFlag] in stopFlag.isStopped }),
        report.isClear, report.misfit + Self.clearlyBetter < misfit,
        let place = report.candidates.first?.first, !place.isInFatiha, place != standing.first
      else { continue }
      return NextPortion(
        opening: opening,
        start: section.position(ofFrame: standing.portion.lowerBound, rate: rate), first: place)
    }
    return nil
  }
}

extension PlaceSearch {
  /// The same for where a portion begins.
  ///
  /// - Parameter isCut: whether it is what the recording has of a portion at its start, before any al-Fatiha.
  func ofPortion(isCut: Bool = false) -> PlaceSearch {
    var search = self
    search.isCut = isCut
    if !isCut { search.longestLeadIn = AlignmentBuilder.longestAmeen }
    // Else "amin" is taken for some words from which the reciter goes back to the beginning.
    search.prices.chain.jump = .max / 2
    return search
  }
}

extension AcousticAligner.Found {
  /// Without what begins with a piece and what comes after it.
  fileprivate func upTo(_ opening: AlignedPiece) -> Self {
    var result = self
    let cut = opening.span.lowerBound
    result.pieces.removeAll { $0.span.lowerBound >= cut }
    if let last = result.pieces.indices.last {
      result.pieces[last].span = result.pieces[last].span.lowerBound..<cut
    }
    // Its first sound may be heard a little before the edge.
    result.words.removeAll { $0.span.middle >= cut }
    if let last = result.words.indices.last {
      let span = result.words[last].span
      result.words[last].span = span.lowerBound..<min(span.upperBound, cut)
    }
    return result
  }

  /// - Parameter opening: what the second part begins with, and how sure it is that it begins there.
  fileprivate func followed(by next: Self, _ opening: AlignedPiece) -> Self {
    var result = joined(to: next)
    result.pieces[pieces.count - 1].end = opening.start
    result.pieces[pieces.count].start = opening.start
    return result
  }
}

extension AlignmentBuilder {
  /// A standing in prayer; frames of the section.
  struct Standing {
    /// Where its al-Fatiha begins.
    var opening: Int
    /// From the end of al-Fatiha to the first long silence after the portion. With the call before that: words that are
    /// not understood may be taken for calls.
    var portion: Range<Int>
    /// The ayah that was heard first in it.
    var first: AyahReference?
  }

  /// In order; those without a whole al-Fatiha are left out.
  var standings: [Standing] {
    let tokens = heard.map { grammar.tokens[$0.token] }
    var standings: [Standing] = []
    var opening: Int?
    for (index, token) in tokens.enumerated() {
      guard token.isOpening else {
        opening = nil
        continue
      }
      let first = opening ?? index
      opening = first
      guard token.ayah == AyahReference.first.surah.lastAyah else { continue }
      opening = nil
      let next = tokens[(index + 1)...].firstIndex { $0.isOpening || $0.isCall } ?? tokens.count
      func start(of token: Int) -> Int {
        token < heard.count ? heard[token].frames.lowerBound : path.count
      }
      let nextOpening = tokens[next...].firstIndex(where: \.isOpening) ?? tokens.count
      standings.append(
        Standing(
          opening: heard[first].frames.lowerBound,
          portion: heard[index].frames
            .upperBound..<endOfSpeech(from: start(of: next), before: start(of: nextOpening)),
          first: tokens[(index + 1)..<next].lazy.compactMap(\.ayah).first))
    }
    return standings
  }

  /// Where what is said around a frame comes to a long silence, or to another frame.
  private func endOfSpeech(from frame: Int, before limit: Int) -> Int {
    var end = frame
    for run in scores.runs(in: frame..<limit) {
      guard run.lowerBound - end < Self.longSilence else { break }
      end = run.upperBound
    }
    return end
  }

  /// Frames between what is said before bowing and after it: three seconds. Judged by nights of `Scripts/plant-prayers.py`.
  private static let longSilence = 3 * LogMelFrames.framesPerSecond
}

extension RecitedToken {
  /// Whether it belongs to what is said before the portion in each standing.
  fileprivate var isOpening: Bool { self == .formula(.istiadhah) || ayah?.isInFatiha ?? false }
}
