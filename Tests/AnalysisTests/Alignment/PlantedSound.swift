// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Quran
import TestSupport

@testable import Analysis

extension PlantedRecitation {
  /// What the recitation sounds like: the same words each time that something is said again, al-Fatiha as
  /// people recite it, in a voice and with a noise of its own.
  func sound(noise: Float = 0.6) -> Cepstra {
    var random = SplitMix64(state: 77)
    // Looked up, for there are a million of them to an hour.
    let gaussians = (0..<4096).map { _ in
      (0..<12).reduce(Float(-6)) { sum, _ in sum + Float.random(in: 0..<1, using: &random) }
    }
    func gaussian() -> Float { gaussians[Int(truncatingIfNeeded: random.next() & 4095)] }
    let voice = (0..<Cepstra.width).map { _ in 2 * gaussian() }
    var coefficients: [Float] = []
    for (number, part) in starts.enumerated() {
      let end = number + 1 < starts.count ? starts[number + 1].seconds : seconds
      let frames = Int(end * 25) - Int(part.seconds * 25)
      let first = Int(part.seconds * 25)
      if number == 0 { coefficients += (0..<(first * Cepstra.width)).map { _ in gaussian() } }
      let isSpoken = (0..<frames).map { frame in
        let hop = min((first + frame) * 4 + 2, hops.count - 1)
        return hops[hop].meanSquare > 1e-5
      }
      // What is said lies between the first sound and the last; breaths take none of it.
      let spoken = isSpoken.count { $0 }
      let words = Self.words(
        of: alike[part.label] ?? part.label, frames: spoken)
      var said = 0
      for frame in 0..<frames {
        for index in 0..<Cepstra.width {
          let word =
            isSpoken[frame]
            ? words[said * words.count / max(spoken, 1) / Cepstra.width * Cepstra.width + index] : 0
          coefficients.append(word + voice[index] + noise * gaussian())
        }
        if isSpoken[frame] { said += 1 }
      }
    }
    return Cepstra(coefficients: coefficients)
  }

  /// Coefficients of what a label says.
  private static func words(of label: String, frames: Int) -> [Float] {
    let label = label.replacing(" (beginning)", with: "")
    if label.hasPrefix("1:"), let ayah = Int(label.dropFirst(2)) {
      return FatihaSounds.coefficients[ayah - 1]
    }
    // An ayah has the same sounds at any pace.
    let ayah = try? AyahRange(parsing: label).first
    let frames = ayah.map { ($0.length.phoneticUnits + 4) * 3 } ?? frames
    var seed: UInt64 = 14_695_981_039_346_656_037
    for byte in label.utf8 { seed = (seed ^ UInt64(byte)) &* 1_099_511_628_211 }
    var random = SplitMix64(state: seed)
    var sound = [Float](repeating: 0, count: Cepstra.width)
    return (0..<max(frames, 1)).flatMap { frame in
      if frame % 3 == 0 {
        for index in sound.indices { sound[index] = Float.random(in: -3.5...3.5, using: &random) }
      }
      return sound
    }
  }
}
