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
  /// Bytes that say whence the cells of a path come. Of longer recordings only the last part is kept, and
  /// the parts before are gone through once more when the path is traced back.
  var mostOriginBytes = 1 << 23

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
    guard recording.count > 0, reference.count > 0 else { return nil }
    if case .around(let centres, _) = band, centres.count != recording.count { return nil }
    let width = min(2 * band.reach + 1, reference.count)
    var row = WarpRow(self, width: width)
    var way = Way(rows: recording.count, jumps: !mayJump.isEmpty)
    let rowsOfBlock = max(mostOriginBytes / row.bytes, 1)
    // The rows before the first of each block.
    var checkpoints: [WarpRow] = []
    var origins = [UInt8](
      repeating: 0, count: min(rowsOfBlock, recording.count) * row.bytes)
    for number in 0..<recording.count {
      if number.isMultiple(of: rowsOfBlock) {
        checkpoints.append(row)
      }
      way.lows[number] = Int32(low(of: number, band, row, width: width))
      if number > 0, !mayJump.isEmpty, mayJump[number] {
        way.sources[number] = Int32(row.low + row.cheapestPlace)
      }
      row.advance(
        self, to: number, low: Int(way.lows[number]), origins: &origins,
        at: number % rowsOfBlock * row.bytes)
      way.leave(at: row, number, exits: exits, of: recording.count)
    }
    return trace(way, checkpoints, rowsOfBlock: rowsOfBlock, &origins)
  }

  /// The first frame of the reference that is looked at.
  private func low(of number: Int, _ band: Band, _ row: WarpRow, width: Int) -> Int {
    let centre =
      switch band {
      case .around(let centres, _): centres[number]
      case .following: number > 0 ? row.low + row.cheapestPlace : entries.first ?? 0
      }
    return min(max(centre - band.reach, 0), reference.count - width)
  }

  /// What is kept of all rows.
  private struct Way {
    var lows: [Int32]
    /// Whence a jump to each row comes.
    var sources: [Int32]
    var best = Float.infinity
    var bestRow = -1
    var bestColumn = -1

    init(rows: Int, jumps: Bool) {
      lows = [Int32](repeating: 0, count: rows)
      sources = [Int32](repeating: -1, count: jumps ? rows : 0)
    }

    /// - Parameter exits: in order.
    mutating func leave(at row: WarpRow, _ number: Int, exits: [Int], of rows: Int) {
      var exit = exits.partitioningIndex { $0 >= row.low }
      while exit < exits.count, exits[exit] < row.low + row.width {
        let cost =
          row.cost(at: exits[exit] - row.low) + Float(rows - 1 - number) * TimeWarp.costOfOther
        if cost < best {
          best = cost
          bestRow = number
          bestColumn = exits[exit]
        }
        exit += 1
      }
    }
  }

  /// - Parameter origins: those of the last block.
  private func trace(
    _ way: Way, _ checkpoints: [WarpRow], rowsOfBlock: Int, _ origins: inout [UInt8]
  ) -> Path? {
    guard way.bestRow >= 0, var block = checkpoints.indices.last else { return nil }
    var frames = [Int?](repeating: nil, count: recording.count)
    var (number, column) = (way.bestRow, way.bestColumn)
    var sum = 0.0
    var count = 0.0
    while true {
      frames[number] = column
      sum += Double(distance(number, column))
      count += 1
      if number / rowsOfBlock != block {
        block = number / rowsOfBlock
        again(
          checkpoints[block], way, rows: block * rowsOfBlock..<(block + 1) * rowsOfBlock,
          to: &origins)
      }
      let cell = column - Int(way.lows[number])
      let pair = origins[number % rowsOfBlock * checkpoints[block].bytes + cell / 2]
      let origin = cell.isMultiple(of: 2) ? pair & 15 : pair >> 4
      if origin == WarpRow.entered { break }
      guard number > 0 else { return nil }
      column = origin == WarpRow.jumped ? Int(way.sources[number]) : column - Int(origin)
      number -= 1
    }
    return Path(frames: frames, cost: sum / count, total: way.best, exit: way.bestColumn)
  }

  /// The origins of some rows, worked out once more.
  private func again(
    _ before: WarpRow, _ way: Way, rows: Range<Int>, to origins: inout [UInt8]
  ) {
    var row = before
    for number in rows {
      row.advance(
        self, to: number, low: Int(way.lows[number]), origins: &origins,
        at: (number - rows.lowerBound) * row.bytes)
    }
  }

  /// How different two frames sound, 0...2.
  func distance(_ row: Int, _ column: Int) -> Float {
    let cosine = recording.cosine(row, reference, column)
    return cosine == 0 ? Self.costOfUnknown : 1 - cosine
  }
}
