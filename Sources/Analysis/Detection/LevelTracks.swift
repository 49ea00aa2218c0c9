// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// How loud the voice and how loud the background are, along a recording.
///
/// Both are moving percentiles of the level, so they follow a reciter who steps back, a fan that is
/// switched on and the gain of a recorder.
struct LevelTracks {
  /// One value every 0.1 s.
  private static let step = 10
  /// Of the levels within 3.1 s the 60th percentile is the voice's.
  private static let speech = Percentile(points: 31, percent: 60)
  /// It may not fall further than 12 dB below the same over 30 s, lest a long silence become speech,
  private static let longSpeech = Percentile(points: 301, percent: 60)
  private static let longDrop = 12.0
  /// nor further than 25 dB below that of the whole recording.
  private static let wholeDrop = 25.0
  private static let wholePercent = 60
  /// Of the levels within 10.1 s the 3rd percentile is the background's.
  private static let floor = Percentile(points: 101, percent: 3)
  /// dBFS below which a hop holds nothing at all.
  private static let silent = -85.0
  /// Fewer audible hops than this make a silent recording.
  private static let minAudible = 20

  private let speechPoints: [Float]
  private let floorPoints: [Float]

  /// Returns nil for a recording in which nothing is to be heard.
  init?(_ reader: LevelReader) throws(AnalysisError) {
    let hopCount = reader.envelope.hopCount
    var points: [Float] = []
    points.reserveCapacity(hopCount / Self.step + 1)
    var histogram = LevelHistogram()
    for start in stride(from: 0, to: hopCount, by: 8000) {
      let range = start..<min(start + 8000, hopCount)
      for (hop, level) in zip(range, try reader.levels(in: range)) {
        if hop % Self.step == 0 { points.append(Float(level)) }
        if level > Self.silent { histogram.add(level) }
      }
    }
    guard histogram.count >= Self.minAudible else { return nil }
    let whole = Float(histogram.percentile(Self.wholePercent) - Self.wholeDrop)
    let long = Self.longSpeech.moving(over: points)
    speechPoints = zip(Self.speech.moving(over: points), long).map {
      max($0, $1 - Float(Self.longDrop), whole)
    }
    floorPoints = Self.floor.moving(over: points)
  }

  /// The voice's level at a hop, in dBFS.
  func speech(at hop: Int) -> Double { Self.interpolate(speechPoints, at: hop) }

  /// The background's level at a hop, in dBFS.
  func floor(at hop: Int) -> Double { Self.interpolate(floorPoints, at: hop) }

  private static func interpolate(_ points: [Float], at hop: Int) -> Double {
    let index = hop / step
    guard index + 1 < points.count else { return Double(points[points.count - 1]) }
    let share = Double(hop % step) / Double(step)
    return Double(points[index]) * (1 - share) + Double(points[index + 1]) * share
  }
}

/// The percentile of a window that moves along a series.
private struct Percentile {
  /// Values in the window, odd.
  let points: Int
  let percent: Int

  /// One value for each of the series, whose ends count as repeated.
  func moving(over series: [Float]) -> [Float] {
    guard let first = series.first, let last = series.last else { return [] }
    let half = points / 2
    let rank = points * percent / 100
    func value(_ index: Int) -> Float {
      index < 0 ? first : index < series.count ? series[index] : last
    }
    // The window's values in order; one leaves and one enters at each step.
    var window = (-half...half).map(value).sorted()
    var result: [Float] = []
    result.reserveCapacity(series.count)
    for index in series.indices {
      result.append(window[rank])
      window.remove(at: Self.position(of: value(index - half), in: window))
      let entering = value(index + half + 1)
      window.insert(entering, at: Self.position(of: entering, in: window))
    }
    return result
  }

  /// The first place in an ordered array whose value is not less.
  private static func position(of value: Float, in window: [Float]) -> Int {
    var low = 0
    var high = window.count
    while low < high {
      let middle = (low + high) / 2
      if window[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Counts levels in steps of 0.01 dB, in constant memory.
private struct LevelHistogram {
  private static let lowest = -100.0
  private static let steps = 16_000
  private var counts = [Int](repeating: 0, count: steps)
  private(set) var count = 0

  mutating func add(_ level: Double) {
    let step = Int(((level - Self.lowest) * 100).rounded())
    counts[min(max(step, 0), Self.steps - 1)] += 1
    count += 1
  }

  /// The level that so many per cent of the added ones lie below.
  func percentile(_ percent: Int) -> Double {
    let rank = min(count * percent / 100, count - 1)
    var below = 0
    for (step, number) in counts.enumerated() {
      below += number
      if below > rank { return Self.lowest + Double(step) / 100 }
    }
    return Self.lowest
  }
}
