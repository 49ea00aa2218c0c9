// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics

/// The likeliest way through a chain of sounds: Viterbi's algorithm with a beam.
///
/// Scores are whole numbers, so the way is the same on every machine. Memory does not grow with the
/// recording: what is older than two minutes is settled.
struct ChainSearch {
  let chain: SoundChain
  private let arcs: HubArcs
  private let beam: Int32
  /// Paths worse than the best by more than this are dropped; judged, like the other numbers, by
  /// `Scripts/measure-accuracy.py`.
  private static let usualBeam: Int32 = 90 * Int32(AcousticScores.unitsPerNat)
  /// The state or hub of each frame: states count from 0 on, hub h is `-1 - h`.
  typealias Path = [Int32]

  struct Result {
    var path: Path
    var score: Int64
  }

  /// Frames after which a choice is settled; two minutes.
  private static let lag = 3000
  private static let settleEvery = 1000

  init(_ chain: SoundChain, soundCount: Int, beam: Int32 = usualBeam) {
    self.chain = chain
    self.beam = beam
    arcs = HubArcs(chain, soundCount: soundCount)
  }

  /// - Parameters:
  ///   - startHubs: the hubs in which a path may begin, with prices.
  ///   - starts: the states in which a path may begin, with prices.
  ///   - ends: what ending in each state costs; nil for states in which no path may end.
  ///   - checkpoints: numbers of frames after which `goesOn` is asked, in order.
  ///   - goesOn: whether to go on after the best path to there.
  func run(
    _ scores: AcousticScores, startHubs: [SoundChain.HubIndex: Int32] = [:],
    starts: [SoundChain.Arc] = [],
    ends: (Int) -> Int32?, checkpoints: [Int] = [], goesOn: (Path) -> Bool = { _ in true },
    isStopped: () -> Bool = { false }
  ) -> Result? {
    let (frames, width) = (scores.count, scores.soundCount)
    guard chain.count > 0, frames > 0 else { return nil }
    return scores.values.withUnsafeBufferPointer { values -> Result? in
      var front = SearchFront(chain, arcs, soundCount: width, beam: beam)
      var trace = SearchTrace(hubs: chain.hubs.count)
      var path = Path(repeating: 0, count: frames)
      var settled = 0
      var checkpoints = checkpoints[...]
      front.begin(startHubs, starts)
      for frame in 0..<frames {
        if frame % 256 == 0, isStopped() { return nil }
        front.step(.init(rebasing: values[frame * width..<(frame + 1) * width]), &trace)
        if frame + 1 - settled >= Self.lag + Self.settleEvery {
          trace.follow(from: front.best, frame: frame, into: &path, down: settled)
          settled = frame + 1 - Self.lag
          trace.forget(before: settled)
        }
        if frame + 1 == checkpoints.first {
          checkpoints.removeFirst()
          trace.follow(from: front.best, frame: frame, into: &path, down: settled)
          guard goesOn(Path(path[...frame])) else { return nil }
        }
      }
      guard let end = front.end(ends) else { return nil }
      trace.follow(from: end.state, frame: frames - 1, into: &path, down: settled)
      return Result(path: path, score: end.score)
    }
  }
}
