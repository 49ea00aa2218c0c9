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
  /// Seconds of reciting within which the words were said first.
  private static let reach = 90.0
  /// Shorter stretches than this are not looked for, in seconds.
  private static let shortest = 1.5
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
    var ways = RepeatRow(columns: columns)
    let firstOnset = onsets.partitioningIndex { $0 >= earliest }
    for onset in [earliest] + onsets[firstOnset...].prefix(while: { $0 < start }) {
      ways.begin(at: onset - earliest, score: limit - distance(start, onset))
    }
    var best: (score: Float, row: Int, column: Int)?
    for row in 1..<max(rows, 1) {
      ways.advance(frames, to: start + row, from: earliest, limit: limit)
      if ways.isEmpty { break }
      if let last = ways.last, last.score > best?.score ?? Self.leastLikeness,
        Double(columns - last.origin) * seconds >= Self.shortest
      {
        best = (last.score, row, last.origin)
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
