// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Library
import Listening
import Playback
import Quran

/// Finds what is to be heard by the words in which people name it: ranges, recordings and `@lists`.
struct QueueFinder {
  let library: Library
  /// What is asked for of each; its range is put in.
  let template: PlaybackRequest
  /// Whether the person has named the riwayah, or a reciter who has one.
  let hasRiwayah: Bool
  /// Decides how lists are shuffled that want to be.
  var seed: UInt64 = 1
  /// What the person has asked for on the command line, which no list changes. What comes from the settings it does.
  var asked = Asked()

  struct Asked {
    var ayahRepeat = false
    var rangeRepeat = false
    var gap = false
    var then = false
  }

  /// The entries of all arguments in order, numbered from 1.
  ///
  /// A number is a surah, never the beginning of a recording's id. Words that make a reference together,
  /// such as `juz 30` or `baqarah 255`, are taken together.
  func entries(_ arguments: [String]) throws(Failure) -> [QueueEntry] {
    var entries: [QueueEntry] = []
    var rest = arguments[...]
    while let first = rest.first {
      let (found, count) = try self.entries(first, of: rest)
      entries += found.numbered(from: entries.count + 1)
      rest = rest.dropFirst(count)
    }
    return entries
  }

  struct Found {
    let entries: [QueueEntry]
    /// Of the lists among them that are shuffled; nil where none is.
    let seed: UInt64?
  }

  /// What is typed as one line.
  func found(_ text: String) throws(Failure) -> Found {
    let words = Self.words(in: text)
    let isShuffled = try !shuffledLists(words).isEmpty
    return Found(entries: try entries(words), seed: isShuffled ? seed : nil)
  }

  /// The lists among arguments that want to be shuffled, by the seed.
  func shuffledLists(_ arguments: [String]) throws(Failure) -> [Playlist] {
    try arguments.filter { $0.hasPrefix("@") }
      .map { name throws(Failure) in try Playlist.named(String(name.dropFirst()), in: library) }
      .filter { $0.shuffle != nil }
  }

  /// What is typed as one line as the arguments of a command; what is in quotes is one.
  static func words(in text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character.isWhitespace {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }

  private func entries(
    _ first: String, of rest: ArraySlice<String>
  ) throws(Failure) -> (entries: [QueueEntry], words: Int) {
    if first.hasPrefix("@") {
      return (try Playlist.named(String(first.dropFirst()), in: library).entries(with: self), 1)
    }
    if first.first?.isLetter ?? false, let recording = try titled(first) {
      return (try entries(of: recording), 1)
    }
    let problem: QuranError
    do throws(QuranError) {
      let (range, count) = try AyahRange.leading(rest)
      return ([entry(range, rest.prefix(count).joined(separator: " "))], count)
    } catch {
      problem = error
    }
    do throws(Failure) {
      return (try entries(of: try library.recording(named: first)), 1)
    } catch {
      guard error.code == "no_such_recording" else { throw error }
    }
    throw Self.unknownFile(among: [first])
      ?? Failure(
        code: "usage",
        message: "\(problem) (no recording has that title either; 'list' shows them)")
  }

  /// What to say of the first argument that names a file which no library knows; nil where none does.
  static func unknownFile(among arguments: [String]) -> Failure? {
    let file = arguments.first { text in
      (try? AyahRange.leading([text])) == nil
        && FileKind(path: UserFolders.absolute(text)) == .file
    }
    return file.map { file in
      Failure(
        code: "no_such_recording",
        message:
          "\(file) is not in the library; 'audition' plays any file, and 'import' or 'edit' adds it"
      )
    }
  }

  /// The recording that is called exactly so, whatever surah sounds like it; `juz 30` is never one.
  private func titled(_ name: String) throws(Failure) -> Recording? {
    let isDivision = QuranDivision.allCases.contains {
      name.lowercased().hasPrefix($0.rawValue + " ")
    }
    guard !isDivision else { return nil }
    do throws(LibraryError) {
      return try library.recordings().first { $0.title.lowercased() == name.lowercased() }
    } catch {
      throw Failure(error)
    }
  }

  private func entry(_ range: AyahRange, _ typed: String) -> QueueEntry {
    var request = template
    request.range = range
    // What spans surahs is better known by the name that was typed.
    let isNamed = range.first.surah != range.last.surah && typed.first?.isLetter ?? false
    return QueueEntry(
      PlaybackItem.ID(0), title: isNamed ? typed : Self.title(of: range), source: typed, request)
  }

  /// `67 Al-Mulk`, `2:255 Al-Baqarah`, `2:1-20 Al-Baqarah`, `111-113 Al-Masad to Al-Falaq`.
  static func title(of range: AyahRange) -> String {
    let (surah, last) = (range.first.surah, range.last.surah)
    guard surah == last else { return "\(range) \(surah.name) to \(last.name)" }
    let isWhole = range == AyahRange(first: surah.firstAyah, last: surah.lastAyah)
    return isWhole ? "\(surah.number) \(surah.name)" : "\(range) \(surah.name)"
  }

  /// The ayat that a recording has published, in its order, from it alone.
  func entries(of recording: Recording) throws(Failure) -> [QueueEntry] {
    let ayat: [AyahReference]
    do throws(LibraryError) {
      ayat = try library.publishedAyat(in: recording.id)
    } catch {
      throw Failure(error)
    }
    guard !ayat.isEmpty else {
      throw Failure(
        code: "no_such_recording",
        message: "\(recording.title) has no published ayat; 'publish' publishes assigned segments,"
          + " and 'audition' plays any recording")
    }
    guard !hasRiwayah || recording.riwayah == template.riwayah else {
      throw Failure(
        code: "usage",
        message:
          "\(recording.title) is in \(recording.riwayah.displayName), and riwayat are never mixed")
    }
    return AyahRange.runs(of: ayat).map { range in
      var request = template
      request.range = range
      request.riwayah = recording.riwayah
      request.reciters = .anybody
      request.only = MediaKey(rawValue: recording.id.rawValue)
      // What follows is not in the recording: its ayat end there.
      if !asked.then { request.afterRepeat = .stop }
      return QueueEntry(
        PlaybackItem.ID(0), title: "\(recording.title)  \(range)", source: recording.title, request)
    }
  }

  /// What of the library fits a query, as the fewest ranges.
  func entries(of query: LibraryQuery) throws(Failure) -> [QueueEntry] {
    do throws(LibraryError) {
      let reciter = try query.reciter.map { name throws(LibraryError) in
        try library.reciter(named: name, riwayah: query.riwayah)
      }
      let riwayah = query.riwayah ?? reciter?.riwayah ?? template.riwayah
      let recordings = Dictionary(
        try library.recordings().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      let lastHeard = query.needsLog ? try library.lastHeard() : [:]
      var filter = SourceFilter(
        reciter.map { .only($0.id) } ?? .anybody, riwayah: riwayah,
        unavailable: Set(
          recordings.values.filter { !library.availability(of: $0).isAvailable }.map(\.id)))
      if case .inOrder(let order) = template.reciters, reciter == nil {
        filter.who = .inOrder(order.compactMap { $0.map { Reciter.ID(rawValue: $0.rawValue) } })
      }
      let now = Date()
      var fitting: [AyahReference] = []
      for (ayah, source) in try library.resolve(query.range ?? Self.wholeQuran, filter) {
        guard let source, let rate = recordings[source.recording]?.media.rate else { continue }
        let candidate = LibraryQuery.Candidate(
          ayah: ayah, isConfirmed: source.isManual, seconds: source.span.length.seconds(at: rate),
          secondsSinceHeard: lastHeard[ayah].map { now.timeIntervalSince($0) })
        if query.fits(candidate) { fitting.append(ayah) }
      }
      return AyahRange.runs(of: fitting).map { range in
        var entry = entry(range, query.text)
        entry.title = Self.title(of: range)
        entry.request.riwayah = riwayah
        if let reciter {
          entry.request.reciters = .inOrder([ReciterID(rawValue: reciter.id.rawValue)])
        }
        return entry
      }
    } catch {
      throw Failure(error)
    }
  }

  private static let wholeQuran =
    AyahRange(first: .first, last: .last) ?? AyahRange(AyahReference.first)

  /// Leads in before the first, out after the last, and goes on after that.
  func joined(_ entries: [QueueEntry]) throws(Failure) -> [QueueEntry] {
    if let first = entries.first?.request.riwayah,
      let other = entries.first(where: { $0.request.riwayah != first })
    {
      throw Failure(
        code: "usage",
        message:
          "\(other.title) is in \(other.request.riwayah.displayName), and riwayat are never mixed")
    }
    var joined = entries
    for index in joined.indices {
      if index > 0 { joined[index].request.connectionBefore = 0 }
      if index + 1 < joined.count {
        joined[index].request.connectionAfter = 0
        joined[index].request.afterRepeat = .stop
      }
    }
    return joined
  }
}
