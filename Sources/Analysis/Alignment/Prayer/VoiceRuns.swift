// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc

/// Where in a recording with long silences somebody speaks, in seconds.
///
/// Unlike pauses within reciting, whose threshold follows the voice within seconds, these are judged by
/// the loud and the quiet of three minutes, so that a minute of silence stays silence.
struct VoiceRuns: Hashable {
  /// In order.
  private(set) var runs: [Range<Double>] = []

  /// Shorter silences are pauses of one who goes on speaking.
  private static let shortestGap = 1.0
  private static let shortestGapPoints = Int(shortestGap * Double(HopGrid.hopsPerSecond)) / step
  /// Shorter sounds are coughs.
  private static let shortestRun = 0.6
  /// dB below the level in which half of the speech lies at which a run is none.
  private static let faintness = 14.0
  /// Hops that are averaged to a point.
  private static let step = 10
  /// Points on either side by which a place is judged, every how many of them count, and every how many
  /// points that is looked at.
  private static let reach = 900
  private static let sampling = 3
  private static let stride = 50
  /// The percentiles of the levels there that stand for background and voice, and how far between them
  /// in dB speech begins.
  private static let floorPercent = 10
  private static let voicePercent = 80
  private static let share = 0.3
  /// A run goes on down to this share, for so many points before and after.
  private static let edgeShare = 0.14
  private static let attack = 3
  private static let decay = 7
  /// Where the two are nearer to each other than this, in dB, everything is speech.
  private static let leastRange = 6.0

  init(_ tracks: SoundTracks) {
    let count = tracks.count / Self.step
    let levels = (0..<count).map { point in
      tracks.level(in: ((point - 1) * Self.step)..<((point + 2) * Self.step))
    }
    var thresholds: [Double] = []
    var edges: [Double] = []
    for centre in Swift.stride(from: 0, to: max(count, 1), by: Self.stride) {
      let window = Swift.stride(
        from: max(0, centre - Self.reach), to: min(count, centre + Self.reach), by: Self.sampling
      ).map { levels[$0] }.sorted()
      guard !window.isEmpty else { break }
      let floor = window[window.count * Self.floorPercent / 100]
      let voice = window[window.count * Self.voicePercent / 100]
      thresholds.append(
        voice - floor < Self.leastRange ? -.infinity : floor + Self.share * (voice - floor))
      edges.append(floor + Self.edgeShare * (voice - floor))
    }
    var start: Int?
    var found: [Range<Int>] = []
    func close(_ end: Int) {
      guard let begun = start else { return }
      start = nil
      if let last = found.last, begun - last.upperBound < Self.shortestGapPoints {
        found[found.count - 1] = last.lowerBound..<end
      } else {
        found.append(begun..<end)
      }
    }
    for (point, level) in levels.enumerated() {
      if level > thresholds[min(point / Self.stride, thresholds.count - 1)] {
        start = start ?? point
      } else {
        close(point)
      }
    }
    close(count)
    let seconds = Double(Self.step) / Double(HopGrid.hopsPerSecond)
    for (number, run) in found.enumerated() {
      func isFading(_ point: Int) -> Bool {
        levels[point] > edges[min(point / Self.stride, edges.count - 1)]
      }
      let earliest = number > 0 ? found[number - 1].upperBound + Self.decay : 0
      var first = run.lowerBound
      while first > max(run.lowerBound - Self.attack, earliest), isFading(first - 1) { first -= 1 }
      let latest = number + 1 < found.count ? found[number + 1].lowerBound - Self.attack : count
      var last = run.upperBound
      while last < min(run.upperBound + Self.decay, latest), isFading(last) { last += 1 }
      runs.append((Double(first) * seconds)..<(Double(last) * seconds))
    }
    runs.removeAll { $0.length < Self.shortestRun }
    removeFaint(tracks)
  }

  /// Leaves out what is far below the level of most speech: a fan, a street, a crowd that moves.
  private mutating func removeFaint(_ tracks: SoundTracks) {
    func level(_ run: Range<Double>) -> Double {
      let rate = Double(HopGrid.hopsPerSecond)
      return tracks.level(in: Int(run.lowerBound * rate)..<Int(run.upperBound * rate))
    }
    let levels = runs.map { (level: level($0), length: $0.length) }.sorted { $0.level < $1.level }
    var left = levels.reduce(0) { $0 + $1.length } / 2
    guard
      let middle = levels.first(where: {
        left -= $0.length; return left <= 0
      })?.level
    else {
      return
    }
    runs.removeAll { level($0) < middle - Self.faintness }
  }

  init(runs: [Range<Double>]) { self.runs = runs }
}

extension Range where Bound == Double {
  var length: Double { upperBound - lowerBound }
}
