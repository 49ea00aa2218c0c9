// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Library

/// `remove RECORDING...`
struct RemoveCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Put recordings into the bin, bring them back, or empty it.",
    discussion: """
      A recording in the bin keeps its annotation. A file that was left in its place is never touched.

      EXAMPLES:
        tilawa-annotate remove 3f2a
        tilawa-annotate remove --restore 3f2a
        tilawa-annotate list --bin
        tilawa-annotate remove --empty-bin
      """)

  @Argument(help: "Ids or the beginnings of them, titles, or paths of files.")
  var recordings: [String] = []

  @Flag(help: "Bring them back from the bin.")
  var restore = false

  @Flag(help: "Forget for good what is in the bin.")
  var emptyBin = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    if emptyBin, restore || !recordings.isEmpty {
      throw ValidationError("--empty-bin stands alone.")
    }
    if !emptyBin, recordings.isEmpty { throw ValidationError("Say which recordings.") }
  }

  func run(_ library: Library) throws {
    if emptyBin {
      let count = try library.emptyBin()
      return StandardStreams.say("\(PlainText.count(count, "recording")) forgotten")
    }
    let found = try recordings.map { try library.recording(named: $0, isRemoved: restore) }
    for recording in found {
      if restore {
        try library.restore(recording.id)
        StandardStreams.say("\(recording.title): back in the library")
      } else {
        try library.remove(recording.id)
        StandardStreams.say(
          "\(recording.title): in the bin; 'remove --restore \(recording.id.short)' brings it back")
      }
    }
  }
}
