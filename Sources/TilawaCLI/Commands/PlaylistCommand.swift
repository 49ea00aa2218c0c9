// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import Foundation
import Glibc
import Library
import Listening
import Playback
import Quran
import TerminalUI

/// `playlist`
struct PlaylistCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playlist", abstract: "Manage playlists; 'play @NAME' plays one.",
    discussion: """
      A list is a file, Playlists/NAME.toml in the library's folder, that you may edit:

        play = ["67", "juz 30", "2:1-20", "Night 3"]      # in this order
        query = 'surah:18 confirmed:yes not-heard:14d'    # and matches in the library
        reciters = ["Minshawi"]
        riwayah = "hafs"
        repeat_ayah = 2
        repeat_range = 1            # or "forever"
        gap = "500ms"               # or "1.0x" the ayah, "0.5x+500ms"
        order = "listed"            # or "shuffle ayah", "shuffle range", "shuffle recording"

      Terms of a query: surah:18, juz:30, page:5, ayat:2:1-20, reciter:"NAME", riwayah:hafs, confirmed:yes, \
      heard:7d, not-heard:14d, length:<30s, length:>1m. A match fits all terms.
      """,
    subcommands: [List.self, New.self, Add.self, Show.self, Edit.self, Remove.self],
    defaultSubcommand: List.self)

  struct Contents: ParsableArguments {
    @Argument(help: "Ranges and recordings, in order: 67, 'juz 30', 2:1-20, \"Night 3\".")
    var play: [String] = []
  }

  struct List: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Show all lists.")

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      var table = TextTable(columns: [.init("list"), .init("plays", isFlexible: true)])
      for name in try Playlist.names(in: library) {
        let contents: String
        do throws(Failure) {
          let list = try Playlist.named(name, in: library)
          contents = (list.play + [list.query?.text].compactMap { $0 }).joined(separator: ", ")
        } catch {
          contents = error.message
        }
        table.rows.append([TerminalText("@" + name), TerminalText(contents)])
      }
      guard !table.rows.isEmpty else {
        return StandardStreams.say(
          "there are no lists; 'playlist new NAME 67 \"juz 30\"' makes one")
      }
      try PlainText.show(table)
    }
  }

  struct New: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "new", abstract: "Make a list.")

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup
    var contents: Contents

    @Option(help: "Ayat of the library that match, such as 'surah:18 not-heard:14d'.")
    var query: String?

    @Option(help: "Only this reciter; repeat it for several, in order of preference.")
    var reciter: [String] = []

    @Option(help: "The riwayah.")
    var riwayah: Riwayah?

    @Option(help: "Repetitions of each ayah: a number, or forever.")
    var repeatAyah: TimesArgument?

    @Option(help: "Repetitions of each range: a number, or forever.")
    var repeatRange: TimesArgument?

    @Option(help: "Silence between ayat, such as 500ms.")
    var gap: GapArgument?

    @Option(help: "Shuffle: ayah, range or recording.")
    var shuffle: ShuffleArgument?

    @Flag(help: "Replace an existing list of that name.")
    var force = false

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    mutating func validate() throws {
      if let problem = gap?.missingUnit {
        throw ValidationError("The number in --gap \(problem).")
      }
    }

    func run(_ library: Library) throws {
      var list = Playlist(name: Playlist.name(from: name))
      try list.checkNewName()
      list.play = contents.play
      list.query = try query.map { text throws(Failure) in
        do throws(LibraryQuery.Problem) {
          return try LibraryQuery(parsing: text)
        } catch {
          throw Failure(code: "usage", message: "--query: \(error)")
        }
      }
      guard !list.play.isEmpty || list.query != nil else {
        throw Failure(code: "usage", message: "name what the list plays, or give --query")
      }
      list.reciters = reciter
      list.riwayah = riwayah
      func count(_ argument: TimesArgument?) -> RepeatCount? {
        argument.map { $0.times.map { .times($0) } ?? .endless }
      }
      list.repeatAyah = count(repeatAyah)
      list.repeatRange = count(repeatRange)
      list.gap = gap
      list.shuffle = shuffle?.unit
      try PlaylistCommand.check(list, library)
      try list.write(to: library, isReplacing: force)
    }
  }

  struct Add: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add to a list.")

    @Argument(help: "The list: morning or @morning.")
    var name: String

    @OptionGroup
    var contents: Contents

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      guard !contents.play.isEmpty else {
        throw Failure(code: "usage", message: "name what to add, such as 67 or 'juz 30'")
      }
      let name = Playlist.name(from: name)
      let text = try Playlist.adding(
        contents.play, to: Playlist.text(of: name, in: library), of: name)
      try PlaylistCommand.check(Playlist(name: name, text: text), library)
      try Playlist.write(text, of: name, to: library, isReplacing: true)
    }
  }

  struct Show: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show what a list plays now, item by item.")

    @Argument(help: "The list: morning or @morning.")
    var name: String

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      var list = try Playlist.named(Playlist.name(from: name), in: library)
      let shuffle = list.shuffle
      // Each time it is played it has another order.
      list.shuffle = nil
      var table = TextTable(columns: [
        .init("#", alignment: .right), .init("item", isFlexible: true),
        .init("ayat", alignment: .right),
        .init("missing", isFlexible: true),
      ])
      let sound = try PublishedSound(library)
      for (index, entry) in try PlaylistCommand.entries(list, library).enumerated() {
        let request = entry.request
        let missing = waiting { await sound.missingAyat(in: request.range, request.query) }
        table.rows.append(
          [
            "\(index + 1)", entry.title, "\(request.range.count)", PlainText.ranges(missing),
          ].map { TerminalText($0) })
      }
      try PlainText.show(table)
      if let shuffle {
        try PlainText.show(
          "shuffled \(shuffle.summary) each time it is played; 'play @\(list.name) --seed N' repeats an order"
        )
      }
    }
  }

  struct Edit: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: "Open a list in $VISUAL or $EDITOR, and check it afterwards.")

    @Argument(help: "The list: morning or @morning.")
    var name: String

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      let name = Playlist.name(from: name)
      let path = try Playlist.path(name, in: library)
      let editor =
        ["VISUAL", "EDITOR"].lazy.compactMap(UserFolders.variable).first { !$0.isEmpty } ?? "vi"
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "\(editor) \"$1\"", "sh", path]
      do {
        try process.run()
      } catch {
        throw Failure(code: "io_error", message: "\(path): no editor could be started: \(error)")
      }
      process.waitUntilExit()
      guard process.terminationReason == .exit, process.terminationStatus == 0 else {
        throw Failure(
          code: "io_error",
          message: "the editor '\(editor)' ended with the status \(process.terminationStatus);"
            + " $VISUAL or $EDITOR chooses another")
      }
      let list = try Playlist.named(name, in: library)
      try PlaylistCommand.check(list, library)
    }
  }

  struct Remove: LibraryCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove a list.")

    @Argument(help: "The list: morning or @morning.")
    var name: String

    @OptionGroup(title: "Library")
    var libraryOptions: LibraryOptions

    func run(_ library: Library) throws {
      try Playlist.remove(Playlist.name(from: name), from: library)
    }
  }

  /// What it plays now; a failure where it names what is not there.
  fileprivate static func entries(
    _ list: Playlist, _ library: Library
  ) throws(Failure) -> [QueueEntry] {
    let finder = QueueFinder(
      library: library, template: PlaybackRequest(AyahRange(.first)), hasRiwayah: false)
    return try finder.joined(try list.entries(with: finder))
  }

  /// A list that is empty now may not be so tomorrow.
  fileprivate static func check(_ list: Playlist, _ library: Library) throws(Failure) {
    do throws(Failure) {
      _ = try entries(list, library)
    } catch {
      if error.code != "no_such_recording" || list.query == nil { throw error }
      StandardStreams.say(error.message)
    }
  }
}
