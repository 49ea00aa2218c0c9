// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import ArgumentParser
import Library

/// `undo RECORDING`
struct UndoCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the latest edits of a recording's annotation.",
    discussion: "'show RECORDING --history' lists the edits; 'redo' redoes undone ones.")

  @OptionGroup
  var steps: UndoSteps

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  func run(_ library: Library) throws { try steps.go(library, isUndo: true) }
}

/// `redo RECORDING`
struct RedoCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo undone edits.")

  @OptionGroup
  var steps: UndoSteps

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  func run(_ library: Library) throws { try steps.go(library, isUndo: false) }
}

struct UndoSteps: ParsableArguments {
  @Argument(help: "An id or its prefix, a title, or the path of a file.")
  var recording: String

  @Option(help: "The number of edits.")
  var count = 1

  mutating func validate() throws {
    if count < 1 { throw ValidationError("--count must be at least 1.") }
  }

  func go(_ library: Library, isUndo: Bool) throws {
    let recording = try library.recording(named: recording)
    let engine = try AnnotationEngine(editing: recording.id, in: library)
    for step in 1...count {
      let entry = try waiting { () async throws(LibraryError) in
        isUndo ? try await engine.undo() : try await engine.redo()
      }
      guard let entry else {
        let nothing = isUndo ? "nothing to undo" : "nothing to redo"
        if step == 1 { throw Failure(code: "usage", message: "\(recording.title): \(nothing)") }
        return StandardStreams.say("\(recording.title): \(nothing) any more")
      }
      let summary = entry.edit.summary(at: recording.media.rate)
      try PlainText.show("\(isUndo ? "undone" : "redone"): \(summary)")
    }
  }
}
