// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// ELAN's annotation format, EAF 3.0: XML with times in milliseconds.
///
/// An edge read back lies within half a millisecond of where it was. A segment without length in
/// milliseconds is left out, since ELAN has no such annotation. Source: "EAF Annotation Format 3.0 and
/// ELAN" and its schema, `EAFv3.0.xsd`, of the Max Planck Institute for Psycholinguistics.
public enum ELAN {
  /// The tier `segments`, without text where one is unassigned, and, where there are any, its
  /// children: `joins` divides segments of several ayat, `notes` and `flags` refer to theirs.
  public static func text(
    of recording: AnnotatedRecording, including inclusion: Inclusion = .everything
  ) -> String {
    var writer = ELANWriter(rate: recording.document.rate)
    for segment in recording.segments(inclusion) { writer.add(segment) }
    return writer.text(of: recording)
  }
}

private struct ELANWriter {
  private struct Annotation {
    /// Numbers of the slots at its ends, or of the annotation that it refers to.
    enum Place {
      case slots(Int, Int)
      case reference(Int)
    }
    var number: Int
    var place: Place
    var value: String
  }

  let rate: SampleRate
  /// Milliseconds; slot n is at n - 1.
  private var slots: [Int128] = []
  private var tiers: [TierName: [Annotation]] = [.segments: []]
  private var count = 0

  init(rate: SampleRate) { self.rate = rate }

  mutating func add(_ segment: Segment) {
    let passages = segment.passages
    let edges =
      [segment.span.lowerBound] + passages.dropFirst().map(\.span.lowerBound)
      + [segment.span.upperBound]
    var times = edges.map { TimeText.milliseconds($0, at: rate) }
    guard let first = times.first, let last = times.last, first < last else { return }
    // Joins less than a millisecond apart cannot be written.
    let isDivisible = zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
    if !isDivisible { times = [first, last] }

    let slot = slots.count + 1
    slots += times
    let parent = add(
      .segments, .slots(slot, slot + times.count - 1), segment.assignment?.labelText ?? "")
    if times.count > 2 {
      for (index, passage) in passages.enumerated() {
        add(.joins, .slots(slot + index, slot + index + 1), passage.ayah.description)
      }
    }
    if !segment.content.note.isEmpty { add(.notes, .reference(parent), segment.content.note) }
    if segment.content.isFlagged { add(.flags, .reference(parent), "flag") }
  }

  @discardableResult
  private mutating func add(
    _ tier: TierName, _ place: Annotation.Place, _ value: String
  ) -> Int {
    count += 1
    tiers[tier, default: []].append(Annotation(number: count, place: place, value: value))
    return count
  }

  func text(of recording: AnnotatedRecording) -> String {
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<ANNOTATION_DOCUMENT AUTHOR=\"\" DATE=\"\(date(recording.recordingDate))\" FORMAT=\"3.0\""
        + " VERSION=\"3.0\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
        + " xsi:noNamespaceSchemaLocation=\"http://www.mpi.nl/tools/elan/EAFv3.0.xsd\">",
      "    <HEADER MEDIA_FILE=\"\" TIME_UNITS=\"milliseconds\">",
    ]
    if let file = recording.mediaFile {
      let url = escaped("./" + file)
      lines.append(
        "        <MEDIA_DESCRIPTOR MEDIA_URL=\"\(url)\" MIME_TYPE=\"\(mimeType(of: file))\""
          + " RELATIVE_MEDIA_URL=\"\(url)\"/>")
    }
    lines += [
      "        <PROPERTY NAME=\"lastUsedAnnotationId\">\(count)</PROPERTY>",
      "    </HEADER>",
      "    <TIME_ORDER>",
    ]
    for (index, time) in slots.enumerated() {
      lines.append(
        "        <TIME_SLOT TIME_SLOT_ID=\"ts\(index + 1)\" TIME_VALUE=\"\(time)\"/>")
    }
    lines.append("    </TIME_ORDER>")
    let written = Self.types.filter { tiers[$0.tier] != nil }
    for type in written { lines += self.lines(of: type.tier, recording) }
    for type in written {
      let constraint = type.constraint.map { " CONSTRAINTS=\"\($0)\"" } ?? ""
      lines.append(
        "    <LINGUISTIC_TYPE\(constraint) GRAPHIC_REFERENCES=\"false\""
          + " LINGUISTIC_TYPE_ID=\"\(type.tier.rawValue)\""
          + " TIME_ALIGNABLE=\"\(type.constraint != Self.association)\"/>")
    }
    for (constraint, description) in Self.constraints {
      lines.append(
        "    <CONSTRAINT DESCRIPTION=\"\(description)\" STEREOTYPE=\"\(constraint)\"/>")
    }
    lines.append("</ANNOTATION_DOCUMENT>")
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(of tier: TierName, _ recording: AnnotatedRecording) -> [String] {
    let parent = tier == .segments ? "" : " PARENT_REF=\"\(TierName.segments.rawValue)\""
    let participant = recording.reciter.map { " PARTICIPANT=\"\(escaped($0))\"" } ?? ""
    var lines = [
      "    <TIER LINGUISTIC_TYPE_REF=\"\(tier.rawValue)\"\(parent)\(participant)"
        + " TIER_ID=\"\(tier.rawValue)\">"
    ]
    for annotation in tiers[tier] ?? [] {
      let (element, place) =
        switch annotation.place {
        case .slots(let first, let last):
          ("ALIGNABLE_ANNOTATION", "TIME_SLOT_REF1=\"ts\(first)\" TIME_SLOT_REF2=\"ts\(last)\"")
        case .reference(let parent): ("REF_ANNOTATION", "ANNOTATION_REF=\"a\(parent)\"")
        }
      lines += [
        "        <ANNOTATION>",
        "            <\(element) ANNOTATION_ID=\"a\(annotation.number)\" \(place)>",
        "                <ANNOTATION_VALUE>\(escaped(annotation.value))</ANNOTATION_VALUE>",
        "            </\(element)>",
        "        </ANNOTATION>",
      ]
    }
    return lines + ["    </TIER>"]
  }

  private static let association = "Symbolic_Association"
  private static let types: [(tier: TierName, constraint: String?)] = [
    (.segments, nil), (.joins, "Time_Subdivision"), (.notes, association), (.flags, association),
  ]
  private static let constraints = [
    (
      "Time_Subdivision",
      "Time subdivision of parent annotation's time interval, no time gaps allowed within this"
        + " interval"
    ),
    (association, "1-1 association with a parent annotation"),
  ]

  /// The schema wants a date and time; the format has no word for one that is not known.
  private func date(_ date: String?) -> String {
    let unknown = "1970-01-01T00:00:00Z"
    guard let date, date.utf8.count >= 10 else { return unknown }
    let pattern = "dddd-dd-ddTdd:dd:dd"
    let day = Array(date.utf8), shape = Array(pattern.utf8)
    let fits = zip(day, shape).allSatisfy { byte, kind in
      kind == UInt8(ascii: "d")
        ? UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte : byte == kind
    }
    guard fits else { return unknown }
    if day.count == 10 { return date + "T00:00:00Z" }
    return day.count >= shape.count && day.count <= 35
      && day.allSatisfy({ "0123456789-+:.TZ".utf8.contains($0) }) ? escaped(date) : unknown
  }

  private func mimeType(of file: String) -> String {
    let ending = file.split(separator: ".").last?.lowercased() ?? ""
    return switch ending {
    case "wav": "audio/x-wav"
    case "mp4", "m4v", "mov": "video/mp4"
    case "m4a", "aac": "audio/mp4"
    case "mp3": "audio/mpeg"
    case "flac": "audio/flac"
    case "ogg", "oga", "opus": "audio/ogg"
    default: "unknown"
    }
  }

  /// Text for elements and attributes; XML has no place for most controls, nor for U+FFFE and U+FFFF.
  private func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in severalLines(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
