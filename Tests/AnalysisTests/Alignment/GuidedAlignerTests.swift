// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Glibc
import Quran
import TestSupport
import Testing

@testable import Analysis

/// Recitations with another one to compare with: lengths, pauses and words all planted.
@Suite struct GuidedAlignerTests {
  /// Mean 0, standard deviation 1.
  private func noise(_ random: inout SplitMix64) -> Float {
    Float.random(in: -1.732...1.732, using: &random)
  }

  /// A sound that changes all the time, the same for the same seed; as an ayah of so many units.
  private func words(_ ayah: AyahReference, seed: UInt64 = 0) -> [[Float]] {
    var random = SplitMix64(state: UInt64(ayah.absoluteIndex) + seed)
    var frame = [Float](repeating: 0, count: Cepstra.width)
    return (0..<(Int(RecitedToken.units(of: ayah)) * 2)).map { _ in
      for index in frame.indices { frame[index] = 0.6 * frame[index] + noise(&random) }
      return frame
    }
  }

  /// Words within so many frames, by the voice that this random source gives.
  private func spoken(
    _ words: ArraySlice<[Float]>, frames: Int, voice: [Float], _ random: inout SplitMix64
  ) -> [Float] {
    (0..<frames).flatMap { frame in
      let word = words[words.startIndex + frame * words.count / max(frames, 1)]
      return word.indices.map { word[$0] + voice[$0] + 0.5 * noise(&random) }
    }
  }

  /// An ayah, or the first so much of it.
  private struct Said {
    var ayah: AyahReference
    var share = 1.0
  }

  private func ayat(_ text: String) throws -> [Said] {
    try AyahRange(parsing: text).map { Said(ayah: $0) }
  }

  /// What is said, as hops and as cepstra.
  private func record(_ said: [Said], seed: UInt64) -> (PlantedRecitation, Cepstra) {
    var recitation = PlantedRecitation(random: SplitMix64(state: seed), isAlike: true)
    var random = SplitMix64(state: seed + 1)
    let voice = (0..<Cepstra.width).map { _ in 3 * noise(&random) }
    var coefficients: [Float] = []
    for part in said {
      let units = Int(RecitedToken.units(of: part.ayah) - RecitedToken.unitsOfStop)
      if part.share < 1 {
        recitation.reciteBeginning("\(part.ayah)", units: units, share: part.share)
      } else {
        recitation.recite("\(part.ayah)", units: units)
      }
      let words = words(part.ayah)
      let frames =
        Int(recitation.seconds * Double(Cepstra.framesPerSecond)) - coefficients.count
        / Cepstra.width
      coefficients += spoken(
        words.prefix(Int(Double(words.count) * part.share)), frames: frames, voice: voice, &random)
    }
    return (recitation, Cepstra(coefficients: coefficients))
  }

  /// All ayat of a range by another voice, faster.
  private func reference(
    _ text: String, lacking: Set<Int> = [], seed: UInt64 = 0
  ) throws -> ReferenceRecitation {
    var random = SplitMix64(state: 77)
    let voice = (0..<Cepstra.width).map { _ in 3 * noise(&random) }
    var cepstra: [AyahReference: Cepstra] = [:]
    for ayah in try AyahRange(parsing: text) where !lacking.contains(ayah.ayah) {
      let words = words(ayah, seed: seed)
      cepstra[ayah] = Cepstra(
        coefficients: spoken(words[...], frames: words.count, voice: voice, &random))
    }
    return ReferenceRecitation(ayat: cepstra)
  }

  private func align(
    _ recording: (PlantedRecitation, Cepstra), _ text: String, _ reference: ReferenceRecitation,
    isEndTold: Bool = true
  ) throws -> AyahAlignment {
    let range = try AyahRange(parsing: text)
    return try AyahAligner(recording.0.envelope).align(
      AlignmentRequest(first: range.first, last: isEndTold ? range.last : nil),
      comparison: ReferenceComparison(recording: recording.1, reference: reference))
  }

  @Test(arguments: [true, false])
  func findsEachAyah(isEndTold: Bool) throws {
    let recording = record(try ayat("79:1-30"), seed: 3)
    let alignment = try align(
      recording, "79:1-30", try reference("79:1-46"), isEndTold: isEndTold)
    #expect(recording.0.found(by: alignment) == 30)
    #expect(alignment.last == AyahReference(surah: 79, ayah: 30))
    #expect(alignment.verdict == .plausible)
    #expect(alignment.remarks.isEmpty)
  }

  @Test func findsAnAyahThatWasRepeated() throws {
    let said = try ayat("84:1-12") + ayat("84:12-25")
    let recording = record(said, seed: 5)
    let alignment = try align(recording, "84:1-25", try reference("84:1-25"))
    let twelfth = try #require(AyahReference(surah: 84, ayah: 12))
    #expect(alignment.segments.filter { $0.assignment == .ayah(twelfth) }.count == 2)
    #expect(recording.0.found(by: alignment) >= 25)
  }

  @Test func findsWhereTheReciterBeganAnAyahAnew() throws {
    var said = try ayat("67:1-20")
    said.insert(Said(ayah: said[10].ayah, share: 0.6), at: 10)
    let recording = record(said, seed: 7)
    let alignment = try align(recording, "67:1-20", try reference("67:1-20"))
    #expect(
      alignment.segments.contains { $0.assignment == .ayah(said[10].ayah, part: .beginning) })
    #expect(recording.0.found(by: alignment) >= 20)
  }

  @Test func findsThatAnAyahWasLeftOut() throws {
    var said = try ayat("67:1-20")
    said.remove(at: 8)
    let recording = record(said, seed: 9)
    let alignment = try align(recording, "67:1-20", try reference("67:1-20"))
    let left = try #require(AyahReference(surah: 67, ayah: 9))
    #expect(!alignment.segments.contains { $0.assignment == .ayah(left) })
    #expect(recording.0.found(by: alignment) >= 18)
  }

  @Test(arguments: [
    ([10], "79:10, which was placed by its length alone"),
    ([10, 11, 12], "3 of the 30 ayat (79:10-12), which were placed by their lengths alone"),
    (
      [5, 10, 11, 20, 25],
      "5 of the 30 ayat (79:5, 79:10-11, 79:20 and others), which were placed by their lengths alone"
    ),
  ])
  func aReferenceThatLacksSomeAyatHelpsWithTheOthers(lacking: [Int], which: String) throws {
    let recording = record(try ayat("79:1-30"), seed: 11)
    let reference = try reference("79:1-30", lacking: Set(lacking))
    let alignment = try align(recording, "79:1-30", reference)
    #expect(recording.0.found(by: alignment) >= 28)
    #expect(alignment.remarks == ["the reference lacks \(which)"])
  }

  @Test func saysThatTheReferenceIsOfOtherWords() throws {
    let recording = record(try ayat("79:1-46"), seed: 13)
    let alignment = try align(recording, "79:1-46", try reference("79:1-46", seed: 5000))
    guard case .doubtful(let reason) = alignment.verdict else {
      Issue.record("nothing is said of the reference")
      return
    }
    #expect(reason.contains("reference"))
    #expect(recording.0.found(by: alignment) >= 40)
  }

  @Test(arguments: [1, 17, 30])
  func findsWhereInAReferenceARecordingBegins(first: Int) throws {
    let recording = record(try ayat("79:\(first)-\(first + 12)"), seed: 15)
    let proposals = try AyahAligner(recording.0.envelope).propose(
      ReferenceComparison(recording: recording.1, reference: try reference("78:1-80:42")))
    #expect(proposals.first?.first == AyahReference(surah: 79, ayah: first))
    #expect((proposals.first?.confidence ?? 0) > 0.5)
  }
}
