// SPDX-License-Identifier: GPL-3.0-or-later

/// What the cheapest ways cost up to one frame of the recording, for some frames of the reference in a row.
///
/// Nearly all time of a comparison is spent here, so eight frames are gone through at a time, by pointers.
struct WarpRow {
  /// Frames of the reference that are looked at, and the first of them.
  let width: Int
  private(set) var low = 0
  /// Bytes that the origins of a row take: two cells to a byte.
  var bytes: Int { lanes / 2 }

  /// Where a cell came from, when not from so many frames of the reference before.
  static let jumped: UInt8 = 13
  static let entered: UInt8 = 14

  private static let lane = 8
  /// `width` rounded up.
  private let lanes: Int
  private var costs: [Float]
  /// The costs of the row before where this one has its places, with `mostSteps` before them.
  private var before: [Float]
  private var distances: [Float]

  init(_ warp: TimeWarp, width: Int) {
    self.width = width
    lanes = (width + Self.lane - 1) / Self.lane * Self.lane
    costs = [Float](repeating: .infinity, count: lanes)
    before = [Float](repeating: .infinity, count: lanes + TimeWarp.mostSteps)
    distances = costs
  }

  func cost(at place: Int) -> Float { costs[place] }

  /// The first of the cheapest.
  var cheapestPlace: Int {
    var least = Float.infinity
    var found = 0
    for place in 0..<width where costs[place] < least {
      least = costs[place]
      found = place
    }
    return found
  }

  /// Goes on to the next frame of the recording.
  ///
  /// - Parameters:
  ///   - low: the first frame of the reference that is looked at.
  ///   - origins: where cells came from; those of this row begin `at` a byte.
  mutating func advance(
    _ warp: TimeWarp, to number: Int, low: Int, origins: inout [UInt8], at byte: Int
  ) {
    let jumping =
      number > 0 && !warp.mayJump.isEmpty && warp.mayJump[number]
      ? costs[cheapestPlace] + TimeWarp.costOfJump / Float(warp.thinning) : .infinity
    move(by: number > 0 ? low - self.low : 0)
    self.low = low
    warp.recording.cosines(number, warp.reference, from: low, to: &distances, count: width)
    origins.withUnsafeMutableBytes { step(jumping, $0.baseAddress! + byte) }
    let entering = Float(number) * TimeWarp.costOfOther
    for entry in warp.entries where entry >= low && entry < low + width {
      guard entering < costs[entry - low] else { continue }
      costs[entry - low] = entering
      let cell = byte + (entry - low) / 2
      origins[cell] =
        (entry - low).isMultiple(of: 2)
        ? origins[cell] & 0xF0 | Self.entered : origins[cell] & 0x0F | Self.entered << 4
    }
    addDistances()
  }

  /// Puts the costs where the next row has its places.
  private mutating func move(by shift: Int) {
    let steps = TimeWarp.mostSteps
    before.withUnsafeMutableBufferPointer { before in
      costs.withUnsafeBufferPointer { costs in
        // Place p of the next row is place p + shift of this one.
        let first = min(max(-shift, -steps), width)
        let last = max(min(width - shift, width), first)
        for place in -steps..<first { before[place + steps] = .infinity }
        for place in first..<last { before[place + steps] = costs[place + shift] }
        for place in last..<lanes { before[place + steps] = .infinity }
      }
    }
  }

  /// The cheapest way to each place from the row before.
  private mutating func step(_ jumping: Float, _ origins: UnsafeMutableRawPointer) {
    let steps = TimeWarp.mostSteps
    before.withUnsafeBytes { before in
      costs.withUnsafeMutableBytes { costs in
        let size = MemoryLayout<Float>.stride
        for place in stride(from: 0, to: lanes, by: Self.lane) {
          let same = (place + steps) * size
          var cost = before.loadUnaligned(fromByteOffset: same, as: SIMD8<Float>.self)
          var origin = SIMD8<Int32>()
          for step in 1...steps {
            let passed = Float(step - 1) * TimeWarp.costOfSkip
            let other =
              before.loadUnaligned(fromByteOffset: same - step * size, as: SIMD8<Float>.self)
              + passed
            let isLess = other .< cost
            cost.replace(with: other, where: isLess)
            origin.replace(with: Int32(step), where: isLess)
          }
          if jumping < .infinity {
            let isLess = SIMD8(repeating: jumping) .< cost
            cost.replace(with: jumping, where: isLess)
            origin.replace(with: Int32(Self.jumped), where: isLess)
          }
          costs.storeBytes(of: cost, toByteOffset: place * size, as: SIMD8<Float>.self)
          let pairs = origin.evenHalf | origin.oddHalf &<< 4
          origins.storeBytes(
            of: SIMD4<UInt8>(truncatingIfNeeded: pairs), toByteOffset: place / 2,
            as: SIMD4<UInt8>.self)
        }
      }
    }
  }

  private mutating func addDistances() {
    distances.withUnsafeBytes { distances in
      costs.withUnsafeMutableBytes { costs in
        let size = MemoryLayout<Float>.stride
        for place in stride(from: 0, to: lanes, by: Self.lane) {
          let cosine = distances.loadUnaligned(
            fromByteOffset: place * size, as: SIMD8<Float>.self)
          var distance = 1 - cosine
          distance.replace(with: TimeWarp.costOfUnknown, where: cosine .== 0)
          let cost = costs.loadUnaligned(fromByteOffset: place * size, as: SIMD8<Float>.self)
          costs.storeBytes(
            of: cost + distance, toByteOffset: place * size, as: SIMD8<Float>.self)
        }
      }
    }
    for place in width..<lanes { costs[place] = .infinity }
  }
}
