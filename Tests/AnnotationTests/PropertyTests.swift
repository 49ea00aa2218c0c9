// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Foundation
import TestSupport
import Testing

@Suite struct PropertyTests {
  /// Everything that a document promises, seen from outside.
  private func expectSound(_ document: AnnotationDocument) throws {
    var end = FramePosition.zero
    for (index, segment) in document.segments.enumerated() {
      #expect(segment.index == index && segment.span.lowerBound == end)
      #expect(segment.span.length > .zero)
      end = segment.span.upperBound
      #expect(document.index(of: segment.id) == index)
      let joins = segment.assignment?.joins ?? []
      #expect(joins == joins.sorted() && Set(joins).count == joins.count)
      #expect(joins.allSatisfy { segment.span.lowerBound < $0 && $0 < segment.span.upperBound })
      if segment.isConfirmed {
        #expect(segment.assignment != nil)
        let edges = [segment.index - 1, segment.index].filter(document.markers.indices.contains)
        #expect(edges.allSatisfy { document.markers[$0].isConfirmed })
      }
    }
    #expect(end == FramePosition(document.length.frames))
    #expect(document.segments.count == document.markers.count + 1)
    for segment in document.segments {
      for word in document.words(in: segment) {
        #expect(segment.span.contains(word.span.lowerBound) && !word.span.isEmpty)
        #expect(word.span.upperBound <= segment.span.upperBound)
        #expect(segment.passages.contains { $0.ayah == word.ayah })
      }
    }
    #expect(
      try document
        == AnnotationDocument(
          length: document.length, rate: document.rate, records: document.records,
          words: document.words))
  }

  private func notes(of document: AnnotationDocument) -> String {
    document.records.map(\.content.note).joined().filter { $0 != "\n" }
  }

  @Test(arguments: 1...(isThoroughRun ? 20 : 8) as ClosedRange<UInt64>)
  func anySequenceOfEditsIsUndoneAndRedone(_ seed: UInt64) throws {
    var edits = RandomEdits(seed: seed)
    var document = AnnotationDocument(length: FrameCount(60_000), rate: rate)
    var history = History()
    var states = [document]
    for _ in 0..<300 {
      let change = try? history.apply(edits.edit(of: document), to: &document)
      if change?.isEmpty == false { states.append(document) }
    }
    #expect(states.count > 100)
    #expect(states.contains { !$0.words.isEmpty })
    for state in states.reversed() {
      #expect(document == state)
      try expectSound(document)
      try history.undo(&document)
    }
    #expect(document == states[0])
    #expect(try history.undo(&document) == nil)
    for state in states {
      #expect(document == state)
      try history.redo(&document)
    }
    #expect(document == states.last)
    #expect(try history.redo(&document) == nil)
  }

  @Test(arguments: 101...(isThoroughRun ? 120 : 108) as ClosedRange<UInt64>)
  func aThousandRandomEditsTrapNowhereAndEachIsUndoneByItsInverse(_ seed: UInt64) throws {
    var edits = RandomEdits(seed: seed)
    var document = AnnotationDocument(length: FrameCount(600_000), rate: rate)
    var refused = 0
    for count in 1...1000 {
      let before = document
      let edit = edits.edit(of: document)
      do {
        let planned = try document.plan(edit)
        let change = try document.apply(edit)
        #expect(planned == change)
        #expect(change.isEmpty == (document == before))
        var undone = document
        try undone.apply(change.inverse)
        #expect(undone == before)
      } catch {
        refused += 1
        #expect(document == before)
      }
      if count.isMultiple(of: 100) {
        try expectSound(document)
        _ = document.validate()
      }
    }
    #expect((50...500).contains(refused))
  }

  @Test func editsAndHistorySurviveJSON() throws {
    var edits = RandomEdits(seed: 11)
    var document = AnnotationDocument(length: FrameCount(60_000), rate: rate)
    var history = History()
    var all: [Edit] = []
    for _ in 0..<1000 {
      all.append(edits.edit(of: document))
      _ = try? history.apply(all[all.count - 1], to: &document)
    }
    for _ in 0..<10 { try history.undo(&document) }
    let encoder = JSONEncoder()
    let decoder = JSONDecoder()
    #expect(try decoder.decode([Edit].self, from: encoder.encode(all)) == all)
    let kept = try decoder.decode(History.self, from: encoder.encode(history))
    #expect(kept == history && !kept.redoable.isEmpty)
    #expect(
      try decoder.decode([SegmentRecord].self, from: encoder.encode(document.records))
        == document.records)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func redetectionLeavesAloneWhatAPersonDid(_ seed: UInt64) throws {
    var edits = RandomEdits(seed: seed)
    var document = AnnotationDocument(length: FrameCount(60_000), rate: rate)
    for _ in 0..<100 { _ = try? document.apply(edits.edit(of: document)) }
    let staying = document.markers.filter { !$0.isSuggestion }
    let confirmed = document.segments.filter(\.isConfirmed)
    let notes = notes(of: document)
    let old = Set(document.markers)
    var redetections = 0
    for _ in 0..<20 {
      var redetected = document
      let suggestions = edits.suggestions(in: document)
      guard (try? redetected.apply(.replaceSuggestions(suggestions))) != nil else { continue }
      redetections += 1
      #expect(Set(redetected.markers).isSuperset(of: staying))
      for segment in confirmed {
        let now = redetected.segment(segment.id)
        #expect(now?.span == segment.span && now?.content == segment.content)
      }
      for marker in redetected.markers where suggestions.range.contains(marker.position) {
        let isNew = !old.contains { $0.position == marker.position }
        let near = staying.filter {
          abs($0.position.frames - marker.position.frames) < 500
        }
        #expect(!isNew || near.isEmpty)
      }
      #expect(self.notes(of: redetected) == notes)
      try expectSound(redetected)
    }
    #expect(redetections > 10)
  }
}
