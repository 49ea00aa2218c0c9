// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// A recording cut at what a person has confirmed into sections that are aligned each by itself.
struct AnchoredPlan: Hashable {
  /// A part of the recording between two anchors.
  struct Section: Hashable {
    /// What of it is free; nothing is recited across their edges.
    var stretches: [Range<FramePosition>]
    /// What is recited in it; empty when nothing is known to be.
    var tokens: [RecitedToken]
    /// Whether all tokens are recited, up to the section's end.
    var isEndKnown: Bool
    /// Whether something may be said before the first token.
    var isOpening: Bool
    /// Whether the last token ends where the section does, because a person has said so.
    var isClosed: Bool

    var span: Range<FramePosition> {
      stretches[0].lowerBound..<stretches[stretches.count - 1].upperBound
    }
  }

  private(set) var sections: [Section] = []
  /// What is confirmed, in order.
  private(set) var spans: [AlignmentAnchors.Span] = []

  /// Where a passage is recited that goes on from one portion to the next.
  struct Portions: Hashable {
    /// In order.
    var spans: [Range<FramePosition>]
    var rate: SampleRate
    /// Seconds per unit.
    var pace: Double

    /// What is left of a portion beside what is confirmed and shorter than this holds nothing recited, in
    /// seconds: between its edge and the start of an ayah, and otherwise.
    fileprivate static let leastBeforeAyah = 1.5
    fileprivate static let least = 4.0
  }

  /// What is at the edge of a stretch.
  private enum Edge {
    case portion
    /// Something that is no reciting.
    case pause
    /// The end of something recited.
    case end
    /// A place where one thing ends and the next begins.
    case place
  }

  private let request: AlignmentRequest
  /// Nil when everything voiced is recited.
  private let portions: Portions?
  /// How many ayat may be recited where the end is not known.
  private let mostAyat: Int
  /// The section that is being put together.
  private var stretches: [Range<FramePosition>] = []
  private var start: FramePosition
  private var startEdge = Edge.portion
  private var next: AyahReference?
  private var isOpening = true

  /// - Parameters:
  ///   - voiced: from the first sound to the last.
  ///   - mostAyat: how many ayat may be recited where the end is not known.
  init(
    _ anchors: AlignmentAnchors, _ request: AlignmentRequest, voiced: Range<FramePosition>,
    mostAyat: Int, portions: Portions? = nil
  ) {
    self.request = request
    self.portions = portions
    self.mostAyat = mostAyat
    start = voiced.lowerBound
    next = request.first
    for event in Self.events(anchors) {
      switch event {
      case .span(let span): add(span)
      case .place(let place): add(place)
      }
    }
    closeLast(at: voiced.upperBound)
  }

  private enum Event {
    case span(AlignmentAnchors.Span)
    case place(AlignmentAnchors.Place)

    var position: FramePosition {
      switch self {
      case .span(let span): span.span.lowerBound
      case .place(let place): place.position
      }
    }
  }

  /// In order, without places at or within confirmed spans, but for their ends.
  private static func events(_ anchors: AlignmentAnchors) -> [Event] {
    let spans = anchors.spansInOrder
    let places = anchors.places.filter { place in
      !spans.contains { $0.span.contains(place.position) }
    }
    var seen: Set<FramePosition> = []
    let events = places.filter { seen.insert($0.position).inserted }.map { Event.place($0) }
    return (events + spans.map { .span($0) }).sorted { $0.position < $1.position }
  }

  private mutating func add(_ place: AlignmentAnchors.Place) {
    guard place.position >= start else { return }
    guard let ayah = place.ayah else {
      closeStretch(at: place.position, .place)
      start = place.position
      startEdge = .place
      return
    }
    close(at: place.position, before: ayah)
    begin(at: place.position, with: ayah, .place)
  }

  private mutating func add(_ span: AlignmentAnchors.Span) {
    spans.append(span)
    let position = span.span.lowerBound
    switch span.assignment {
    case .ayah(let ayah, let part):
      close(at: position, before: ayah, isWithin: part == .middle || part == .end)
      begin(
        at: span.span.upperBound,
        with: part == nil || part == .end ? ayah.next : ayah)
    case .crossSurah, .ayat:
      if let recited = span.assignment.recited {
        close(at: position, before: recited.first)
        begin(at: span.span.upperBound, with: recited.last.next)
      }
    case .leadIn(let leadIn):
      if let surah = leadIn.basmalah, next.map({ surah.firstAyah >= $0 }) ?? false {
        close(at: position, before: surah.firstAyah)
        begin(at: span.span.upperBound, with: surah.firstAyah)
      } else {
        pass(span.span)
      }
    case .unused: pass(span.span)
    }
  }

  /// Something that is nothing recited.
  private mutating func pass(_ span: Range<FramePosition>) {
    closeStretch(at: span.lowerBound, .pause)
    start = max(start, span.upperBound)
    startEdge = .pause
  }

  /// - Parameter before: the ayah that ends there, if that is known.
  private mutating func closeStretch(
    at position: FramePosition, _ edge: Edge, before: AyahReference? = nil
  ) {
    guard position > start else { return }
    guard let portions else {
      stretches.append(start..<position)
      return
    }
    for span in portions.spans where span.overlaps(start..<position) {
      let part = span.clamped(to: start..<position)
      let least =
        switch (
          part.lowerBound == start ? startEdge : .portion,
          part.upperBound == position ? edge : .portion
        )
        {
        case (.portion, .portion), (.place, _), (.end, .place): 0.0
        case (.end, _): Portions.leastBeforeAyah
        case (_, .place):
          (before.map { RecitedToken.ayah($0).units * portions.pace / 2 } ?? 0)
            .clamped(to: Portions.leastBeforeAyah...Portions.least)
        default: Portions.least
        }
      if part.length.seconds(at: portions.rate) >= least { stretches.append(part) }
    }
  }

  private mutating func begin(
    at position: FramePosition, with ayah: AyahReference?, _ edge: Edge = .end
  ) {
    start = position
    startEdge = edge
    next = ayah
    stretches = []
    isOpening = false
  }

  /// Ends the section where an ayah begins, or goes on.
  private mutating func close(
    at position: FramePosition, before ayah: AyahReference, isWithin: Bool = false
  ) {
    closeStretch(at: position, .place, before: ayah.previous)
    defer { stretches = [] }
    guard !stretches.isEmpty else { return }
    var tokens: [RecitedToken] = []
    var isEndKnown = true
    if let next {
      if let last = ayah.previous, let range = AyahRange(first: next, last: last) {
        tokens = RecitedToken.tokens(range)
        if ayah.ayah == 1, ayah.surah.opensWithUncountedBasmalah {
          tokens.append(.basmalah(of: ayah.surah))
        }
      } else if next > ayah {
        // The reciter has gone back: how far he had come, nobody has said.
        tokens = open(from: next)
        isEndKnown = false
      }
      if isWithin {
        var beginning = RecitedToken.ayah(ayah)
        beginning.part = .beginning
        beginning.units /= 2
        beginning.skip = 0.3
        tokens.append(beginning)
      }
    }
    sections.append(
      Section(
        stretches: stretches, tokens: tokens, isEndKnown: isEndKnown, isOpening: isOpening,
        isClosed: true))
  }

  private mutating func closeLast(at position: FramePosition) {
    closeStretch(at: position, .portion)
    guard !stretches.isEmpty else { return }
    var tokens: [RecitedToken] = []
    var isEndKnown = request.last != nil
    if let next {
      if let last = request.last, next <= last || portions == nil {
        tokens = AyahRange(first: next, last: last).map { RecitedToken.tokens($0) } ?? []
      } else {
        // Something else than the passage, as after it in the witr.
        tokens = open(from: next)
        isEndKnown = false
      }
    }
    sections.append(
      Section(
        stretches: stretches, tokens: tokens, isEndKnown: isEndKnown,
        isOpening: isOpening, isClosed: false))
  }

  private func open(from ayah: AyahReference) -> [RecitedToken] {
    let last = ayah.advanced(by: mostAyat) ?? .last
    return AyahRange(first: ayah, last: last).map { RecitedToken.tokens($0) } ?? []
  }
}
