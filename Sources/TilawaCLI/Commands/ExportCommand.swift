// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import ArgumentParser
import AudioCore
import Exchange
import Library

/// `export RECORDING`
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write an annotation in another program's format.",
    discussion: """
      FORMATS:
      \(LabelFormat.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
        timings: the timing database of the Android app Quran, in SQLite

      EXAMPLES:
        tilawa-annotate export 3f2a --output night3.TextGrid
        tilawa-annotate export 3f2a --format annotation > night3.annotation.json
      """)

  @Argument(help: "An id or the beginning of one, a title, or the path of a file.")
  var recording: String

  @Option(
    help: "The format. Default: what the ending of --output says.",
    completion: .list(LabelFormat.allCases.map(\.rawValue) + ["timings"]))
  var format: String?

  @Option(
    name: [.short, .long], help: "Write to a file, not to standard output.", completion: .file())
  var output: String?

  @Option(
    help: "everything, assigned (unused ones too) or recited. Default: what suits the format.")
  var include: Inclusion?

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  private enum Target {
    case text(LabelFormat)
    case timings
  }

  mutating func validate() throws { _ = try target() }

  private func target() throws -> Target {
    if let format {
      if format == "timings" { return .timings }
      guard let text = LabelFormat(rawValue: format) else {
        let names = LabelFormat.allCases.map(\.rawValue) + ["timings"]
        throw ValidationError("--format is one of \(names.joined(separator: ", ")).")
      }
      return .text(text)
    }
    guard let output else { throw ValidationError("Say which --format, or name an --output.") }
    if output.hasSuffix(".db") || output.hasSuffix(".sqlite") { return .timings }
    guard let named = LabelFormat(fileName: output) else {
      throw ValidationError("The ending of '\(output)' says no format; say which with --format.")
    }
    return .text(named)
  }

  func run() async throws {
    let command = self
    try await runReporting {
      guard let library = try command.libraryOptions.openExisting() else {
        throw Failure(code: "no_library", message: "there is no library yet; 'import' begins one")
      }
      let found = try library.recording(named: command.recording)
      let (recording, document) = try library.annotation(of: found.id)
      switch try command.target() {
      case .timings: try command.exportTimings(document)
      case .text(let format):
        try command.write(
          format.text(
            of: recording.annotated(document, in: library), including: command.include))
      }
    }
  }

  private func write(_ text: String) throws(Failure) {
    guard let output else { return try StandardStreams.writeOutput(text) }
    let file = try OutputFile(path: output, isReplacing: force)
    try file.write(text)
    try file.finish()
  }

  private func exportTimings(_ document: AnnotationDocument) throws {
    guard let output else {
      throw Failure(code: "usage", message: "a database needs a file: say --output FILE.db")
    }
    do throws(LibraryError) {
      try TimingDatabase.write(
        TimingLabels.entries(of: document), to: output, isReplacing: force)
    } catch {
      guard error.kind == .nameTaken else { throw error }
      throw Failure(
        code: "exists", message: "\(output) is already there; use --force to replace it")
    }
  }
}

extension Recording {
  /// The recording as the formats of other programs want it.
  func annotated(_ document: AnnotationDocument, in library: Library) -> AnnotatedRecording {
    let path = path(in: library.folder)
    let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    return AnnotatedRecording(
      document, title: title, mediaFile: String(name), reciter: reciter?.name, riwayah: riwayah,
      recordingDate: recordedAt.map { PlainText.day($0) }, contentHash: file.contentHashText)
  }
}
