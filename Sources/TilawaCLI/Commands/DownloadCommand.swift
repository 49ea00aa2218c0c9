// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Exchange
import Fetch
import Library

/// `download RECORDING...`
struct DownloadCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "download",
    abstract: "Download the files of recordings that are remote only, by rclone.",
    discussion: """
      The setting library.rclone names the rclone remote that holds a copy of the library's folder. A \
      download is kept only if it is identical to the imported file.

      EXAMPLES:
        tilawa-annotate settings set library.rclone nas:tilawa
        tilawa-annotate download "Night 3"
        tilawa-annotate download --all
      """)

  @Argument(help: "Ids or their prefixes, or titles.")
  var recordings: [String] = []

  @Flag(help: "All recordings that are remote only.")
  var all = false

  @Flag(help: "Only show what would be downloaded.")
  var dryRun = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    if all == !recordings.isEmpty { throw ValidationError("Name recordings, or use --all.") }
  }

  func run(_ library: Library) throws {
    let named =
      try all
      ? library.recordings() : recordings.map { try library.recording(named: $0) }
    let wanted = try named.filter { recording in
      let availability = library.availability(of: recording)
      switch availability {
      case .remoteOnly: return true
      case .available, .grown:
        if !all { StandardStreams.say("\(recording.title): already here") }
        return false
      case .downloading, .unavailable:
        if all { return false }
        throw Failure(
          code: "unavailable",
          message: "\(recording.title): \(availability.advice ?? "unavailable")")
      }
    }
    let bytes = wanted.reduce(0) { $0 + $1.file.size }
    guard !wanted.isEmpty else { return StandardStreams.say("nothing to download") }
    try PlainText.show(
      "\(PlainText.count(wanted.count, "file")) to download, \(PlainText.size(bytes))")
    if dryRun { return }
    guard let remote = try Configuration().value("library.rclone") else {
      throw Failure(
        code: "usage",
        message:
          "no rclone remote is set; run 'settings set library.rclone REMOTE:PATH' with the remote folder that holds the library"
      )
    }
    try FetchSettings.checkOnline(for: remote)
    let copy = try RcloneCopy(from: remote)
    var failures: [Failure] = []
    var untried = 0
    for (index, recording) in wanted.enumerated() {
      do {
        try copy.bring(recording, into: library)
        StandardStreams.say("\(recording.title): here")
      } catch let problem as RcloneCopy.Problem {
        failures.append(problem.failure)
        guard problem.endsEverything else { continue }
        untried = wanted.count - index - 1
        break
      } catch let failure as Failure {
        if failure.code == Failure.interrupted { throw failure }
        failures.append(failure)
      } catch let error as LibraryError {
        if error.kind == .cancelled { throw error }
        failures.append(Failure(error))
      }
    }
    for failure in failures { StandardStreams.say(failure.message) }
    if untried > 0 { StandardStreams.say(PlainText.untried(untried)) }
    if let first = failures.first {
      throw failures.count + untried == wanted.count
        ? Failure.exitCode(for: first.code) : ExitStatus.someFailed
    }
  }
}
