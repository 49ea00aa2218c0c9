// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// The levels of 26 mel bands of the voice, 25 times a second.
public struct LogMelFrames: Hashable, Sendable {
  /// Triangular bands, evenly spaced in mel, 1127 ln(1 + f / 700), from 100 to 3,800 Hz, which a
  /// recording at 8 kHz still holds.
  public static let bandCount = 26
  public static let framesPerSecond = 25

  /// Frame by frame, `count x bandCount`: the mean power of a band in half decibels above -110 dBFS.
  public var levels: [UInt8]

  public init(levels: [UInt8] = []) { self.levels = levels }

  /// The corners of the bands in hertz: band k rises from corner k, is greatest at k + 1 and ends at k + 2.
  static let corners: [Double] = {
    func mel(_ hertz: Double) -> Double { 1127 * log1p(hertz / 700) }
    let low = mel(100)
    let high = mel(3800)
    return (0..<bandCount + 2).map { index in
      700 * expm1((low + (high - low) * Double(index) / Double(bandCount + 1)) / 1127)
    }
  }()

  /// The number of frames that cover the given number of 10 ms hops.
  public static func count(covering hops: Int) -> Int { (hops + 3) / 4 }

  public var count: Int { levels.count / Self.bandCount }

  /// Where the 40 ms of frame k begin. They end with the 50 ms that it looks at.
  public static func seconds(ofFrame frame: Int) -> Double {
    Double(frame) / Double(framesPerSecond)
  }

  /// Makes the frames of one recording comparable with those of another: each band less its mean over
  /// what is voiced, in units of its deviation there.
  ///
  /// - Returns: `count x bandCount` numbers in -124...124, 31 to a deviation; beyond four deviations they
  ///   are cut off. Whole numbers throughout but for one square root, so every machine has the same.
  func normalized() -> [Int8] {
    let bands = Self.bandCount
    guard count > 0 else { return [] }
    let sums = (0..<count).map { frame in
      levels[frame * bands..<(frame + 1) * bands].reduce(0) { $0 + Int($1) }
    }
    let loud = sums.sorted()[min(count * 95 / 100, count - 1)]
    let least = loud - Self.voicedDepth * bands
    var total = [Int](repeating: 0, count: bands)
    var squares = total
    var voiced = 0
    for frame in 0..<count where sums[frame] >= least {
      voiced += 1
      for band in 0..<bands {
        let level = Int(levels[frame * bands + band])
        total[band] += level
        squares[band] += level * level
      }
    }
    // Per band a table of what each of the 256 levels becomes.
    var tables = [Int8](repeating: 0, count: bands * 256)
    for band in 0..<bands {
      let mean = Double(total[band]) / Double(voiced)
      let variance = Double(squares[band]) / Double(voiced) - mean * mean
      let scale = 31 / (max(variance, 0) + 1).squareRoot()
      for level in 0..<256 {
        let value = ((Double(level) - mean) * scale).rounded()
        tables[band * 256 + level] = Int8(min(max(value, -124), 124))
      }
    }
    return levels.indices.map { tables[$0 % bands * 256 + Int(levels[$0])] }
  }

  /// Half decibels below the loud frames (95th percentile) within which a frame counts as voiced.
  private static let voicedDepth = 60
}
