// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Glibc
import Library
import Listening
import Playback
import Quran

/// A list of what to hear, in a file that people can edit: `Playlists/NAME.toml` of the library's folder.
struct Playlist: Equatable {
  var name: String
  /// Ranges and recordings, as the command line takes them.
  var play: [String] = []
  /// What the library is searched for besides.
  var query: LibraryQuery?
  /// Names, in order of preference.
  var reciters: [String] = []
  var riwayah: Riwayah?
  var repeatAyah: RepeatCount?
  var repeatRange: RepeatCount?
  var gap: GapArgument?
  /// Nil for the order in which it is written.
  var shuffle: ShuffleUnit?

  /// Bytes that nobody writes by hand.
  static let maxEntries = 10_000

  private static let keys: Set<String> = [
    "play", "query", "reciters", "riwayah", "repeat_ayah", "repeat_range", "gap", "order",
  ]

  init(name: String) { self.name = name }

  /// - Throws: a failure that names the list and what is wrong in it.
  init(name: String, text: String) throws(Failure) {
    self.init(name: name)
    func problem(_ what: String) -> Failure {
      Failure(code: "bad_list", message: "the list \(name): \(what)")
    }
    guard text.utf8.count <= Library.longestList else { throw problem("the file is too large") }
    let content: ListText
    do throws(ListText.Problem) {
      content = try ListText(text)
    } catch {
      throw Self.problem(error, of: name)
    }
    for key in content.values.keys.sorted() where !Self.keys.contains(key) {
      throw problem(
        "unknown key '\(key)'; use \(Self.keys.sorted().joined(separator: ", "))")
    }
    func strings(_ key: String) throws(Failure) -> [String] {
      let texts = content.values[key] ?? []
      guard texts.count <= Self.maxEntries else { throw problem("'\(key)' has too many entries") }
      return texts
    }
    func line(_ key: String) throws(Failure) -> String? {
      guard let texts = content.values[key] else { return nil }
      guard texts.count == 1 else { throw problem("'\(key)' must be a single value") }
      return texts[0]
    }
    play = try strings("play")
    reciters = try strings("reciters")
    if let text = try line("query") {
      do throws(LibraryQuery.Problem) {
        query = try LibraryQuery(parsing: text)
      } catch {
        throw problem("query: \(error)")
      }
    }
    if let text = try line("riwayah") {
      guard let named = Riwayah(rawValue: text) else {
        throw problem("unknown riwayah '\(text)'")
      }
      riwayah = named
    }
    func times(_ key: String) throws(Failure) -> RepeatCount? {
      guard let text = try line(key) else { return nil }
      guard let argument = TimesArgument(argument: text) else {
        throw problem("'\(key)' must be a number from 1 up, or forever")
      }
      return argument.times.map { .times($0) } ?? .endless
    }
    repeatAyah = try times("repeat_ayah")
    repeatRange = try times("repeat_range")
    if let text = try line("gap") {
      guard let argument = GapArgument(argument: text) else {
        throw problem("'gap' must be a length such as 500ms, 1.0x or 0.5x+500ms")
      }
      if let missing = argument.missingUnit { throw problem("the number in 'gap' \(missing)") }
      gap = argument
    }
    if let text = try line("order"), text != "listed" {
      let words = text.split(separator: " ")
      guard words.count == 2, words[0] == "shuffle",
        let unit = ShuffleUnit(rawValue: String(words[1]))
      else {
        throw problem("'order' must be listed, shuffle ayah, shuffle range or shuffle recording")
      }
      shuffle = unit
    }
    guard !play.isEmpty || query != nil else { throw problem("'play' or 'query' is missing") }
  }

  /// The text of a file with more to play; all else in it stays as a person has written it.
  static func adding(
    _ new: [String], to text: String, of name: String
  ) throws(Failure) -> String {
    do throws(ListText.Problem) {
      return try ListText(text).adding(new.map(quoted), to: "play")
    } catch {
      throw Self.problem(error, of: name)
    }
  }

  private static func problem(_ problem: ListText.Problem, of name: String) -> Failure {
    Failure(code: "bad_list", message: "the list \(name): line \(problem.line): \(problem.text)")
  }

  /// As it is written in the file.
  private static func quoted(_ text: String) -> String {
    // By scalars: a mark behind a quote would make one character of the two.
    var quoted = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      if scalar == "\\" || scalar == "\"" { quoted.append("\\") }
      quoted.append(scalar == "\n" || scalar == "\r" ? " " : scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }

  /// The file's text.
  var text: String {
    func list(_ texts: [String]) -> String {
      "[" + texts.map(Self.quoted).joined(separator: ", ") + "]"
    }
    var lines = ["# The list that 'play @\(name)' plays; 'help playlist' explains the keys."]
    if !play.isEmpty { lines.append("play = " + list(play)) }
    if let query { lines.append("query = " + Self.quoted(query.text)) }
    if !reciters.isEmpty { lines.append("reciters = " + list(reciters)) }
    if let riwayah { lines.append("riwayah = " + Self.quoted(riwayah.rawValue)) }
    func times(_ count: RepeatCount) -> String { count.times.map { "\($0)" } ?? "\"forever\"" }
    if let repeatAyah { lines.append("repeat_ayah = " + times(repeatAyah)) }
    if let repeatRange { lines.append("repeat_range = " + times(repeatRange)) }
    if let gap { lines.append("gap = \"\(gap)\"") }
    if let shuffle { lines.append("order = \"shuffle \(shuffle.rawValue)\"") }
    return lines.joined(separator: "\n") + "\n"
  }
}

// MARK: Files

extension Playlist {
  /// - Throws: a failure for a name that is no file's.
  private static func check(_ name: String) throws(Failure) {
    guard !name.isEmpty, name.utf8.count <= 100, name.first != ".",
      !name.unicodeScalars.contains(where: { $0 == "/" || $0.value < 0x20 || $0.value == 0x7F })
    else {
      throw Failure(
        code: "usage",
        message: "the name of a list must have 1 to 100 bytes, no slash, and no dot at its start")
    }
  }

  /// The name in what a person types: `@morning` is how lists are shown and played.
  static func name(from typed: String) -> String {
    typed.hasPrefix("@") ? String(typed.dropFirst()) : typed
  }

  /// - Throws: a failure for a name that would be hard to type or to see.
  func checkNewName() throws(Failure) {
    let blanks = [name.first, name.last].contains { $0?.isWhitespace ?? false }
    guard name.first != "@", !blanks else {
      throw Failure(
        code: "usage",
        message: "the name of a list must not begin with @, nor begin or end with a blank")
    }
  }

  static func named(_ name: String, in library: Library) throws(Failure) -> Playlist {
    try Playlist(name: name, text: text(of: name, in: library))
  }

  /// What its file says.
  static func text(of name: String, in library: Library) throws(Failure) -> String {
    try check(name)
    let bytes = try Failure.wrapping { () throws(LibraryError) in try library.list(named: name) }
    guard let bytes else { throw try missing(name, in: library) }
    guard bytes.count <= Library.longestList else {
      throw Failure(
        code: "bad_data",
        message: "the list '\(name)' has more than the \(Library.longestList >> 20) MiB of a list")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(code: "bad_data", message: "the list '\(name)' is not a text in UTF-8")
    }
    return text
  }

  private static func missing(_ name: String, in library: Library) throws(Failure) -> Failure {
    let names = try names(in: library)
    guard !names.contains(name) else {
      return Failure(
        code: "not_a_file",
        message:
          "the list '\(name)' is a link, a folder or a device; only an ordinary file can be a list")
    }
    return Failure(
      code: "no_such_list",
      message: "there is no list '\(name)'; "
        + (names.isEmpty
          ? "'playlist new' makes one" : "lists: \(names.prefix(8).joined(separator: ", "))"))
  }

  /// The file of a list, for a program that edits it.
  static func path(_ name: String, in library: Library) throws(Failure) -> String {
    try check(name)
    let path = try Failure.wrapping { () throws(LibraryError) in try library.path(ofList: name) }
    guard let path else { throw try missing(name, in: library) }
    return path
  }

  /// The names of all lists.
  static func names(in library: Library) throws(Failure) -> [String] {
    try Failure.wrapping { () throws(LibraryError) in try library.listNames() }
  }

  static func remove(_ name: String, from library: Library) throws(Failure) {
    try check(name)
    let wasThere = try Failure.wrapping { () throws(LibraryError) in
      try library.removeList(named: name)
    }
    guard wasThere else { throw try missing(name, in: library) }
  }

  func write(to library: Library, isReplacing: Bool) throws(Failure) {
    try Self.write(text, of: name, to: library, isReplacing: isReplacing)
  }

  static func write(
    _ text: String, of name: String, to library: Library, isReplacing: Bool
  ) throws(Failure) {
    try check(name)
    try Failure.wrapping { () throws(LibraryError) in
      try library.keepList([UInt8](text.utf8), named: name, isReplacing: isReplacing)
    }
  }
}

// MARK: What it plays

extension Playlist {
  private func problem(_ text: String, code: String) -> Failure {
    Failure(code: code, message: "the list \(name): \(text)")
  }

  /// Its entries, the same whenever the library and the seed are the same.
  func entries(with finder: QueueFinder) throws(Failure) -> [QueueEntry] {
    var template = finder.template
    var hasRiwayah = finder.hasRiwayah
    if let riwayah, !finder.hasRiwayah {
      template.riwayah = riwayah
      hasRiwayah = true
    }
    if !reciters.isEmpty, template.reciters == .anybody {
      var order: [ReciterID?] = []
      for name in reciters {
        do throws(LibraryError) {
          let reciter = try finder.library.reciter(
            named: name, riwayah: hasRiwayah ? template.riwayah : nil)
          template.riwayah = reciter.riwayah
          hasRiwayah = true
          order.append(ReciterID(rawValue: reciter.id.rawValue))
        } catch {
          let failure = Failure(error)
          throw problem(failure.message, code: failure.code)
        }
      }
      template.reciters = .inOrder(order)
    }
    if !finder.asked.ayahRepeat, let repeatAyah { template.ayahRepeat = repeatAyah }
    if !finder.asked.rangeRepeat, let repeatRange { template.rangeRepeat = repeatRange }
    if !finder.asked.gap { gap?.apply(to: &template) }
    guard !play.contains(where: { $0.hasPrefix("@") }) else {
      throw problem("a list cannot hold another", code: "bad_list")
    }
    let own = QueueFinder(
      library: finder.library, template: template, hasRiwayah: hasRiwayah, asked: finder.asked)
    var entries: [QueueEntry]
    do throws(Failure) {
      entries = try own.entries(play)
      if let query { entries += try own.entries(of: query) }
    } catch {
      throw problem(error.message, code: error.code)
    }
    guard !entries.isEmpty else {
      throw problem("nothing in the library fits its query", code: "no_such_recording")
    }
    if let shuffle {
      guard shuffle != .ayah || template.practice == .plain else {
        throw Failure(
          code: "usage",
          message:
            "the list \(name) shuffles its ayat, and --stepping and --cumulative need them in order"
        )
      }
      entries = entries.numbered(from: 1).shuffled(
        by: shuffle, seed: finder.seed, firstNumber: entries.count + 1)
    }
    return entries
  }
}
