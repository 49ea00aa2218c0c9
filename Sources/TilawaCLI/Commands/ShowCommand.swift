// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import ArgumentParser
import AudioCore
import Exchange
import Library
import Quran
import TerminalUI

/// `show RECORDING`
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a recording: its file, its segments, and what to review.",
    discussion: """
      In the column 'by', C means confirmed by a person, p assigned by a person, a aligned, and \
      d detected as a pause; ! is a flag. Suggestions have a confidence: that of the segment's start or \
      of its content, whichever is lower.
      """)

  @Argument(help: "An id or its prefix, a title, or the path of a file.")
  var recording: String

  @Flag(help: "Only the recording, without its segments.")
  var brief = false

  @Flag(help: "The edit history, latest first.")
  var history = false

  @Option(help: "table (for people), json or jsonl.")
  var format: ListFormat = .table

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  func run() async throws {
    let command = self
    try await runReporting {
      let library = try command.libraryOptions.existing()
      let found = try library.recording(named: command.recording)
      let (recording, document) = try library.annotation(of: found.id)
      var facts = try RecordingJSON(recording, document.progress, in: library)
      facts.findVideo()
      if command.history { return try command.showHistory(of: recording, library) }
      let judgement = try library.history(of: recording).judgement ?? AlignmentJudgement()
      if command.format == .table {
        try command.show(facts, judgement, document, library)
      } else {
        try command.format.write([command.value(facts, judgement, document)])
      }
    }
  }

  private func value(
    _ facts: RecordingJSON, _ judgement: AlignmentJudgement, _ document: AnnotationDocument
  ) -> JSONValue {
    let alignment = JSONValue.Member("alignment", judgement.value(document))
    guard !brief else { return .object(facts.members + [alignment]) }
    let segments = document.segments.map {
      SegmentsJSON.value(of: $0, in: document)
    }
    let findings = document.validate().map { finding in
      JSONValue.object([
        .init("segment", .integer(finding.index)),
        .init("severity", .string(Self.word(finding.severity))),
        .init("message", .string(finding.description)),
      ])
    }
    return .object(
      facts.members.map {
        $0.key == "segments" ? .init("segments", .array(segments)) : $0
      } + [alignment, .init("findings", .array(findings))])
  }

  private static func word(_ severity: Finding.Severity) -> String {
    switch severity {
    case .note: "note"
    case .worthALook: "worth_a_look"
    case .blocksCompletion: "blocks_completion"
    }
  }

  private func show(
    _ facts: RecordingJSON, _ judgement: AlignmentJudgement, _ document: AnnotationDocument,
    _ library: Library
  ) throws {
    for (name, text) in lines(facts, judgement.lines(document), library) {
      try PlainText.show(TerminalText(name).padded(to: 11).string + text)
    }
    guard !brief else { return }
    try PlainText.show("")
    try PlainText.show(table(document))
    let findings = document.validate().filter { $0.severity != .blocksCompletion }
    if !findings.isEmpty {
      try PlainText.show("")
      try PlainText.show("To review")
    }
    for finding in findings { try PlainText.show("  segment \(finding.index + 1): \(finding)") }
  }

  private func lines(
    _ facts: RecordingJSON, _ alignment: [String], _ library: Library
  ) -> [(String, String)] {
    let recording = facts.recording
    let media = recording.media
    var lines = [
      ("title", recording.title), ("id", recording.id.rawValue),
      ("file", recording.shownPath(in: library.folder)),
    ]
    if let advice = facts.availability.advice { lines.append(("", advice)) }
    let channels =
      media.channels == 1 ? "mono" : media.channels == 2 ? "stereo" : "\(media.channels) channels"
    lines.append(
      ("audio", "\(media.codec), \(media.rate), \(channels), \(PlainText.duration(media.seconds))"))
    if let video = facts.video { lines.append(("picture", PlainText.picture(video))) }
    lines += [
      ("recorded", PlainText.moment(recording.recordedAt))
    ]
    if let night = recording.night { lines.append(("night", "\(night.name), file \(night.order)")) }
    lines.append(
      (
        "reciter",
        (recording.reciter?.name ?? "unknown") + ", " + recording.riwayah.displayName
      ))
    let progress = facts.progress
    lines.append(
      (
        "segments",
        "\(progress.segments), \(progress.assigned) assigned, \(progress.confirmed) confirmed"
      ))
    lines += alignment.enumerated().map { ($0 == 0 ? "alignment" : "", $1) }
    var publication = [recording.publication.title, PlainText.ranges(facts.covered)]
    if !recording.publication.isCurrent, progress.confirmed > 0 {
      publication.append("'publish' or ctrl-s in the editor makes it playable")
    }
    lines += [
      ("status", progress.status.title),
      ("playable", publication.filter { !$0.isEmpty }.joined(separator: "; ")),
    ]
    if let holder = library.holder(of: recording.id) {
      lines.append(("edited by", "process \(holder.pid) on \(holder.host)"))
    }
    return lines
  }

  private func table(_ document: AnnotationDocument) -> TextTable {
    let confidences = document.segments.map { document.confidence(of: $0) }
    let isSuggested = confidences.contains { $0 != nil }
    var table = TextTable(
      columns: [
        .init("", alignment: .right), .init("start", alignment: .right),
        .init("end", alignment: .right), .init("length", alignment: .right), .init("by"),
      ] + (isSuggested ? [.init("confidence", alignment: .right)] : []) + [
        .init("holds"), .init("note", isFlexible: true),
      ])
    table.rows = zip(document.segments, confidences).map { segment, confidence in
      let length = segment.span.length.seconds(at: document.rate)
      let percent = confidence.map { "\($0.percent)%" } ?? ""
      let cells =
        [
          "\(segment.index + 1)", TimeText.short(segment.span.lowerBound, at: document.rate),
          TimeText.short(segment.span.upperBound, at: document.rate),
          "\((length * 10).rounded() / 10)", mark(segment),
        ] + (isSuggested ? [percent] : []) + [
          segment.assignment?.description ?? "unassigned", segment.content.note,
        ]
      return cells.map { TerminalText($0) }
    }
    return table
  }

  private func mark(_ segment: Segment) -> String {
    let flag = segment.content.isFlagged ? "!" : ""
    if segment.isConfirmed { return "C" + flag }
    switch segment.content.attribution?.origin {
    case .person: return "p" + flag
    case .aligned: return "a" + flag
    case .detected: return "d" + flag
    case nil: return flag
    }
  }

  private func showHistory(of recording: Recording, _ library: Library) throws {
    let (edits, redoable) = try library.history(of: recording, limit: 1000)
    guard format == .table else {
      return try format.write(
        edits.map { entry in
          .object([
            .init("schema", .string("tilawa.edit/1")),
            .init("sequence", .integer(Int(entry.sequence))),
            .init("made_at", .string(PlainText.timestamp(entry.madeAt))),
            .init("edit", .string(entry.edit.summary(at: recording.media.rate))),
          ])
        })
    }
    var table = TextTable(columns: [
      .init("", alignment: .right), .init("made"), .init("edit", isFlexible: true),
    ])
    table.rows = edits.map { entry in
      [
        "\(entry.sequence)", PlainText.moment(entry.madeAt),
        entry.edit.summary(at: recording.media.rate),
      ].map { TerminalText($0) }
    }
    if !edits.isEmpty { try PlainText.show(table) }
    StandardStreams.say(
      "\(PlainText.count(edits.count, "edit"))\(edits.count == 1000 ? " shown" : "")"
        + (redoable > 0 ? ", \(redoable) can be redone" : ""))
  }
}
