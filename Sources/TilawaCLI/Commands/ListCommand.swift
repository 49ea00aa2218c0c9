// SPDX-License-Identifier: GPL-3.0-or-later

import Annotation
import ArgumentParser
import Library
import Quran
import TerminalUI

/// `list`
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the recordings of the library.",
    discussion: """
      Other commands take a recording's id from the first column, its title, or the \
      path of its file.
      """)

  @Option(help: "Only recordings of this reciter.")
  var reciter: String?

  @Option(help: "Only this riwayah.")
  var riwayah: Riwayah?

  @Option(help: "Only recordings whose annotation is none, partial or complete.")
  var status: AnnotationStatus?

  @Option(help: "Only the files of this night.")
  var night: String?

  @Flag(help: "Only recordings with a picture, and its format; opens every file.")
  var video = false

  @Flag(help: "Show the bin.")
  var bin = false

  @Option(help: "table (for people), json or jsonl.")
  var format: ListFormat = .table

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  func run() async throws {
    let command = self
    try await runReporting {
      guard let library = try command.libraryOptions.openExisting() else {
        if command.format != .table { return try command.format.write([]) }
        return StandardStreams.say("there is no library yet; 'import' creates one")
      }
      try command.list(library)
    }
  }

  private func list(_ library: Library) throws {
    var filter = RecordingFilter()
    filter.reciter = try reciter.map { try library.reciter(named: $0).id }
    filter.riwayah = riwayah
    filter.night = night
    filter.isRemoved = bin
    let progress = try library.progress()
    var entries = try library.recordings(filter).map { recording in
      try RecordingJSON(
        recording,
        progress[recording.id] ?? AnnotationProgress(segments: 1, assigned: 0, confirmed: 0),
        in: library)
    }.filter { status == nil || $0.progress.status == status }
    if video {
      for index in entries.indices { entries[index].findVideo() }
      entries.removeAll { $0.video == nil }
    }
    guard format == .table else { return try format.write(entries.map(\.value)) }
    if entries.isEmpty {
      let isNarrowed = reciter != nil || riwayah != nil || status != nil || night != nil || video
      return StandardStreams.say(
        bin
          ? "the bin is empty"
          : isNarrowed
            ? "no recording matches" : "the library is empty; 'import' adds recordings")
    }
    try PlainText.show(table(entries))
  }

  private func table(_ entries: [RecordingJSON]) -> TextTable {
    var table = TextTable(columns: [
      .init("id"), .init("title", isFlexible: true), .init("night", isFlexible: true),
      .init("reciter", isFlexible: true), .init("length", alignment: .right), .init("picture"),
      .init("recorded"), .init("done", alignment: .right), .init("status"), .init("playable"),
      .init("ayat", isFlexible: true),
      .init("file"),
    ])
    // A column that says nothing anywhere is not worth its place.
    let hasNights = entries.contains { $0.recording.night != nil }
    let hasReciters = entries.contains {
      $0.recording.reciter != nil || $0.recording.riwayah != .hafs
    }
    let allAvailable = entries.allSatisfy { $0.availability == .available }
    let shown = [
      true, true, hasNights, hasReciters, true, video, true, true, true, true, true, !allAvailable,
    ]
    table.columns = zip(table.columns, shown).filter(\.1).map(\.0)
    table.rows = entries.map { entry in
      let recording = entry.recording
      let riwayah = recording.riwayah == .hafs ? "" : " (\(recording.riwayah.rawValue))"
      let cells = [
        recording.id.short, recording.title,
        recording.night.map { "\($0.name) / \($0.order)" } ?? "",
        (recording.reciter?.name ?? "") + riwayah,
        PlainText.duration(recording.media.seconds),
        entry.video.map(PlainText.picture) ?? "", PlainText.day(recording.recordedAt),
        "\(entry.progress.confirmed)/\(entry.progress.segments)",
        entry.progress.status.title, recording.publication.title,
        PlainText.ranges(entry.covered), entry.availability.description,
      ]
      return zip(cells, shown).filter(\.1).map { TerminalText($0.0) }
    }
    return table
  }
}
