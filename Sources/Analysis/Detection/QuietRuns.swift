// SPDX-License-Identifier: GPL-3.0-or-later

/// Gathers quiet hops into runs, and joins two runs that only a breath divides.
struct QuietRuns {
  struct Run {
    /// The first hop.
    var start: Int
    /// Levels in dBFS, breaths included.
    var levels: [Double] = []
    /// Whether the level fell far enough somewhere.
    var isDeep = false
  }

  /// Hops that a breath lasts at most.
  private static let longestBreath = 30

  /// A run that has ended but may go on after a breath, and the levels since.
  private var waiting: Run?
  private var breath: [Double] = []
  /// The run that the last hop belongs to.
  private var current: Run?

  /// Takes the next hop; returns the runs that are now known to have ended.
  mutating func take(
    _ hop: Int, level: Double, isQuiet: Bool, isDeep: Bool, isBreath: Bool
  ) -> [Run] {
    if isQuiet {
      var run = current ?? Run(start: hop)
      run.levels.append(level)
      run.isDeep = run.isDeep || isDeep
      current = run
      return []
    }
    var ended = closeCurrent()
    guard let run = waiting else { return ended }
    breath.append(level)
    if !isBreath || breath.count > Self.longestBreath {
      ended.append(run)
      waiting = nil
    }
    return ended
  }

  /// The runs that the end of the recording ends.
  mutating func finish() -> [Run] {
    let ended = closeCurrent()
    defer { waiting = nil }
    return ended + (waiting.map { [$0] } ?? [])
  }

  /// Lets the current run wait, joined to the one that waits already if both are longer than a
  /// consonant; otherwise that one is returned.
  private mutating func closeCurrent() -> [Run] {
    guard let run = current else { return [] }
    current = nil
    defer { breath.removeAll(keepingCapacity: true) }
    guard var earlier = waiting else {
      waiting = run
      return []
    }
    let shorter = min(earlier.levels.count, run.levels.count)
    guard shorter >= DipFinder.leastHops else {
      waiting = run
      return [earlier]
    }
    earlier.levels += breath + run.levels
    earlier.isDeep = earlier.isDeep || run.isDeep
    waiting = earlier
    return []
  }
}
