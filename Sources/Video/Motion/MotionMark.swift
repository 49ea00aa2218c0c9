// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Glibc

/// A place where the picture says that something begins or ends.
public struct MotionMark: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Another picture from one frame to the next.
    case cut
    /// The picture becomes still, for a while.
    case rest
    /// The picture moves again after it has been still for a while.
    case motion
  }

  public let position: FramePosition
  public let kind: Kind

  public init(_ position: FramePosition, _ kind: Kind) {
    self.position = position
    self.kind = kind
  }
}

extension MotionTrack {
  /// A cut in percent of change: the threshold of FFmpeg's `scdet` (libavfilter/vf_scdet.c, default 10).
  private static let cut: Float = 10
  /// Seconds of stillness at least: those of FFmpeg's `freezedetect` (default 2).
  private static let minRest = 2.0
  /// Seconds of motion that do not interrupt it: nobody bows and stands again as fast.
  private static let maxTwitch = 1.0
  /// A still picture changes by half of what a moving one does, or the recording has no still ones.
  private static let contrast = 2.0
  /// Percent; less is the noise of a codec.
  private static let leastChange: Float = 0.01

  /// Cuts, and where long stillness begins and ends.
  public var marks: [MotionMark] {
    let cuts = cutIndices
    var marks = cuts.map { MotionMark(samples[$0].position, .cut) }
    guard let threshold = stillness(except: Set(cuts)) else { return marks }
    var bounds = [0] + cuts
    bounds.append(samples.count)
    for (start, end) in zip(bounds, bounds.dropFirst()) {
      marks += rests(in: start..<end, below: threshold)
    }
    return marks.sorted { $0.position < $1.position }
  }

  /// Samples that show another picture than the one before, by the score of `scdet`: a change that is not part of
  /// a longer one.
  private var cutIndices: [Int] {
    samples.indices.dropFirst(2).filter { index in
      let (now, before) = (samples[index].change, samples[index - 1].change)
      return min(now, abs(now - before)) >= Self.cut
    }
  }

  /// What tells still pictures from moving ones; nil where all are alike. It is Otsu's threshold (1979) of the
  /// logarithms of all changes.
  private func stillness(except cuts: Set<Int>) -> Float? {
    let values = samples.indices.dropFirst().filter { !cuts.contains($0) }
      .map { log2(Double(max(samples[$0].change, Self.leastChange))) }.sorted()
    guard let least = values.first, let most = values.last, most > least else { return nil }
    let total = values.reduce(0, +)
    var (sum, best, place) = (0.0, 0.0, 0)
    for count in 1..<values.count {
      sum += values[count - 1]
      guard values[count] > values[count - 1] else { continue }
      let share = Double(count) / Double(values.count)
      let (low, high) = (sum / Double(count), (total - sum) / Double(values.count - count))
      let spread = share * (1 - share) * (high - low) * (high - low)
      if spread > best { (best, place) = (spread, count) }
    }
    guard place > 0 else { return nil }
    let low = values[..<place].reduce(0, +) / Double(place)
    let high = values[place...].reduce(0, +) / Double(values.count - place)
    guard high - low >= log2(Self.contrast) else { return nil }
    return Float(exp2((values[place - 1] + values[place]) / 2))
  }

  /// The ends of what is still for long within one shot.
  private func rests(in shot: Range<Int>, below threshold: Float) -> [MotionMark] {
    // A rest from the first sample to the last that shows the same picture.
    var rests: [ClosedRange<Int>] = []
    for index in shot.dropFirst() where samples[index].change < threshold {
      if let rest = rests.last, seconds(from: rest.upperBound, to: index - 1) < Self.maxTwitch {
        rests[rests.count - 1] = rest.lowerBound...index
      } else {
        rests.append(index - 1...index)
      }
    }
    return rests.flatMap { rest -> [MotionMark] in
      guard seconds(from: rest.lowerBound, to: rest.upperBound) >= Self.minRest else { return [] }
      var marks: [MotionMark] = []
      // Where a shot begins or ends there is a cut already, or an end of the recording.
      if seconds(from: shot.lowerBound, to: rest.lowerBound) >= Self.maxTwitch {
        marks.append(MotionMark(samples[rest.lowerBound].position, .rest))
      }
      if seconds(from: rest.upperBound, to: shot.upperBound - 1) >= Self.maxTwitch {
        marks.append(MotionMark(samples[rest.upperBound].position, .motion))
      }
      return marks
    }
  }

  private func seconds(from first: Int, to last: Int) -> Double {
    (samples[last].position - samples[first].position).seconds(at: rate)
  }
}
