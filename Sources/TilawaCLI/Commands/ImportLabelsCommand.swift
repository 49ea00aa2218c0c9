// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import ArgumentParser
import AudioCore
import Exchange
import Glibc
import Library
import Quran

extension LabelFormat {
  /// What `--format` may say; `timings` is a database and no text.
  static var names: [String] { allCases.map(\.rawValue) + ["timings"] }
}

/// `import-labels RECORDING FILE`
struct ImportLabelsCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-labels",
    abstract: "Take over an annotation made elsewhere.",
    discussion: """
      Replaces the whole annotation of the recording, as one edit that can be undone. What a label says \
      is read as 2:5, 2:286 | 3:1, baqarah 255, unused: takbir and the like; what is not understood \
      becomes the segment's note.

      FORMATS:
      \(LabelFormat.allCases.map { "  \($0.rawValue): \($0.summary)" }
        .joined(separator: "\n"))
        timings: the timing database of the Android app Quran, in SQLite

      EXAMPLES:
        tilawa-annotate import-labels 3f2a night3.txt
        tilawa-annotate import-labels 3f2a night3.TextGrid --tier ayat --confirm
        tilawa-annotate import-labels 3f2a night3.annotation.json
      """)

  @Argument(help: "An id or the beginning of one, a title, or the path of a file.")
  var recording: String

  @Argument(help: "The file with the labels.", completion: .file())
  var file: String

  @Option(
    help: "Its format, where neither name nor content says it.",
    completion: .list(LabelFormat.names))
  var format: String?

  @Option(help: "Which tier of it. Default: the one that looks like ayat.")
  var tier: String?

  @Flag(help: "They are right: confirm every segment that has an assignment.")
  var confirm = false

  @Flag(
    help:
      "Do it although the recording has confirmed segments already; they can be had back by undo.")
  var force = false

  @Flag(help: "Say what would be done, and do nothing.")
  var dryRun = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    let names = LabelFormat.names
    if let format, !names.contains(format) {
      throw ValidationError("--format is one of \(names.joined(separator: ", ")).")
    }
  }

  func run(_ library: Library) throws {
    let found = try library.recording(named: recording)
    let (_, document) = try library.annotation(of: found.id)
    let labels = try read(for: found)
    for warning in labels.warnings { StandardStreams.say("\(file): \(warning)") }
    let confirmed = document.progress.confirmed
    if confirmed > 0, !force, !dryRun {
      throw Failure(
        code: "exists",
        message: "\(found.title) has \(PlainText.count(confirmed, "confirmed segment")) already;"
          + " --force replaces them, as one edit that can be undone")
    }
    let progress = labels.document.progress
    let summary =
      "\(PlainText.count(progress.segments, "segment")), \(progress.assigned) assigned, "
      + "\(progress.confirmed) confirmed"
    if dryRun { return try PlainText.show("\(found.title) would have \(summary)") }
    let change = try Self.replaceAnnotation(of: found, by: labels.document, in: library)
    try PlainText.show(
      change.isEmpty ? "\(found.title): nothing changed" : "\(found.title): \(summary)")
  }

  private func read(for recording: Recording) throws -> LabelImport {
    guard let bytes = TextFile.bytes(of: file) else {
      let code = errno
      throw Failure(
        code: code == ENOENT ? "no_such_file" : "io_error",
        message: "\(file): \(String(cString: strerror(code)))")
    }
    let (length, rate) = (recording.media.length, recording.media.rate)
    if format == "timings" || (format == nil && bytes.starts(with: Array("SQLite format 3\0".utf8)))
    {
      return try LabelImport(
        TimingLabels.file(of: TimingDatabase.entries(of: file)), length: length, rate: rate,
        isConfirmed: confirm)
    }
    guard
      let chosen = format.flatMap(LabelFormat.init(rawValue:))
        ?? LabelFormat(of: bytes, fileName: file)
    else {
      throw Failure(
        code: "bad_labels",
        message: "\(file): it looks like no format of labels; say which with --format")
    }
    do throws(ExchangeError) {
      return try LabelImport(
        reading: bytes, as: chosen, tier: tier, length: length, rate: rate, isConfirmed: confirm)
    } catch {
      throw Failure(code: "bad_labels", message: "\(file): \(error)")
    }
  }

  /// As one edit.
  static func replaceAnnotation(
    of recording: Recording, by document: AnnotationDocument, in library: Library
  ) throws -> Change {
    let engine = try AnnotationEngine(editing: recording.id, in: library)
    return try waiting { () async throws(LibraryError) in
      try await engine.apply(.replaceAll(document.records))
    }
  }
}
