// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Quran
import TestSupport
import Testing

@testable import Analysis

/// Recordings of planted words, and the same words by another voice: where do they begin?
@Suite struct PassageSearchTests {
  private static let rate = Double(Cepstra.framesPerSecond)

  /// Sounds that change about every fifth of a second, the same for the same ayah.
  private func sounds(_ ayah: AyahReference) -> [[Float]] {
    sounds(RecitedToken.units(of: ayah), seed: UInt64(ayah.absoluteIndex))
  }

  private func sounds(_ units: Double, seed: UInt64) -> [[Float]] {
    var random = SplitMix64(state: seed &* 977)
    return (0..<max(Int(units / 2), 1)).map { _ in
      (0..<Cepstra.width).map { _ in Float.random(in: -3...3, using: &random) }
    }
  }

  /// So many frames for each sound on average, by a voice with some noise.
  private func said(
    _ sounds: [[Float]], framesEach: Double, voice: Float, _ random: inout SplitMix64
  ) -> [Float] {
    let frames = Int(Double(sounds.count) * framesEach)
    return (0..<frames).flatMap { frame in
      let place = Double(frame) / Double(frames) * Double(sounds.count)
      return sounds[min(Int(place), sounds.count - 1)].enumerated().map { index, value in
        value + voice * Float(index % 3) + Float.random(in: -1.5...1.5, using: &random)
      }
    }
  }

  private func reference(
    _ text: String, framesEach: Double = 5, silence: Int = 0
  ) throws -> ReferenceRecitation {
    var random = SplitMix64(state: 5)
    let still = [Float](repeating: 0, count: silence * Cepstra.width)
    var ayat: [AyahReference: Cepstra] = [:]
    for ayah in try [.first] + AyahRange(parsing: text) {
      let words = said(sounds(ayah), framesEach: framesEach, voice: 2, &random)
      ayat[ayah] = Cepstra(coefficients: still + words + still)
    }
    return ReferenceRecitation(ayat: ayat)
  }

  private func places(
    _ recording: [Float], _ reference: ReferenceRecitation
  ) -> [AyahProposal] {
    let cepstra = Cepstra(coefficients: recording)
    return PassageSearch(
      ReferenceComparison(recording: cepstra, reference: reference), voiced: 0..<cepstra.seconds,
      silences: [], stopFlag: StopFlag()
    ).proposals()
  }

  private func recording(
    _ text: String, framesEach: Double, after lead: [[Float]] = [], seed: UInt64 = 9
  ) throws -> [Float] {
    var random = SplitMix64(state: seed)
    var frames = said(lead, framesEach: framesEach, voice: -1, &random)
    for ayah in try AyahRange(parsing: text) {
      frames += said(sounds(ayah), framesEach: framesEach, voice: -1, &random)
    }
    return frames
  }

  @Test(arguments: [2.5, 5, 9, 16])
  func findsAStartInMidSurahAtAnyPace(framesEach: Double) throws {
    let proposals = places(
      try recording("79:15-26", framesEach: framesEach), try reference("77:1-81:29"))
    #expect(proposals.first?.first == AyahReference(surah: 79, ayah: 15))
    #expect((proposals.first?.confidence ?? 0) > 0.9)
  }

  @Test func whatIsSaidBeforeIsPassedOver() throws {
    let speech = sounds(120, seed: 31_337)
    let proposals = places(
      try recording("80:1-30", framesEach: 6, after: speech), try reference("77:1-81:29"))
    #expect(proposals.first?.first == AyahReference(surah: 80, ayah: 1))
    #expect((proposals.first?.confidence ?? 0) > 0.9)
  }

  @Test func theBasmalahBelongsToTheSurahThatFollows() throws {
    let basmalah = sounds(.first)
    let proposals = places(
      try recording("80:1-30", framesEach: 6, after: basmalah), try reference("77:1-81:29"))
    #expect(proposals.first?.first == AyahReference(surah: 80, ayah: 1))
    #expect((proposals.first?.confidence ?? 0) > 0.9)
  }

  @Test func theBasmalahAloneTellsNoSurah() throws {
    let basmalah = sounds(.first)
    let proposals = places(
      try recording("90:1-12", framesEach: 6, after: basmalah), try reference("77:1-81:29"))
    #expect((proposals.first?.confidence ?? 0) < 0.5)
  }

  @Test func silenceAtTheEndsOfTheReferenceDoesNotMatter() throws {
    let proposals = places(
      try recording("79:15-26", framesEach: 8), try reference("77:1-81:29", silence: 40))
    #expect(proposals.first?.first == AyahReference(surah: 79, ayah: 15))
    #expect((proposals.first?.confidence ?? 0) > 0.9)
  }

  @Test(arguments: [1, 2, 3])
  func isNotSureOfWhatTheReferenceLacks(seed: UInt64) throws {
    let proposals = places(
      try recording("82:1-19", framesEach: 6, seed: seed), try reference("77:1-81:29"))
    #expect((proposals.first?.confidence ?? 0) < 0.5)
    #expect(proposals.reduce(0) { $0 + $1.confidence } <= 1.000_001)
  }

  @Test func proposesNothingForHardlyAnything() throws {
    let short = Array(try recording("79:15-16", framesEach: 5).prefix(40 * Cepstra.width))
    #expect(places(short, try reference("79:1-20")).isEmpty)
    let silent = ReferenceRecitation(ayat: [:])
    #expect(places(try recording("79:15-26", framesEach: 5), silent).isEmpty)
  }

  @Test func aPathEndsWhereAPartDoes() {
    var random = SplitMix64(state: 3)
    func frames(_ count: Int) -> SpectralFrames {
      SpectralFrames(
        joining: [
          .known(
            Cepstra(
              coefficients: (0..<(count * Cepstra.width)).map { _ in
                Float.random(in: -1...1, using: &random)
              }))
        ])
    }
    let all = frames(80)
    let chance = ChanceCosines(frames(400))
    let scale = PassageScan.Scale(chance: 1)
    let whole = PassageScan([all]).hits(all, chance, scale, each: 1_000)
    #expect(whole.first?.rows == 0..<80)
    #expect(whole.first?.columns == 0..<80)
    let halves = PassageScan([all.part(0..<40), all.part(40..<80)])
      .hits(all, chance, scale, each: 1_000)
    #expect((halves.first?.score ?? 0) < 0.6 * (whole.first?.score ?? 0))
  }
}
