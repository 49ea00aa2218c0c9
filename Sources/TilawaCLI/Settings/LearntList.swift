// SPDX-License-Identifier: GPL-3.0-or-later

import Exchange
import Library
import TerminalUI
import Workflows

/// What the library has learnt, as the command lists and removes it.
struct LearntList {
  private let library: Library
  private let rows: [(subject: LearntSubject, name: String)]

  /// All of it, or what was learnt of a reciter or a recording.
  init(_ library: Library, reciter: String? = nil, recording: String? = nil) throws {
    self.library = library
    let chosenReciter = try reciter.map { try library.reciter(named: $0) }
    let chosenRecording = try recording.map { try library.recording(named: $0) }
    let recordings = try library.recordings()
    let reciters = try library.reciters()
    rows = try library.learntSubjects().compactMap { subject in
      switch subject {
      case .reciter(let id):
        guard chosenRecording == nil, chosenReciter == nil || chosenReciter?.id == id else {
          return nil
        }
        return (subject, reciters.first { $0.id == id }?.name ?? "a removed reciter")
      case .recording(let id):
        let known = recordings.first { $0.id == id }
        if let chosenRecording, chosenRecording.id != id { return nil }
        if let chosenReciter, known?.reciter?.id != chosenReciter.id { return nil }
        return (subject, known?.title ?? "a removed recording")
      }
    }
  }

  func show(_ format: ListFormat) throws {
    let facts = try rows.map { row -> (kind: String, name: String, state: String?) in
      let kind = if case .reciter = row.subject { "reciter" } else { "recording" }
      return (kind, row.name, try state(row.subject))
    }
    guard format == .table else {
      return try format.write(
        facts.map {
          .object([
            .init("schema", .string("tilawa.learnt/1")), .init("kind", .string($0.kind)),
            .init("name", .string($0.name)), .init("state", .string($0.state ?? "nothing")),
          ])
        })
    }
    if facts.isEmpty { return StandardStreams.say("nothing has been learnt yet") }
    var table = TextTable(columns: [
      .init("of"), .init("name", isFlexible: true), .init("learnt", isFlexible: true),
    ])
    table.rows = facts.map {
      [$0.kind, $0.name, $0.state ?? "none; --undo restores the previous one"].map {
        TerminalText($0)
      }
    }
    try PlainText.show(table)
  }

  /// Nil where nothing is used.
  private func state(_ subject: LearntSubject) throws -> String? {
    guard let bytes = try library.learnt(of: subject) else { return nil }
    do throws(LearntTraitsError) {
      let traits = try LearntTraits(bytes)
      if traits.isEmpty { return nil }
      let parts = [traits.voice.map { _ in "voice" }, traits.placement.map { _ in "edges" }]
      return parts.compactMap { $0 }.joined(separator: ", ")
    } catch {
      return error.text
    }
  }

  /// What was learnt and can be used no more.
  func problems() throws(LibraryError) -> [LibraryProblem] {
    var problems: [LibraryProblem] = []
    for row in rows {
      guard let bytes = try library.learnt(of: row.subject) else { continue }
      do throws(LearntTraitsError) {
        _ = try LearntTraits(bytes)
      } catch {
        problems.append(
          LibraryProblem(
            severity: .error, subject: row.name,
            message:
              "the adaptation is \(error.text) and is not used; run 'learn' again, or 'learn --forget'"
          ))
      }
    }
    return problems
  }

  func forget() throws {
    var deleted = 0
    for row in rows { deleted += try library.forgetLearnt(of: row.subject) }
    let count = PlainText.count(deleted, "file")
    StandardStreams.say(rows.isEmpty ? "nothing has been learnt" : "deleted \(count)")
  }

  func undo() throws {
    let restored = try rows.filter { try library.restoreLearnt(of: $0.subject) }
    for row in restored {
      let state = try state(row.subject).map { "the previous adaptation (\($0)) is used again" }
      StandardStreams.say("\(row.name): \(state ?? "no adaptation is used, as before")")
    }
    if restored.isEmpty { StandardStreams.say("there is no previous adaptation") }
  }
}
