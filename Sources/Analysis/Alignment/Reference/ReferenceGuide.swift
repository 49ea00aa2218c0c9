// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// Another recitation, ayah by ayah, to compare a recording with.
public struct ReferenceRecitation: Sendable {
  /// Cepstra of whole ayat, by one voice. The basmalah of other surahs sounds like 1:1.
  public var ayat: [AyahReference: Cepstra]

  public init(ayat: [AyahReference: Cepstra]) { self.ayat = ayat }
}

/// Where a reference recitation puts the boundaries of a recording.
struct ReferenceGuide {
  struct Placement {
    /// For each row the place in seconds; nil where the reference lacks the ayat on both sides, and for
    /// the first, for time warping tells a lead-in from the first ayah less well than its length does.
    var rows: [Double?]
    /// How many tokens are recited.
    var tokenCount: Int
    /// Mean cost of what is recited.
    var cost: Double
  }

  let recording: SpectralFrames
  private let reference: SpectralFrames
  /// Frame of the reference at each row.
  private let rowFrames: [Int]
  private let isKnown: [Bool]
  private let hasLeadIn: Bool

  /// Frames that are averaged for the first, coarse comparison.
  private static let thinning = 4
  /// Seconds of the recording by which the length alignment may be off: so many, and a share of it all.
  private static let coarseReach = 40.0
  private static let coarseShare = 0.04
  private static let greatestCoarseReach = 150.0
  /// Seconds of the reference by which the coarse comparison may be off.
  private static let fineReach = 6.0

  /// - Parameter pace: of the recording in seconds per unit, for ayat that the reference lacks.
  init(
    recording: Cepstra, reference: ReferenceRecitation, tokens: [RecitedToken], mayHaveLeadIn: Bool
  ) {
    self.recording = SpectralFrames(joining: [.known(recording)])
    let pace = Self.pace(of: reference)
    var parts: [SpectralFrames.Part] = []
    var isKnown: [Bool] = []
    let basmalah = reference.ayat[.first]
    hasLeadIn = mayHaveLeadIn && basmalah != nil
    if hasLeadIn, let basmalah { parts.append(.known(basmalah)) }
    for token in tokens {
      let cepstra: Cepstra? =
        switch token.content {
        case .ayah(let ayah): reference.ayat[ayah]
        case .basmalah: basmalah
        }
      isKnown.append(cepstra != nil)
      let frames = Int(token.units * pace * Double(Cepstra.framesPerSecond))
      parts.append(cepstra.map { .known($0) } ?? .unknown(frames: max(frames, 1)))
    }
    var frame = hasLeadIn ? parts[0].frames : 0
    var rows = [frame]
    for part in parts.dropFirst(hasLeadIn ? 1 : 0) {
      frame += part.frames
      rows.append(frame)
    }
    rowFrames = rows
    self.isKnown = isKnown
    self.reference = SpectralFrames(joining: parts)
  }

  private static func pace(of reference: ReferenceRecitation) -> Double {
    let paces = reference.ayat.map {
      $1.seconds / (Double($0.length.phoneticUnits) + RecitedToken.unitsOfStop)
    }.sorted()
    return paces.isEmpty ? 0.1 : paces[paces.count / 2]
  }

  /// Compares, and finds the end if it is not known.
  ///
  /// - Parameters:
  ///   - guess: seconds at which each row may be, for the rows that the length alignment has.
  ///   - isEndKnown: whether all tokens are recited.
  func placement(guess: [Double], isEndKnown: Bool) -> Placement? {
    guard reference.count > 0, recording.count > 0 else { return nil }
    let exits = isEndKnown ? [rowFrames.count - 1] : Array(rowFrames.indices.dropFirst())
    let coarse = warp(
      thinning: Self.thinning, centres: centres(guess), reach: coarseReach, exits: exits)
    guard let coarse else { return nil }
    let fineCentres = Self.filled(
      coarse.frames, entry: rowFrames[0], exit: coarse.exit, factor: Self.thinning,
      count: recording.count)
    let fine = warp(
      thinning: 1, centres: fineCentres,
      reach: Int(Self.fineReach * Double(Cepstra.framesPerSecond)), exits: exits)
    guard let fine else { return nil }
    return placement(of: fine)
  }

  private var coarseReach: Int {
    let seconds = Double(recording.count) / Double(Cepstra.framesPerSecond)
    let reach = min(Self.coarseReach + Self.coarseShare * seconds, Self.greatestCoarseReach)
    let ratio = Double(reference.count) / Double(recording.count)
    return Int(reach * max(ratio, 0.2) * Double(Cepstra.framesPerSecond))
  }

  private func warp(thinning: Int, centres: [Int], reach: Int, exits: [Int]) -> TimeWarp.Path? {
    let left = thinning == 1 ? recording : recording.thinned(by: thinning)
    let right = thinning == 1 ? reference : reference.thinned(by: thinning)
    let thinCentres = (0..<left.count).map {
      centres[min($0 * thinning + thinning / 2, centres.count - 1)] / thinning
    }
    let entries = (hasLeadIn ? [0] : []) + [rowFrames[0] / thinning]
    let warp = TimeWarp(
      recording: left, reference: right, entries: entries,
      exits: exits.map {
        min(max((rowFrames[$0] + thinning - 1) / thinning - 1, 0), right.count - 1)
      })
    return warp.path(centres: thinCentres, reach: max(reach / thinning, 8))
  }

  /// For each frame of the recording where the guess puts it in the reference.
  private func centres(_ guess: [Double]) -> [Int] {
    var knots: [(time: Double, frame: Double)] = [(0, 0)]
    for (seconds, frame) in zip(guess, rowFrames) where seconds > knots[knots.count - 1].time {
      knots.append((seconds, Double(frame)))
    }
    let end = Double(recording.count) / Double(Cepstra.framesPerSecond)
    if end > knots[knots.count - 1].time {
      let last = knots[knots.count - 1]
      // On at the pace so far, towards what may follow.
      let pace = last.time > 0 ? last.frame / last.time : 1
      let isAll = guess.count >= rowFrames.count
      knots.append(
        (
          end,
          isAll ? last.frame : min(Double(reference.count), last.frame + pace * (end - last.time))
        ))
    }
    var knot = 0
    return (0..<recording.count).map { frame in
      let time = (Double(frame) + 0.5) / Double(Cepstra.framesPerSecond)
      while knot + 2 < knots.count, knots[knot + 1].time < time { knot += 1 }
      let (left, right) = (knots[knot], knots[min(knot + 1, knots.count - 1)])
      let share =
        right.time > left.time
        ? ((time - left.time) / (right.time - left.time)).clamped(to: 0...1) : 1
      return Int(left.frame + share * (right.frame - left.frame))
    }
  }

  /// A coarse path as centres for a fine one.
  private static func filled(
    _ path: [Int?], entry: Int, exit: Int, factor: Int, count: Int
  ) -> [Int] {
    var last = path.lazy.compactMap { $0 }.first ?? 0
    return (0..<count).map { frame in
      if let place = path[min(frame / factor, path.count - 1)] { last = place }
      return last * factor
    }
  }

  private func placement(of path: TimeWarp.Path) -> Placement {
    let tokenCount =
      rowFrames.indices.dropFirst().min {
        abs(rowFrames[$0] - 1 - path.exit) < abs(rowFrames[$1] - 1 - path.exit)
      } ?? rowFrames.count - 1
    var rows: [Double?] = []
    var frame = 0
    let end = (path.frames.lastIndex { $0 != nil } ?? 0) + 1
    for row in 0...tokenCount {
      while frame < end, (path.frames[frame] ?? -1) < rowFrames[row] { frame += 1 }
      let isSupported =
        (row > 0 && isKnown[row - 1]) || (row < tokenCount && isKnown[row])
      rows.append(row > 0 && isSupported ? Double(frame) / Double(Cepstra.framesPerSecond) : nil)
    }
    return Placement(rows: rows, tokenCount: tokenCount, cost: path.cost)
  }
}
