// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Library
import Quran

/// `rename RECORDING TITLE`
struct RenameCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Change a recording's title.",
    discussion: "The file keeps its name. 'retag' changes the reciter, riwayah, date and night.")

  @Argument(help: "An id or its prefix, a title, or the path of a file.")
  var recording: String

  @Argument(help: "The new title.")
  var title: [String]

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    if title.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) {
      throw ValidationError("The title is empty.")
    }
  }

  func run(_ library: Library) throws {
    var changes = RecordingChanges()
    changes.title = title.joined(separator: " ")
    let changed = try library.change(library.recording(named: recording).id, changes)
    try PlainText.show("\(changed.id.short)  \(changed.title)")
  }
}

/// `retag RECORDING...`
struct RetagCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "retag", abstract: "Change the reciter, riwayah, date or night of recordings.",
    discussion: """
      EXAMPLES:
        tilawa-annotate retag 3f2a --reciter "Mahmoud Khalil"
        tilawa-annotate retag 3f2a 9c1d --night "Ramadan 1445, night 3"
        tilawa-annotate retag 9c1d --order 1
      """)

  @Argument(help: "Ids or their prefixes, titles, or paths of files.")
  var recordings: [String]

  @OptionGroup(title: "About the recording")
  var details: DetailOptions

  @Flag(help: "Remove the reciter.")
  var noReciter = false

  @Flag(help: "Remove the recording from its night.")
  var noNight = false

  @Option(help: "The position among the files of the night, from 1.")
  var order: Int?

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  mutating func validate() throws {
    if noReciter, details.reciter != nil {
      throw ValidationError("Use --reciter or --no-reciter, not both.")
    }
    if noNight, details.night != nil || order != nil {
      throw ValidationError("Do not combine --no-night with --night or --order.")
    }
    if let order, order < 1 { throw ValidationError("--order must be at least 1.") }
    if order != nil, recordings.count > 1 {
      throw ValidationError("--order takes one recording at a time.")
    }
    let isEmpty =
      details.reciter == nil && details.riwayah == nil && details.date == nil
      && details.night == nil && !noReciter && !noNight && order == nil
    if isEmpty {
      throw ValidationError("Nothing to change; use --reciter, --riwayah, --date or --night.")
    }
  }

  func run(_ library: Library) throws {
    var changes = RecordingChanges()
    if let reciter = try library.reciter(for: details) { changes.reciter = .some(reciter.id) }
    if noReciter { changes.reciter = .some(nil) }
    changes.riwayah = details.riwayah
    changes.recordedAt = details.date?.date
    if let night = details.night { changes.night = .some(night) }
    if noNight { changes.night = .some(nil) }
    changes.nightOrder = order
    // All of them are found before any is changed.
    let found = try recordings.map { try library.recording(named: $0) }
    if order != nil, details.night == nil, let alone = found.first(where: { $0.night == nil }) {
      throw Failure(
        code: "usage", message: "\(alone.title) belongs to no night; --order needs --night")
    }
    for recording in found {
      let changed = try library.change(recording.id, changes)
      let reciter = changed.reciter.map { ", \($0.name)" } ?? ""
      let night = changed.night.map { ", \($0.name) / \($0.order)" } ?? ""
      try PlainText.show(
        "\(changed.id.short)  \(changed.title)\(reciter), \(changed.riwayah.rawValue)\(night)")
    }
  }
}
