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
      Replaces what the recording had published; no other recording is touched, and the annotation \
      itself stays as it is. A recording is complete when each of its segments is assigned or unused, \
      and confirmed.
      """)

  @Argument(help: "Ids or their prefixes, titles, or paths of files.")
  var recordings: [String]

  @Flag(help: "Do not list segments to review.")
  var quiet = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  func run(_ library: Library) throws {
    for recording in try recordings.map({ try library.recording(named: $0) }) {
      let publication = try library.publish(recording.id)
      let progress = publication.progress
      try PlainText.show(
        "\(recording.title): \(publication.status.rawValue), "
          + "\(PlainText.count(publication.segmentCount, "segment")) published; "
          + "\(progress.assigned) of \(progress.segments) assigned, \(progress.confirmed) confirmed"
      )
      guard !quiet else { continue }
      for finding in publication.findings where finding.severity > .note {
        StandardStreams.say("  segment \(finding.index + 1): \(finding)")
      }
    }
  }
}
