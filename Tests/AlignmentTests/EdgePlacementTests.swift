// SPDX-License-Identifier: GPL-3.0-or-later

import Alignment
import AudioCore
import Annotation
import Quran
import Testing

@Suite("EdgePlacement")
struct EdgePlacementTests {
  private typealias Example = EdgePlacement.Example

  /// Edges that are found right before the end of pauses of many lengths.
  private static func examples(_ count: Int, confirmed: (Range<Double>) -> Double) -> [Example] {
    (0..<count).map { number in
      let start = Double(10 * number)
      let pause = start..<start + 0.25 + Double(number % 5) * 0.1
      return Example(found: pause.upperBound - 0.05, confirmed: confirmed(pause), pause: pause)
    }
  }

  @Test("It finds from which place of pauses a person counts, and how far from it")
  func anchors() throws {
    let places: [EdgePlacement.Anchor: @Sendable (Range<Double>) -> Double] = [
      .start: { $0.lowerBound + 0.1 },
      .middle: { ($0.lowerBound + $0.upperBound) / 2 + 0.02 },
      .end: { $0.upperBound - 0.2 },
    ]
    for (anchor, place) in places {
      let examples = Self.examples(12, confirmed: place)
      let placement = try #require(EdgePlacement(learning: examples))
      #expect(placement.inPause?.anchor == anchor)
      #expect(placement.joined == 0)
      for example in examples {
        #expect(abs(placement.place(example.found, in: example.pause) - example.confirmed) < 1e-6)
      }
    }
  }

  @Test("One pause taken for another changes nothing, and too few edges tell nothing")
  func robust() throws {
    var examples = Self.examples(9) { $0.upperBound - 0.2 }
    let before = EdgePlacement(learning: examples)
    examples[3].confirmed += 3
    examples[4].confirmed -= 0.7
    let after = EdgePlacement(learning: examples)
    #expect(abs((before?.inPause?.offset ?? 1) - (after?.inPause?.offset ?? 2)) < 1e-6)
    #expect(EdgePlacement(learning: Array(examples.prefix(2))) == nil)
    #expect(EdgePlacement(learning: []) == nil)
  }

  @Test("Edges without a pause are learnt by themselves")
  func joined() {
    let examples = (0..<8).map {
      Example(found: Double($0), confirmed: Double($0) + 0.15, pause: nil)
    }
    let placement = EdgePlacement(learning: examples)
    #expect(placement?.inPause == nil)
    #expect(abs((placement?.joined ?? 0) - 0.15) < 1e-6)
    #expect(placement?.place(5, in: 4..<6) == 5)
  }

  @Test("Stretches are whole confirmed ayat that follow one another, a few at a time")
  func stretches() throws {
    let rate = try #require(SampleRate(hertz: 8000))
    var document = AnnotationDocument(length: FrameCount(800_000), rate: rate)
    for place in 1..<10 {
      try document.apply(
        .addMarker(
          Marker(
            id: document.unusedMarkerID, position: FramePosition(Int64(place) * 80_000),
            origin: .person)))
    }
    for (index, id) in document.segments.map(\.id).enumerated() where index != 8 {
      let ayah = try #require(AyahReference(surah: 78, ayah: index + 1))
      try document.apply(.assign(id, Attribution(.ayah(ayah))))
      if index != 6 { try document.apply(.confirm(id)) }
    }
    let stretches = ConfirmedStretch.stretches(of: document)
    #expect(stretches.map(\.ayat.count) == [6, 1, 1])
    #expect(stretches[0].edges == (1..<6).map { FramePosition(Int64($0) * 80_000) })
    #expect(stretches[0].span == .zero..<FramePosition(480_000))
  }
}
