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
    subcommands: [List.self, Add.self, Edit.self, Move.self, Remove.self],
    defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List reciters in playback order.")

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
        let sources = try library?.sources() ?? []
        var table = TextTable(columns: [
          .init("", alignment: .right), .init("name", isFlexible: true), .init("riwayah"),
          .init("recordings", alignment: .right), .init("sources", isFlexible: true),
        ])
        table.rows = reciters.enumerated().map { index, reciter in
          let count = recordings.count { $0.reciter?.id == reciter.id }
          return [
            "\(index + 1)", reciter.name, reciter.riwayah.rawValue, "\(count)",
            sources.filter { $0.reciter == reciter.id }.map(\.name).joined(separator: ", "),
          ].map { TerminalText($0) }
        }
        try PlainText.show(table)
      }
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
      abstract: "Change a reciter; a new riwayah goes to all the reciter's recordings and sources.")

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
      for (index, reciter) in try library.reciters().enumerated() {
        try PlainText.show("\(index + 1)  \(reciter.name) (\(reciter.riwayah.rawValue))")
      }
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
