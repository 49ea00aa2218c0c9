// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Foundation
import Quran
import TestSupport
import Testing

@testable import Editor
@testable import TilawaCLI

/// What the editor is told of an alignment as more and more of it is confirmed.
@Suite struct BoundarySearchTests {
  private let rate = SampleRate(hertz: 16_000)!
  private let ayat = 1...24

  /// Ayat that all last alike, whatever there is to recite in them, which no pace explains: syllables, a
  /// pause after each ayah and breaths in it.
  private func envelope(_ seconds: Int) -> Envelope {
    var random = SplitMix64(state: 7)
    var hops: [Hop] = []
    func add(_ decibels: Double, _ count: Int) {
      for _ in 0..<count {
        let level = decibels + Double.random(in: -1...1, using: &random)
        let peak = Int16(min(pow(10, level / 20) * 40_000, 32_000))
        hops.append(
          Hop(
            meanSquare: Float(pow(10, level / 10)), minimum: -peak, maximum: peak,
            fine: 0xCCCC_CCCC, bands: 0x6060_6060))
      }
    }
    for _ in ayat {
      let start = hops.count
      while hops.count - start < seconds * 100 - 60 {
        add(-16, Int.random(in: 14...30, using: &random))
        add(-24, 2)
        if Int.random(in: 0..<6, using: &random) == 0 { add(-66, 25) }
      }
      add(-66, seconds * 100 - (hops.count - start))
    }
    return Envelope(rate: rate, length: FrameCount(Int64(hops.count) * 160), hops: hops)
  }

  private func position(_ index: Int, _ seconds: Int) -> FramePosition {
    FramePosition(Int64(index * seconds * rate.hertz))
  }

  /// Markers at all ayat, of which some are confirmed with these names.
  private func document(
    _ length: FrameCount, _ seconds: Int, confirming names: [Int: AyahReference]
  ) throws -> AnnotationDocument {
    var document = AnnotationDocument(length: length, rate: rate)
    for index in 1..<ayat.count where names[index] != nil || names[index - 1] != nil {
      try document.apply(
        .addMarker(
          Marker(
            id: MarkerID(Int64(index)), position: position(index, seconds), origin: .aligned,
            confidence: 0.5)))
    }
    for (index, name) in names {
      let segment = document.segment(containing: position(index, seconds)).id
      try document.apply(.assign(segment, Attribution(.ayah(name)), confirming: true))
    }
    return document
  }

  private func ayah(_ number: Int) throws -> AyahReference {
    try #require(AyahReference(surah: 2, ayah: number))
  }

  /// Too fast at 4 s, unsteady at 9 s.
  @Test(arguments: [4, 9]) func aDoubtIsLiftedByWhatIsConfirmed(_ seconds: Int) throws {
    let envelope = envelope(seconds)
    let search = BoundarySearch(envelope, reference: nil)
    var parameters = DetectionParameters()
    parameters.first = try ayah(1)
    parameters.last = try ayah(ayat.count)
    func report(_ names: [Int: AyahReference]) throws -> Editor.DetectionReport {
      let document = try document(envelope.length, seconds, confirming: names)
      return try search.report(
        for: DetectionRequest(
          id: 1, span: .zero..<(.zero + envelope.length), parameters: parameters,
          annotation: document),
        stopFlag: StopFlag())
    }
    let first = try report([:])
    #expect(first.doubt != nil && !first.isContradicted)
    #expect(first.boundaries.allSatisfy { ($0.attribution?.confidence ?? 1) <= 0.5 })

    let confirmed = try ayah(12)
    let one = try report([11: confirmed])
    #expect(one.doubt == first.doubt, "one ayah is not enough")
    #expect(one.boundaries.contains { $0.position == position(11, seconds) })
    let others = one.boundaries.filter { $0.attribution?.assignment != .ayah(confirmed) }
    #expect(others.allSatisfy { ($0.attribution?.confidence ?? 1) <= 0.5 })

    var names: [Int: AyahReference] = [:]
    for index in 0..<ayat.count where index % 4 != 3 { names[index] = try ayah(index + 1) }
    let most = try report(names)
    #expect(most.doubt == nil)
    #expect(most.boundaries.contains { ($0.attribution?.confidence ?? 0) > 0.5 })
  }
}
