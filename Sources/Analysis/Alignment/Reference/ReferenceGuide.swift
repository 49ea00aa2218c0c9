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
    /// What is recited, in order.
    var tokens: [RecitedToken]
    /// For each row the place in seconds; nil where the reference lacks the ayat on both sides, and for
    /// the first, for time warping tells a lead-in from the first ayah less well than its length does.
    var rows: [Double?]
    /// Mean cost of what is recited.
    var cost: Double
  }

  let recording: SpectralFrames
  private let tokens: [RecitedToken]
  private let reference: SpectralFrames
  /// Frame of the reference at each row.
  private let rowFrames: [Int]
  private let isKnown: [Bool]
  private let hasLeadIn: Bool
  /// For each frame of the recording whether it is silent.
  private let isSilent: [Bool]

  /// Frames that are averaged for the first, coarse comparison.
  private let thinning: Int
  private static let leastThinning = 4
  /// Frames from which on twice as many are averaged, 100 minutes: what is looked at then grows no faster
  /// than the recording.
  private static let many = 150_000
  /// Seconds of the recording by which the length alignment may be off: so many, and a share of it all.
  private static let coarseReach = 40.0
  private static let coarseShare = 0.04
  private static let greatestCoarseReach = 150.0
  /// Seconds of the reference by which the best place so far may be off.
  private static let followingReach = 40.0
  /// Seconds of the reference by which the coarse comparison may be off.
  private static let fineReach = 6.0
  /// How many times slower than the recording a reference may be.
  private static let slowest = 4
  /// Frames of the reference for one of the recording from which on it is thinned.
  private static let leastHaste = 1.05

  /// - Parameters:
  ///   - tokens: all that may be recited, in order.
  ///   - silences: of the recording, in seconds: there the reciter may go back or leave something out.
  init(
    recording: SpectralFrames, reference: ReferenceRecitation, tokens: [RecitedToken],
    mayHaveLeadIn: Bool, silences: [ClosedRange<Double>] = []
  ) {
    self.recording = recording
    self.tokens = tokens
    thinning = recording.count < Self.many ? Self.leastThinning : 2 * Self.leastThinning
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
    let rate = Double(Cepstra.framesPerSecond)
    var isSilent = [Bool](repeating: false, count: recording.count)
    for silence in silences {
      let frames = Int(silence.lowerBound * rate)..<(Int(silence.upperBound * rate) + 2)
      for frame in frames.clamped(to: isSilent.indices) { isSilent[frame] = true }
    }
    self.isSilent = isSilent
  }

  /// How much cheaper it is to lay the reference over a stretch of the recording without some tokens; in
  /// frames at full rate. Nil where the reference does not have all of it.
  ///
  /// - Parameters:
  ///   - left: the tokens that may have been left out.
  ///   - times: seconds at which each row lies.
  func gain(leavingOut left: Range<Int>, times: [Double]) -> Double? {
    let around =
      max(left.lowerBound - Self.besides, 0)..<min(left.upperBound + Self.besides, tokens.count)
    let rate = Double(Cepstra.framesPerSecond)
    let rows =
      Int(times[around.lowerBound] * rate)..<Int(times[around.upperBound] * rate)
    guard isKnown[around].allSatisfy({ $0 }), around != left, !rows.isEmpty,
      rows.upperBound <= recording.count
    else { return nil }
    let thinning = Self.thinningOfGain
    let heard = recording.part(rows).thinned(by: thinning)
    let haste = haste(times) * thinning
    let frames = rowFrames[around.lowerBound]..<rowFrames[around.upperBound]
    let all = reference.part(frames).thinned(by: haste)
    let rest =
      SpectralFrames(joining: [
        reference.part(frames.lowerBound..<rowFrames[left.lowerBound]),
        reference.part(rowFrames[left.upperBound]..<frames.upperBound),
      ]).thinned(by: haste)
    guard let straight = Self.cost(heard, all), let without = Self.cost(heard, rest) else {
      return nil
    }
    return Double(straight - without) * Double(thinning)
  }

  /// Tokens on either side that are compared as well.
  private static let besides = 3
  private static let thinningOfGain = 2

  private static func cost(_ recording: SpectralFrames, _ reference: SpectralFrames) -> Float? {
    let warp = TimeWarp(
      recording: recording, reference: reference, entries: [0], exits: [reference.count - 1])
    let centres = (0..<recording.count).map { $0 * reference.count / max(recording.count, 1) }
    return warp.path(centres: centres, reach: reference.count)?.total
  }

  private static func pace(of reference: ReferenceRecitation) -> Double {
    let paces = reference.ayat.map {
      $1.seconds / RecitedToken.units(of: $0)
    }.sorted()
    return paces.isEmpty ? 0.1 : paces[paces.count / 2]
  }

  /// Compares, and finds the end if it is not known.
  ///
  /// - Parameters:
  ///   - guess: seconds at which each row may be, for the rows that the length alignment has; nil when
  ///     there is none, and the best is followed from the start.
  ///   - isEndKnown: whether the last token is the last that is recited.
  ///   - stretches: in seconds; in the silences of these the reciter may go back or leave something out.
  func placement(
    guess: [Double]?, isEndKnown: Bool, jumpingIn stretches: [ClosedRange<Double>] = []
  ) -> Placement? {
    guard reference.count > 0, recording.count > 0 else { return nil }
    let mayJump = jumps(in: stretches)
    let exits = isEndKnown ? [rowFrames.count - 1] : Array(rowFrames.indices.dropFirst())
    let hastes = guess.map { [haste($0)] } ?? Array(1...Self.slowest)
    var found: Coarse?
    for haste in hastes {
      let scale = Scale(reference, rowFrames, haste: haste)
      guard
        let path = warp(thinning: thinning, coarseBand(guess, scale), exits, scale, mayJump),
        found.map({ path.total < $0.path.total }) ?? true
      else { continue }
      found = Coarse(scale: scale, path: path)
    }
    guard let found else { return nil }
    let scale = found.scale
    let coarse = found.path
    let centres = Self.filled(coarse.frames, factor: thinning, count: recording.count)
    let reach = Int(Self.fineReach * Double(Cepstra.framesPerSecond)) / scale.haste
    guard
      let fine = warp(thinning: 1, .around(centres, reach: max(reach, 8)), exits, scale, mayJump)
    else {
      return nil
    }
    return placement(of: fine, scale)
  }

  private struct Coarse {
    var scale: Scale
    var path: TimeWarp.Path
  }

  private func coarseBand(_ guess: [Double]?, _ scale: Scale) -> TimeWarp.Band {
    guard let guess else {
      let reach = Int(Self.followingReach * Double(Cepstra.framesPerSecond))
      return .following(reach: reach / scale.haste / thinning)
    }
    let reach = max(coarseReach(scale) / thinning, 8)
    return .around(thinned(centres(guess, scale)), reach: reach)
  }

  /// The reference at a pace no slower than the recording's.
  private struct Scale {
    let reference: SpectralFrames
    let rowFrames: [Int]
    /// Frames that one stands for.
    let haste: Int

    init(_ reference: SpectralFrames, _ rowFrames: [Int], haste: Int) {
      self.reference = haste == 1 ? reference : reference.thinned(by: haste)
      self.rowFrames = rowFrames.map { $0 / haste }
      self.haste = haste
    }
  }

  /// How much the reference has to be thinned so that it is no slower than the recording.
  private func haste(_ guess: [Double]) -> Int {
    guard let first = guess.first, let last = guess.last, last > first else { return 1 }
    let frames = rowFrames[min(guess.count, rowFrames.count) - 1] - rowFrames[0]
    let ratio = Double(frames) / (last - first) / Double(Cepstra.framesPerSecond)
    return min(max(Int((ratio / Self.leastHaste).rounded(.up)), 1), Self.slowest)
  }

  private func coarseReach(_ scale: Scale) -> Int {
    let seconds = Double(recording.count) / Double(Cepstra.framesPerSecond)
    let reach = min(Self.coarseReach + Self.coarseShare * seconds, Self.greatestCoarseReach)
    let ratio = Double(scale.reference.count) / Double(recording.count)
    return Int(reach * max(ratio, 0.2) * Double(Cepstra.framesPerSecond))
  }

  private func thinned(_ centres: [Int]) -> [Int] {
    let count = (recording.count + thinning - 1) / thinning
    return (0..<count).map {
      centres[min($0 * thinning + thinning / 2, centres.count - 1)] / thinning
    }
  }

  /// For each frame whether the reciter may go on elsewhere; empty if nowhere.
  private func jumps(in stretches: [ClosedRange<Double>]) -> [Bool] {
    guard !stretches.isEmpty else { return [] }
    var mayJump = [Bool](repeating: false, count: recording.count)
    let rate = Double(Cepstra.framesPerSecond)
    for stretch in stretches {
      let frames = Int(stretch.lowerBound * rate)..<(Int(stretch.upperBound * rate) + 1)
      for frame in frames.clamped(to: mayJump.indices) { mayJump[frame] = isSilent[frame] }
    }
    return mayJump
  }

  private func warp(
    thinning: Int, _ band: TimeWarp.Band, _ exits: [Int], _ scale: Scale, _ mayJump: [Bool]
  ) -> TimeWarp.Path? {
    let left = thinning == 1 ? recording : recording.thinned(by: thinning)
    let right = thinning == 1 ? scale.reference : scale.reference.thinned(by: thinning)
    let entries = (hasLeadIn ? [0] : []) + [scale.rowFrames[0] / thinning]
    var warp = TimeWarp(
      recording: left, reference: right, entries: entries,
      exits: exits.map {
        min(max((scale.rowFrames[$0] + thinning - 1) / thinning - 1, 0), right.count - 1)
      })
    warp.thinning = thinning
    guard !mayJump.isEmpty else { return warp.path(band) }
    warp.mayJump = (0..<left.count).map { row in
      (row * thinning..<min((row + 1) * thinning, mayJump.count)).contains { mayJump[$0] }
    }
    if thinning == 1, case .around(let centres, let reach) = band {
      for row in centres.indices.dropFirst() where abs(centres[row] - centres[row - 1]) > reach {
        warp.mayJump[row] = true
      }
    }
    return warp.path(band)
  }

  /// For each frame of the recording where the guess puts it in the reference.
  private func centres(_ guess: [Double], _ scale: Scale) -> [Int] {
    let rowFrames = scale.rowFrames
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
          isAll
            ? last.frame : min(Double(scale.reference.count), last.frame + pace * (end - last.time))
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
  private static func filled(_ path: [Int?], factor: Int, count: Int) -> [Int] {
    var last = path.lazy.compactMap { $0 }.first ?? 0
    return (0..<count).map { frame in
      if let place = path[min(frame / factor, path.count - 1)] { last = place }
      return last * factor
    }
  }

  private func placement(of path: TimeWarp.Path, _ scale: Scale) -> Placement {
    let order = HeardOrder(
      path.frames, tokens: tokens, rowFrames: scale.rowFrames, isKnown: isKnown)
    return Placement(
      tokens: order.tokens,
      rows: order.frames.map { $0.map { Double($0) / Double(Cepstra.framesPerSecond) } },
      cost: path.cost)
  }
}
