// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import ArgumentParser
import AudioCore
import Library

/// `backup TARGET`
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the library, even while it is in use.",
    discussion: """
      With a folder/, copies the whole library, which --library can then open; the next backup copies \
      only new files. With a file, copies only the database: all annotations, no audio.

      EXAMPLES:
        tilawa-annotate backup /media/usb/tilawa/
        tilawa-annotate backup annotations.sqlite
      """)

  @Argument(help: "A folder, ending in /, or a file.", completion: .file())
  var target: String

  @Flag(help: "Replace an existing file, or a library that is not a copy of this one.")
  var force = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  func run() async throws {
    let command = self
    try await runReporting {
      let library = try command.libraryOptions.existing()
      try command.backUp(library)
    }
  }

  private func backUp(_ library: Library) throws {
    try library.refuseAsTarget(target)
    let path = UserFolders.absolute(target)
    guard target.hasSuffix("/") || FileKind(path: path) == .folder else {
      try library.backUpDatabase(to: path, isReplacing: force)
      return StandardStreams.say("\(target): all annotations, without audio")
    }
    let display = ProgressDisplay()
    let failures = try library.backUp(to: LibraryFolder(path: path), isReplacing: force) {
      title, share in
      display.update(label: title, fraction: share)
      return !Interrupt.flag.isStopped
    }
    display.finish()
    for (recording, error) in failures {
      StandardStreams.say("\(recording.title): not copied: \(error)")
    }
    StandardStreams.say(
      "\(target): the library"
        + (failures.isEmpty ? "" : " but \(PlainText.count(failures.count, "file"))"))
    if !failures.isEmpty { throw ExitStatus.someFailed }
  }
}
