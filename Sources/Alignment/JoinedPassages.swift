// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Annotation
import AudioCore
import Quran

extension AcousticAligner {
  /// The passage that follows the one that was told: several recitations may have been recorded one after another.
  ///
  /// - Parameters:
  ///   - straight: the section, or its beginning, heard as one passage.
  ///   - stretch: its frames which that passage does not fit.
  ///   - hasDetourTo: whether what is recited from a frame on, at another place in the Quran, is better heard as a
  ///     detour of that passage.
  /// - Returns: nil where no other place in the Quran fits clearly better what the passage does not fit.
  func nextPassage(
    _ straight: AlignmentBuilder, misfittingIn stretch: Range<Int>, in section: Section,
    hasDetourTo: (AyahReference, Int) -> Bool
  ) -> NextPassage? {
    guard section.edges.end == .open else { return nil }
    // What resembles the text a little, such as a basmalah, may have been taken for it before.
    let begins = [straight.jump(before: stretch.lowerBound), stretch.lowerBound].compactMap { $0 }
    for begin in begins {
      // Of a passage that follows, all is misfitting that the search for its place hears.
      guard
        straight.margins.misfit(begin..<begin + PlaceSearch.frames) > Self.suspiciousMisfit,
        let report = place(in: section.firstFrame + begin..<section.frames.upperBound),
        report.isClearNearby,
        let place = report.candidates.first?.first,
        report.misfit + Self.clearlyBetter < straight.margins.misfit(stretch),
        straight.ayah(before: begin + 1).map({ isFar(place, from: $0) }) ?? true,
        !hasDetourTo(place, begin)
      else { continue }
      return NextPassage(cut: section.position(ofFrame: begin, rate: rate), first: place)
    }
    return nil
  }

  /// A passage that follows the one that was told.
  struct NextPassage: Hashable {
    /// Where it begins, or somewhat earlier.
    var cut: FramePosition
    var first: AyahReference
  }

  /// What is known while a recording is heard as one passage after another.
  struct PassageSearch {
    let whole: Section
    /// What was found in sections that have been heard: what follows may come into question more than once.
    var known: [Section: Found?] = [:]
    /// How often al-Fatiha is heard if the whole is a prayer, once that was asked.
    var fatihas: Int?

    /// Of a prayer each al-Fatiha and each portion would be a passage.
    var isPrayer: Bool { fatihas.map { $0 >= AcousticAligner.fewestFatihas } ?? false }
  }

  /// Hears a section as one passage and what follows it.
  ///
  /// - Returns: nil where it cannot be heard so.
  func joined(
    _ section: Section, with next: NextPassage, _ search: inout PassageSearch
  ) -> Found? {
    let (cut, place) = (next.cut, next.first)
    guard section.span.lowerBound < cut, cut < section.span.upperBound else { return nil }
    if search.fatihas == nil { search.fatihas = fatihas(in: search.whole, portion: place) }
    let after = self.section(
      cut..<section.span.upperBound, first: place,
      last: section.last.flatMap { $0 < place ? nil : $0 })
    guard !search.isPrayer, var second = passages(in: after, &search), isText(second),
      let begin = second.pieces.firstIndex(where: {
        if case .unused = $0.assignment { false } else { true }
      })
    else { return nil }
    second.pieces.removeFirst(begin)
    let before = self.section(
      section.span.lowerBound..<second.pieces[0].span.lowerBound,
      edges: .init(start: section.edges.start), first: section.first, last: nil)
    // Of more than one passage the first one was asked already.
    guard let first = passages(in: before, &search), isText(first),
      section.edges.start != .open || first.isJoined || begins(before)
    else { return nil }
    return first.joined(to: second)
  }

  /// Whether a section clearly begins at or near the ayah that was told: a few words of any text fit somehow.
  private func begins(_ section: Section) -> Bool {
    guard let report = place(in: section.frames), report.isClear,
      let place = report.candidates.first?.first
    else { return false }
    return abs(place.absoluteIndex - section.first.absoluteIndex) <= RecitationGrammar.doubted
  }

  func place(in frames: Range<Int>) -> PlaceReport? {
    var search = PlaceSearch()
    search.riwayah = riwayah
    return search.places(
      scores[frames], threadCount: threadCount,
      isStopped: { stopFlag.isStopped })
  }
}

extension AcousticAligner.Found {
  init(_ builder: AlignmentBuilder) {
    self.init(
      pieces: builder.pieces(), words: builder.words(), misfit: builder.margins.misfitOfText,
      misfitOfBeginning: builder.margins.misfit(PlaceSearch.frames(of: builder.scores)),
      likeness: builder.margins.likenessOfText,
      repeats: builder.repeats, tokens: builder.heard.count)
  }

  /// What is found in two sections, one after the other.
  func joined(to next: Self) -> Self {
    var result = self
    var next = next
    // The edge between them stands and falls with the other passage.
    result.pieces[result.pieces.count - 1].end = AlignmentBuilder.sureOfJump
    next.pieces[0].start = AlignmentBuilder.sureOfJump
    result.pieces += next.pieces
    result.words += next.words
    result.misfit = max(misfit, next.misfit)
    result.likeness = likeness.least(next.likeness)
    result.repeats += next.repeats
    result.tokens += next.tokens
    result.isJoined = true
    return result
  }
}

extension AlignmentBuilder {
  /// Whether an ayah is among those that could be heard.
  func reaches(_ ayah: AyahReference) -> Bool { grammar.tokens.contains(.ayah(ayah)) }

  /// Whether an ayah, or one after it, is recited before a frame.
  func recites(_ ayah: AyahReference, before frame: Int) -> Bool {
    self.ayah(before: frame).map { ayah <= $0 } ?? false
  }

  /// What is recited last before a frame.
  func ayah(before frame: Int) -> AyahReference? {
    path[..<frame].lazy.reversed().filter { $0 >= 0 }.compactMap { state in
      let word = grammar.chain.words[Int(grammar.chain.wordOfState[Int(state)])]
      return grammar.tokens[word.token].ayah
    }.first
  }

  /// The frames which the path fits worst, by more than chance.
  var misfittingStretch: Range<Int>? {
    // Most of it may be another passage.
    let usual = max(Self.usualMisfit, usualCost(frameCosts(), amongBest: 4) * 3 / 2)
    return misfits(above: 2 * Int(grammar.prices.jump)) { _ in usual }
      .max { $0.loss < $1.loss }?.frames
  }

  /// The stretches in which the path, with its jumps, loses much to what else there may be.
  ///
  /// - Parameters:
  ///   - least: what they lose at least, in units of scores.
  ///   - edges: what it costs to begin and to end as the path does.
  ///   - other: what a frame of something else costs in which silence costs so much.
  func misfits(
    above least: Int, edges: (start: Int, end: Int) = (0, 0), other: (_ silence: Int32) -> Int32
  ) -> [(loss: Int, frames: Range<Int>)] {
    let costs = frameCosts()
    var misfits: [(loss: Int, frames: Range<Int>)] = []
    var loss = edges.start
    var first = 0
    var most = least
    for frame in path.indices {
      if frame == path.count - 1 { loss += edges.end }
      if isJump(frame) {
        loss += Int(grammar.prices.jump)
      } else if path[frame] >= 0 {
        loss += Int(costs[frame].path - other(costs[frame].silence))
      } else if scores.isSound(frame) {
        loss += Int(ChainPrices.pauseWithSound - other(costs[frame].silence))
      }
      if loss <= 0 {
        (loss, first, most) = (0, frame + 1, least)
      } else if loss > most {
        if most > least { misfits.removeLast() }
        misfits.append((loss, first..<frame + 1))
        most = loss
      }
    }
    return misfits
  }

  /// The last frame, not long before another, at which the path goes to elsewhere.
  fileprivate func jump(before frame: Int) -> Int? {
    (max(frame - Self.longestLikeness, 0)..<frame).last { isJump($0) }
  }

  /// Whether the path goes back or on to elsewhere there.
  private func isJump(_ frame: Int) -> Bool {
    frame > 0 && isJumping(in: frame) && !isJumping(in: frame - 1)
  }

  /// Frames that a passage takes at most which resembles another: twenty seconds, judged by
  /// `Scripts/plant-structures.py`.
  private static let longestLikeness = 500
  /// In units of scores a frame: half of the recordings aligned rightly are below 0.45 nats, what is told another surah
  /// is at 0.6 to 1.1.
  static let usualMisfit = Int32(0.6 * Double(AcousticScores.unitsPerNat))
}
