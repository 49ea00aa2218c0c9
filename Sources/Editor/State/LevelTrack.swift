// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Glibc

/// The level of every hop of the recording, as far as it has been analysed, to draw it and to find quiet
/// places by.
///
/// Five bytes a hop: half an hour takes 900 kB.
public struct LevelTrack: Hashable, Sendable {
  private let grid: HopGrid
  /// Half decibels above -127.5 dBFS, hop by hop.
  private var codes: [UInt8] = []
  /// Of all codes before each hop, and before the end: the mean of any stretch by one subtraction.
  private var sums: [UInt32] = [0]
  /// How often each code occurs.
  private var counts = [Int](repeating: 0, count: 256)
  /// dBFS, from the background of this recording to its loudest.
  private(set) var scale = LevelTrack.widestScale

  init(rate: SampleRate) { grid = HopGrid(rate: rate) }

  public var hopCount: Int { codes.count }

  /// How often there was news.
  private(set) var revision = 0

  /// Whether all of a span is known, but for what may be left at its end of the last hop.
  func reach(over span: Range<FramePosition>) -> Bool {
    span.isEmpty || grid.hop(containing: span.upperBound - FrameCount(1)) <= codes.count
  }

  /// The code for the level of a hop.
  /// - Parameter meanSquare: full scale is 1.
  public static func code(meanSquare: Float) -> UInt8 {
    guard meanSquare > 0 else { return 0 }
    return UInt8(min(max((20 * log10(meanSquare) + 255).rounded(), 0), 255))
  }

  /// Takes codes for the hops from `first` on; leaves no gap.
  mutating func take(_ newCodes: [UInt8], from first: Int) {
    guard first >= 0, first <= codes.count else { return }
    revision += 1
    let replaced = first..<min(first + newCodes.count, codes.count)
    for code in codes[replaced] { counts[Int(code)] -= 1 }
    for code in newCodes { counts[Int(code)] += 1 }
    codes.replaceSubrange(replaced, with: newCodes)
    sums.removeSubrange((first + 1)...)
    sums.reserveCapacity(codes.count + 1)
    var sum = sums[first]
    for code in codes[first...] {
      sum += UInt32(code)
      sums.append(sum)
    }
    scale = fittedScale
  }
}

// MARK: What is drawn

extension LevelTrack {
  /// The quietest and the loudest stretch of some frames, in dBFS.
  struct Extremes: Hashable {
    var quiet: Double
    var loud: Double
  }

  /// A stretch is this share of the frames: so a pause shows at every zoom in which it is wide enough to
  /// be seen, a breath in a page and the silence between two rak'ahs in a night.
  private static let stretches = 4

  /// Nil where nothing is known.
  func extremes(over frames: Range<FramePosition>) -> Extremes? {
    guard !frames.isEmpty else { return nil }
    let first = grid.hop(containing: frames.lowerBound)
    let last = grid.hop(containing: frames.upperBound - FrameCount(1))
    let hops = (first..<last + 1).clamped(to: 0..<codes.count)
    guard !hops.isEmpty else { return nil }
    let length = max(hops.count / Self.stretches, 1)
    var (least, most) = (UInt32.max, UInt32.min)
    var start = hops.lowerBound
    while start + length <= hops.upperBound {
      let sum = sums[start + length] - sums[start]
      least = min(least, sum)
      most = max(most, sum)
      start += max(length / 2, 1)
    }
    return Extremes(
      quiet: Self.decibels(Double(least) / Double(length)),
      loud: Self.decibels(Double(most) / Double(length)))
  }

  /// Hops that a column has at least for its extremes to say more than its samples do.
  private static let minHops = 2

  /// The same in frames.
  var minFrames: Int64 { Int64(Self.minHops * grid.rate.hertz / HopGrid.hopsPerSecond) }

  static func decibels(_ code: Double) -> Double { code / 2 - 127.5 }

  /// Before anything is known, and for whoever wants it fixed.
  static let widestScale = -60.0...0.0
  /// dB that a scale has at least: a recording of nothing but noise is not drawn as mountains.
  private static let narrowest = 24.0
  /// Share of the hops that are taken for background, and of those that may be louder than the scale.
  private static let quietShare = 0.02
  private static let loudShare = 0.0005

  private var fittedScale: ClosedRange<Double> {
    // Digital silence is no background.
    let sounding = codes.count - counts[0]
    guard sounding > 0 else { return Self.widestScale }
    func level(below share: Double) -> Double {
      var left = Int(Double(sounding) * share)
      for code in 1..<counts.count {
        left -= counts[code]
        if left < 0 { return Self.decibels(Double(code)) }
      }
      return 0
    }
    let top = level(below: 1 - Self.loudShare)
    let widest = Self.widestScale.upperBound - Self.widestScale.lowerBound
    let bottom = min(max(level(below: Self.quietShare), top - widest), top - Self.narrowest)
    return bottom...top
  }
}

// MARK: Quiet places

extension LevelTrack {
  /// Hops that are averaged: a trough is the centre of 50 ms.
  private static let width = 5
  /// A trough is the quietest among this many hops on either side.
  private static let seclusion = 10
  /// And so many half decibels below the loudest within reach, 6 dB: wiggles of a steady background
  /// are none.
  private static let depth = 12

  /// The centres of the quietest 50 ms near a place, wherever the sound has a trough.
  func troughs(near position: FramePosition) -> [FramePosition] {
    guard position >= .zero, !codes.isEmpty else { return [] }
    let reach = Int(Snap.reach * Double(HopGrid.hopsPerSecond)) + 1
    let middle = min(grid.hop(containing: position), codes.count)
    let margin = reach + Self.seclusion + reach
    let range = (middle - margin..<middle + margin + 1).clamped(to: 0..<codes.count)
    guard range.count > Self.width else { return [] }
    let sums = smoothed(range)
    var troughs: [FramePosition] = []
    var index = 0
    while index < sums.count {
      // A level stretch has its trough in the middle.
      var end = index + 1
      while end < sums.count, sums[end] == sums[index] { end += 1 }
      let around = max(index - Self.seclusion, 0)..<min(end + Self.seclusion, sums.count)
      let wide = max(index - reach, 0)..<min(end + reach, sums.count)
      let isLowest = !sums[around].contains { $0 < sums[index] }
      let loudest = sums[wide].max() ?? sums[index]
      if isLowest, loudest - sums[index] >= Self.depth * Self.width {
        let first = grid.start(ofHop: range.lowerBound + index).frames
        let last = grid.start(ofHop: range.lowerBound + end - 1 + Self.width).frames
        troughs.append(FramePosition((first + last) / 2))
      }
      index = end
    }
    return troughs
  }

  /// Sums of the levels of ``width`` hops, one for each start.
  private func smoothed(_ range: Range<Int>) -> [Int] {
    (range.lowerBound...range.upperBound - Self.width).map { start in
      codes[start..<start + Self.width].reduce(0) { $0 + Int($1) }
    }
  }
}
