// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import Annotation
import AudioCore
import Glibc
import Library
import Quran
import TestSupport

/// A process that works on a library, so that tests can kill it, or let the disk fail it.
///
///     EditHarness edit FOLDER RECORDING SEED STEPS     prints the revision after each step that changed
///     EditHarness publish FOLDER RECORDING             publishes the annotation
///     EditHarness import FOLDER FILE
///     EditHarness remove FOLDER RECORDING
///     EditHarness hold FOLDER RECORDING                says `held` and waits
///     EditHarness read FOLDER                          prints the titles, opened for reading only
///
/// Says `error`, the kind and the message, and ends with status 3 when the library refuses.
@main struct EditHarness {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      try await run(arguments[0], Array(arguments.dropFirst()))
    } catch let error as LibraryError {
      say("error \(error.kind) \(error)")
      exit(3)
    } catch {
      say("error \(error)")
      exit(4)
    }
  }

  private static func run(_ command: String, _ arguments: [String]) async throws {
    let library = try Library(
      at: LibraryFolder(path: arguments[0]), access: command == "read" ? .readOnly : .readWrite,
      patience: 1)
    switch command {
    case "edit":
      try await edit(arguments, library)
    case "publish":
      let engine = try AnnotationEngine(editing: id(arguments), in: library)
      say("published \(try await engine.publish(includingUnconfirmed: true).segmentCount)")
    case "import":
      let importer = Importer(
        into: library, analyzer: RecordingAnalyzer(threadCount: 1, sidecars: nil), detect: nil)
      say("imported \(try importer.importFile(arguments[1]).recording.id)")
    case "remove":
      try library.remove(id(arguments))
      say("removed")
    case "hold":
      let engine = try AnnotationEngine(editing: id(arguments), in: library)
      say("held")
      while getppid() != 1 { usleep(10_000) }
      withExtendedLifetime(engine) {}
    default:
      for recording in try library.recordings() { say("title \(recording.title)") }
    }
  }

  private static func edit(_ arguments: [String], _ library: Library) async throws {
    let engine = try AnnotationEngine(editing: id(arguments), in: library)
    var steps = RandomSteps(seed: UInt64(arguments[2]) ?? 0)
    for _ in 0..<(Int(arguments[3]) ?? 0) {
      let before = await engine.recording.revision
      do {
        switch steps.next(for: await engine.document) {
        case .edit(let edit): try await engine.apply(edit)
        case .undo: _ = try await engine.undo()
        case .redo: _ = try await engine.redo()
        }
      } catch {
        guard case .refused = error.kind else { throw error }
      }
      let after = await engine.recording.revision
      if after != before { say("\(after)") }
    }
    say("done")
  }

  private static func id(_ arguments: [String]) -> Recording.ID {
    Recording.ID(rawValue: arguments[1])
  }

  /// At once, and in one piece.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}
