// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import ArgumentParser
import Library

/// `publish RECORDING...`
struct PublishCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract:
      "Make the annotation of recordings available for playback, like ctrl-s in the editor.",
    discussion: """
      Publishes the confirmed segments, and replaces those that the recording had published before. \
      With --unconfirmed, suggestions are published too: they are marked as unconfirmed and played only \
      where the same reciter has nothing confirmed. The annotation itself does not change. A recording \
      is complete when each of its segments is confirmed, and either assigned or unused.
      """)

  @Argument(help: "Ids or their prefixes, titles, or paths of files.")
  var recordings: [String]

  @Flag(help: "Also publish suggestions that nobody has confirmed.")
  var unconfirmed = false

  @Flag(help: "Do not list segments to review.")
  var quiet = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  func run(_ library: Library) throws {
    for recording in try recordings.map({ try library.recording(named: $0) }) {
      let publication = try library.publish(recording.id, includingUnconfirmed: unconfirmed)
      let progress = publication.progress
      try PlainText.show(
        "\(recording.title): \(publication.status.title), "
          + "\(PlainText.count(publication.segmentCount, "segment")) published"
          + (publication.unconfirmedCount > 0
            ? " (\(publication.unconfirmedCount) unconfirmed); " : "; ")
          + "\(progress.assigned) of \(progress.segments) assigned, \(progress.confirmed) confirmed"
      )
      guard !quiet else { continue }
      if publication.omittedCount > 0 {
        StandardStreams.say(
          "  \(PlainText.count(publication.omittedCount, "unconfirmed segment")) not published;"
            + " confirm in the editor, or use --unconfirmed")
      }
      for finding in publication.findings where finding.severity > .note {
        StandardStreams.say("  segment \(finding.index + 1): \(finding)")
      }
    }
  }
}
