// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Glibc

/// The evidence for the place of an edge between two tokens.
public struct EdgeEvidence: Hashable, Sendable {
  /// Nats by which the best path through the chosen place beats the best path through any place more than
  /// a third of a second away.
  public var margin: Double
  /// How much worse the path scores than the best sound of each frame, in nats per frame, over
  /// three seconds on either side.
  public var misfit: Double
  /// The length of the pause around the edge, in seconds; 0 without a pause.
  public var pause: Double

  /// The probability that the edge is within a quarter of a second of where it belongs.
  ///
  /// A logistic regression on 1,371 edges in recordings of three reciters, each heard by a network that was
  /// trained without him; level and slope of it on 1,800 edges of five, after version 2 of the weights and with what the
  /// joins and the published words of these recordings tell of them. `Scripts/fit-edge-evidence.py` fits and judges
  /// both: of 1,685 edges given 90 percent 8 are wrong, where 11 are expected to be, and of 1,415 given 99 percent 3,
  /// where 3 are; a new fit of all is worse.
  var probability: Double {
    let margin = log1p(max(self.margin, 0))
    let sum =
      Self.constant + Self.perMargin * margin + Self.perMisfit * misfit
      + Self.perPause * min(pause, 1)
    return 1 / (1 + exp(-sum))
  }

  private static let constant = -3.20
  private static let perMargin = 1.73
  private static let perMisfit = -0.21
  private static let perPause = 10.01
}

extension BoundaryMargins {
  /// Frames that another place is away at least: a third of a second. `Scripts/fit-edge-evidence.py` fits the
  /// evidence to what is measured so.
  private static let elsewhere = 8
  /// Frames looked at on either side for the misfit.
  private static let around = 75

  /// - Parameters:
  ///   - frame: where the word begins along the path.
  ///   - edge: the frame in which the edge was put.
  func evidence(at frame: Int, edge: Int, of word: SoundChain.Word, pause: Double) -> EdgeEvidence {
    var margin = 0.0
    // Where its first sound was merged with the word before, the path has come to it earlier.
    var frame = frame
    while frame > 0, word.states.contains(Int(path[frame - 1])) { frame -= 1 }
    if let (first, values) = marginals(around: frame, of: word) {
      var here = Int32.min
      var other = Int32.min
      for (offset, value) in values.enumerated() {
        let distance = min(abs(first + offset - edge), abs(first + offset - frame))
        if distance <= Self.elsewhere { here = max(here, value) } else { other = max(other, value) }
      }
      margin = (Double(here) - Double(other)) / Double(AcousticScores.unitsPerNat)
    }
    return EdgeEvidence(
      margin: min(margin, 1000), misfit: misfit(frame - Self.around..<frame + Self.around),
      pause: pause)
  }

  /// The same over all frames in which the path is in the text.
  var misfitOfText: Double {
    var sum = 0.0
    var count = 0
    for frame in path.indices where path[frame] >= 0 {
      sum += misfit(frame..<frame + 1)
      count += 1
    }
    return count > 0 ? sum / Double(count) : .infinity
  }

  /// How much likelier than elsewhere the sounds of the text are where they are heard.
  ///
  /// Where nothing is said every text may be as good as the best sounds, but none of them is likely.
  var likenessOfText: Likeness {
    let runs = path.indices.dropFirst().filter { path[$0] != path[$0 - 1] }
    var frames = 0
    var sum = 0
    var sumOfMeans = 0.0
    for (first, end) in zip([path.startIndex] + runs, runs + [path.endIndex]) where first < end {
      guard path[first] >= 0 else { continue }
      let sound = Int(chain.sounds[Int(path[first])])
      let scored = (first..<end).reduce(0) {
        $0 + Int(scores.values[$1 * scores.soundCount + sound])
      }
      frames += end - first
      sum += scored
      if sound < scores.soundCount - 1 { sumOfMeans += Double(scored) / Double(end - first) }
    }
    let units = Double(max(frames, 1) * AcousticScores.unitsPerNat)
    return Likeness(
      perFrame: Double(sum) / units,
      perSecond: sumOfMeans / units * Double(LogMelFrames.framesPerSecond))
  }

  /// How much worse than the best sound of each frame the path is, in nats a frame.
  func misfit(_ frames: Range<Int>) -> Double {
    let frames = frames.clamped(to: 0..<path.count)
    guard !frames.isEmpty else { return 0 }
    var sum = 0
    for frame in frames {
      let row = scores.values[frame * scores.soundCount..<(frame + 1) * scores.soundCount]
      let best = Int(row.max() ?? 0)
      let state = path[frame]
      let sound = state < 0 ? scores.soundCount - 1 : Int(chain.sounds[Int(state)])
      sum += best - Int(row[row.startIndex + sound])
    }
    return Double(sum) / Double(frames.count * AcousticScores.unitsPerNat)
  }
}

/// How much likelier than elsewhere sounds are where they are heard, in nats.
struct Likeness: Hashable, Sendable {
  /// In the mean of all frames, pauses within ayat included.
  var perFrame: Double
  /// What a second brings where each sound counts once, however long it is held: a tone that goes on for long is one
  /// sound, and those that are passed on the way to it are none.
  var perSecond: Double

  /// Whether something is said.
  var isSpeech: Bool {
    perFrame >= AcousticAligner.leastLikeness && perSecond >= Self.leastPerSecond
  }

  /// The same for two texts, one after the other.
  func least(_ other: Self) -> Self {
    Likeness(
      perFrame: min(perFrame, other.perFrame), perSecond: min(perSecond, other.perSecond))
  }

  /// In recordings aligned rightly it is 3.9 and more, degraded ones included (`Scripts/measure-accuracy.py` on
  /// them), and the slowest of them, a mujawwad, has the least; in tones and noise that rise and fall 0.8 at most.
  private static let leastPerSecond = 2.0
}
