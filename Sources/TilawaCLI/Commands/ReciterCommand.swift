// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
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
      abstract: "List reciters by riwayah, each in playback order.")

    @Option(help: "table (for people), json or jsonl.")
    var format: ListFormat = .table

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run() async throws {
      let (options, format) = (libraryOptions, format)
      try await runReporting {
        let library = try options.openExisting()
        let reciters = try library?.reciters() ?? []
        guard format == .table else { return try format.write(reciters.map(Self.value)) }
        if reciters.isEmpty {
          return StandardStreams.say("there are no reciters yet; 'reciter add NAME' adds one")
        }
        let recordings = try library?.recordings() ?? []
        let sources = try library.map { library in try SourceFacts.all(in: library) } ?? []
        var table = TextTable(columns: [
          .init("", alignment: .right), .init("name", isFlexible: true), .init("riwayah"),
          .init("recordings", alignment: .right), .init("sources", isFlexible: true),
          .init("not played because", isFlexible: true),
        ])
        for riwayah in Riwayah.allCases {
          for (index, reciter) in reciters.enumerated() where reciter.riwayah == riwayah {
            let count = recordings.count { $0.reciter?.id == reciter.id }
            let own = sources.filter { $0.source.reciter == reciter.id }
            table.rows.append(
              [
                "\(index + 1)", reciter.name, riwayah.rawValue, "\(count)",
                own.map(\.source.name).joined(separator: ", "),
                count > 0 ? "" : Self.reason(own) ?? "",
              ].map { TerminalText($0) })
          }
        }
        try PlainText.show(table)
      }
    }

    /// Why a reciter without recordings cannot be heard; nil where a source can.
    private static func reason(_ sources: [SourceFacts]) -> String? {
      guard !sources.isEmpty else { return "no recordings, no sources" }
      let enabled = sources.filter(\.source.isEnabled)
      guard !enabled.isEmpty else {
        return sources.count == 1 ? "the source is disabled" : "the sources are disabled"
      }
      if enabled.contains(where: { $0.ayahCount > 0 }) { return nil }
      return enabled.contains { $0.state == "unavailable" }
        ? "the source's folder is missing" : "nothing fetched yet"
    }

    private static func value(_ reciter: Reciter) -> JSONValue {
      .object([
        .init("schema", .string("tilawa.reciter/1")),
        .init("name", .string(reciter.name)),
        .init("riwayah", .string(reciter.riwayah.rawValue)),
      ])
    }
  }

  struct Add: LibraryCommand {
    static let configuration = CommandConfiguration(abstract: "Add a reciter.")

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
      abstract: "Set a reciter's place in the playback order.")

    @Argument(help: "The name, or name (riwayah).")
    var reciter: String

    @Argument(help: "The place, from 1.")
    var place: Int

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      try library.move(library.reciter(named: reciter).id, toPlace: place - 1)
      try ReciterCommand.showOrder(of: library)
    }
  }

  struct Order: LibraryCommand {
    static let configuration = CommandConfiguration(
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
      let order = try reciters.map { try library.reciter(named: $0).id }
      let changes =
        try enable.map { (try library.reciter(named: $0), true) }
        + disable.map { (try library.reciter(named: $0), false) }
      for (reciter, isEnabled) in changes {
        guard try library.setSourcesEnabled(isEnabled, of: reciter.id) > 0 else {
          throw Failure(code: "usage", message: "\(reciter.name) has no sources")
        }
      }
      for (place, id) in order.enumerated() { try library.move(id, toPlace: place) }
      try ReciterCommand.showOrder(of: library)
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
