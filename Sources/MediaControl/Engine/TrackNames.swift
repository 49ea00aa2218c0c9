// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
public import Playback
public import Quran

/// What a library knows of what is played, for people. Asked on no thread in particular.
public struct TrackNames: Sendable {
  /// Who recites.
  public var reciter: @Sendable (ReciterID) -> String?
  /// The address of a picture for an ayah, in a recording.
  public var picture: @Sendable (AyahReference, MediaKey?) -> String?
  /// What would be heard for an ayah of a request; nothing is opened or decoded for it.
  public var clip: @Sendable (AyahReference, PlaybackRequest) async -> AyahClip?

  public init(
    reciter: @escaping @Sendable (ReciterID) -> String? = { _ in nil },
    picture: @escaping @Sendable (AyahReference, MediaKey?) -> String? = { _, _ in nil },
    clip: @escaping @Sendable (AyahReference, PlaybackRequest) async -> AyahClip? = { _, _ in nil }
  ) {
    self.reciter = reciter
    self.picture = picture
    self.clip = clip
  }
}

extension MediaTrack {
  /// A hearing of an ayah of an item of the queue.
  init(_ hearing: Hearing, in itinerary: Itinerary) {
    let (occurrence, isBasmalah) = (hearing.occurrence, hearing.isBasmalah)
    let ayah = occurrence.ayah
    let name = isBasmalah ? "\(ayah.surah.name): basmalah" : "\(ayah.surah.name) \(ayah)"
    self.init(id: ID(hearing), title: name)
    var parts: [String] = []
    let repetitions = itinerary.repetitions(of: occurrence)
    if repetitions.times != 1 {
      parts.append("Rep \(occurrence.repetition)" + (repetitions.times.map { "/\($0)" } ?? ""))
    }
    let passes = itinerary.request.rangeRepeat
    if passes.times != 1 {
      parts.append("Pass \(occurrence.pass)" + (passes.times.map { "/\($0)" } ?? ""))
    }
    parts.append(itinerary.ayat(of: occurrence.part).numericDescription)
    album = parts.joined(separator: " - ")
    number = ayah.ayah
  }

  /// In microseconds of the recording.
  static func length(of clip: AudioClip) -> Int64 {
    microseconds(clip.span.length.frames, of: clip)
  }

  static func microseconds(_ frames: Int64, of clip: AudioClip) -> Int64 {
    let rate = Int64(clip.format.rate.hertz)
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: rate)
    return seconds * 1_000_000 + rest * 1_000_000 / rate
  }
}

/// An occurrence of an ayah in a queue, or the basmalah before it.
struct Hearing: Hashable {
  let item: PlaybackItem.ID
  let occurrence: AyahOccurrence
  var isBasmalah = false
  /// The number of jumps before it: gone back to, an ayah begins anew.
  let turn: Int
}

extension MediaTrack.ID {
  private static let start = "/org/tilawa/item"

  /// One for each hearing: an ayah that is heard again is another track, which begins at 0.
  init(_ hearing: Hearing) {
    let occurrence = hearing.occurrence
    let part =
      switch occurrence.part {
      case .connectionBefore: "before"
      case .range: "range"
      case .connectionAfter: "after"
      case .continuation: "on"
      }
    let numbers = [
      occurrence.pass, occurrence.stage, occurrence.repetition, occurrence.ayah.surah.number,
      occurrence.ayah.ayah,
    ]
    self.init(
      rawValue: "\(Self.start)/\(hearing.item.number)/\(part)/"
        + numbers.map(String.init).joined(separator: "/")
        + (hearing.isBasmalah ? "/basmalah" : "/ayah") + "/t\(hearing.turn)")
  }

  /// The place in the queue that such an id names, whatever was jumped to since.
  var start: PlaybackStart? {
    guard rawValue.hasPrefix(Self.start + "/") else { return nil }
    let parts = rawValue.dropFirst(Self.start.count + 1).split(separator: "/")
    guard parts.count == 9, ["ayah", "basmalah"].contains(parts[7]),
      let ayah = AyahReference("\(parts[5]):\(parts[6])"),
      let item = Int(parts[0]), let pass = Int(parts[2]), let stage = Int(parts[3]),
      let repetition = Int(parts[4])
    else { return nil }
    var start = PlaybackStart(item: PlaybackItem.ID(item), ayah: ayah)
    (start.pass, start.stage, start.repetition) = (pass, stage, repetition)
    start.hasBasmalah = parts[7] == "basmalah"
    return start
  }

  func isOf(turn: Int) -> Bool { rawValue.hasSuffix("/t\(turn)") }
}
