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
  static let largestSize = 1 << 20
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
    guard text.utf8.count <= Self.largestSize else { throw problem("the file is too large") }
    let content: ListText
    do throws(ListText.Problem) {
      content = try ListText(text)
    } catch {
      throw problem("line \(error.line): \(error.text)")
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

  /// The file's text.
  var text: String {
    // By scalars: a mark behind a quote would make one character of the two.
    func quoted(_ text: String) -> String {
      var quoted = "\"".unicodeScalars
      for scalar in text.unicodeScalars {
        if scalar == "\\" || scalar == "\"" { quoted.append("\\") }
        quoted.append(scalar == "\n" || scalar == "\r" ? " " : scalar)
      }
      quoted.append("\"")
      return String(quoted)
    }
    func list(_ texts: [String]) -> String { "[" + texts.map(quoted).joined(separator: ", ") + "]" }
    var lines = ["# The list that 'play @\(name)' plays; 'help playlist' explains the keys."]
    if !play.isEmpty { lines.append("play = " + list(play)) }
    if let query { lines.append("query = " + quoted(query.text)) }
    if !reciters.isEmpty { lines.append("reciters = " + list(reciters)) }
    if let riwayah { lines.append("riwayah = " + quoted(riwayah.rawValue)) }
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
  static func folder(of library: Library) -> String { library.folder.path + "/Playlists" }

  /// - Throws: a failure for a name that is no file's.
  static func path(_ name: String, in library: Library) throws(Failure) -> String {
    guard !name.isEmpty, name.utf8.count <= 100, name.first != ".",
      !name.unicodeScalars.contains(where: { $0 == "/" || $0.value < 0x20 || $0.value == 0x7F })
    else {
      throw Failure(
        code: "usage",
        message: "the name of a list must have 1 to 100 bytes, no slash, and no dot at its start")
    }
    return folder(of: library) + "/" + name + ".toml"
  }

  static func named(_ name: String, in library: Library) throws(Failure) -> Playlist {
    let path = try path(name, in: library)
    guard FileKind(path: path) == .file, FileKind.size(of: path) <= Int64(largestSize) else {
      let names = try names(in: library)
      throw Failure(
        code: "no_such_list",
        message: "there is no list '\(name)'; "
          + (names.isEmpty
            ? "'playlist new' makes one" : "lists: \(names.prefix(8).joined(separator: ", "))"))
    }
    guard let text = TextFile.read(path) else {
      throw Failure(
        code: "io_error", message: "\(path): cannot be read: \(String(cString: strerror(errno)))")
    }
    return try Playlist(name: name, text: text)
  }

  /// The names of all lists.
  static func names(in library: Library) throws(Failure) -> [String] {
    guard let handle = opendir(folder(of: library).diskName) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(diskName: $0) }
      }
      if name.hasSuffix(".toml"), name.first != "." { names.append(String(name.dropLast(5))) }
    }
    return names.sorted()
  }

  func write(to library: Library, isReplacing: Bool) throws(Failure) {
    let path = try Self.path(name, in: library)
    try UserFolders.make(Self.folder(of: library))
    let file = try OutputFile(path: path, isReplacing: isReplacing)
    try file.write(text)
    try file.finish()
  }
}

// MARK: What it plays

extension Playlist {
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
          throw Failure(error)
        }
      }
      template.reciters = .inOrder(order)
    }
    if template.ayahRepeat == .once, let repeatAyah { template.ayahRepeat = repeatAyah }
    if template.rangeRepeat == .once, let repeatRange { template.rangeRepeat = repeatRange }
    if !template.hasGaps { gap?.apply(to: &template) }
    guard !play.contains(where: { $0.hasPrefix("@") }) else {
      throw Failure(code: "bad_list", message: "the list \(name): a list cannot hold another")
    }
    let own = QueueFinder(library: finder.library, template: template, hasRiwayah: hasRiwayah)
    var entries = try own.entries(play)
    if let query { entries += try own.entries(of: query) }
    guard !entries.isEmpty else {
      throw Failure(
        code: "no_such_recording",
        message: "the list \(name): nothing in the library fits its query")
    }
    if let shuffle {
      entries = QueueFinder.numbered(entries).shuffled(
        by: shuffle, seed: finder.seed, firstNumber: entries.count + 1)
    }
    return entries
  }
}
