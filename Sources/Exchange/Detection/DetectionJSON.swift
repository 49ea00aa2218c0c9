// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import AudioCore
import Quran

/// Detection as JSON for programs, schema `tilawa.auto-detect/1`.
///
/// Keys come in one order and are always there, null where nothing is known, but for `verdict`, `remarks`
/// and `acoustic_weights` (the version of the weights that heard the words), which alignments have, `learnt`, `words`,
/// and `candidates` (where the recording may begin) and `warnings`, written only when there are any. Times are
/// seconds with the fewest decimals that give back the frame; confidences and probabilities have up to three
/// decimals and depths one, and are null when not finite.
public enum DetectionJSON {
  public static let schema = "tilawa.auto-detect/1"

  /// One recording as one line, without a newline: a line of `jsonl`.
  public static func line(_ outcome: DetectionOutcome) -> String {
    switch outcome {
    case .report(let report): value(report).text
    case .failure(let failure): value(failure).text
    }
  }

  /// Recordings one per line, each line ended.
  public static func lines(_ outcomes: [DetectionOutcome]) -> String {
    outcomes.map { line($0) + "\n" }.joined()
  }

  /// An array with one recording per line.
  public static func array(_ outcomes: [DetectionOutcome]) -> String {
    var writer = DetectionJSONArray()
    return outcomes.map { writer.append($0) }.joined() + writer.end()
  }
}

/// Writes ``DetectionJSON/array(_:)`` piece by piece, as results arrive.
///
/// The pieces in order, the one of `end` last, are the array.
public struct DetectionJSONArray: Sendable {
  private var isEmpty = true

  public init() {}

  /// The next piece.
  public mutating func append(_ outcome: DetectionOutcome) -> String {
    let opening = isEmpty ? "[\n" : ",\n"
    isEmpty = false
    return opening + DetectionJSON.line(outcome)
  }

  /// The last piece.
  public func end() -> String { isEmpty ? "[]\n" : "\n]\n" }
}

extension DetectionJSON {
  static func value(_ report: DetectionReport) -> JSONValue {
    let rate = report.rate
    func time(_ position: FramePosition) -> JSONValue {
      .number(TimeText.seconds(position, at: rate))
    }
    func confidence(_ value: Double) -> JSONValue { .measure(value, decimals: 3) }

    let pauses = report.pauses.map { pause in
      JSONValue.object([
        .init("start", time(pause.span.lowerBound)),
        .init("end", time(pause.span.upperBound)),
        .init("depth_db", .measure(pause.depth, decimals: 1)),
        .init("confidence", confidence(pause.confidence)),
      ])
    }
    let boundaries = report.boundaries.map { boundary in
      JSONValue.object([
        .init("time", time(boundary.position)),
        .init("confidence", confidence(boundary.confidence)),
      ])
    }
    let segments = report.segments.map { segment in
      JSONValue.object([
        .init("start", time(segment.span.lowerBound)),
        .init("end", time(segment.span.upperBound)),
        .init("assignment", segment.assignment?.value(time) ?? .null),
        .init("confidence", confidence(segment.confidence)),
      ])
    }
    let remarks = report.remarks.map { remark in
      JSONValue.object([.init("code", .string(remark.code)), .init("text", .string(remark.text))])
    }
    let verdict: [JSONValue.Member] =
      report.verdict.map {
        [.init("verdict", .string($0)), .init("remarks", .array(remarks))]
      } ?? []
    var members: [JSONValue.Member] = [
      .init("schema", .string(schema)),
      .init("file", .string(report.file)),
      .init("duration_seconds", .number(TimeText.seconds(report.frames, at: rate))),
      .init("sample_rate", .integer(rate.hertz)),
      .init("frames", .integer(Int(report.frames.frames))),
      .init("detector", .string(report.detector)),
      .init("first_ayah", optional(report.firstAyah?.description)),
      .init("last_ayah", optional(report.lastAyah?.description)),
      .init("prayer", optional(report.prayer)),
    ]
    members += verdict
    if let version = report.acousticVersion {
      members.append(.init("acoustic_weights", .integer(Int(version))))
    }
    if let learnt = report.learnt { members.append(.init("learnt", .string(learnt))) }
    if !report.candidates.isEmpty {
      members.append(.init("candidates", .array(report.candidates.map { value($0) })))
    }
    members += [
      .init("pauses", .array(pauses)),
      .init("boundaries", .array(boundaries)),
      .init("segments", .array(segments)),
    ]
    if let words = report.words {
      members.append(
        .init(
          "words",
          .array(
            words.map { word in
              .object([
                .init("surah", .integer(word.ayah.surah.number)),
                .init("ayah", .integer(word.ayah.ayah)), .init("word", .integer(word.number)),
                .init("start", time(word.span.lowerBound)),
                .init("end", time(word.span.upperBound)),
              ])
            })))
    }
    if !report.warnings.isEmpty {
      members.append(.init("warnings", .array(report.warnings.map { .string($0) })))
    }
    return .object(members)
  }

  private static func value(_ candidate: DetectionReport.Candidate) -> JSONValue {
    .object([
      .init("first", .string(candidate.first.description)),
      .init("word", .integer(candidate.word)),
      .init("probability", .measure(candidate.probability, decimals: 3)),
      .init("worded_alike", .bool(candidate.isWordedAlike)),
    ])
  }

  static func value(_ failure: DetectionFailure) -> JSONValue {
    .object([
      .init("schema", .string(schema)),
      .init("file", .string(failure.file)),
      .init(
        "error",
        .object([
          .init("code", .string(failure.code)), .init("message", .string(failure.message)),
        ])),
    ])
  }

  private static func optional(_ string: String?) -> JSONValue {
    string.map { .string($0) } ?? .null
  }
}
