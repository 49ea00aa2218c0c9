// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import Testing

@Suite struct SequentialFillTests {
  private func fill(_ start: SegmentID, _ text: String) -> SequentialFill {
    SequentialFill(from: start, starting: ayah(text))
  }

  @Test func fillsToTheEndOfTheRecording() throws {
    var document = try document(10_000, 20_000)
    #expect(try document.preview(fill(.first, "2:1")).end == .endOfRecording)
    try document.apply(.fill(fill(.first, "2:1")))
    #expect(document.labels == ["2:1", "2:2", "2:3"])
  }

  @Test func goesOnInTheNextSurah() throws {
    var document = try document(10_000, 20_000, 30_000)
    try document.apply(.fill(fill(.from(1), "112:3")))
    #expect(document.labels == ["-", "112:3", "112:4", "113:1"])
  }

  @Test func skipsLeadInsAndUnusedSegments() throws {
    var document = try document(10_000, 20_000, 30_000, 40_000)
    try document.apply(.markUnused(.from(1), .takbir))
    try document.apply(.assign(.from(3), Attribution(.leadIn(.basmalah(of: Surah(113)!)))))
    try document.apply(.fill(fill(.first, "112:3")))
    #expect(document.labels == ["112:3", "unused: takbir", "112:4", "basmalah", "113:1"])
  }

  @Test func fillsNoMoreThanAreAskedFor() throws {
    var document = try document(10_000, 20_000, 30_000)
    let fill = SequentialFill(from: .first, starting: ayah("2:1"), count: 2)
    #expect(try document.preview(fill).end == .count)
    try document.apply(.fill(fill))
    #expect(document.labels == ["2:1", "2:2", "-", "-"])
  }

  @Test func goesOnAfterWhatAConfirmedSegmentHolds() throws {
    var document = try document(10_000, 20_000, 30_000, 40_000)
    try document.apply(.assign(.from(1), "2:255", confirming: true))
    try document.apply(.markUnused(.from(3), .ruku, confirming: true))
    let fill = SequentialFill(from: .first, starting: ayah("2:1"), passesConfirmed: true)
    #expect(try document.preview(fill).end == .endOfRecording)
    try document.apply(.fill(fill))
    #expect(document.labels == ["2:1", "2:255!", "2:256", "unused: ruku!", "2:257"])
  }

  @Test func stopsAtTheNextConfirmedSegment() throws {
    var document = try document(10_000, 20_000, 30_000)
    try document.apply(.assign(.from(2), "2:255", confirming: true))
    #expect(try document.preview(fill(.first, "2:1")).end == .confirmed(.from(2)))
    try document.apply(.fill(fill(.first, "2:1")))
    #expect(document.labels == ["2:1", "2:2", "2:255!", "-"])
  }

  @Test func stopsAtTheEndOfTheQuran() throws {
    var document = try document(10_000, 20_000)
    #expect(try document.preview(fill(.first, "114:6")).end == .endOfQuran)
    try document.apply(.fill(fill(.first, "114:6")))
    #expect(document.labels == ["114:6", "-", "-"])
  }

  @Test func takesThePlaceOfWhatIsNotConfirmed() throws {
    var document = try document(10_000)
    try document.apply(.assign(.from(1), "3:1"))
    try document.apply(.setNote(.from(1), "cough"))
    try document.apply(.fill(fill(.first, "2:1")))
    #expect(document.labels == ["2:1", "2:2"])
    #expect(document.segments[1].content.note == "cough")
  }

  @Test func whatAnAlignmentWasSureOfIsNotSaidOfAnotherAyah() throws {
    var document = AnnotationDocument(length: FrameCount(100_000), rate: rate)
    for (id, origin) in [(1, Origin.aligned), (2, .aligned), (3, .detected)] {
      try document.apply(
        .addMarker(marker(id, at: Int64(id) * 10_000, origin: origin, confidence: 0.9)))
    }
    try document.apply(.assign(.from(1), "2:2"))
    try document.apply(.assign(.from(2), "36:10"))
    try document.apply(.fill(fill(.first, "2:1")))
    #expect(document.labels == ["2:1", "2:2", "2:3", "2:4"])
    #expect(document.markers.map(\.confidence) == [0.9, nil, 0.9])
  }

  @Test func thePreviewIsWhatIsDone() throws {
    var document = try document(10_000, 20_000, 30_000)
    try document.apply(.markUnused(.from(1), .ameen))
    let preview = try document.preview(fill(.first, "2:285"))
    #expect(preview.placements.map(\.index) == [0, 2, 3])
    #expect(preview.placements.map(\.ayah) == [ayah("2:285"), ayah("2:286"), ayah("3:1")])
    try document.apply(.fill(fill(.first, "2:285")))
    for placement in preview.placements {
      #expect(document.segment(placement.segment)?.assignment == .ayah(placement.ayah))
    }
  }

  @Test(arguments: [AyahPart.beginning, .middle])
  func goesOnWithTheRestOfAnAyahThatWasBrokenOff(_ part: AyahPart) throws {
    var document = try document(10_000, 20_000, 30_000)
    try document.apply(.assign(.first, Attribution(.ayah(ayah("2:5"), part: part))))
    try document.apply(.markUnused(.from(1), .other))
    try document.apply(.fill(fill(.from(2), "2:5")))
    #expect(document.segments[2].assignment == .ayah(ayah("2:5"), part: .end))
    #expect(document.segments[3].assignment == .ayah(ayah("2:6")))
    // Another ayah is whole, whatever came before.
    try document.apply(.fill(fill(.from(2), "2:6")))
    #expect(document.segments[2].assignment == .ayah(ayah("2:6")))
  }

  @Test func afterTheEndOfAnAyahTheNextIsWhole() throws {
    var document = try document(10_000, 20_000)
    try document.apply(.assign(.first, Attribution(.ayah(ayah("2:5"), part: .end))))
    try document.apply(.fill(fill(.from(1), "2:5")))
    #expect(document.segments[1].assignment == .ayah(ayah("2:5")), "it is said again")
    #expect(document.segments[2].assignment == .ayah(ayah("2:6")))
  }

  @Test func isUndoneAtOnce() throws {
    var document = try document(10_000, 20_000)
    var history = History()
    let before = document
    try history.apply(.fill(fill(.first, "2:1")), to: &document)
    try history.undo(&document)
    #expect(document == before && history.undoable.isEmpty)
  }
}
