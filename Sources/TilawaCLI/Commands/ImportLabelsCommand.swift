// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import ArgumentParser
import AudioCore
import Exchange
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
    abstract: "Import an annotation from another program.",
    discussion: """
      Replaces the whole annotation of the recording, as one edit; 'undo' reverts it. Labels such as 2:5, \
      2:286 | 3:1, baqarah 255 or unused: takbir assign a segment; any other text becomes the \
      segment's note. Ayat have the numbers of Hafs in every riwayah: 1:1 is the basmalah.

      FORMATS:
      \(LabelFormat.allCases.map { "  \($0.rawValue): \($0.summary)" }
        .joined(separator: "\n"))
        timings: the timing database of the Android app Quran, in SQLite

      EXAMPLES:
        tilawa-annotate import-labels 3f2a night3.txt
        tilawa-annotate import-labels 3f2a night3.TextGrid --tier ayat --confirm
        tilawa-annotate import-labels 3f2a night3.annotation.json
      """)

  @Argument(help: "An id or its prefix, a title, or the path of a file.")
  var recording: String

  @Argument(help: "The file with the labels.", completion: .file())
  var file: String

  @Option(
    help: "The format. Default: by content and name.",
    completion: .list(LabelFormat.names))
  var format: String?

  @Option(help: "The tier to use. Default: the one with most ayat.")
  var tier: String?

  @Flag(help: "Confirm every segment that has an assignment.")
  var confirm = false

  @Flag(
    help:
      "Replace segments that a person has assigned or confirmed; 'undo' restores them.")
  var force = false

  @Flag(help: "Show what would change, and change nothing.")
  var dryRun = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    let names = LabelFormat.names
    if let format, !names.contains(format) {
      throw ValidationError("--format must be one of \(names.joined(separator: ", ")).")
    }
  }

  /// Nobody reads more, and a file may have one for each label.
  private static let maxWarnings = 100

  func run(_ library: Library) throws {
    let found = try library.recording(named: recording)
    let (_, document) = try library.annotation(of: found.id)
    let labels = try read(for: found)
    for warning in labels.warnings.prefix(Self.maxWarnings) {
      StandardStreams.say("\(file): \(warning)")
    }
    let further = labels.warnings.count - Self.maxWarnings
    if further > 0 { StandardStreams.say("\(file): \(PlainText.count(further, "more warning"))") }
    if labels.document.markers.isEmpty, labels.document.progress.assigned == 0 {
      throw Failure(
        code: "bad_labels", message: "\(file): the file has no labels for this recording")
    }
    let made = document.segments.count { segment in
      segment.isConfirmed || segment.content.attribution?.origin == .person
    }
    if made > 0, !force, !dryRun, document.records != labels.document.records {
      throw Failure(
        code: "exists",
        message: "\(found.title) has \(PlainText.count(made, "segment")) that a person has"
          + " assigned; --force replaces the annotation, and 'undo' restores it")
    }
    let progress = labels.document.progress
    let summary =
      "\(PlainText.count(progress.segments, "segment")), \(progress.assigned) assigned, "
      + "\(progress.confirmed) confirmed"
    if dryRun { return try PlainText.show("\(found.title) would have \(summary)") }
    let change = try Self.replaceAnnotation(of: found, by: labels, in: library)
    try PlainText.show(
      change.isEmpty ? "\(found.title): nothing changed" : "\(found.title): \(summary)")
  }

  private func read(for recording: Recording) throws -> LabelImport {
    let input = try LabelInput(file: file)
    let beginning: [UInt8]
    do throws(ExchangeError) {
      beginning = try input.beginning(LabelFormat.markSize)
    } catch {
      throw Failure(code: "io_error", message: "\(file): \(error)")
    }
    let (length, rate) = (recording.media.length, recording.media.rate)
    let isDatabase = beginning.starts(with: Array("SQLite format 3\0".utf8))
    if format == "timings" || (format == nil && isDatabase) {
      let entries: [TimingDatabase.Entry]
      do throws(LibraryError) {
        entries = try TimingDatabase.entries(of: file)
      } catch {
        let remedy = error.kind == .unusable ? "; \(TimingDatabase.remedy)" : ""
        throw Failure(code: "bad_labels", message: error.description + remedy)
      }
      return try LabelImport(
        TimingLabels.file(of: entries), length: length, rate: rate, isConfirmed: confirm)
    }
    guard
      let chosen = format.flatMap(LabelFormat.init(rawValue:))
        ?? LabelFormat(of: beginning, fileName: file)
    else {
      throw Failure(
        code: "bad_labels",
        message: "\(file): unknown label format; use --format")
    }
    do throws(ExchangeError) {
      return try LabelImport(
        reading: input, as: chosen, tier: tier, length: length, rate: rate, isConfirmed: confirm)
    } catch {
      var code = "bad_labels"
      if case .unreadable = error { code = "io_error" }
      throw Failure(code: code, message: "\(file): \(error)")
    }
  }

  /// As one edit.
  static func replaceAnnotation(
    of recording: Recording, by labels: LabelImport, in library: Library
  ) throws -> Change {
    let engine = try AnnotationEngine(editing: recording.id, in: library)
    return try waiting { () async throws(LibraryError) in
      try await engine.apply(
        .replaceAll(
          labels.document.records, words: labels.holdsWords ? labels.document.words : nil))
    }
  }
}
