// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Quran
import TestSupport

/// A recording in which chords stand for syllables: the same ones for the same words, whoever says them.
struct ToneRecitation {
  /// Seconds per unit of length.
  var pace = 0.12
  private(set) var samples: [Float] = []
  /// Seconds at which each ayah begins, in order.
  private(set) var starts: [(ayah: AyahReference, seconds: Double)] = []

  static let rate = 16_000
  static let pause = 0.5

  var seconds: Double { Double(samples.count) / Double(Self.rate) }

  mutating func silence(_ seconds: Double) {
    var random = SplitMix64(state: UInt64(samples.count))
    for _ in 0..<Int(seconds * Double(Self.rate)) {
      samples.append(Float.random(in: -0.0005...0.0005, using: &random))
    }
  }

  /// Each as long as its text is, and a pause after it.
  mutating func recite(_ range: AyahRange) {
    for ayah in range {
      let length = ayah.length
      let units = length.phoneticUnits + 6 * length.maddSigns + 3 * length.waqfMarks
      recite(ayah, seconds: Double(units) * pace, syllables: max(units / 2, 2))
    }
  }

  /// The same syllables each time, however long it takes.
  mutating func recite(_ ayah: AyahReference, seconds: Double, syllables: Int) {
    starts.append((ayah, self.seconds))
    say(UInt64(ayah.absoluteIndex), syllables: syllables, length: seconds / Double(syllables))
    silence(Self.pause)
  }

  /// Something of a seed's own.
  mutating func say(_ seed: UInt64, syllables: Int, length: Double) {
    var random = SplitMix64(state: seed)
    for _ in 0..<syllables {
      let pitches = (0..<3).map { _ in Double.random(in: 200...3500, using: &random) }
      let count = Int(length * Double(Self.rate))
      for index in 0..<count {
        let time = Double(index) / Double(Self.rate)
        let fade = Float(min(index, count - 1 - index, 200)) / 200
        let tone = pitches.reduce(0) { $0 + sin(2 * .pi * $1 * time) }
        samples.append(Float(tone) * 0.12 * fade)
      }
    }
  }

  /// One ayah of those recited, by itself.
  func part(_ number: Int) -> ToneRecitation {
    let edges = (starts.map(\.seconds) + [seconds]).map { Int($0 * Double(Self.rate)) }
    var part = ToneRecitation(pace: pace)
    part.samples = Array(samples[edges[number]..<edges[number + 1]])
    part.starts = [(starts[number].ayah, 0)]
    return part
  }

  /// As a WAV file of 16 bits, mono.
  func write(to path: String) throws {
    var data = Data()
    func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
    data.append(contentsOf: Array("RIFF".utf8))
    append(UInt32(36 + samples.count * 2))
    data.append(contentsOf: Array("WAVEfmt ".utf8))
    append(UInt32(16))
    append(UInt16(1))
    append(UInt16(1))
    append(UInt32(Self.rate))
    append(UInt32(Self.rate * 2))
    append(UInt16(2))
    append(UInt16(16))
    data.append(contentsOf: Array("data".utf8))
    append(UInt32(samples.count * 2))
    for sample in samples { append(Int16(max(-1, min(1, sample)) * 32_767)) }
    try data.write(to: URL(filePath: path))
  }
}
