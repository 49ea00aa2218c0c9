// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Glibc

/// The level of every hop of the recording, as far as it has been analysed, to find quiet places by.
///
/// One byte a hop: half an hour takes 180 kB.
public struct LevelTrack: Hashable, Sendable {
  private let grid: HopGrid
  /// Half decibels above -127.5 dBFS, hop by hop.
  private var codes: [UInt8] = []

  init(rate: SampleRate) { grid = HopGrid(rate: rate) }

  public var hopCount: Int { codes.count }

  /// The code for the level of a hop.
  /// - Parameter meanSquare: full scale is 1.
  public static func code(meanSquare: Float) -> UInt8 {
    guard meanSquare > 0 else { return 0 }
    return UInt8(min(max((20 * log10(meanSquare) + 255).rounded(), 0), 255))
  }

  /// Takes codes for the hops from `first` on; leaves no gap.
  mutating func take(_ newCodes: [UInt8], from first: Int) {
    guard first >= 0, first <= codes.count else { return }
    let replaced = first..<min(first + newCodes.count, codes.count)
    codes.replaceSubrange(replaced, with: newCodes)
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
