// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Finds where a reciter goes back, by the likeness of a recording with itself.
///
/// The same voice says the same words again: what follows a pause can be laid over what ends in it. For
/// each pause the frames after it are warped onto those before it, which end there; the warp may begin
/// wherever a voice sets in. Ways that do worse than unlike words are given up at once, so that nearly
/// all pauses cost little.
struct RepeatSearch {
  /// Frames that are averaged.
  static let thinningOfCepstra = 2
  /// The limit for cepstra of the same voice.
  static let limitOfCepstra: Float = 0.55
  /// A way is given up when its likeness has fallen so far below 0.
  private static let drop: Float = 3
  /// Seconds of reciting within which the words were said first.
  private static let reach = 90.0
  /// Shorter stretches than this are not looked for, in seconds.
  private static let shortest = 1.5
  private static let mostSteps = 2
  /// What each frame that is passed over takes off the likeness.
  private static let costOfSkip: Float = 0.3
  static let leastLikeness: Float = 2

  /// A distance that is as likely between the same words as between others.
  let limit: Float
  private let thinning: Int
  private let frames: SpectralFrames
  /// For each frame its middle in seconds.
  private let times: [Double]
  /// Spans of silence, in seconds.
  private let silences: [ClosedRange<Double>]
  /// The frames at which a voice sets in after them.
  private let onsets: [Int]

  /// - Parameter silences: of the recording in seconds, in order.
  init(
    _ recording: Cepstra, silences: [ClosedRange<Double>], limit: Float = limitOfCepstra,
    thinning: Int = thinningOfCepstra
  ) {
    self.thinning = thinning
    self.limit = limit
    let all = SpectralFrames(joining: [.known(recording)]).thinned(by: thinning)
    let seconds = Double(thinning) / Double(Cepstra.framesPerSecond)
    var kept: [Int] = []
    var times: [Double] = []
    var next = 0
    for frame in 0..<all.count {
      let middle = (Double(frame) + 0.5) * seconds
      while next < silences.count, silences[next].upperBound < middle { next += 1 }
      if next < silences.count, silences[next].contains(middle) { continue }
      kept.append(frame)
      times.append(middle)
    }
    frames = all.picked(kept)
    self.times = times
    self.silences = silences
    onsets = silences.map { silence in times.partitioningIndex { $0 > silence.upperBound } }
  }

  /// For each pause after which words are said again how, at most once; in order.
  func found() -> [HeardAgain] {
    silences.compactMap { found(after: $0) }
  }

  private func found(after silence: ClosedRange<Double>) -> HeardAgain? {
    let start = firstFrame(after: silence.lowerBound)
    let earliest = firstFrame(after: silence.lowerBound - Self.reach)
    let columns = start - earliest
    let seconds = Double(thinning) / Double(Cepstra.framesPerSecond)
    let rows = min(frames.count - start, Int(Self.reach / seconds))
    guard Double(columns) * seconds >= Self.shortest, Double(rows) * seconds >= Self.shortest
    else { return nil }
    var scores = [Float](repeating: -.infinity, count: columns)
    var origins = [Int32](repeating: -1, count: columns)
    // The columns that have not been given up, in order: few of them after some rows.
    var alive: [Int] = []
    let firstOnset = onsets.partitioningIndex { $0 >= earliest }
    for onset in [earliest] + onsets[firstOnset...].prefix(while: { $0 < start }) {
      let column = onset - earliest
      if alive.last == column { continue }
      scores[column] = limit - distance(start, onset)
      origins[column] = Int32(column)
      alive.append(column)
    }
    var next = [Float](repeating: -.infinity, count: columns)
    var nextOrigins = origins
    var nextAlive: [Int] = []
    var best: (score: Float, row: Int, column: Int)?
    let last = columns - 1
    for row in 1..<max(rows, 1) {
      var looked = 0
      for reached in alive {
        let end = min(reached + Self.mostSteps, last)
        for column in max(reached, looked)..<max(end + 1, max(reached, looked)) {
          var score = scores[column]
          var from = column
          for steps in 1...Self.mostSteps where column >= steps {
            let other = scores[column - steps] - Float(steps - 1) * Self.costOfSkip
            if other > score {
              score = other
              from = column - steps
            }
          }
          if score > -Self.drop { score += limit - distance(start + row, earliest + column) }
          guard score > -Self.drop else { continue }
          next[column] = score
          nextOrigins[column] = origins[from]
          nextAlive.append(column)
        }
        looked = end + 1
      }
      for column in alive { scores[column] = -.infinity }
      guard !nextAlive.isEmpty else { break }
      swap(&scores, &next)
      swap(&origins, &nextOrigins)
      swap(&alive, &nextAlive)
      nextAlive.removeAll(keepingCapacity: true)
      if alive.last == last, scores[last] > (best?.score ?? Self.leastLikeness),
        Double(columns - Int(origins[last])) * seconds >= Self.shortest
      {
        best = (scores[last], row, Int(origins[last]))
      }
    }
    guard let best else { return nil }
    return HeardAgain(
      first: times[earliest + best.column] - seconds / 2, stop: silence.upperBound,
      resumed: times[start + best.row] + seconds / 2, likeness: Double(best.score))
  }

  /// The same with the way from what was said first to the same said again.
  func followed(_ again: HeardAgain) -> HeardAgain {
    let first = firstFrame(after: again.first)
    let stop = firstFrame(after: again.stop)
    let resumed = firstFrame(after: again.resumed)
    guard first < stop, stop < resumed else { return again }
    let warp = TimeWarp(
      recording: frames.part(stop..<resumed), reference: frames.part(first..<stop), entries: [0],
      exits: [stop - first - 1])
    let centres = (stop..<resumed).map { ($0 - stop) * (stop - first) / (resumed - stop) }
    guard let path = warp.path(centres: centres, reach: stop - first) else { return again }
    var followed = again
    var last = -1
    for (row, place) in path.frames.enumerated() {
      guard let place, place > last else { continue }
      last = place
      followed.path.append(.init(first: times[first + place], again: times[stop + row]))
    }
    return followed
  }

  private func firstFrame(after seconds: Double) -> Int {
    times.partitioningIndex { $0 > seconds }
  }

  private func distance(_ row: Int, _ column: Int) -> Float {
    1 - frames.cosine(row, frames, column)
  }
}
