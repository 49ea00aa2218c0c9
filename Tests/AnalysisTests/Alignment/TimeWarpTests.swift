// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Quran
import TestSupport
import Testing

@testable import Analysis

@Suite struct TimeWarpTests {
  /// A sound that changes all the time and never comes back.
  private func words(_ count: Int, seed: UInt64) -> [[Float]] {
    var random = SplitMix64(state: seed)
    var frame = [Float](repeating: 0, count: Cepstra.width)
    return (0..<count).map { _ in
      for index in frame.indices { frame[index] = 0.6 * frame[index] + gaussian(&random) }
      return frame
    }
  }

  /// The same words at another pace and by another voice.
  private func spoken(_ words: [[Float]], pace: Double, seed: UInt64) -> Cepstra {
    var random = SplitMix64(state: seed)
    let offset = (0..<Cepstra.width).map { _ in 3 * gaussian(&random) }
    var coefficients: [Float] = []
    for frame in 0..<Int(Double(words.count) * pace) {
      let word = words[min(Int(Double(frame) / pace), words.count - 1)]
      for index in word.indices {
        coefficients.append(word[index] + offset[index] + 0.5 * gaussian(&random))
      }
    }
    return Cepstra(coefficients: coefficients)
  }

  private func gaussian(_ random: inout SplitMix64) -> Float {
    (0..<12).reduce(Float(-6)) { sum, _ in sum + Float.random(in: 0..<1, using: &random) }
  }

  private func ayat(_ text: String) throws -> [AyahReference] {
    Array(try AyahRange(parsing: text))
  }

  private func tokens(_ ayat: [AyahReference]) -> [RecitedToken] { ayat.map { .ayah($0) } }

  /// Ten ayat of 100 frames each, by the voice of the reference.
  private func reference(_ ayat: [AyahReference], lacking: Set<Int> = []) -> ReferenceRecitation {
    var cepstra: [AyahReference: Cepstra] = [:]
    for (index, ayah) in ayat.enumerated() where !lacking.contains(index) {
      cepstra[ayah] = spoken(words(100, seed: UInt64(index)), pace: 1, seed: 100)
    }
    return ReferenceRecitation(ayat: cepstra)
  }

  private func heard(_ indices: [Int], pace: Double = 1.5) -> Cepstra {
    spoken(indices.flatMap { words(100, seed: UInt64($0)) }, pace: pace, seed: 200)
  }

  private func recording(_ indices: [Int], pace: Double = 1.5) -> SpectralFrames {
    SpectralFrames(joining: [.known(heard(indices, pace: pace))])
  }

  /// Long recordings are traced back part by part.
  @Test(arguments: [1, 3_000, 40_000])
  func isTracedBackTheSameInParts(bytes: Int) throws {
    let whole = TimeWarp(
      recording: recording(Array(0..<6)), reference: recording(Array(0..<8), pace: 1),
      entries: [0, 30], exits: [520, 600, 799])
    var parts = whole
    parts.mostOriginBytes = bytes
    let centres = (0..<whole.recording.count).map { $0 * 2 / 3 }
    for band in [TimeWarp.Band.around(centres, reach: 60), .following(reach: 45)] {
      let path = try #require(whole.path(band))
      let other = try #require(parts.path(band))
      #expect(path.frames == other.frames)
      #expect(path.total == other.total && path.cost == other.cost && path.exit == other.exit)
    }
  }

  @Test(arguments: [0.6, 1.0, 1.5, 3.0])
  func findsTheSameWordsAtAnotherPace(pace: Double) throws {
    let ayat = try ayat("79:1-10")
    let guide = ReferenceGuide(
      recording: recording(Array(0..<10), pace: pace), reference: reference(ayat),
      tokens: tokens(ayat), mayHaveLeadIn: false)
    let guess = (0...10).map { Double($0) * 4 * pace + ($0 == 5 ? 8 : 0) }
    let placement = try #require(guide.placement(guess: guess, isEndKnown: true))
    for row in 1..<10 {
      let seconds = try #require(placement.rows[row])
      #expect(abs(seconds - Double(row) * 4 * pace) < 0.3)
    }
    #expect(placement.cost < 0.55)
  }

  @Test func findsWhereTheRecitationEnds() throws {
    let ayat = try ayat("79:1-20")
    let guide = ReferenceGuide(
      recording: recording(Array(0..<8)), reference: reference(ayat), tokens: tokens(ayat),
      mayHaveLeadIn: false)
    let guess = (0...6).map { Double($0) * 8 }
    let placement = try #require(guide.placement(guess: guess, isEndKnown: false))
    #expect(placement.tokens.count == 8)
  }

  @Test func bridgesAyatThatTheReferenceLacks() throws {
    let ayat = try ayat("79:1-10")
    let guide = ReferenceGuide(
      recording: recording(Array(0..<10)), reference: reference(ayat, lacking: [4, 5]),
      tokens: tokens(ayat), mayHaveLeadIn: false)
    let guess = (0...10).map { Double($0) * 6 }
    let placement = try #require(guide.placement(guess: guess, isEndKnown: true))
    #expect(placement.rows[5] == nil)
    for row in [1, 2, 3, 4, 6, 7, 8, 9] {
      let seconds = try #require(placement.rows[row])
      #expect(abs(seconds - Double(row) * 6) < 0.5)
    }
  }

  @Test func otherWordsCostMore() throws {
    let ayat = try ayat("79:1-10")
    let guide = ReferenceGuide(
      recording: recording(Array(50..<60)), reference: reference(ayat), tokens: tokens(ayat),
      mayHaveLeadIn: false)
    let placement = try #require(
      guide.placement(guess: (0...10).map { Double($0) * 6 }, isEndKnown: true))
    #expect(placement.cost > 0.6)
  }

  @Test(arguments: [1, 7, 4096])
  func cepstraDoNotDependOnBlocks(block: Int) throws {
    let sound = try Sound.noise(amplitude: 0.3, rate: 16_000, frames: 20_000, channels: 2)
    func cepstra(_ block: Int) -> Cepstra {
      var analyzer = CepstralAnalyzer(format: sound.format)
      sound.samples.withUnsafeBufferPointer { samples in
        for start in stride(from: 0, to: samples.count, by: block * 2) {
          let end = min(start + block * 2, samples.count)
          analyzer.push(UnsafeBufferPointer(rebasing: samples[start..<end]))
        }
      }
      return analyzer.finish()
    }
    let whole = cepstra(20_000)
    #expect(whole.count == 32)
    #expect(cepstra(block) == whole)
  }

  @Test func keptCepstraAreReadBackAndDamagedOnesAreNot() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a-cepstra.bin")
    let key = [UInt8](repeating: 7, count: 16)
    let cepstra = heard([1], pace: 1)
    #expect(CepstraFile.write(cepstra, to: path, key: key))
    #expect(CepstraFile.read(path, key: key) == cepstra)
    #expect(CepstraFile.read(path, key: [UInt8](repeating: 8, count: 16)) == nil)
    let file = try #require(fopen(path, "r+"))
    fseek(file, 100, SEEK_SET)
    fputc(0x55, file)
    fclose(file)
    #expect(CepstraFile.read(path, key: key) == nil)
    _ = folder
  }
}
