// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Exchange
import Library
import Quran
import TerminalUI

/// `reciter`
struct ReciterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reciter", abstract: "Manage reciters: name, riwayah and playback order.",
    subcommands: [List.self, Add.self, Edit.self, Move.self, Order.self, Remove.self],
    defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List reciters by riwayah, each in playback order, and why some are not heard.")

    @Option(
      help: "The riwayah to play: reciters of another are marked. Default: playback.riwayah.")
    var riwayah: Riwayah?

    @Option(help: "table (for people), json or jsonl.")
    var format: ListFormat = .table

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run() async throws {
      let (options, format, riwayah) = (libraryOptions, format, riwayah)
      try await runReporting {
        let library = try options.openExisting()
        let wanted = try riwayah ?? PlaybackDefaults(Configuration()).riwayah
        let facts = try library.map { try Facts.all(in: $0, playing: wanted) } ?? []
        guard format == .table else { return try format.write(facts.map(\.json)) }
        if facts.isEmpty {
          return StandardStreams.say("there are no reciters yet; 'reciter add NAME' adds one")
        }
        var table = TextTable(columns: [
          .init("", alignment: .right), .init("name", isFlexible: true), .init("riwayah"),
          .init("recordings", alignment: .right), .init("sources", isFlexible: true),
          .init("not played because", isFlexible: true),
        ])
        for riwayah in Riwayah.allCases {
          for (index, facts) in facts.enumerated() where facts.reciter.riwayah == riwayah {
            table.rows.append(
              [
                "\(index + 1)", facts.reciter.name, riwayah.rawValue, "\(facts.recordings)",
                facts.sourceNames, facts.reason ?? "",
              ].map { TerminalText($0) })
          }
        }
        try PlainText.show(table)
      }
    }
  }

  /// A reciter with what there is to hear.
  private struct Facts {
    let reciter: Reciter
    let recordings: Int
    /// Why none of the recordings is heard; nil where one can be.
    let recordingsReason: String?
    let sources: [SourceFacts]
    /// The riwayah to play; nil for any.
    let wanted: Riwayah?

    static func all(in library: Library, playing wanted: Riwayah?) throws -> [Facts] {
      let recordings = Dictionary(grouping: try library.recordings(), by: { $0.reciter?.id })
      let sources = try SourceFacts.all(in: library)
      let unavailable = try library.unavailableRecordings()
      return try library.reciters().map { reciter in
        let own = recordings[reciter.id] ?? []
        return Facts(
          reciter: reciter, recordings: own.count,
          recordingsReason: try reasonNotPlayed(
            own, of: reciter, unavailable: unavailable, in: library),
          sources: sources.filter { $0.source.reciter == reciter.id }, wanted: wanted)
      }
    }

    private static func reasonNotPlayed(
      _ recordings: [Recording], of reciter: Reciter, unavailable: Set<Recording.ID>,
      in library: Library
    ) throws(LibraryError) -> String? {
      func playableCount(without unavailable: Set<Recording.ID>) throws(LibraryError) -> Int {
        let filter = SourceFilter(
          .only(reciter.id), riwayah: reciter.riwayah, unavailable: unavailable)
        return try library.coverage(of: .wholeQuran, filter).coveredCount
      }
      guard try playableCount(without: unavailable) == 0 else { return nil }
      guard let first = recordings.first else { return "no recordings" }
      guard try playableCount(without: []) > 0,
        let away = recordings.first(where: { unavailable.contains($0.id) })
      else {
        return
          "nothing published ('publish \(first.title.commandWord)' publishes what is confirmed)"
      }
      let availability = library.availability(of: away)
      return "\(away.title): \(availability.advice ?? availability.description)"
    }

    /// Why the reciter is not heard; nil where a recording or a source can be.
    var reason: String? {
      if let wanted, reciter.riwayah != wanted {
        return "recites \(reciter.riwayah.rawValue), not \(wanted.rawValue)"
      }
      guard let recordingsReason else { return nil }
      guard !sources.isEmpty else {
        return recordings == 0 ? "no recordings, no sources" : recordingsReason
      }
      let enabled = sources.filter(\.source.isEnabled)
      let reasons = enabled.map(\.reasonNotPlayed)
      if reasons.contains(nil) { return nil }
      let sourcesReason =
        reasons.first.flatMap { $0 }
        ?? (sources.count == 1 ? "the source is disabled" : "the sources are disabled")
      return recordings == 0 ? sourcesReason : "\(recordingsReason); \(sourcesReason)"
    }

    /// The names of the sources, and which of them are disabled.
    var sourceNames: String {
      sources.map { $0.source.name + ($0.source.isEnabled ? "" : " (disabled)") }
        .joined(separator: ", ")
    }

    var json: JSONValue {
      .object([
        .init("schema", .string("tilawa.reciter/1")),
        .init("name", .string(reciter.name)),
        .init("riwayah", .string(reciter.riwayah.rawValue)),
        .init("recordings", .integer(recordings)),
        .init("sources", .array(sources.map { .string($0.source.name) })),
        .init("not_heard_because", reason.map { .string($0) } ?? .null),
      ])
    }
  }

  struct Add: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a reciter.")

    @Argument(help: "The name.")
    var name: String

    @Option(help: "The riwayah.")
    var riwayah: Riwayah = .hafs

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let reciter = try library.addReciter(name, riwayah: riwayah)
      try PlainText.show("\(reciter.name) (\(reciter.riwayah.displayName))")
    }
  }

  struct Edit: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract:
        "Change a reciter; a new riwayah applies to all recordings and sources of the reciter.")

    @Argument(help: "The name, or name (riwayah).")
    var reciter: String

    @Option(help: "A new name.")
    var name: String?

    @Option(help: "A new riwayah.")
    var riwayah: Riwayah?

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      var changed = try library.reciter(named: reciter)
      changed.name = name ?? changed.name
      changed.riwayah = riwayah ?? changed.riwayah
      try library.update(changed)
      try PlainText.show("\(changed.name) (\(changed.riwayah.displayName))")
    }
  }

  struct Move: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "move",
      abstract: "Set a reciter's place in the playback order.")

    @Argument(help: "The name, or name (riwayah).")
    var reciter: String

    @Argument(help: "The place, from 1.")
    var place: Int

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let moved = try library.reciter(named: reciter)
      let count = try library.reciters().count
      guard (1...count).contains(place) else {
        throw Failure(
          code: "usage", message: "there is no place \(place); the places are 1 to \(count)")
      }
      try library.move(moved.id, toPlace: place - 1)
      try ReciterCommand.showOrder(of: library)
    }
  }

  struct Order: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "order",
      abstract: "Set the playback order of reciters, and switch their sources on or off.",
      discussion: """
        The named reciters come first, in that order. The others follow in their present order.

        EXAMPLES:
          tilawa-annotate reciter order Husary Minshawi
          tilawa-annotate reciter order Husary --disable Alafasy --enable Minshawi
        """)

    @Argument(help: "Names, or name (riwayah).")
    var reciters: [String] = []

    @Option(help: "Use the sources of this reciter again. Can be repeated.")
    var enable: [String] = []

    @Option(help: "Do not use the sources of this reciter. Can be repeated.")
    var disable: [String] = []

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    mutating func validate() throws {
      if reciters.isEmpty, enable.isEmpty, disable.isEmpty {
        throw ValidationError("Name reciters, or use --enable or --disable.")
      }
    }

    func run(_ library: Library) throws {
      // All names are looked up before anything is changed.
      let order = try once(try reciters.map { try library.reciter(named: $0) }).map(\.id)
      let enabled = try enable.map { try library.reciter(named: $0) }
      let disabled = try disable.map { try library.reciter(named: $0) }
      let changes = try once(enabled + disabled).enumerated().map { ($1, $0 < enabled.count) }
      for (reciter, isEnabled) in changes {
        guard try library.setSourcesEnabled(isEnabled, of: reciter.id) > 0 else {
          throw Failure(code: "usage", message: "\(reciter.name) has no sources")
        }
      }
      for (place, id) in order.enumerated() { try library.move(id, toPlace: place) }
      try ReciterCommand.showOrder(of: library)
    }

    /// - Throws: where one is named twice.
    private func once(_ named: [Reciter]) throws(Failure) -> [Reciter] {
      var known: Set<Reciter.ID> = []
      for reciter in named where !known.insert(reciter.id).inserted {
        throw Failure(code: "usage", message: "\(reciter.name) is named twice")
      }
      return named
    }
  }

  /// The playback order, and who is disabled.
  private static func showOrder(of library: Library) throws {
    let sources = try library.sources()
    for (index, reciter) in try library.reciters().enumerated() {
      let own = sources.filter { $0.reciter == reciter.id }
      let isDisabled = !own.isEmpty && own.allSatisfy { !$0.isEnabled }
      try PlainText.show(
        "\(index + 1)  \(reciter.name) (\(reciter.riwayah.rawValue))"
          + (isDisabled ? ", sources disabled" : ""))
    }
  }

  struct Remove: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a reciter; the recordings stay, without a reciter.")

    @Argument(help: "The name, or name (riwayah).")
    var reciter: String

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let found = try library.reciter(named: reciter)
      try library.removeReciter(found.id)
      StandardStreams.say("\(found.name): removed; 'reciter add' adds the name again")
    }
  }
}
