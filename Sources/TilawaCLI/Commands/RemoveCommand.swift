// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Library

/// `remove RECORDING...`
struct RemoveCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Move recordings to the bin, restore them, or empty the bin.",
    discussion: """
      A recording in the bin keeps its annotation. Files outside the library are never deleted.

      EXAMPLES:
        tilawa-annotate remove 3f2a
        tilawa-annotate remove --restore 3f2a
        tilawa-annotate list --bin
        tilawa-annotate remove --empty-bin
      """)

  @Argument(help: "Ids or their prefixes, titles, or paths of files.")
  var recordings: [String] = []

  @Flag(help: "Restore them from the bin.")
  var restore = false

  @Flag(help: "Delete everything in the bin permanently.")
  var emptyBin = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    if emptyBin, restore || !recordings.isEmpty {
      throw ValidationError("--empty-bin takes no other arguments.")
    }
    if !emptyBin, recordings.isEmpty { throw ValidationError("Name at least one recording.") }
  }

  func run(_ library: Library) throws {
    if emptyBin {
      let count = try library.emptyBin()
      return StandardStreams.say("\(PlainText.count(count, "recording")) deleted")
    }
    let found = try recordings.map { try library.recording(named: $0, isRemoved: restore) }
    for recording in found {
      if restore {
        try library.restore(recording.id)
        StandardStreams.say("\(recording.title): back in the library")
      } else {
        try library.remove(recording.id)
        StandardStreams.say(
          "\(recording.title): in the bin; 'remove --restore \(recording.id.short)' restores it")
      }
    }
  }
}
