// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// The whole annotation of a recording as JSON, schema `tilawa.annotation/1`; read back it is
/// identical.
///
/// Keys come in one order and are always there, null where nothing is known; places are frames. Each
/// segment has a line of its own, and so have the words of each ayah, where there are any, so that a
/// change of one shows as one in version control.
/// `Documentation/annotation-json.md` describes the schema.
public enum AnnotationJSON {
  public static let schema = family + "1"

  /// What the schemas of all versions begin with.
  static let family = "tilawa.annotation/"

  public static func text(of recording: AnnotatedRecording) -> String {
    let document = recording.document
    let head: [JSONValue.Member] = [
      .init("schema", .string(schema)),
      .init("title", optional(recording.title)),
      .init("media_file", optional(recording.mediaFile)),
      .init("content_hash", optional(recording.contentHash)),
      .init("reciter", optional(recording.reciter)),
      .init("riwayah", optional(recording.riwayah?.rawValue)),
      .init("recording_date", optional(recording.recordingDate)),
      .init("sample_rate", .integer(document.rate.hertz)),
      .init("frames", .integer(Int(document.length.frames))),
    ]
    let lines = head.map { "\(JSONValue.string($0.key).text):\($0.value.text)" }
    let segments = document.records.map { value($0).text }
    let words = runs(of: document.words).map { value($0).text }
    return "{" + lines.joined(separator: ",\n") + ",\n\"segments\":[\n"
      + segments.joined(separator: ",\n") + "\n]"
      + (words.isEmpty ? "" : ",\n\"words\":[\n" + words.joined(separator: ",\n") + "\n]")
      + "}\n"
  }

  /// Words that follow one another and are of one ayah.
  private static func runs(of words: [TimedWord]) -> [[TimedWord]] {
    var runs: [[TimedWord]] = []
    for word in words {
      if runs.last?.first?.ayah == word.ayah {
        runs[runs.count - 1].append(word)
      } else {
        runs.append([word])
      }
    }
    return runs
  }

  private static func value(_ run: [TimedWord]) -> JSONValue {
    .object([
      .init("ayah", optional(run.first?.ayah.description)),
      .init(
        "words",
        .array(
          run.map {
            .array([.integer($0.number), frame($0.span.lowerBound), frame($0.span.upperBound)])
          })),
    ])
  }

  private static func value(_ record: SegmentRecord) -> JSONValue {
    let attribution = record.content.attribution
    return .object([
      .init("marker", record.start.map(value) ?? .null),
      .init("assignment", attribution?.assignment.value(frame) ?? .null),
      .init("origin", optional(attribution?.origin.rawValue)),
      .init("confidence", exact(attribution?.confidence)),
      .init("confirmed", .bool(record.content.isConfirmed)),
      .init("flagged", .bool(record.content.isFlagged)),
      .init("note", .string(record.content.note)),
    ])
  }

  private static func value(_ marker: Marker) -> JSONValue {
    .object([
      .init("id", .integer(Int(marker.id.rawValue))),
      .init("frame", frame(marker.position)),
      .init("origin", .string(marker.origin.rawValue)),
      .init("confidence", exact(marker.confidence)),
      .init("confirmed", .bool(marker.isConfirmed)),
    ])
  }

  private static func frame(_ position: FramePosition) -> JSONValue {
    .integer(Int(position.frames))
  }

  /// The fewest digits that give back the number.
  private static func exact(_ number: Double?) -> JSONValue {
    number.map { .number($0.description) } ?? .null
  }

  private static func optional(_ string: String?) -> JSONValue {
    string.map { .string($0) } ?? .null
  }
}
