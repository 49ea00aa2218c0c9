// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

extension AnnotationJSON {
  /// Reads a whole text; keys that are not known are skipped.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)`` with the path to the value, or where the
  ///   text is no JSON with the line.
  public static func recording(from input: LabelInput) throws(ExchangeError) -> AnnotatedRecording {
    var records: [SegmentRecord] = []
    var words: [TimedWord] = []
    var counter = LabelCounter(.annotation)
    let reader = JSONReader(
      .annotation,
      keys: [
        "schema", "sample_rate", "frames", "title", "media_file", "content_hash", "reciter",
        "riwayah", "recording_date",
      ], lists: ["segments", "words"])
    let root = try reader.read(input) { (list, element, root) throws(ExchangeError) in
      // It stands first, so that what a newer version writes is not called wrong.
      if root["schema"] != nil, records.isEmpty { try checkSchema(root) }
      try counter.add(at: .path(element.path))
      if list == "segments" {
        records.append(try record(element))
      } else {
        words += try self.words(element, &counter)
      }
    }
    try checkSchema(root)
    let rateCursor = try root.required("sample_rate")
    guard let rate = SampleRate(hertz: try rateCursor.integer()) else {
      throw rateCursor.fault("a rate must be 1 to 768000 frames per second")
    }
    let lengthCursor = try root.required("frames")
    let length = FrameCount(Int64(try lengthCursor.integer()))
    guard length >= .zero else { throw lengthCursor.fault("a negative length") }

    _ = try root.required("segments").elements()
    var recording: AnnotatedRecording
    do {
      recording = AnnotatedRecording(
        try AnnotationDocument(length: length, rate: rate, records: records, words: words))
    } catch {
      throw .malformedLabels(
        .annotation, at: .path(path(of: error, in: records)), reason: error.message(at: rate))
    }
    recording.title = try root["title"]?.string()
    recording.mediaFile = try root["media_file"]?.string()
    recording.contentHash = try root["content_hash"]?.string()
    recording.reciter = try root["reciter"]?.string()
    recording.riwayah = try root["riwayah"]?.word()
    recording.recordingDate = try root["recording_date"]?.string()
    return recording
  }

  private static func checkSchema(_ root: JSONCursor) throws(ExchangeError) {
    let named = try root.required("schema")
    let schema = try named.string()
    guard schema == Self.schema else {
      throw named.fault(
        schema.hasPrefix(family)
          ? "\(quoted(schema)) is from a newer version of this program; update the program"
          : "\(quoted(schema)) is not \"\(Self.schema)\"")
    }
  }

  /// The same as labels, for who wants to look at it as at any other file.
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    let document = try recording(from: input).document
    return LabelFile(
      document.segments.map { segment in
        var label = Label(
          start: segment.span.lowerBound.seconds(at: document.rate),
          end: segment.span.upperBound.seconds(at: document.rate),
          text: segment.assignment?.labelText ?? "", place: .path("segments[\(segment.index)]"),
          joins: segment.assignment?.joins.map { $0.seconds(at: document.rate) } ?? [],
          note: segment.content.note, isFlagged: segment.content.isFlagged)
        label.content = segment.assignment.map { SpokenContent($0) }
        return label
      })
  }

  // MARK: Segments

  private static func record(_ cursor: JSONCursor) throws(ExchangeError) -> SegmentRecord {
    guard cursor.isObject else { throw cursor.fault("an object was expected") }
    var attribution: Attribution?
    if let assignment = cursor["assignment"] {
      attribution = Attribution(
        try self.assignment(assignment), origin: try cursor["origin"]?.word() ?? .person,
        confidence: try cursor["confidence"].map(confidence))
    }
    return SegmentRecord(
      start: try cursor["marker"].map(marker),
      content: SegmentContent(
        attribution, isConfirmed: try cursor["confirmed"]?.bool() ?? false,
        note: try cursor["note"]?.string() ?? "",
        isFlagged: try cursor["flagged"]?.bool() ?? false))
  }

  /// The words of one ayah.
  private static func words(
    _ cursor: JSONCursor, _ counter: inout LabelCounter
  ) throws(ExchangeError) -> [TimedWord] {
    let named = try cursor.required("ayah")
    guard let ayah = AyahReference(try named.string()) else {
      throw named.fault("not an ayah; write surah and ayah as in \"2:255\"")
    }
    var words: [TimedWord] = []
    for element in try cursor.required("words").elements() {
      try counter.add(at: .path(element.path))
      let values = try element.elements()
      guard values.count == 3 else { throw element.fault("a word is [number, start, end]") }
      let start = FramePosition(Int64(try values[1].integer()))
      let end = FramePosition(Int64(try values[2].integer()))
      guard start < end else { throw element.fault("a word that ends before it starts") }
      words.append(TimedWord(ayah, try values[0].integer(), start..<end))
    }
    return words
  }

  private static func marker(_ cursor: JSONCursor) throws(ExchangeError) -> Marker {
    Marker(
      id: MarkerID(Int64(try cursor.required("id").integer())),
      position: FramePosition(Int64(try cursor.required("frame").integer())),
      origin: try cursor["origin"]?.word() ?? .person,
      isConfirmed: try cursor["confirmed"]?.bool() ?? false,
      confidence: try cursor["confidence"].map(confidence))
  }

  private static func confidence(_ cursor: JSONCursor) throws(ExchangeError) -> Double {
    let number = try cursor.number()
    guard (0...1).contains(number) else { throw cursor.fault("a confidence must be 0 to 1") }
    return number
  }

  private static func assignment(_ cursor: JSONCursor) throws(ExchangeError) -> Assignment {
    let (content, joinCursors) = try cursor.spokenContent()
    var joins: [FramePosition] = []
    for join in joinCursors { joins.append(FramePosition(Int64(try join.integer()))) }
    guard let assignment = Assignment(content, joins: joins) else {
      throw cursor.fault("each ayah after the first needs one join before it")
    }
    return assignment
  }

  // MARK: Faults

  /// Where the value is that a document was refused for.
  private static func path(of refusal: EditRefusal, in records: [SegmentRecord]) -> String {
    func path(_ member: String, _ fits: (SegmentRecord) -> Bool) -> String {
      records.lastIndex(where: fits).map { "segments[\($0)].\(member)" } ?? "segments"
    }
    switch refusal {
    case .markerOutsideRecording(let place), .twoMarkersOnOneFrame(let place),
      .markersOutOfOrder(_, let place):
      return path("marker.frame") { $0.start?.position == place }
    case .markerInUse(let id): return path("marker.id") { $0.start?.id == id }
    case .joinOutsideSegment(let join, _), .joinsOutOfOrder(_, let join):
      return path("assignment") { $0.content.assignment?.joins.contains(join) == true }
    case .pairWithinOneSurah(let ayah, let end):
      return path("assignment") {
        if case .crossSurah(ayah, _, end, _) = $0.content.assignment { true } else { false }
      }
    case .runOfOneAyah(let ayah):
      return path("assignment") { $0.content.assignment == .ayat(AyahRange(ayah), joins: []) }
    case .nothingToConfirm:
      return path("confirmed") { $0.content.isConfirmed && $0.content.attribution == nil }
    case .confirmedBetweenUnconfirmedEdges(let id): return path("confirmed") { $0.id == id }
    case .wordsOutOfOrder, .noSuchWord: return "words"
    default: return "segments"
    }
  }
}
