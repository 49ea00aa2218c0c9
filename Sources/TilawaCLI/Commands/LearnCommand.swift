// SPDX-License-Identifier: GPL-3.0-or-later

import Acoustics
import Alignment
import Analysis
import Annotation
import ArgumentParser
import AudioCore
import Exchange
import Library
import Quran
import TerminalUI
import Workflows

/// `learn`
struct LearnCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn",
    abstract: "Adapt alignment to a reciter, a room and you, from confirmed ayat.",
    discussion: """
      Learns how a reciter sounds in your recordings, and where in a pause you put the edges of ayat. Every third \
      run of confirmed ayat is held out to test the result. If it does not help there, it is discarded. Alignments \
      of recordings in the library use the learnt adaptation.

      The adaptation contains traits of a voice. It stays in the library's folder, where only you can read it. \
      --forget deletes it.

      EXAMPLES:
        tilawa-annotate learn
        tilawa-annotate learn --reciter Husary --dry-run
        tilawa-annotate learn --list
        tilawa-annotate learn --undo --reciter Husary
        tilawa-annotate learn --forget
      """)

  @Option(help: "Only this reciter.")
  var reciter: String?

  @Option(help: "Learn from this recording alone.")
  var recording: String?

  @Flag(help: "Test it and show the result, but keep nothing.")
  var dryRun = false

  @Flag(help: "Show all adaptations.")
  var list = false

  @Flag(help: "Restore the previous adaptation.")
  var undo = false

  @Flag(help: "Delete the adaptation and the previous one.")
  var forget = false

  @Option(help: "table (for people), json or jsonl.")
  var format: ListFormat = .table

  @Flag(help: "Do not use or keep analysed waveforms.")
  var noCache = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  func validate() throws {
    if reciter != nil, recording != nil {
      throw ValidationError("Use --reciter or --recording, not both.")
    }
    let actions = [dryRun, list, undo, forget].count { $0 }
    if actions > 1 {
      throw ValidationError("Use one of --dry-run, --list, --undo and --forget.")
    }
  }

  func run() async throws {
    let command = self
    try await runReporting {
      let library = try command.libraryOptions.existing()
      let subjects = try LearntList(library, reciter: command.reciter, recording: command.recording)
      if command.list {
        try subjects.show(command.format)
      } else if command.forget {
        try subjects.forget()
      } else if command.undo {
        try subjects.undo()
      } else {
        try LearningRun(command, library).run()
      }
    }
  }
}

/// Learns of each reciter in turn.
private struct LearningRun {
  private let command: LearnCommand
  private let library: Library
  private let workflow: AlignmentWorkflow

  init(_ command: LearnCommand, _ library: Library) throws {
    self.command = command
    self.library = library
    workflow = AlignmentWorkflow(
      network: try OwnWeights.network(), threadCount: ProcessorCores.count,
      sidecars: command.noCache ? nil : UserFolders.sidecars, stopFlag: Interrupt.flag)
  }

  private struct Group {
    var name: String
    /// Nil for recordings of nobody, and where one recording is learnt by itself.
    var reciter: Reciter?
    var recordings: [Recording]
  }

  private struct Result {
    var group: Group
    var outcome: LearningOutcome
    /// Those that were learnt from.
    var recordings: [Recording]
  }

  func run() throws {
    let groups = try groups()
    var results: [Result] = []
    var dropped: [String] = []
    for group in groups {
      if let result = try learn(group) {
        if !command.dryRun { dropped += try keep(result) }
        results.append(result)
      }
    }
    try show(results)
    for text in dropped { StandardStreams.say(text) }
  }

  private func groups() throws -> [Group] {
    if let name = command.recording {
      let recording = try library.recording(named: name)
      return [Group(name: recording.title, reciter: nil, recordings: [recording])]
    }
    let recordings = try library.recordings()
    if let name = command.reciter {
      let reciter = try library.reciter(named: name)
      return [
        Group(
          name: reciter.name, reciter: reciter,
          recordings: recordings.filter { $0.reciter?.id == reciter.id })
      ]
    }
    let reciters = try library.reciters().map { reciter in
      Group(
        name: reciter.name, reciter: reciter,
        recordings: recordings.filter { $0.reciter?.id == reciter.id })
    }
    let others = recordings.filter { $0.reciter == nil }.map {
      Group(name: $0.title, reciter: nil, recordings: [$0])
    }
    return reciters + others
  }

  /// Nil where nothing is confirmed.
  private func learn(_ group: Group) throws -> Result? {
    let display = ProgressDisplay()
    defer { display.finish() }
    var materials: [LearningMaterial] = []
    var recordings: [Recording] = []
    // What is tried on what depends on the order, which has to be the same in every library of the same files.
    let ordered = group.recordings.sorted {
      $0.file.contentHash.lexicographicallyPrecedes($1.file.contentHash)
    }
    for recording in ordered {
      if Interrupt.flag.isStopped { throw Failure(.cancelled) }
      let (current, document) = try library.annotation(of: recording.id)
      let stretches = ConfirmedStretch.stretches(of: document)
      guard stretches.contains(where: { !$0.edges.isEmpty }) else { continue }
      do throws(Failure) {
        materials.append(try material(current, stretches, display))
        recordings.append(current)
      } catch {
        guard error.code != Failure.interrupted else { throw error }
        display.say("\(recording.title): \(error.message)")
      }
    }
    guard !materials.isEmpty else { return nil }
    var workflow = workflow
    workflow.riwayah = group.recordings.first?.riwayah ?? .hafs
    let (learning, name) = (Learning(workflow), group.name)
    let outcome = try Failure.wrapping { () throws(AnalysisError) in
      try learning.learn(materials) {
        display.update(label: ProgressLabel.text(for: name), fraction: $0)
      }
    }
    return Result(group: group, outcome: outcome, recordings: recordings)
  }

  private func material(
    _ recording: Recording, _ stretches: [ConfirmedStretch], _ display: ProgressDisplay
  ) throws(Failure) -> LearningMaterial {
    let path: String
    do throws(LibraryError) {
      path = try library.file(of: recording)
    } catch {
      throw Failure(error)
    }
    let label = ProgressLabel.text(for: path)
    return try Failure.wrapping { () throws(AnalysisError) in
      let measured = try workflow.measure(path: path, track: recording.media.track) {
        display.update(label: label, fraction: $0)
      }
      return LearningMaterial(
        logMel: measured.logMel ?? LogMelFrames(), envelope: measured.envelope,
        stretches: stretches)
    }
  }

  /// - Returns: whose earlier adaptation is used no longer, one sentence each.
  private func keep(_ result: Result) throws -> [String] {
    let fingerprint = workflow.network.weights.fingerprint
    let learnt = Learnt(library: library)
    var dropped: [String] = []
    func keep(_ traits: LearntTraits, of subject: LearntSubject, _ name: String, _ option: String)
      throws
    {
      guard try learnt.keep(traits, of: subject) else { return }
      dropped.append(
        "\(name): the earlier adaptation no longer helps and is not used; "
          + "'learn --undo \(option)' restores it")
    }
    if let reciter = result.group.reciter {
      try keep(
        LearntTraits(
          weights: fingerprint, owner: reciter.name, voice: result.outcome.voice,
          placement: result.outcome.placement),
        of: .reciter(reciter.id), reciter.name, "--reciter \"\(reciter.name)\"")
    }
    for (recording, own) in zip(result.recordings, result.outcome.ownPlacements) {
      var traits = LearntTraits(weights: fingerprint, owner: "")
      if own != nil || result.group.reciter == nil {
        traits.voice = result.outcome.voice
        traits.placement = own ?? result.outcome.placement
      }
      try keep(
        traits, of: .recording(recording.id), recording.title,
        "--recording \(recording.id.short)")
    }
    return dropped
  }

  // MARK: What came of it

  private struct Row {
    var name: String
    var what: String
    var trial: LearningTrial?
  }

  private func rows(_ result: Result) -> [Row] {
    let name = result.group.name
    var rows = [
      Row(name: name, what: "voice", trial: result.outcome.voiceTrial)
    ]
    if result.group.reciter != nil {
      rows.append(Row(name: name, what: "edges", trial: result.outcome.placementTrial))
    }
    for (recording, trial) in zip(result.recordings, result.outcome.ownTrials) {
      if trial != nil || result.group.reciter == nil {
        rows.append(Row(name: recording.title, what: "its edges", trial: trial))
      }
    }
    return rows
  }

  private func show(_ results: [Result]) throws {
    let rows = results.flatMap { self.rows($0) }
    guard command.format == .table else {
      return try command.format.write(rows.map(Self.value))
    }
    if results.isEmpty {
      return StandardStreams.say(
        "there is nothing to learn from yet: confirm some consecutive ayat")
    }
    var table = TextTable(columns: [
      .init("name", isFlexible: true), .init("learnt"), .init("tried on", alignment: .right),
      .init("wrong", alignment: .right), .init("distance", alignment: .right), .init("kept"),
    ])
    for row in rows {
      let cells =
        row.trial.map { trial in
          [
            PlainText.count(trial.edges, "edge"), "\(trial.wrongBefore) -> \(trial.wrongAfter)",
            "\(Self.milliseconds(trial.distanceBefore)) -> \(Self.milliseconds(trial.distanceAfter)) ms",
            trial.isAccepted ? (command.dryRun ? "would be" : "yes") : "no: it does not help",
          ]
        } ?? ["", "", "", "no: too few confirmed ayat"]
      table.rows.append(([row.name, row.what] + cells).map { TerminalText($0) })
    }
    try PlainText.show(table)
  }

  private static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded()) }

  private static func value(_ row: Row) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("schema", .string("tilawa.learn/1")), .init("name", .string(row.name)),
      .init("learnt", .string(row.what)), .init("accepted", .bool(row.trial?.isAccepted ?? false)),
    ]
    if let trial = row.trial {
      members += [
        .init("edges", .integer(trial.edges)), .init("wrong_before", .integer(trial.wrongBefore)),
        .init("wrong_after", .integer(trial.wrongAfter)),
        .init("distance_before_ms", .integer(milliseconds(trial.distanceBefore))),
        .init("distance_after_ms", .integer(milliseconds(trial.distanceAfter))),
      ]
    }
    return .object(members)
  }
}
