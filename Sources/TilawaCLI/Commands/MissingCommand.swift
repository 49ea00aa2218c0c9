// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Library
import Listening
import Playback
import Quran
import TerminalUI

/// `missing`
struct MissingCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "missing",
    abstract: "List the ayat that were missing when you listened last.",
    discussion: """
      Prints one range per line, in a form that 'play' accepts. --check shows which of them can be played now, from \
      the same reciters or from others of the riwayah. 'play --missed' plays just these ayat.

      EXAMPLES:
        tilawa-annotate missing
        tilawa-annotate missing --fetch
        tilawa-annotate play --missed --missing fill
      """)

  @Flag(help: "Show which of them can be played now.")
  var check = false

  @Flag(help: "Fetch them from the reciters' sources, then look up what can be heard.")
  var fetch = false

  @OptionGroup(title: "Library")
  var libraryOptions: LibraryOptions

  func run(_ library: Library) throws {
    guard let missed = try MissedAyat.latest(in: library) else {
      return StandardStreams.say("nothing was missing")
    }
    if fetch {
      let missing = MissingAyat(library)
      let requests = missed.entries.map(\.request)
      if try !requests.contains(where: { try missing.hasSource(for: $0) }) {
        StandardStreams.say(
          "nothing was fetched: no enabled source with addresses has these reciters; 'source add' adds one"
        )
      }
      for request in requests { try missing.fetch(for: request) }
    }
    guard check || fetch else {
      for range in missed.ranges { try PlainText.show(range.numericDescription) }
      return
    }
    let sound = try PublishedSound(library)
    var table = TextTable(columns: [.init("missing"), .init("now", isFlexible: true)])
    for range in missed.ranges {
      for ayah in range {
        let request = missed.request(for: ayah)
        let anybody = ResolverQuery(riwayah: request.riwayah)
        let (query, others) = (request.query, anybody)
        let now: String
        if case .found(let clip) = waiting({ await sound.clip(of: ayah, query) }) {
          now = "here: \(sound.title(of: clip.audio.media))"
        } else if case .found(let clip) = waiting({ await sound.clip(of: ayah, others) }) {
          now = "another has it: \(sound.title(of: clip.audio.media))"
        } else {
          now = "missing"
        }
        table.rows.append([TerminalText("\(ayah)"), TerminalText(now)])
      }
    }
    try PlainText.show(table)
  }
}

/// What a session of listening has missed.
struct MissedAyat {
  let ranges: [AyahRange]
  private let queue: [QueueEntry]

  /// Of the session that was last added to; nil where it missed nothing.
  static func latest(in library: Library) throws -> MissedAyat? {
    guard let session = try library.listeningSessions().first,
      let kept = KeptListening.read(session.request, as: KeptListening.self),
      let place = KeptListening.read(session.position, as: KeptListening.Place.self)
    else { return nil }
    let ranges = place.missing.compactMap { try? AyahRange(parsing: $0) }
    guard !ranges.isEmpty else { return nil }
    return MissedAyat(
      ranges: ranges, queue: kept.queue(PlaybackRequest(AyahRange(.first))))
  }

  private init(ranges: [AyahRange], queue: [QueueEntry]) {
    self.ranges = ranges
    self.queue = queue
  }

  /// What was asked for where an ayah was missed.
  func request(for ayah: AyahReference) -> PlaybackRequest {
    let entry = queue.first { Itinerary($0.request).extent.contains(ayah) }
    var request = entry?.request ?? PlaybackRequest(AyahRange(ayah))
    request.range = AyahRange(ayah)
    return request
  }

  /// The missed ayat alone, as they were asked for.
  var entries: [QueueEntry] {
    ranges.map { range in
      var request = request(for: range.first)
      request.range = range
      request.firstPass = 1
      request.lastPass = nil
      request.connectionBefore = 0
      request.connectionAfter = 0
      request.afterRepeat = .stop
      return QueueEntry(
        PlaybackItem.ID(0), title: QueueFinder.title(of: range), source: "missing", request)
    }.numbered(from: 1)
  }
}
