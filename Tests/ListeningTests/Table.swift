// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Playback
import Quran
import TerminalUI

@testable import Listening

/// What the tests play with: 67 in two recordings, at 1,000 frames a second, an ayah 12 s long.
enum Table {
  static let rate = SampleRate(hertz: 1000)!
  static let reciter = ReciterID(rawValue: 3)
  static let reciters = [
    ReciterRow(reciter, name: "Al-Minshawi", riwayah: .hafs, usesSources: true),
    ReciterRow(ReciterID(rawValue: 4), name: "Al-Husary", riwayah: .hafs, usesSources: false),
    ReciterRow(ReciterID(rawValue: 5), name: "Abdul Basit", riwayah: .warsh),
  ]

  static func entry(
    _ number: Int, _ text: String, source: String = "67", title: String? = nil
  ) -> QueueEntry {
    let range = ayahRange(text)
    return QueueEntry(
      PlaybackItem.ID(number), title: title ?? "\(range) \(range.first.surah.name)", source: source,
      PlaybackRequest(range))
  }

  static func clip(_ ayah: AyahReference) -> AyahClip {
    let first = Int64(ayah.ayah - 1) * 12_000
    let audio = AudioClip(
      MediaKey(rawValue: "night"), FramePosition(first)..<FramePosition(first + 12_000),
      format: AudioFormat(rate: rate, channels: 1)!)
    return AyahClip(ayah, audio, riwayah: .hafs, reciter: reciter)
  }

  /// What is heard of an entry so many seconds into one of its ayat.
  static func now(
    _ entry: QueueEntry, ayah: AyahReference? = nil, seconds: Double = 0,
    _ state: PlaybackState = .active(.playing)
  ) -> NowPlaying {
    let itinerary = Itinerary(entry.request)
    var occurrence = itinerary.first
    while let ayah, occurrence.ayah != ayah, let next = itinerary.following(occurrence) {
      occurrence = next.occurrence
    }
    var now = NowPlaying(occurrence, of: entry.id, state)
    now.clip = clip(occurrence.ayah)
    now.title = "Night 3"
    now.ayahNumber = occurrence.ayah.absoluteIndex - entry.request.range.first.absoluteIndex + 1
    now.ayahCount = entry.request.range.count
    now.frame = now.clip!.audio.span.lowerBound + FrameCount(seconds: seconds, at: rate)
    return now
  }

  static func state(
    _ queue: [QueueEntry]? = nil, columns: Int = 80, rows: Int = 24
  ) -> State {
    let queue = queue ?? [entry(1, "67"), entry(2, "juz 30", source: "juz 30"), entry(3, "2:255")]
    var state = State(
      size: Size(columns: columns, rows: rows), queue: queue, reciters: reciters, seed: 7)
    for entry in queue { _ = reduce(&state, .checked(entry.id, missing: [], fillable: [])) }
    _ = reduce(&state, .playing(now(queue[0], ayah: queue[0].request.range.first, seconds: 3.2)))
    return state
  }

  /// A text of the Quran whose words are numbers, as many as there are.
  static let text = QuranText(
    ayat: AyahReference.all.map { ayah in
      (1...QuranSounds.wordCount(of: ayah)).map { "w\($0)" }.joined(separator: " ")
    })!
}

extension State {
  /// Presses keys by their names and returns what is to be done.
  mutating func press(_ names: String...) -> [Effect] {
    names.flatMap { reduce(&self, .input(.key(KeyEvent(named: $0)!))) }
  }

  /// Of the left button, at a cell of the screen.
  mutating func click(column: Int, row: Int) -> [Effect] {
    reduce(
      &self, .input(.mouse(MouseEvent(.press(.left), at: Point(column: column, row: row)))))
  }

  mutating func type(_ text: String) -> [Effect] {
    text.flatMap { reduce(&self, .input(.key(KeyEvent($0)))) }
  }
}

extension AyahReference {
  static var all: [AyahReference] { (1...count).map { AyahReference(absoluteIndex: $0)! } }
}

/// A range as it is typed; the tests' own make sense.
func ayahRange(_ text: String) -> AyahRange {
  (try? AyahRange(parsing: text)) ?? AyahRange(.first)
}
