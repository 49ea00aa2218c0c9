// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import AudioCore

/// The likeliest way through a chain of sounds: Viterbi's algorithm with a beam.
///
/// Scores are whole numbers, so the way is the same on every machine, and for any number of threads.
struct ChainSearch {
  let chain: SoundChain
  private let layout: SearchLayout
  private let beam: Int32
  /// Paths worse than the best by more than this are dropped; judged, like the other numbers, by
  /// `Scripts/measure-accuracy.py`.
  private static let usualBeam: Int32 = 90 * Int32(AcousticScores.unitsPerNat)
  /// Frames that are heard side by side with those before them.
  private let framesPerStrand: Int
  /// Strands that are heard before they are joined; bounds memory.
  private static let mostStrands = 4
  /// The state or hub of each frame: states count from 0 on, hub h is `-1 - h`.
  typealias Path = [Int32]

  struct Result {
    var path: Path
    var score: Int64
  }

  init(
    _ chain: SoundChain, soundCount: Int, beam: Int32 = usualBeam,
    framesPerStrand: Int = SearchStrand.mostUnsettled
  ) {
    self.chain = chain
    self.beam = beam
    self.framesPerStrand = framesPerStrand
    layout = SearchLayout(chain, soundCount: soundCount)
  }

  /// The best path and its score.
  ///
  /// - Parameters:
  ///   - startHubs: the hubs in which a path may begin, with prices.
  ///   - starts: the states in which a path may begin, with prices.
  ///   - ends: what ending in each state costs; nil for states in which no path may end.
  func run(
    _ scores: AcousticScores, startHubs: [SoundChain.HubIndex: Int32] = [:],
    starts: [SoundChain.Arc] = [], ends: (Int) -> Int32?, isStopped: () -> Bool = { false }
  ) -> Result? {
    guard chain.count > 0, scores.count > 0 else { return nil }
    let strand = SearchStrand(layout, beam: beam, from: 0, startHubs: startHubs, starts: starts)
    guard strand.hear(scores, to: scores.count, isStopped: isStopped) else { return nil }
    return strand.end(ends)
  }

  /// The best path; a long recording is searched in stretches side by side.
  ///
  /// A later stretch is searched as if it began anywhere. The search before goes on into it until all its paths come
  /// through a state in which the later one's are in the same frame: from there on both go the same way.
  ///
  /// - Parameters:
  ///   - checkpoints: numbers of frames after which `goesOn` is asked, in order.
  ///   - goesOn: whether to go on after the best path to there.
  func path(
    _ scores: AcousticScores, startHubs: [SoundChain.HubIndex: Int32] = [:],
    starts: [SoundChain.Arc] = [], ends: (Int) -> Int32?, checkpoints: [Int] = [],
    goesOn: (Path) -> Bool = { _ in true }, threadCount: Int = 1,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) -> Path? {
    guard chain.count > 0, scores.count > 0 else { return nil }
    let strand = SearchStrand(layout, beam: beam, from: 0, startHubs: startHubs, starts: starts)
    for checkpoint in checkpoints + [scores.count] {
      while strand.frames.upperBound < checkpoint {
        let strands = strands(after: strand, to: checkpoint)
        let ends = strands.dropFirst().map(\.frames.lowerBound)
        let heard = WorkerThread.map(strands.count, among: threadCount) { number in
          let end =
            number < ends.count
            ? ends[number] : min(strands[number].frames.upperBound + framesPerStrand, checkpoint)
          let isDone = strands[number].hear(scores, to: end, isStopped: isStopped)
          if number > 0 { strands[number].rest() }
          return isDone
        }
        guard heard.allSatisfy({ $0 }) else { return nil }
        for next in strands.dropFirst() {
          guard strand.join(next, scores, isStopped: isStopped) else { return nil }
        }
      }
      if checkpoint < scores.count, !goesOn(strand.best) { return nil }
    }
    return strand.end(ends)?.path
  }

  /// A search and those that begin after it, as far as they fit before a frame.
  private func strands(after strand: SearchStrand, to end: Int) -> [SearchStrand] {
    let first = strand.frames.upperBound
    // What a path remembers is not known in its middle; and where what is heard is not the text, it is not known where in
    // the text it goes on.
    guard first > 0, chain.remembering.isEmpty, !strand.isLost, let word = word(strand.best) else {
      return [strand]
    }
    let firsts = stride(from: first, to: end, by: framesPerStrand).dropFirst()
      .prefix(Self.mostStrands - 1)
    return [strand]
      + firsts.map { frame in
        let words = AcousticAligner.mostWords(in: frame - first)
        let last = chain.words[min(word + words, chain.words.count - 1)]
        let states = chain.words[word].states.lowerBound..<last.states.upperBound
        return SearchStrand(
          layout, beam: beam, from: frame,
          starts: states.map { SoundChain.Arc(state: $0, price: 0) })
      }
  }

  /// The word that a path says last.
  private func word(_ path: Path) -> Int? {
    path.last { $0 >= 0 }.map { Int(chain.wordOfState[Int($0)]) }
  }
}
