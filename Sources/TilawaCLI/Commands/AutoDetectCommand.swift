// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore
import Exchange
import Glibc
import TerminalUI

/// `auto-detect FILE...`
struct AutoDetectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auto-detect",
    abstract: "Find pauses and suggest boundaries in recordings.",
    discussion: """
      Finds every pause, and suggests a boundary at each pause that probably ends an ayah. With \
      --start, the first ayah recited, it finds the place of each ayah, with or without pauses. Any audio \
      or video file works; folders are searched recursively.

      Results go to standard output, messages and progress to standard error.

      EXAMPLES:
        tilawa-annotate auto-detect night.m4a
        tilawa-annotate auto-detect --start 2:1 --end 2:141 baqarah.mp3
        tilawa-annotate auto-detect --format jsonl recordings/ > boundaries.jsonl
        tilawa-annotate auto-detect --format audacity night.m4a --output night.txt
        tilawa-annotate auto-detect --start 2:1 --words --format json night.m4a
      """)

  @Argument(
    help: "Recordings, or folders of them; of the library also by title or id.",
    completion: .file())
  var files: [String]

  @OptionGroup(title: "Ayat")
  var alignment: AlignmentOptions

  @OptionGroup(title: "Detection")
  var detection: DetectionOptions

  @Option(
    help: ArgumentHelp(
      "table (for people), json, jsonl, csv, tsv, audacity, textgrid, vtt or srt.",
      discussion: "Default: by the extension of --output, else table."))
  var format: DetectionFormat?

  @Option(
    name: [.short, .long],
    help: "Write to a file, or to a folder/ with one file per recording. Default: standard output.",
    completion: .file())
  var output: String?

  @Flag(help: SpreadsheetOption.help)
  var spreadsheetSafe = false

  @Flag(help: "Replace existing --output files.")
  var force = false

  @Option(
    parsing: .unconditional,
    help: "How many files to process at once. Default: one per processor core.")
  var jobs: Int?

  @Flag(help: "Do not show progress or remarks; show errors only.")
  var quiet = false

  @Flag(
    help: "Save the suggestions in the library; new recordings are added without copying them.")
  var save = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    if spreadsheetSafe, chosenFormat != .csv, chosenFormat != .tsv {
      throw ValidationError("--spreadsheet-safe needs --format csv or tsv.")
    }
    if alignment.words, !chosenFormat.holdsWords {
      throw ValidationError("--words needs --format json, jsonl or textgrid.")
    }
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
    try alignment.check(with: detection)
  }

  func run() async throws {
    Interrupt.install()
    let paths: [String]
    do throws(Failure) {
      paths = try files.map { argument throws(Failure) in
        try libraryOptions.path(named: argument) ?? argument
      }
    } catch {
      throw error.end(saying: "tilawa-annotate: \(error.message)")
    }
    let inputs = InputFiles(paths)
    for problem in inputs.problems { StandardStreams.say("\(problem.path): \(problem.message)") }
    if inputs.inputs.isEmpty { throw ExitStatus.noInput }
    let isSeveral =
      paths.count > 1 || inputs.inputs.count > 1 || inputs.inputs.first?.path != paths[0]
    var tally = DetectionTally(hasFolderProblems: !inputs.problems.isEmpty)
    do {
      let saver = try save ? SuggestionSaver(self) : nil
      let output = try DetectionOutput(
        chosenFormat, path: output, inputs: inputs.inputs.map(\.path), isSeveral: isSeveral,
        isReplacing: force)
      let width = output.isTerminal ? StandardStreams.width(of: STDOUT_FILENO) : nil
      let progress = ProgressDisplay(isTerminal: StandardStreams.isErrorTerminal && !quiet)
      if inputs.inputs.count == 1 {
        try await detectOne(
          inputs.inputs[0], width: width, output, progress, saver, &tally)
      } else {
        try await detectSeveral(inputs.inputs, width: width, output, progress, saver, &tally)
      }
      progress.finish()
      try output.finish()
    } catch let failure as Failure {
      throw failure.end(saying: "tilawa-annotate: \(failure.message)")
    }
    if Interrupt.flag.isStopped {
      StandardStreams.say("interrupted; \(tally.finished) of \(inputs.inputs.count) done")
      throw ExitStatus.interrupted
    }
    if let code = tally.exitCode { throw code }
  }

  /// In this very process, on all cores.
  private func detectOne(
    _ input: InputFiles.Input, width: Int?, _ output: DetectionOutput,
    _ progress: ProgressDisplay, _ saver: SuggestionSaver?,
    _ tally: inout DetectionTally
  ) async throws {
    let job = DetectionJob(
      options: detection, subject: alignment.subject,
      network: try alignment.network(),
      learnt: alignment.isGiven ? libraryOptions.learnt() : nil, riwayah: alignment.riwayah,
      ignored: Set(alignment.without),
      threadCount: jobs ?? ProcessorCores.count,
      stopFlag: Interrupt.flag)
    let label = ProgressLabel.text(for: input.path)
    if !alignment.isGiven { MemoryLimit.apply(MemoryLimit.detection) }
    let result: DetectionJob.Result
    do throws(Failure) {
      result = try await WatchedRun().run(size: input.size) { watch in
        job.run(input.path) {
          watch.hear()
          progress.update(label: label, fraction: $0)
        } analyzed: {
          watch.endWatch()
        }
      }
    } catch {
      result = DetectionJob.Result(outcome: error.outcome(for: input.path), failure: error)
    }
    let piece = chosenFormat.piece(
      result.outcome.withWords(alignment.words), isNamingFiles: output.isNamingFiles, width: width,
      cells: SpreadsheetOption.cells(spreadsheetSafe))
    var finished = FinishedFile(
      path: input.path, piece: piece, remarks: result.remarks, finding: result.finding,
      failure: result.failure)
    await save(&finished, saver)
    progress.finish()
    try report(finished, 0, output, progress, &tally)
  }

  /// In worker processes, so that a file that brings a decoder down costs nothing but itself.
  private func detectSeveral(
    _ inputs: [InputFiles.Input], width: Int?, _ output: DetectionOutput,
    _ progress: ProgressDisplay, _ saver: SuggestionSaver?, _ tally: inout DetectionTally
  ) async throws {
    let pool = WorkerPool(
      inputs: inputs, laneCount: min(jobs ?? ProcessorCores.count, inputs.count),
      format: chosenFormat, isNamingFiles: output.isNamingFiles,
      isSaving: saver != nil, cells: SpreadsheetOption.cells(spreadsheetSafe), width: width,
      options: detection.arguments + alignment.arguments + libraryOptions.arguments)
    let (events, run) = pool.start()
    var done = BatchProgress(inputs)
    for await event in events {
      switch event {
      case .progress(let index, let fraction):
        done.set(fraction, for: index)
      case .finished(let index, let file):
        done.set(1, for: index)
        if file.failure?.code == Failure.interrupted { continue }
        var file = file
        await save(&file, saver)
        progress.finish()
        try report(file, index, output, progress, &tally)
      }
      progress.update(label: done.label, fraction: done.fraction)
    }
    await run.value
  }

  private func save(_ file: inout FinishedFile, _ saver: SuggestionSaver?) async {
    guard let saver, let finding = file.finding, file.failure == nil else { return }
    let path = file.path
    let outcome = await runBlocking { saver.save(finding, of: path) }
    file.add(outcome)
  }

  private func report(
    _ file: FinishedFile, _ index: Int, _ output: DetectionOutput, _ progress: ProgressDisplay,
    _ tally: inout DetectionTally
  ) throws(Failure) {
    if file.failure?.code == Failure.interrupted { return }
    var failure = file.failure
    if failure == nil, !quiet {
      for remark in file.remarks where tally.isNew(remark) {
        progress.say("\(file.path): \(remark)")
      }
    }
    if let piece = file.piece, failure == nil || chosenFormat.holdsFailures {
      do throws(Failure) {
        try output.add(piece, forInput: index, isReport: failure == nil)
      } catch {
        guard output.isFolder else { throw error }
        failure = error
      }
    }
    if let loss = file.loss, loss.code != Failure.interrupted {
      progress.say("\(file.path): not saved: \(loss.message)")
    }
    if let failure {
      let isUnsaved = save && failure.code == Failure.notAligned
      progress.say(
        "\(file.path): \(failure.message)" + (isUnsaved ? "; not saved" : ""))
    }
    tally.add(failure ?? file.loss)
  }

  private var chosenFormat: DetectionFormat {
    format ?? output.flatMap { DetectionFormat(endingOf: $0) } ?? .table
  }
}
