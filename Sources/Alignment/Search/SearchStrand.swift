// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics

/// A search of a recording from some frame on, as far as it has come.
///
/// Memory does not grow with the recording but by the path: what all paths that go on have in common is settled, and
/// what is older than two minutes.
final class SearchStrand: @unchecked Sendable {
  // Unchecked because it changes: it belongs to one thread at a time.

  /// The frames that were heard.
  private(set) var frames: Range<Int>
  /// Whether what was heard of late fits nowhere in the text.
  private(set) var isLost = false
  /// The misfit when that was looked at.
  private var knownMisfit: Int64 = 0
  private var front: SearchFront
  private var trace: SearchTrace
  /// The frame that the trace counts as its first.
  private var origin: Int
  /// The best path, for each of the frames; beyond what is settled only where somebody asked for it.
  private var path: ChainSearch.Path = []
  /// Frames before this one are settled.
  private var settled: Int

  /// Frames after which a choice is settled in any case; two minutes.
  private static let lag = 3000
  /// How often what can be settled is, and how often two strands are compared, in frames. Time alone depends on it, not
  /// what `Scripts/measure-accuracy.py` prints.
  private static let settleEvery = 500
  private static let compareEvery = 50
  static let mostUnsettled = lag + settleEvery

  /// - Parameters:
  ///   - first: the frame to be heard first.
  ///   - startHubs: the hubs in which a path may begin, with prices.
  ///   - starts: the states in which a path may begin, with prices.
  init(
    _ layout: SearchLayout, beam: Int32, from first: Int,
    startHubs: [SoundChain.HubIndex: Int32] = [:], starts: [SoundChain.Arc]
  ) {
    frames = first..<first
    origin = first
    settled = first
    front = SearchFront(layout, beam: beam)
    trace = SearchTrace(hubs: layout.chain.hubs.count)
    front.begin(startHubs, starts)
  }

  /// Hears frames up to one, or until it is lost where it began.
  ///
  /// - Returns: false if it was stopped.
  @discardableResult
  func hear(_ scores: AcousticScores, to end: Int, isStopped: () -> Bool) -> Bool {
    let width = scores.soundCount
    return scores.values.withUnsafeBufferPointer { values in
      for frame in frames.upperBound..<max(end, frames.upperBound) {
        if frame % 256 == 0, isStopped() { return false }
        front.step(.init(rebasing: values[frame * width..<(frame + 1) * width]), &trace)
        frames = frames.lowerBound..<frame + 1
        path.append(0)
        if frames.count.isMultiple(of: Self.settleEvery) {
          settle()
          isLost =
            front.misfit - knownMisfit > Int64(AlignmentBuilder.usualMisfit)
            * Int64(Self.settleEvery)
          knownMisfit = front.misfit
          // It may have begun beside the text.
          if isLost, frames.lowerBound > 0, frames.count == Self.settleEvery { return true }
        }
        if frames.upperBound - settled >= Self.mostUnsettled {
          follow(from: front.best, at: frame)
          settle(before: frames.upperBound - Self.lag)
        }
      }
      return true
    }
  }

  /// The best path through what was heard.
  var best: ChainSearch.Path {
    follow(from: front.best, at: frames.upperBound - 1)
    return path
  }

  /// The best path that ends as it may.
  ///
  /// - Parameter prices: what ending in each state costs; nil for states in which no path may end.
  func end(_ prices: (Int) -> Int32?) -> ChainSearch.Result? {
    guard let end = front.end(prices) else { return nil }
    follow(from: end.state, at: frames.upperBound - 1)
    return ChainSearch.Result(path: path, score: end.score)
  }

  /// Settles what all paths that go on have in common.
  private func settle() {
    guard
      let parting = trace.parting(
        of: front.survivors, frame: frames.upperBound - 1 - origin, down: settled - origin)
    else { return }
    follow(from: parting.state, at: origin + parting.frame)
    settle(before: origin + parting.frame)
  }

  /// Settles what can be settled, and gives back the memory that is not in use while nothing is heard.
  func rest() {
    settle()
    trace.trim()
  }

  /// Goes on until the path is in a state in which a later strand is in the same frame: from there on both have the same
  /// best path, which is taken over.
  ///
  /// - Parameter other: is at rest.
  /// - Returns: false if it was stopped. Where the two do not meet this one has heard all that the other one has.
  func join(_ other: SearchStrand, _ scores: AcousticScores, isStopped: () -> Bool) -> Bool {
    while frames.upperBound < other.frames.upperBound {
      let end = min(frames.upperBound + Self.compareEvery, other.frames.upperBound)
      guard hear(scores, to: end, isStopped: isStopped) else { return false }
      settle()
      let common =
        other.frames.lowerBound..<max(min(settled, other.settled), other.frames.lowerBound)
      guard let meeting = common.last(where: { self[$0] >= 0 && self[$0] == other[$0] }) else {
        continue
      }
      other.path.replaceSubrange(
        0..<meeting - other.frames.lowerBound, with: path[..<(meeting - frames.lowerBound)])
      frames = frames.lowerBound..<other.frames.upperBound
      (path, origin, settled) = (other.path, other.origin, other.settled)
      (isLost, knownMisfit) = (other.isLost, other.knownMisfit)
      swap(&front, &other.front)
      swap(&trace, &other.trace)
      return true
    }
    return true
  }

  private subscript(frame: Int) -> Int32 { path[frame - frames.lowerBound] }

  private func follow(from state: Int32, at frame: Int) {
    trace.follow(from: state, frame: frame - origin, down: settled - origin) { frame, state in
      path[origin + frame - frames.lowerBound] = state
    }
  }

  private func settle(before frame: Int) {
    settled = frame
    trace.forget(before: frame - origin)
  }
}
