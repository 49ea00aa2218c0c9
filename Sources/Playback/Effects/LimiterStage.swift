// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// The gain that keeps peaks at or below full scale, known `lookahead` frames after each frame came in; the
/// output thread's.
///
/// Of each frame the gain it needs; the least of those in a window; from there back to 1 along an
/// exponential; the mean of a window of that. Every value in the mean of a frame looks at that frame, so none
/// lets it through too loud. Below full scale the gain is exactly 1, since the mean is kept in whole numbers.
struct LimiterStage: ~Copyable {
  /// How long the gain takes on its way down, in seconds: too slow for a click, too fast to be heard ahead of
  /// a peak, which masks what comes up to 5 ms before it.
  private static var attack: Double { 0.0015 }
  /// After which the gain has come back by 63 %, in seconds: longer than a period of the lowest voice, which
  /// would be bent otherwise.
  private static var release: Double { 0.15 }
  private static var one: Double { 1_099_511_627_776 }

  let lookahead: Int
  private let window: Int
  private let mask: Int
  private let recovery: Double
  /// Of the last `window` frames those whose gain is less than all later ones: frame numbers and gains.
  private let places: UnsafeMutablePointer<Int>
  private let gains: UnsafeMutablePointer<Double>
  private var first = 0
  private var last = 0
  /// What the gains of the last `window` frames lack of 1, and the sum of it.
  private let lacks: UnsafeMutablePointer<Int>
  private var lack = 0
  private var now = 0
  private var envelope = 1.0

  init(rate: Int) {
    lookahead = max(1, Int(Double(rate) * Self.attack))
    window = lookahead + 1
    recovery = 1 - exp(-1 / (Self.release * Double(rate)))
    var size = 1
    while size < window + 1 { size *= 2 }
    mask = size - 1
    places = .allocate(capacity: size)
    places.initialize(repeating: 0, count: size)
    gains = .allocate(capacity: size)
    gains.initialize(repeating: 1, count: size)
    lacks = .allocate(capacity: size)
    lacks.initialize(repeating: 0, count: size)
  }

  deinit {
    places.deallocate()
    gains.deallocate()
    lacks.deallocate()
  }

  /// Whether all that came in lately was within full scale, and the gain is 1.
  @_noLocks
  func isAtRest() -> Bool { lack == 0 && envelope == 1 }

  /// Takes the highest amplitude of a frame, and returns the gain of the one `lookahead` frames before it.
  @_noLocks
  mutating func gain(after peak: Float) -> Double {
    let needed = peak > 1 ? 1 / Double(peak) : 1
    while last > first && gains[(last &- 1) & mask] >= needed { last &-= 1 }
    places[last & mask] = now
    gains[last & mask] = needed
    last &+= 1
    if places[first & mask] <= now &- window { first &+= 1 }

    envelope = min(gains[first & mask], envelope + (1 - envelope) * recovery)
    // A hundredth of a step of 24 bits below 1.
    if envelope > 1 - 1e-9 { envelope = 1 }
    let lacking = envelope == 1 ? 0 : Int((1 - envelope) * Self.one) &+ 1
    lack &+= lacking &- lacks[(now &- window) & mask]
    lacks[now & mask] = lacking
    now &+= 1
    return lack == 0 ? 1 : 1 - Double(lack) / (Self.one * Double(window))
  }
}
