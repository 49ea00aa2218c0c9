// SPDX-License-Identifier: GPL-3.0-or-later

/// What is kept of many hops together.
public struct Peaks: Hashable, Sendable {
  /// Mean of the hops' mean squares.
  public var meanSquare: Float
  public var minimum: Int16
  public var maximum: Int16

  public init(meanSquare: Float, minimum: Int16, maximum: Int16) {
    self.meanSquare = meanSquare
    self.minimum = minimum
    self.maximum = maximum
  }

  init(_ hop: Hop) {
    self.init(meanSquare: hop.meanSquare, minimum: hop.minimum, maximum: hop.maximum)
  }
}

/// Accumulates neighbouring peaks into one.
struct PeaksAccumulator {
  private var sum = 0.0
  private var minimum = Int16.max
  private var maximum = Int16.min
  private(set) var count = 0

  mutating func add(_ peaks: Peaks) {
    sum += Double(peaks.meanSquare)
    minimum = min(minimum, peaks.minimum)
    maximum = max(maximum, peaks.maximum)
    count += 1
  }

  /// The peaks of everything added; nil for nothing.
  var peaks: Peaks? {
    guard count > 0 else { return nil }
    return Peaks(meanSquare: Float(sum / Double(count)), minimum: minimum, maximum: maximum)
  }
}

/// The summary levels of an envelope: each entry of a level stands for sixteen of the level below, the
/// lowest for sixteen hops (0.16 s, 2.56 s, 41 s).
public struct EnvelopeSummary: Hashable, Sendable {
  public static let factor = 16
  static let levelCount = 3

  /// Complete and partial entries, finest level first.
  public internal(set) var levels: [[Peaks]]
  private var open: [PeaksAccumulator]

  init() {
    levels = Array(repeating: [], count: Self.levelCount)
    open = Array(repeating: PeaksAccumulator(), count: Self.levelCount)
  }

  init(levels: [[Peaks]]) {
    self.levels = levels
    open = Array(repeating: PeaksAccumulator(), count: Self.levelCount)
  }

  mutating func append(_ hop: Hop) { add(Peaks(hop), to: 0) }

  /// Closes the entries that are not full.
  mutating func finish() {
    for level in 0..<Self.levelCount {
      guard let peaks = open[level].peaks else { continue }
      levels[level].append(peaks)
      open[level] = PeaksAccumulator()
      if level + 1 < Self.levelCount { open[level + 1].add(peaks) }
    }
  }

  private mutating func add(_ peaks: Peaks, to level: Int) {
    guard level < Self.levelCount else { return }
    open[level].add(peaks)
    guard open[level].count == Self.factor, let full = open[level].peaks else { return }
    levels[level].append(full)
    open[level] = PeaksAccumulator()
    add(full, to: level + 1)
  }

  public static func == (left: EnvelopeSummary, right: EnvelopeSummary) -> Bool {
    left.levels == right.levels
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(levels) }
}
