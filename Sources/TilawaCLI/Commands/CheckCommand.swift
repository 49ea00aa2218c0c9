// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore
import Exchange
import Library
import ReciterSources

/// `check`
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the library for damage.",
    discussion: """
      Checks the database, each annotation with its whole history, each recording's file, the fetched \
      files of sources, and the data that 'learn' keeps. \
      Exit code: 65 if data is damaged; 0 if files are only missing or left over.
      """)

  @Flag(help: "Also read every file completely and compare it with the imported one.")
  var thorough = false

  @Flag(
    help:
      "Take the database as it is after another program has written to it, if only checksums are wrong; the old one stays in Backups."
  )
  var accept = false

  @Option(help: "table (for people), json or jsonl.")
  var format: ListFormat = .table

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  func run() async throws {
    let command = self
    try await runReporting {
      if command.accept { try command.acceptContents() }
      let (library, failure) = try command.libraryOptions.forInspection()
      let display = ProgressDisplay()
      var problems = try library.check(isThorough: command.thorough) { share in
        display.update(label: "checking", fraction: share)
        return !Interrupt.flag.isStopped
      }
      // Of a database that cannot be read, that has been said.
      for source in (try? library.sources()) ?? [] {
        problems += try command.problems(of: source, in: library, display)
      }
      display.finish()
      if let learnt = try? LearntList(library) { problems += try learnt.problems() }
      if let failure, problems.isEmpty { throw failure }
      try command.report(problems)
    }
  }

  private func acceptContents() throws {
    let library = try libraryOptions.asItIs()
    let old = try library.acceptContents()
    try library.close()
    StandardStreams.say(
      old.map { "the database was taken as it is; the old one is \($0)" }
        ?? "there is nothing to take: the checksums are right")
  }

  private func problems(
    of source: ReciterSource, in library: Library, _ display: ProgressDisplay
  ) throws(LibraryError) -> [LibraryProblem] {
    try source.check(in: library, thorough ? .content : .lengths, stopFlag: Interrupt.flag) {
      share in
      display.update(label: "checking \(source.name)", fraction: share)
      return !Interrupt.flag.isStopped
    }.map { problem in
      LibraryProblem(
        severity: problem.isDamage ? .error : .warning, subject: source.name,
        message: "\(problem.file): \(problem.message)")
    }
  }

  private func report(_ problems: [LibraryProblem]) throws {
    if format == .table {
      for problem in problems {
        let subject = problem.subject.map { "\($0): " } ?? ""
        try PlainText.show("\(problem.severity.rawValue): \(subject)\(problem.message)")
      }
    } else {
      try format.write(
        problems.map { problem in
          .object([
            .init("schema", .string("tilawa.problem/1")),
            .init("severity", .string(problem.severity.rawValue)),
            .init("subject", problem.subject.map { .string($0) } ?? .null),
            .init("message", .string(problem.message)),
          ])
        })
    }
    let errors = problems.count { $0.severity == .error }
    if problems.isEmpty {
      StandardStreams.say("the library is undamaged")
    } else if errors > 0 {
      throw Failure(
        code: "damaged_library", message: "\(PlainText.count(errors, "damaged item"))")
    }
  }
}
