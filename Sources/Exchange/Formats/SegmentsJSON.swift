// SPDX-License-Identifier: GPL-3.0-or-later

package import Annotation
import AudioCore
import Quran

/// Segments in seconds as JSON for programs, schema `tilawa.segments/1`: one segment a line.
///
/// `assignment` is as in the output of `auto-detect`, `label` its name. Times have the fewest decimals
/// that give back the frame, confidences up to three: those of suggestions. ``AnnotationJSON`` is the one that keeps all.
public enum SegmentsJSON {
  public static let schema = "tilawa.segments/1"

  public static func text(
    of recording: AnnotatedRecording, including inclusion: Inclusion = .everything
  ) -> String {
    let document = recording.document
    func time(_ position: FramePosition) -> JSONValue {
      .number(TimeText.seconds(position, at: document.rate))
    }
    let head: [JSONValue.Member] = [
      .init("schema", .string(schema)),
      .init("file", optional(recording.mediaFile)),
      .init("title", optional(recording.title)),
      .init("reciter", optional(recording.reciter)),
      .init("riwayah", optional(recording.riwayah?.rawValue)),
      .init("recording_date", optional(recording.recordingDate)),
      .init("duration_seconds", time(.zero + document.length)),
      .init("sample_rate", .integer(document.rate.hertz)),
      .init("frames", .integer(Int(document.length.frames))),
    ]
    let segments = recording.segments(inclusion).map { value(of: $0, in: document).text }
    let lines = JSONValue.object(head).text.dropLast()
    return "\(lines),\n\"segments\":[" + (segments.isEmpty ? "" : "\n")
      + segments.joined(separator: ",\n") + "\n]}\n"
  }

  /// One segment, as an object on one line.
  package static func value(of segment: Segment, in document: AnnotationDocument) -> JSONValue {
    func time(_ position: FramePosition) -> JSONValue {
      .number(TimeText.seconds(position, at: document.rate))
    }
    return .object([
      .init("start", time(segment.span.lowerBound)),
      .init("end", time(segment.span.upperBound)),
      .init("label", .string(segment.assignment?.labelText ?? "")),
      .init("assignment", segment.assignment?.value(time) ?? .null),
      .init(
        "confidence", document.confidence(of: segment).map { .measure($0, decimals: 3) } ?? .null),
      .init("confirmed", .bool(segment.isConfirmed)),
      .init("flagged", .bool(segment.content.isFlagged)),
      .init("note", .string(segment.content.note)),
    ])
  }

  private static func optional(_ string: String?) -> JSONValue {
    string.map { .string($0) } ?? .null
  }

  /// Reads our own segments, those of `auto-detect`, and what other programs write much alike: an
  /// array, or the array `segments` or `labels` of an object, of objects with `start`, perhaps `end`,
  /// and `label`, `text`, `title` or `name`.
  ///
  /// - Throws: ``ExchangeError/malformedLabels(_:at:reason:)`` with the path.
  static func labels(in input: LabelInput) throws(ExchangeError) -> LabelFile {
    var lists: [String: [Label]] = [:]
    var labels: [Label] = []
    var counter = LabelCounter(.json)
    var recording: JSONCursor?
    let reader = JSONReader(
      .json,
      keys: [
        "start", "end", "label", "text", "title", "name", "note", "flagged", "confirmed",
        "assignment",
      ], lists: ["segments", "labels"])
    let root = try reader.read(
      input,
      rootElement: { (element) throws(ExchangeError) in
        guard recording == nil else {
          throw LabelFormat.json.fault(
            .path(""), "several recordings; keep only this one in the file")
        }
        if labels.isEmpty, element["segments"] != nil {
          recording = element
        } else {
          lists = [:]
          try counter.add(at: .path(element.path))
          labels.append(try label(element))
        }
      },
      listElement: { (list, element, _) throws(ExchangeError) in
        try counter.add(at: .path(element.path))
        lists[list, default: []].append(try label(element))
      })
    if root.isArray, recording == nil { return LabelFile(labels) }
    let object = recording ?? root
    for name in ["segments", "labels"] {
      guard let list = object[name] else { continue }
      _ = try list.elements()
      return LabelFile(lists[name] ?? [])
    }
    throw root.fault("the array \"segments\" is missing")
  }

  private static func label(_ cursor: JSONCursor) throws(ExchangeError) -> Label {
    let start = try cursor.required("start").seconds()
    let end = try cursor["end"]?.seconds()
    if let end { try cursor.format.checkOrder(start, end, at: .path(cursor.path)) }
    let text = cursor["label"] ?? cursor["text"] ?? cursor["title"] ?? cursor["name"]
    var label = Label(
      start: start, end: end, text: try text?.string() ?? "", place: .path(cursor.path),
      note: try cursor["note"]?.string() ?? "", isFlagged: try cursor["flagged"]?.bool() ?? false,
      isConfirmed: try cursor["confirmed"]?.bool() ?? false)
    if let assignment = cursor["assignment"], assignment.isObject {
      let (content, joins) = try assignment.spokenContent()
      label.content = content
      for join in joins { label.joins.append(try join.seconds()) }
    }
    return label
  }
}
