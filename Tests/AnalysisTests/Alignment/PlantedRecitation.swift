// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import Quran
import TestSupport

@testable import Analysis

/// A recitation made of hops, whose ayat are known.
///
/// The voice rises and falls with each syllable; an ayah ends on a held one and mostly in a pause, and
/// longer ayat have breaths inside.
struct PlantedRecitation {
  var random: SplitMix64
  /// Seconds per phonetic unit.
  var pace: Double
  /// Standard deviation of the logarithm of an ayah's duration.
  var spread: Double
  /// Share of boundaries without a pause.
  var joined: Double
  private(set) var hops: [Hop] = []
  /// Seconds at which each part begins, and what it is.
  private(set) var starts: [(label: String, seconds: Double)] = []

  /// Whether what is said again is said much as before.
  var isAlike: Bool
  /// What sounds like what: a part's words are those of another.
  var alike: [String: String] = [:]
  /// How each part was said, to be said so again.
  private var said: [String: [Hop]] = [:]

  static let rate = SampleRate(hertz: 16_000)!

  init(
    random: SplitMix64 = SplitMix64(state: 1), pace: Double = 0.12, spread: Double = 0.08,
    joined: Double = 0, isAlike: Bool = false
  ) {
    self.random = random
    self.pace = pace
    self.spread = spread
    self.joined = joined
    self.isAlike = isAlike
  }

  var seconds: Double { Double(hops.count) / 100 }

  var envelope: Envelope {
    Envelope(
      rate: Self.rate, length: FrameCount(Int64(hops.count) * 160), hops: hops)
  }

  mutating func silence(_ seconds: Double) {
    for _ in 0..<Int(seconds * 100) { add(level: -68 + Double.random(in: -2...2, using: &random)) }
  }

  mutating func recite(_ range: AyahRange) {
    for ayah in range {
      recite(ayah.description, units: Int(RecitedToken.units(of: ayah) - RecitedToken.unitsOfStop))
    }
  }

  /// Says something of so many units, and falls silent after it; what was said before much as it was.
  mutating func recite(_ label: String, units: Int) {
    starts.append((label, seconds))
    let words = alike[label] ?? label
    if isAlike, let before = said[words] {
      sayAgain(before)
    } else {
      let start = hops.count
      say(units: units)
      said[words] = Array(hops[start...])
    }
  }

  /// Says the beginning of something, breaks off and draws breath.
  mutating func reciteBeginning(_ label: String, units: Int, share: Double) {
    starts.append(("\(label) (beginning)", seconds))
    let start = hops.count
    say(units: units)
    said[label] = Array(hops[start...])
    hops.removeLast(Int(Double(hops.count - start) * (1 - share)))
    silence(0.5)
  }

  /// A little faster, and not quite as loud.
  private mutating func sayAgain(_ before: [Hop]) {
    for (number, hop) in before.enumerated() where number % 30 != 7 {
      var hop = hop
      hop.meanSquare *= Float.random(in: 0.7...0.8, using: &random)
      hops.append(hop)
    }
  }

  private mutating func say(units: Int) {
    let duration = Double(units + 4) * pace * exp(spread * gaussian())
    let isJoined = Double.random(in: 0..<1, using: &random) < joined
    let pause = isJoined ? 0.0 : Double.random(in: 0.35...0.6, using: &random)
    var left = max(duration - pause - 0.5, 0.3)
    var sinceBreath = 0.0
    while left > 0 {
      let syllable = min(left, Double.random(in: 0.14...0.3, using: &random))
      say(syllable, color: Int.random(in: 0..<4, using: &random))
      left -= syllable
      sinceBreath += syllable
      if sinceBreath > 5, left > 1.5 {
        let breath = Double.random(in: 0.15...0.3, using: &random)
        silence(breath)
        left -= breath
        sinceBreath = 0
      }
    }
    say(0.5, color: 2)
    silence(pause)
  }

  /// Keeps what lies between two times; a part of which the beginning is lost is gone.
  mutating func cut(from start: Double, to end: Double) {
    hops = Array(hops[Int(start * 100)..<Int(end * 100)])
    starts = starts.filter { $0.seconds >= start && $0.seconds < end }
      .map { ($0.label, $0.seconds - start) }
  }

  /// One syllable: a vowel of some color that falls by 8 dB towards its end.
  private mutating func say(_ seconds: Double, color: Int) {
    let count = max(Int(seconds * 100), 4)
    for index in 0..<count {
      let edge = min(index, count - 1 - index)
      let fall = edge == 0 ? -8.0 : edge == 1 ? -3.0 : 0
      add(level: -16 + fall + Double.random(in: -1...1, using: &random), color: color)
    }
  }

  private mutating func add(level: Double, color: Int = 0) {
    let power = Float(pow(10, level / 10))
    var bands: UInt32 = 0
    for band in 0..<4 {
      let share = band == color ? 0.0 : -10 - 3 * Double(abs(band - color))
      bands |= Hop.bandCode(power * Float(pow(10, share / 10))) << UInt32(8 * band)
    }
    let peak = Int16(min(32_000, 1.4 * Double(power).squareRoot() * 32_767))
    hops.append(
      Hop(
        meanSquare: power, minimum: -peak, maximum: peak, fine: 0xcccc_cccc, bands: bands))
  }

  private mutating func gaussian() -> Double {
    let radius = (-2 * log(Double.random(in: 1e-9..<1, using: &random))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
  }

  /// How many parts the alignment has with the right label and a start within a quarter of a second;
  /// the pause before a part belongs to the one that precedes.
  func found(by alignment: AyahAlignment) -> Int {
    starts.count { part in
      alignment.segments.contains {
        $0.assignment.description == part.label
          && abs($0.span.lowerBound.seconds(at: Self.rate) - part.seconds) < 0.25
      }
    }
  }
}
