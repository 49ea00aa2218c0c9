// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds stretches of a reference that sound like a stretch of a recording, wherever either begins.
///
/// Local alignment: a path through both gains by each frame of the recording that resembles the reference
/// there more than a chance place does, and loses by the others. Of all paths only what they have reached
/// with the last row is kept, and where they began.
struct PassageScan {
  /// What frames and steps are worth, in deviations of the cosine of a frame and a chance place
  /// (``ChanceCosines``). Found on recordings of four reciters against the ayat of a fifth.
  struct Scale {
    /// What is taken off each frame's cosine, so that paths through other words end up with little.
    var chance: Float
    /// The most that one frame gains or loses.
    var most: Float = 2
    /// What it costs to stay at a frame of the reference, and to pass over one or two; nobody stays twice
    /// in a row, so that the reference is followed at half to three times its pace.
    var staying: Float = 0.6
    var passing: Float = 0.6
    var passingTwo: Float = 1.2
  }

  /// A path, in rows of the recording and columns of the reference.
  struct Hit: Hashable {
    var score: Float
    var rows: Range<Int>
    var columns: Range<Int>

    /// Columns for each row.
    var slope: Double { Double(columns.count) / Double(max(rows.count, 1)) }

    /// The column at a row if the path went on evenly before and after.
    func column(atRow row: Double) -> Double {
      Double(columns.lowerBound) + slope * (row - Double(rows.lowerBound))
    }

    /// The same in finer rows and columns.
    func finer(rows rowFactor: Int, columns columnFactor: Int, shift: Int = 0) -> Hit {
      Hit(
        score: score,
        rows: (rows.lowerBound * rowFactor)..<(rows.upperBound * rowFactor),
        columns: (columns.lowerBound * columnFactor + shift)..<(columns.upperBound * columnFactor
          + shift))
    }
  }

  private typealias Vector = SIMD8<Float>
  private typealias Origins = SIMD8<Int32>

  /// Columns that are looked at together.
  private static let lanes = 8
  /// Columns that no path leads through between two parts: more than it may pass over.
  private static let gap = 3
  private static let nowhere: Float = -1e9
  /// After so many rows the best paths are noted, of those that have gained so much.
  private static let noted = 8
  private static let leastScore: Float = 4
  /// Where a path began is kept in 31 bits: so many for the column, the others for the row.
  private static let columnBits: Int32 = 20
  private static let mostColumns = 1 << Int(columnBits)
  private static let mostRows = 1 << (31 - Int(columnBits))

  private let count: Int
  private let blocks: Int
  /// For each block and coefficient, eight columns.
  private var values: [SIMD8<Float>]
  /// What it is worth to begin in a column, and what is added to the gain there.
  private var starts: [SIMD8<Float>]
  private var costs: [SIMD8<Float>]

  /// - Parameter parts: of the reference; no path leads from one to the next. What goes beyond a
  ///   million columns is not looked at.
  init(_ parts: [SpectralFrames]) {
    let width = SpectralFrames.width
    count = min(parts.reduce(0) { $0 + $1.count + Self.gap }, Self.mostColumns)
    blocks = (count + Self.lanes - 1) / Self.lanes
    values = [SIMD8<Float>](repeating: SIMD8(), count: blocks * width)
    starts = [SIMD8<Float>](repeating: SIMD8(), count: blocks)
    costs = [SIMD8<Float>](repeating: SIMD8(repeating: Self.nowhere), count: blocks)
    var column = 0
    for part in parts {
      for frame in 0..<min(part.count, count - column) {
        let (block, lane) = (column / Self.lanes, column % Self.lanes)
        for (index, number) in part.numbers(of: frame).enumerated() {
          values[block * width + index][lane] = number
        }
        costs[block][lane] = 0
        column += 1
      }
      column = min(column + Self.gap, count)
    }
  }

  /// Lets paths begin in some columns at what that is worth, and elsewhere at a cost.
  mutating func begin(in columns: [(column: Int, worth: Float)], elsewhere cost: Float) {
    starts = [SIMD8<Float>](repeating: SIMD8(repeating: -cost), count: blocks)
    for (column, worth) in columns where (0..<count).contains(column) {
      let (block, lane) = (column / Self.lanes, column % Self.lanes)
      starts[block][lane] = max(starts[block][lane], worth)
    }
  }

  /// For each so many columns the best path that begins there; none where hardly anything is gained.
  func hits(
    _ rows: SpectralFrames, _ chance: ChanceCosines, _ scale: Scale, each bin: Int
  ) -> [Hit] {
    var best = [Hit?](repeating: nil, count: count / bin + 1)
    run(rows, chance, scale) { row, paths in
      guard row % Self.noted == Self.noted - 1 || row == rows.count - 1 else { return }
      for column in 0..<count where paths.moved[column] > Self.leastScore {
        let hit = paths.hit(column, row: row)
        let place = hit.columns.lowerBound / bin
        if hit.score > best[place]?.score ?? 0 { best[place] = hit }
      }
    }
    return best.compactMap { $0 }
  }

  /// The best path that ends with the last row in one of some columns.
  func hit(
    _ rows: SpectralFrames, _ chance: ChanceCosines, _ scale: Scale, endingIn columns: Range<Int>
  ) -> Hit? {
    var best: Hit?
    run(rows, chance, scale) { row, paths in
      guard row == rows.count - 1 else { return }
      for column in columns.clamped(to: 0..<count) where paths.moved[column] > Self.nowhere / 2 {
        let hit = paths.hit(column, row: row)
        if best.map({ hit.score > $0.score }) ?? true { best = hit }
      }
    }
    return best
  }

  private func run(
    _ rows: SpectralFrames, _ chance: ChanceCosines, _ scale: Scale,
    _ look: (Int, Paths) -> Void
  ) {
    var paths = Paths(columns: blocks * Self.lanes)
    var next = Paths(columns: blocks * Self.lanes)
    defer {
      paths.deallocate()
      next.deallocate()
    }
    for row in 0..<min(rows.count, Self.mostRows) {
      let (mean, deviation) = chance.moments(of: rows, row)
      step(row, rows, scale, mean: mean, deviation: deviation, from: paths, to: next)
      swap(&paths, &next)
      look(row, paths)
    }
  }

  /// The best paths to each column: those that have come on to it with this row, and those that stay.
  private struct Paths {
    let moved: UnsafeMutablePointer<Float>
    let stayed: UnsafeMutablePointer<Float>
    let movedFrom: UnsafeMutablePointer<Int32>
    let stayedFrom: UnsafeMutablePointer<Int32>

    init(columns: Int) {
      // Steps to the first columns come from those before it, where nothing is.
      let size = columns + PassageScan.lanes
      func scores() -> UnsafeMutablePointer<Float> {
        let scores = UnsafeMutablePointer<Float>.allocate(capacity: size)
        scores.initialize(repeating: PassageScan.nowhere, count: size)
        return scores + PassageScan.lanes
      }
      func origins() -> UnsafeMutablePointer<Int32> {
        let origins = UnsafeMutablePointer<Int32>.allocate(capacity: size)
        origins.initialize(repeating: 0, count: size)
        return origins + PassageScan.lanes
      }
      moved = scores()
      stayed = scores()
      movedFrom = origins()
      stayedFrom = origins()
    }

    func deallocate() {
      for scores in [moved, stayed] { (scores - PassageScan.lanes).deallocate() }
      for origins in [movedFrom, stayedFrom] { (origins - PassageScan.lanes).deallocate() }
    }

    func hit(_ column: Int, row: Int) -> Hit {
      let origin = movedFrom[column]
      let first = Int(origin & (1 << PassageScan.columnBits - 1))
      return Hit(
        score: moved[column], rows: Int(origin >> PassageScan.columnBits)..<(row + 1),
        columns: first..<(column + 1))
    }
  }

  /// One row of the recording.
  private func step(
    _ row: Int, _ rows: SpectralFrames, _ scale: Scale, mean: Float, deviation: Float,
    from paths: Paths, to next: Paths
  ) {
    let width = SpectralFrames.width
    let most = Vector(repeating: scale.most)
    let factor = 1 / deviation
    let offset = mean / deviation + scale.chance
    let began = Origins(0, 1, 2, 3, 4, 5, 6, 7) &+ Origins(repeating: Int32(row) << Self.columnBits)
    let (moved, stayed) = (UnsafeRawPointer(paths.moved), UnsafeRawPointer(paths.stayed))
    let movedFrom = UnsafeRawPointer(paths.movedFrom)
    let stayedFrom = UnsafeRawPointer(paths.stayedFrom)
    let (nextMoved, nextStayed) = (
      UnsafeMutableRawPointer(next.moved), UnsafeMutableRawPointer(next.stayed)
    )
    let nextMovedFrom = UnsafeMutableRawPointer(next.movedFrom)
    let nextStayedFrom = UnsafeMutableRawPointer(next.stayedFrom)
    rows.numbers(of: row).withUnsafeBufferPointer { numbers in
      values.withUnsafeBufferPointer { values in
        for block in 0..<blocks {
          var cosine = Vector()
          for index in 0..<width {
            cosine = values[block * width + index] * numbers[index] + cosine
          }
          let gain =
            pointwiseMax(pointwiseMin(cosine * factor - offset, most), -most) + costs[block]
          var best = starts[block]
          var from = began &+ Origins(repeating: Int32(block * Self.lanes))
          func take(
            _ scores: UnsafeRawPointer, _ origins: UnsafeRawPointer, steps: Int, cost: Float
          ) {
            let place = (block * Self.lanes - steps) * MemoryLayout<Float>.size
            let score = scores.loadUnaligned(fromByteOffset: place, as: Vector.self) - cost
            let isBetter = score .> best
            best.replace(with: score, where: isBetter)
            from.replace(
              with: origins.loadUnaligned(fromByteOffset: place, as: Origins.self), where: isBetter)
          }
          take(moved, movedFrom, steps: 1, cost: 0)
          take(stayed, stayedFrom, steps: 1, cost: 0)
          take(moved, movedFrom, steps: 2, cost: scale.passing)
          take(stayed, stayedFrom, steps: 2, cost: scale.passing)
          take(moved, movedFrom, steps: 3, cost: scale.passingTwo)
          let place = block * Self.lanes * MemoryLayout<Float>.size
          nextMoved.storeBytes(of: best + gain, toByteOffset: place, as: Vector.self)
          nextMovedFrom.storeBytes(of: from, toByteOffset: place, as: Origins.self)
          let here = moved.loadUnaligned(fromByteOffset: place, as: Vector.self) - scale.staying
          nextStayed.storeBytes(of: here + gain, toByteOffset: place, as: Vector.self)
          nextStayedFrom.storeBytes(
            of: movedFrom.loadUnaligned(fromByteOffset: place, as: Origins.self),
            toByteOffset: place, as: Origins.self)
        }
      }
    }
  }
}
