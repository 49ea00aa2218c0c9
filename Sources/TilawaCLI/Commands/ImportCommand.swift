// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore
import Foundation
import Library
import Quran

/// `import PATH...`
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import recordings into the library.",
    discussion: """
      Copies and analyses each file, and suggests its boundaries. Files that the library already has \
      are skipped, so you can import a folder of voice memos again and again. A recording whose file \
      was moved or renamed is reconnected to it.

      EXAMPLES:
        tilawa-annotate import night3.m4a --reciter "Mahmoud Khalil" --title "Night 3"
        tilawa-annotate import part1.mp3 part2.mp3 --night "Ramadan 1445, night 3"
        tilawa-annotate import --folder ~/Recordings
        tilawa-annotate import --in-place /media/usb/night3.wav
      """)

  @Argument(help: "Recordings: any audio or video file.", completion: .file())
  var files: [String] = []

  @Option(
    help: "A folder; it is searched recursively.", completion: .directory)
  var folder: [String] = []

  @Flag(help: "Do not copy the files; use them where they are.")
  var inPlace = false

  @Option(help: "The title, for a single file. Default: the title tag of the file, or its name.")
  var title: String?

  @OptionGroup(title: "About the recording")
  var details: DetailOptions

  @Flag(help: "Do not suggest boundaries.")
  var noDetect = false

  @OptionGroup(title: "Detection")
  var detection: DetectionOptions

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  @Flag(help: "Do not show progress or remarks; show errors only.")
  var quiet = false

  mutating func validate() throws {
    if files.isEmpty, folder.isEmpty {
      throw ValidationError("Name the files to import, or a folder with --folder.")
    }
  }

  func run() async throws {
    var tally = DetectionTally(hasFolderProblems: false)
    let command = self
    try await runReporting {
      try command.importAll(&tally)
    }
    if Interrupt.flag.isStopped { throw ExitStatus.interrupted }
    if let code = tally.exitCode { throw code }
  }

  private func importAll(_ tally: inout DetectionTally) throws {
    let inputs = InputFiles(files + folder)
    tally = DetectionTally(hasFolderProblems: !inputs.problems.isEmpty)
    for problem in inputs.problems { StandardStreams.say("\(problem.path): \(problem.message)") }
    if inputs.inputs.isEmpty { throw Failure(code: "no_such_file", message: "nothing to import") }
    if title != nil, inputs.inputs.count > 1 {
      throw Failure(
        code: "usage", message: "--title needs a single recording")
    }
    let settings = try Configuration()
    let library = try libraryOptions.open()
    var entry = Importer.Details()
    let reciter = try library.reciter(for: details, default: settings.value("import.reciter"))
    entry.title = title
    entry.reciter = reciter?.id
    entry.riwayah =
      details.riwayah ?? reciter?.riwayah
      ?? settings.value("import.riwayah").flatMap { .init(rawValue: $0) }
    entry.recordedAt = details.date?.date
    entry.night = details.night
    entry.track = detection.track
    entry.isInPlace = inPlace || settings.value("import.in_place") == "true"

    let display = ProgressDisplay(isTerminal: StandardStreams.isErrorTerminal && !quiet)
    let total = inputs.inputs.reduce(0.0) { $0 + Double($1.size) }
    var done = 0.0
    for input in inputs.inputs where !Interrupt.flag.isStopped {
      let (before, share) = (done / total, Double(input.size) / total)
      defer { done += Double(input.size) }
      let label = ProgressLabel.text(for: input.path)
      let imported = importing(input, entry, into: library) { part in
        display.update(label: label, fraction: before + share * part)
      }
      let result: Importer.Result
      switch imported {
      case .success(let done): result = done
      case .failure(let error as LibraryError):
        try report(error, input.path, display, &tally)
        continue
      case .failure(let error as Failure):
        // Of an interruption the person knows.
        if error.code != Failure.interrupted {
          display.say("\(input.path): \(error.message)")
          tally.add(error)
        }
        continue
      case .failure(let error): throw error
      }
      display.finish()
      try report(result)
      if !quiet { for remark in result.remarks { display.say("\(input.path): \(remark)") } }
      tally.add(nil)
    }
    display.finish()
    if Interrupt.flag.isStopped {
      StandardStreams.say("interrupted; \(tally.finished) of \(inputs.inputs.count) done")
    }
  }

  /// Imports one file, and gives it up when decoding hangs, so that the files after it have their turn.
  private func importing(
    _ input: InputFiles.Input, _ entry: Importer.Details, into library: Library,
    progress: @escaping @Sendable (Double) -> Void
  ) -> Result<Importer.Result, any Error> {
    let (sidecars, detect) = (detection.sidecars, noDetect ? nil : detector)
    let path = UserFolders.absolute(input.path)
    return waiting { () async -> Result<Importer.Result, any Error> in
      do throws(Failure) {
        return try await WatchedRun().run(size: input.size) { watch in
          let importer = Importer(
            into: library,
            analyzer: RecordingAnalyzer(
              threadCount: ProcessorCores.count, sidecars: sidecars, stopFlag: watch.stopFlag),
            detect: detect)
          return Result {
            try importer.importFile(path, entry) {
              watch.hear()
              // Copying is a small part of the work.
              switch $0 {
              case .copying(let share): progress(share * 0.2)
              case .analysing(let share): progress(0.2 + share * 0.8)
              }
            }
          }
        }
      } catch {
        return .failure(error)
      }
    }
  }

  private var detector: @Sendable (Envelope) throws(AnalysisError) -> Detection {
    let options = detection
    return { (envelope: Envelope) throws(AnalysisError) in try options.detect(in: envelope) }
  }

  private func report(_ result: Importer.Result) throws(Failure) {
    let recording = result.recording
    var found = ""
    if !noDetect, let count = result.boundaryCount {
      found = ", " + PlainText.count(count, "suggested boundary", "suggested boundaries")
    }
    try PlainText.show(
      "\(recording.id.short)  \(recording.title)  "
        + "\(PlainText.duration(recording.media.seconds))\(found)")
  }

  private func report(
    _ error: LibraryError, _ path: String, _ display: ProgressDisplay, _ tally: inout DetectionTally
  ) throws {
    switch error.kind {
    case .cancelled:
      return
    case .alreadyThere:
      // Importing again is ordinary; nothing has gone wrong.
      if !quiet { display.say(error.description) }
      tally.add(nil)
    case .full, .readOnly, .damaged, .busy:
      // The next file would fare no better.
      throw error
    default:
      let failure = Failure(error)
      display.say(failure.message)
      tally.add(failure)
    }
  }
}
