// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
import AudioCore
import Quran

/// Makes edits up, most of them legal.
public struct RandomEdits: Sendable {
  public var random: SplitMix64
  private var nextID: Int64 = 1

  public init(seed: UInt64) { random = SplitMix64(state: seed) }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  public mutating func edit(of document: AnnotationDocument) -> Edit {
    switch number(0...23) {
    case 0...4: return .addMarker(marker(in: document))
    case 5...6: return .moveMarker(markerID(in: document), to: position(in: document))
    case 7: return .deleteMarker(markerID(in: document))
    case 8: return .confirmMarker(markerID(in: document))
    case 9: return .unconfirmMarker(markerID(in: document))
    case 10...13:
      let segment = segment(in: document)
      return .assign(segment, attribution(for: segment, in: document), confirming: chance(30))
    case 14: return .clear(segment(in: document))
    case 15: return .confirm(segment(in: document))
    case 16: return .unconfirm(segment(in: document))
    case 17:
      return .moveJoin(segment(in: document), index: number(-1...3), to: position(in: document))
    case 18:
      return .setNote(
        segment(in: document), ["", "cough", "\"\n\u{202e}", "a\0b", "آمِين 🤲"][number(0...4)])
    case 19: return .setFlag(segment(in: document), chance(50))
    case 20:
      return .fill(
        SequentialFill(
          from: segment(in: document), starting: ayah(), count: chance(50) ? number(0...5) : nil,
          passesConfirmed: chance(50)))
    case 21: return .confirmAll((0..<number(0...6)).map { _ in segment(in: document) })
    default: return .replaceSuggestions(suggestions(in: document))
    }
  }

  private mutating func position(in document: AnnotationDocument) -> FramePosition {
    if chance(3) { return FramePosition([.min, -1, 0, .max][number(0...3)]) }
    if chance(10), let marker = document.markers.randomElement(using: &random) {
      return marker.position
    }
    return FramePosition(Int64(number(0...Int(document.length.frames))))
  }

  private mutating func markerID(in document: AnnotationDocument) -> MarkerID {
    guard !chance(3), let marker = document.markers.randomElement(using: &random) else {
      return MarkerID(.random(in: .min ... .max, using: &random))
    }
    return marker.id
  }

  private mutating func segment(in document: AnnotationDocument) -> SegmentID {
    if chance(3) { return .from(MarkerID(.random(in: .min ... .max, using: &random))) }
    return document.segments[number(0...document.segments.count - 1)].id
  }

  private mutating func marker(in document: AnnotationDocument) -> Marker {
    nextID += 1
    return Marker(
      id: chance(2) ? markerID(in: document) : MarkerID(nextID),
      position: position(in: document), origin: Origin.allCases[number(0...2)],
      isConfirmed: chance(30), confidence: chance(50) ? Double(number(0...100)) / 100 : nil)
  }

  private mutating func ayah() -> AyahReference {
    AyahReference(absoluteIndex: number(1...AyahReference.count))!
  }

  private mutating func attribution(
    for segment: SegmentID, in document: AnnotationDocument
  ) -> Attribution {
    Attribution(
      assignment(for: segment, in: document), origin: Origin.allCases[number(0...2)],
      confidence: chance(50) ? Double(number(0...100)) / 100 : nil)
  }

  private mutating func assignment(
    for segment: SegmentID, in document: AnnotationDocument
  ) -> Assignment {
    let plain = plainAssignment(for: segment, in: document)
    return chance(30) ? plain.withBasmalah() : plain
  }

  private mutating func plainAssignment(
    for segment: SegmentID, in document: AnnotationDocument
  ) -> Assignment {
    let span = document.segment(segment)?.span
    func inside(_ random: inout SplitMix64) -> FramePosition {
      guard let span, span.length > FrameCount(2) else { return .zero }
      return FramePosition(
        .random(in: span.lowerBound.frames..<span.upperBound.frames, using: &random))
    }
    switch number(0...5) {
    case 0: return .ayah(ayah())
    case 1: return .ayah(ayah(), part: AyahPart.allCases[number(0...2)])
    case 2: return .crossSurah(ayah(), join: inside(&random), end: ayah())
    case 3:
      let first = ayah()
      let range = AyahRange(first: first, last: first.advanced(by: number(0...4)) ?? first)!
      let joins = (0..<range.count - (chance(95) ? 1 : 0)).map { _ in inside(&random) }
      return .ayat(range, joins: chance(90) ? joins.sorted() : joins)
    case 4:
      let surah = ayah().surah
      let leadIns: [LeadIn] = [
        .istiadhah, .basmalah(of: surah), .istiadhahAndBasmalah(of: surah),
      ]
      return .leadIn(leadIns[number(0...2)])
    default: return .unused(UnusedReason.allCases[number(0...11)])
    }
  }

  public mutating func suggestions(in document: AnnotationDocument) -> Suggestions {
    let ends = [position(in: document), position(in: document)].sorted()
    let boundaries = (0..<number(0...8)).map { _ in
      Suggestions.Boundary(
        marker(in: document), chance(50) ? attribution(for: .first, in: document) : nil)
    }.filter { chance(2) || ends[0] <= $0.marker.position && $0.marker.position < ends[1] }
    return Suggestions(
      in: ends[0]..<ends[1],
      opening: chance(30) ? attribution(for: .first, in: document) : nil, boundaries,
      words: chance(50) ? words(in: document) : nil)
  }

  /// Mostly legal ones, of the ayat that are there.
  private mutating func words(in document: AnnotationDocument) -> [TimedWord] {
    var words: [TimedWord] = []
    for passage in document.segments.flatMap(\.passages) where chance(50) {
      words += randomWords(in: passage, using: &random)
    }
    // The same again overlaps.
    return chance(5) ? words + words : words
  }
}

/// Makes up what a person does to an annotation over an evening.
public struct RandomSteps: Sendable {
  public enum Step: Sendable {
    case edit(Edit)
    case undo, redo
  }

  private var edits: RandomEdits

  public init(seed: UInt64) { edits = RandomEdits(seed: seed) }

  public mutating func next(for document: AnnotationDocument) -> Step {
    switch Int.random(in: 0..<10, using: &edits.random) {
    case 0...1: .undo
    case 2: .redo
    default: .edit(edits.edit(of: document))
    }
  }
}
