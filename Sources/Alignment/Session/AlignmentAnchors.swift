// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import AudioCore
public import Quran

/// The confirmed parts of a recording; an alignment does not change them.
public struct AlignmentAnchors: Hashable, Sendable {
  /// A confirmed boundary between two parts.
  public struct Place: Hashable, Sendable {
    public var position: FramePosition
    /// The ayah that begins there; nil if unknown.
    public var ayah: AyahReference?
    /// Whether the ayah is what an alignment found before a person moved the edge: it counts as long as there is room
    /// for it.
    public var isAssumed: Bool

    public init(
      _ position: FramePosition, beginning ayah: AyahReference? = nil, isAssumed: Bool = false
    ) {
      self.position = position
      self.ayah = ayah
      self.isAssumed = isAssumed
    }
  }

  /// A span with confirmed edges and content.
  public struct Span: Hashable, Sendable {
    /// Half-open.
    public var span: Range<FramePosition>
    public var assignment: Assignment

    public init(_ span: Range<FramePosition>, _ assignment: Assignment) {
      self.span = span
      self.assignment = assignment
    }
  }

  /// In any order.
  public var places: [Place]
  /// In any order; if two overlap, the earlier one counts.
  public var spans: [Span]

  public init(places: [Place] = [], spans: [Span] = []) {
    self.places = places
    self.spans = spans
  }

  /// Where a person has said what is heard.
  var given: [Range<FramePosition>] {
    spans.map(\.span)
      + places.filter { $0.ayah != nil && !$0.isAssumed }.map {
        $0.position..<$0.position + FrameCount(1)
      }
  }

  /// Without the ayat that no person has named; nil where there are none.
  var withoutAssumptions: AlignmentAnchors? {
    guard places.contains(where: \.isAssumed) else { return nil }
    var anchors = self
    for index in places.indices where places[index].isAssumed {
      anchors.places[index] = Place(places[index].position)
    }
    return anchors
  }

  /// Everything that a person has placed or confirmed in an annotation: each marker becomes a
  /// place, with the ayah that begins there if a person assigned its segment or moved the marker; each
  /// confirmed segment with an assignment becomes a span.
  public init(_ document: AnnotationDocument) {
    self.init()
    for segment in document.segments {
      if segment.content.isConfirmed, let attribution = segment.content.attribution {
        spans.append(Span(segment.span, attribution.assignment))
      }
      guard let id = segment.id.marker, let marker = document.marker(id), !marker.isSuggestion
      else { continue }
      guard let attribution = segment.content.attribution,
        let ayah = attribution.assignment.beginning,
        attribution.origin == .person || marker.origin == .person
      else {
        places.append(Place(marker.position))
        continue
      }
      places.append(
        Place(marker.position, beginning: ayah, isAssumed: attribution.origin != .person))
    }
  }

  public var isEmpty: Bool { places.isEmpty && spans.isEmpty }

  /// The spans that count, in order.
  var spansInOrder: [Span] {
    var result: [Span] = []
    for span in spans.sorted(by: { $0.span.lowerBound < $1.span.lowerBound })
    where !span.span.isEmpty {
      if let last = result.last, last.span.upperBound > span.span.lowerBound { continue }
      result.append(span)
    }
    return result
  }
}

extension Assignment {
  /// The ayah that begins with it; nil where none does.
  var beginning: AyahReference? {
    switch self {
    case .ayah(let ayah, let part, _): part == nil || part == .beginning ? ayah : nil
    case .crossSurah(let ayah, _, _, _): ayah
    case .ayat(let range, _, _): range.first
    case .leadIn, .unused: nil
    }
  }

  /// The ayat of which at least a part is heard.
  var recited: (first: AyahReference, last: AyahReference)? {
    switch self {
    case .ayah(let ayah, _, _): (ayah, ayah)
    case .crossSurah(let ayah, _, let end, _): (ayah, end)
    case .ayat(let range, _, _): (range.first, range.last)
    case .leadIn, .unused: nil
    }
  }
}
