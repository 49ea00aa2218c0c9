// SPDX-License-Identifier: GPL-3.0-or-later

public import Foundation
public import Quran

/// A recording in which each sound of the text is a chord of its own, and ``weights`` of an acoustic network
/// that hears chords: no voice, but the whole way from samples to words.
public struct ToneRecitation {
  /// Seconds that a sound of one count takes.
  public var pace: Double
  public private(set) var samples: [Float] = []
  /// Seconds at which each ayah begins, in order.
  public private(set) var starts: [(ayah: AyahReference, seconds: Double)] = []

  public static let rate = 16_000
  public static let pause = 0.5

  public init(pace: Double = 0.12) { self.pace = pace }

  public var seconds: Double { Double(samples.count) / Double(Self.rate) }

  public mutating func silence(_ seconds: Double) {
    var random = SplitMix64(state: UInt64(samples.count))
    for _ in 0..<Int(seconds * Double(Self.rate)) {
      samples.append(Float.random(in: -0.0005...0.0005, using: &random))
    }
  }

  /// Ayat, with a pause after each.
  public mutating func recite(_ range: AyahRange) {
    for ayah in range {
      starts.append((ayah, seconds))
      say(QuranSounds.words(of: ayah))
      silence(Self.pause)
    }
  }

  public mutating func say(_ formula: SpokenFormula) {
    say(QuranSounds.wordings(of: formula).first ?? [])
  }

  /// How long words that are said together take.
  public func seconds(of words: [SpokenWord]) -> Double {
    QuranSounds.sounds(of: words).reduce(0) { $0 + pace * Self.counts($1.length) }
  }

  public mutating func say(_ words: [SpokenWord]) {
    for sound in QuranSounds.sounds(of: words) {
      let counts = Self.counts(sound.length)
      chord(Self.bands(of: sound.phone), seconds: pace * counts)
    }
  }

  /// Chords that are none of the text's sounds.
  public mutating func mumble(_ seconds: Double) {
    var random = SplitMix64(state: UInt64(samples.count))
    for _ in 0..<Int(seconds / 0.16) {
      let first = Int.random(in: 0..<24, using: &random)
      chord((first, first + 1), seconds: 0.16)
    }
  }

  private mutating func chord(_ bands: (Int, Int), seconds: Double) {
    let count = Int(seconds * Double(Self.rate))
    let tones = [bands.0, bands.1].map { 2 * .pi * Self.centre($0) / Double(Self.rate) }
    for index in 0..<count {
      let fade = Float(min(index, count - 1 - index, 80)) / 80
      let tone = tones.reduce(0) { $0 + sin($1 * Double(index)) }
      samples.append(Float(tone) * 0.2 * fade)
    }
  }

  private static func counts(_ length: PhoneLength) -> Double {
    switch length {
    case .single, .doubled: 1
    case .nasalised, .natural, .arid, .leen: 2
    case .munfasil, .muttasil: 3
    case .lazim: 4
    }
  }

  /// The two of the 26 bands of the network's input that are a sound's own, none beside another's.
  private static func bands(of phone: Phone) -> (Int, Int) {
    let number = Int(phone.rawValue)
    return (2 * (number % 7), 14 + 2 * (number / 7))
  }

  /// The middle of a band, as `LogMelFrames` has them.
  private static func centre(_ band: Int) -> Double {
    func mel(_ hertz: Double) -> Double { 1127 * log1p(hertz / 700) }
    let share = Double(band + 1) / 27
    return 700 * expm1((mel(100) + (mel(3800) - mel(100)) * share) / 1127)
  }

  /// A file of weights with one layer: a sound is where its two bands are loud, silence where none is.
  public static func weights(version: UInt32 = 77) -> Data {
    let sounds = Phone.allCases.count + 1
    var data = Data("TILAWAAW".utf8)
    for number in [1, version, 1, 26, UInt32(sounds), 1, 1] {
      withUnsafeBytes(of: number.littleEndian) { data += $0 }
    }
    for phone in Phone.allCases {
      let own = bands(of: phone)
      data += Data((0..<26).map { $0 == own.0 || $0 == own.1 ? 100 : 0 })
    }
    data += Data((0..<26).map { _ in UInt8(bitPattern: -15) })
    for number in [Float(0.0005), 0, -3.6] {
      for _ in 0..<sounds { withUnsafeBytes(of: number.bitPattern.littleEndian) { data += $0 } }
    }
    return data
  }

  /// Puts the weights where a program with that home finds those that a person has trained.
  public static func teach(home: String) throws {
    let folder = URL(filePath: home + "/config")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try weights().write(to: folder.appending(path: "acoustic-weights.bin"))
  }

  /// As a WAV file of 16 bits, mono.
  public func write(to path: String) throws {
    try Data(WaveFile.bytes(rounding: samples, rate: Self.rate)).write(to: URL(filePath: path))
  }
}
