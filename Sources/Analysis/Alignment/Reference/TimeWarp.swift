// SPDX-License-Identifier: GPL-3.0-or-later

/// Lays one recitation over another by dynamic time warping.
///
/// In step with the recording: each of its frames is heard as some frame of the reference, which stays or
/// moves on by up to `mostSteps`. So costs are sums over the recording's frames, comparable wherever the
/// reference is left. Where it is silent the reciter may also go on elsewhere in the reference: he goes
/// back, or leaves something out. Before reciting begins and after it has ended, frames cost `costOfOther`.
struct TimeWarp {
  static let mostSteps = 4
  /// What a frame costs that is heard as nothing of the reference: less than unrelated speech and more
  /// than the same words from another mouth. The distance is 1 less the cosine.
  static let costOfOther: Float = 0.95
  /// What a frame costs where the reference has nothing to compare with.
  static let costOfUnknown: Float = 0.65

  /// What each frame of the reference costs that is passed over.
  static let costOfSkip: Float = 0.6

  /// What it costs to go on somewhere else in the reference, in frames at full rate: as much as three
  /// seconds of other words cost more than the same words.
  static let costOfJump: Float = 25

  let recording: SpectralFrames
  let reference: SpectralFrames
  /// Frames of the reference at which reciting may begin, and at which it may end.
  let entries: [Int]
  let exits: [Int]
  /// For each frame of the recording whether the reciter may go back or leave something out there;
  /// empty if nowhere.
  var mayJump: [Bool] = []
  /// Frames at full rate that one frame here stands for.
  var thinning = 1

  struct Path {
    /// For each frame of the recording the frame of the reference; nil for what is not recited.
    var frames: [Int?]
    /// Mean cost of the frames that are recited.
    var cost: Double
    /// Cost of everything.
    var total: Float
    /// The exit that was taken.
    var exit: Int
  }

  /// Which frames of the reference are looked at for each frame of the recording.
  enum Band {
    /// Around these, one for each frame of the recording.
    case around([Int], reach: Int)
    /// Around the best so far.
    case following(reach: Int)

    var reach: Int {
      switch self {
      case .around(_, let reach), .following(let reach): reach
      }
    }
  }

  /// The cheapest path within a band; nil when the band admits none.
  ///
  /// - Parameters:
  ///   - centres: for each frame of the recording the middle of the band.
  ///   - reach: frames of the reference on either side.
  func path(centres: [Int], reach: Int) -> Path? { path(.around(centres, reach: reach)) }

  func path(_ band: Band) -> Path? {
    let rows = recording.count
    let columns = reference.count
    guard rows > 0, columns > 0 else { return nil }
    if case .around(let centres, _) = band, centres.count != rows { return nil }
    let width = min(2 * band.reach + 1, columns)
    var lows: [Int] = []
    lows.reserveCapacity(rows)
    // What each cell came from, two to a byte: steps, `entered` or `jumped`; and whence a jump of each
    // row comes.
    var origins = [UInt8](repeating: 0, count: (rows * width + 1) / 2)
    var sources = [Int32](repeating: -1, count: mayJump.isEmpty ? 0 : rows)
    var previous = [Float](repeating: .infinity, count: width)
    var current = previous
    let isEntry = Self.mask(entries, count: columns)
    let isExit = Self.mask(exits, count: columns)
    let costOfOther = Self.costOfOther
    let costOfJump = Self.costOfJump / Float(thinning)
    var best = Float.infinity
    var bestRow = -1
    var bestColumn = -1
    var bestPlace = 0
    origins.withUnsafeMutableBufferPointer { origins in
      for row in 0..<rows {
        let low: Int
        switch band {
        case .around(let centres, let reach):
          low = min(max(centres[row] - reach, 0), columns - width)
        case .following(let reach):
          let centre = row > 0 ? lows[row - 1] + bestPlace : entries.first ?? 0
          low = min(max(centre - reach, 0), columns - width)
        }
        let shift = row > 0 ? low - lows[row - 1] : 0
        lows.append(low)
        let entering = Float(row) * costOfOther
        var jumping = Float.infinity
        if row > 0, !mayJump.isEmpty, mayJump[row] {
          jumping = previous[bestPlace] + costOfJump
          sources[row] = Int32(lows[row - 1] + bestPlace)
        }
        var least = Float.infinity
        var leastPlace = 0
        for place in 0..<width {
          let column = low + place
          var cost = Float.infinity
          var origin = Self.none
          if row > 0 {
            for steps in 0...Self.mostSteps {
              let from = place + shift - steps
              guard from >= 0 else { break }
              guard from < width else { continue }
              let reached = previous[from] + Float(max(steps - 1, 0)) * Self.costOfSkip
              if reached < cost {
                cost = reached
                origin = UInt8(steps)
              }
            }
            if jumping < cost {
              cost = jumping
              origin = Self.jumped
            }
          }
          if entering < cost, isEntry[column] {
            cost = entering
            origin = Self.entered
          }
          if cost < .infinity {
            cost += distance(row, column)
            if isExit[column] {
              let leaving = cost + Float(rows - 1 - row) * costOfOther
              if leaving < best {
                best = leaving
                bestRow = row
                bestColumn = column
              }
            }
            if cost < least {
              least = cost
              leastPlace = place
            }
          }
          current[place] = cost
          let cell = row * width + place
          if cell.isMultiple(of: 2) {
            origins[cell / 2] = origin
          } else {
            origins[cell / 2] |= origin << 4
          }
        }
        bestPlace = leastPlace
        swap(&previous, &current)
      }
    }
    guard bestRow >= 0 else { return nil }
    return trace(
      Trace(origins: origins, sources: sources, lows: lows, width: width), total: best,
      row: bestRow, column: bestColumn)
  }

  private static func mask(_ places: [Int], count: Int) -> [Bool] {
    var mask = [Bool](repeating: false, count: count)
    for place in places where mask.indices.contains(place) { mask[place] = true }
    return mask
  }

  private static let jumped: UInt8 = 13
  private static let entered: UInt8 = 14
  private static let none: UInt8 = 15

  private struct Trace {
    let origins: [UInt8]
    let sources: [Int32]
    let lows: [Int]
    let width: Int

    func origin(_ row: Int, _ column: Int) -> UInt8 {
      let cell = row * width + column - lows[row]
      return cell.isMultiple(of: 2) ? origins[cell / 2] & 15 : origins[cell / 2] >> 4
    }
  }

  private func trace(_ trace: Trace, total: Float, row: Int, column: Int) -> Path? {
    var frames = [Int?](repeating: nil, count: recording.count)
    var row = row
    var column = column
    let exit = column
    var sum = 0.0
    var count = 0.0
    while true {
      frames[row] = column
      sum += Double(distance(row, column))
      count += 1
      let origin = trace.origin(row, column)
      if origin == Self.entered { break }
      guard origin != Self.none, row > 0 else { return nil }
      column = origin == Self.jumped ? Int(trace.sources[row]) : column - Int(origin)
      row -= 1
    }
    return Path(frames: frames, cost: sum / count, total: total, exit: exit)
  }

  /// How different two frames sound, 0...2.
  func distance(_ row: Int, _ column: Int) -> Float {
    let cosine = recording.cosine(row, reference, column)
    return cosine == 0 ? Self.costOfUnknown : 1 - cosine
  }
}
