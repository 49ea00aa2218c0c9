// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran
import TestSupport
import Testing

@testable import Library

struct CoverageTests {
  let fixture: LibraryFixture
  var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  @Test func saysRunsThatEndWithTheirSurah() async throws {
    try await fixture.publish([
      .ayat(ayat("112:1", "112:4"), joins: [seconds(1), seconds(2), seconds(3)]),
      .ayah(ayah("113:1")), .ayah(ayah("113:4")),
    ])
    let coverage = try library.coverage(of: ayat("111:4", "114:6"))
    let expected = [
      ("111:4", "111:5", false), ("112:1", "112:4", true), ("113:1", "113:1", true),
      ("113:2", "113:3", false), ("113:4", "113:4", true), ("113:5", "113:5", false),
      ("114:1", "114:6", false),
    ]
    #expect(
      coverage.runs
        == expected.map { Coverage.Run(range: ayat($0.0, $0.1), isCovered: $0.2) })
    #expect(coverage.coveredCount == 6)
    #expect(coverage.missing.count == 4)
  }

  @Test func anEmptyLibraryLacksEachSurahWhole() throws {
    #expect(try library.missingAyat().count == 114)
    #expect(try library.coverage().coveredCount == 0)
  }

  @Test(arguments: 1...(Harness.isThorough ? 40 : 2) as ClosedRange<UInt64>)
  func agreesWithAModelThatLooksAtEveryPassage(_ seed: UInt64) async throws {
    var random = SplitMix64(state: seed)
    let reciters = try ["A", "B", "C"].map { try library.addReciter($0).id }
    var known: [(recording: Recording, reciter: Reciter.ID?, passages: [Passage])] = []
    for number in 0..<6 {
      let reciter = (reciters.map { $0 } + [nil]).randomElement(using: &random) ?? nil
      let riwayah = [Riwayah.hafs, .hafs, .warsh].randomElement(using: &random)
      let engine = try fixture.engine("\(number)", seconds: 600, reciter: reciter, riwayah: riwayah)
      var edits = RandomEdits(seed: random.next())
      for _ in 0..<30 { _ = try? await engine.apply(edits.edit(of: await engine.document)) }
      // What random edits rarely give: runs of the short surahs, over and over.
      for segment in await engine.document.segments where segment.span.length > FrameCount(10) {
        let ayah = AyahReference(absoluteIndex: Int.random(in: 6220...6236, using: &random))!
        _ = try? await engine.apply(
          .assign(
            segment.id,
            Attribution(.ayah(ayah, part: Bool.random(using: &random) ? nil : .end)),
            confirming: Bool.random(using: &random)))
      }
      _ = try await engine.publish(includingUnconfirmed: true)
      let recording = await engine.recording
      await engine.close()
      if number == 5 {
        try library.remove(recording.id)
      } else {
        known.append((recording, reciter, await engine.document.segments.flatMap(\.passages)))
      }
    }
    for _ in 0..<12 {
      let riwayah = [Riwayah.hafs, .warsh].randomElement(using: &random)!
      let who: [SourceFilter.Who] = [
        .anybody, .only(reciters[0]), .inOrder([reciters[2], reciters[1]]), .inOrder([]),
        .nobodyKnown,
      ]
      let filter = SourceFilter(
        who.randomElement(using: &random)!, riwayah: riwayah,
        unavailable: Set(
          known.map(\.recording.id).filter { _ in Int.random(in: 0..<4, using: &random) == 0 }))
      let ends = [
        Int.random(in: 1...6236, using: &random), Int.random(in: 6000...6236, using: &random),
      ]
      .sorted().map { AyahReference(absoluteIndex: $0)! }
      let range = AyahRange(first: ends[0], last: ends[1])!
      let heard = known.filter { entry in
        guard entry.recording.riwayah == riwayah, !filter.unavailable.contains(entry.recording.id)
        else { return false }
        switch filter.who {
        case .anybody: return true
        case .only(let reciter): return entry.reciter == reciter
        case .inOrder(let order): return entry.reciter.map(order.contains) == true
        case .nobodyKnown: return entry.reciter == nil
        }
      }
      let covered = Set(heard.flatMap(\.passages).filter(\.isComplete).map(\.ayah))
      let coverage = try library.coverage(of: range, filter)
      #expect(coverage.runs.flatMap { Array($0.range) } == Array(range))
      for run in coverage.runs {
        #expect(run.range.allSatisfy { covered.contains($0) == run.isCovered })
        #expect(run.range.first.surah == run.range.last.surah)
      }
      for (run, next) in zip(coverage.runs, coverage.runs.dropFirst())
      where run.range.last.surah == next.range.first.surah {
        #expect(run.isCovered != next.isCovered)
      }
      for ayah in range where ayah.absoluteIndex >= 6215 || covered.contains(ayah) {
        #expect((try library.resolve(ayah, filter) != nil) == covered.contains(ayah))
      }
    }
    for entry in known {
      let own = Set(entry.passages.filter(\.isComplete).map(\.ayah))
      #expect(try library.coverage(of: entry.recording).coveredCount == own.count)
    }
  }
}
