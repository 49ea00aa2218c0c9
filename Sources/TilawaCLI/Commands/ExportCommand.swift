// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import ArgumentParser
import AudioCore
import Encoding
import Exchange
import Library

/// `export RECORDING`
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract:
      "Write an annotation in another program's format, each ayah as an audio file, or a passage with its picture.",
    discussion: """
      FORMATS:
      \(LabelFormat.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
        word-timings: the start and end of each word of each ayah, for highlighting, as JSON
        timings: the timing database of the Android app Quran, in SQLite
        audio: a folder with one file per ayah, such as 002255.flac
        audiofolder: the same with metadata.csv, as a Hugging Face data set
        video: a passage with its picture, copied; mp4, mov or mkv, by the extension of --output

      EXAMPLES:
        tilawa-annotate export 3f2a --output night3.TextGrid
        tilawa-annotate export 3f2a --format annotation > night3.annotation.json
        tilawa-annotate export 3f2a --format audio --output ayat/ --audio mp3
        tilawa-annotate export 3f2a --format audio --output ayat/ --copy
        tilawa-annotate export 3f2a --ayah 2:255 --output kursi.mp4
      """)

  @Argument(help: "An id or its prefix, a title, or the path of a file.")
  var recording: String

  @Option(
    help: "The format. Default: by the extension of --output.",
    completion: .list(LabelFormat.names + ["word-timings", "audio", "audiofolder", "video"]))
  var format: String?

  @Option(
    name: [.short, .long],
    help: "Write to a file; for audio, to a folder. Default: standard output.",
    completion: .file())
  var output: String?

  @Option(
    help: "everything, assigned (with unused) or recited. Default: depends on the format.")
  var include: Inclusion?

  @Flag(help: SpreadsheetOption.help)
  var spreadsheetSafe = false

  @OptionGroup(title: "Audio files")
  var audio: AyahExportOptions

  @OptionGroup(title: "Video")
  var passage: PassageOptions

  @Flag(help: "Replace existing files.")
  var force = false

  @Flag(help: "Do not show progress or remarks; show errors only.")
  var quiet = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  private enum Target {
    case text(LabelFormat)
    case wordTimings
    case timings
    case audio(isDataSet: Bool)
    case video(PictureContainer)

    /// Whether words are what it is wanted for.
    var isOfWords: Bool {
      switch self {
      case .wordTimings, .text(.quranSegments): true
      case .text, .timings, .audio, .video: false
      }
    }
  }

  mutating func validate() throws {
    let target = try target()
    if case .audio = target, output == nil {
      throw ValidationError("Audio files need a folder: --output FOLDER/.")
    }
    let isAudio = if case .audio = target { true } else { false }
    if !isAudio, audio.isGiven {
      throw ValidationError(
        "--audio, --copy, --bit-rate, --whole-only and --confirmed-only need --format audio.")
    }
    if !isAudio, let output, output.hasSuffix("/") || FileKind(path: output) == .folder {
      throw ValidationError("--output is a folder; name a file in it.")
    }
    if case .video = target {
      _ = try passage.sound(of: recording)
    } else if passage.isGiven {
      throw ValidationError("--segment, --ayah, --from and --until need --format video.")
    }
    if spreadsheetSafe {
      switch target {
      case .text(.csv), .text(.tsv), .audio(isDataSet: true): break
      default: throw ValidationError("--spreadsheet-safe needs csv, tsv or audiofolder.")
      }
    }
    if case .timings = target, output == nil {
      throw ValidationError("A database needs a file: --output FILE.db.")
    }
  }

  private func target() throws -> Target {
    switch format {
    case "word-timings": return .wordTimings
    case "timings": return .timings
    case "audio": return .audio(isDataSet: false)
    case "audiofolder": return .audio(isDataSet: true)
    case "video":
      guard let output else { throw ValidationError("A video needs a file: --output FILE.mp4.") }
      guard let container = PictureContainer(fileName: output) else {
        throw ValidationError("With --format video, --output must end in .mp4, .mov or .mkv.")
      }
      return .video(container)
    case let format?:
      guard let text = LabelFormat(rawValue: format) else {
        let names = LabelFormat.names + ["word-timings", "audio", "audiofolder", "video"]
        throw ValidationError("--format must be one of \(names.joined(separator: ", ")).")
      }
      return .text(text)
    case nil: break
    }
    guard let output else { throw ValidationError("Give --format or --output.") }
    if output.hasSuffix(".db") || output.hasSuffix(".sqlite") { return .timings }
    if let container = PictureContainer(fileName: output) { return .video(container) }
    guard let named = LabelFormat(fileName: output) else {
      throw ValidationError("The extension of '\(output)' is not a known format; use --format.")
    }
    return .text(named)
  }

  func run() async throws {
    let command = self
    try await runReporting {
      let library = try command.libraryOptions.existing()
      let found = try library.recording(named: command.recording)
      let (recording, document) = try library.annotation(of: found.id)
      try command.refuseOwnFiles(recording, library)
      let annotated = recording.annotated(document, in: library)
      let target = try command.target()
      if target.isOfWords, document.words.isEmpty {
        StandardStreams.say(
          "\(recording.title): no words are timed yet; use 'auto-detect --start ... --save'")
      }
      switch target {
      case .wordTimings: try command.write(WordTimingsJSON.text(of: annotated))
      case .timings: try command.exportTimings(document)
      case .text(let format):
        if document.progress.assigned == 0 {
          StandardStreams.say("\(recording.title): nothing is assigned yet")
        }
        try command.write(
          format.text(
            of: annotated, including: command.include,
            cells: SpreadsheetOption.cells(command.spreadsheetSafe)))
      case .video(let container):
        let sound = try command.passage.sound(of: recording.id.rawValue)
          .sound(in: command.libraryOptions)
        try PassageExport(
          sound: sound, path: command.output ?? "", container: container,
          isReplacing: command.force, isQuiet: command.quiet
        ).run(recording)
      case .audio(let isDataSet):
        let availability = library.availability(of: recording)
        if let advice = availability.advice {
          throw Failure(code: "unavailable", message: "\(recording.title): \(advice)")
        }
        let export = AyahExport(
          options: command.audio, folder: command.output ?? "", isReplacing: command.force,
          isQuiet: command.quiet, cells: SpreadsheetOption.cells(command.spreadsheetSafe))
        try export.run(recording, annotated, path: library.file(of: recording), isDataSet)
      }
    }
  }

  /// Not even `--force` writes over a recording, or into the library.
  private func refuseOwnFiles(_ recording: Recording, _ library: Library) throws(Failure) {
    guard let output else { return }
    try library.refuseAsTarget(output)
    if FileKind.isSame(output, recording.shownPath(in: library.folder)) {
      throw Failure(
        code: "usage", message: "\(output) is the recording itself; choose another name")
    }
  }

  private func write(_ text: String) throws(Failure) {
    guard let output else { return try StandardStreams.writeOutput(text) }
    let file = try OutputFile(path: output, isReplacing: force)
    try file.write(text)
    try file.finish()
  }

  private func exportTimings(_ document: AnnotationDocument) throws {
    let output = output ?? ""
    do throws(LibraryError) {
      try TimingDatabase.write(
        TimingLabels.entries(of: document), to: output, isReplacing: force)
    } catch {
      guard error.kind == .nameTaken else { throw error }
      throw Failure(
        code: "exists", message: "\(output) already exists; use --force to replace it")
    }
  }
}

extension Recording {
  /// The recording as the formats of other programs want it.
  func annotated(_ document: AnnotationDocument, in library: Library) -> AnnotatedRecording {
    return AnnotatedRecording(
      document, title: title, mediaFile: fileName(of: shownPath(in: library.folder)),
      reciter: reciter?.name, riwayah: riwayah,
      recordingDate: recordedAt.map { PlainText.day($0) }, contentHash: file.contentHashText)
  }
}
