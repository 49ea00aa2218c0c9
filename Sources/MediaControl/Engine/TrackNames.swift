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

  public init(
    reciter: @escaping @Sendable (ReciterID) -> String? = { _ in nil },
    picture: @escaping @Sendable (AyahReference, MediaKey?) -> String? = { _, _ in nil }
  ) {
    self.reciter = reciter
    self.picture = picture
  }
}

extension MediaTrack {
  /// A hearing of an ayah.
  ///
  /// - Parameter listNumber: of the list that it belongs to.
  init(
    _ occurrence: AyahOccurrence, in itinerary: Itinerary, listNumber: Int, isBasmalah: Bool = false
  ) {
    let ayah = occurrence.ayah
    let name = isBasmalah ? "\(ayah.surah.name): basmalah" : "\(ayah.surah.name) \(ayah)"
    self.init(id: ID(occurrence, listNumber: listNumber), title: name)
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

extension MediaTrack.ID {
  private static let start = "/org/tilawa/item"

  /// One for each hearing: an ayah that is heard again is another track, which begins at 0.
  init(_ occurrence: AyahOccurrence, listNumber: Int) {
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
      rawValue: "\(Self.start)/g\(listNumber)/\(part)/"
        + numbers.map(String.init).joined(separator: "/"))
  }

  /// The hearing in an item that such an id names, whatever else follows.
  func start(in item: PlaybackItem.ID) -> PlaybackStart? {
    guard rawValue.hasPrefix(Self.start + "/") else { return nil }
    let parts = rawValue.dropFirst(Self.start.count + 1).split(separator: "/")
    guard parts.count >= 7, let ayah = AyahReference("\(parts[5]):\(parts[6])"),
      let pass = Int(parts[2]), let stage = Int(parts[3]), let repetition = Int(parts[4])
    else { return nil }
    var start = PlaybackStart(item: item, ayah: ayah)
    (start.pass, start.stage, start.repetition) = (pass, stage, repetition)
    return start
  }

  /// The one that is heard, in its turn: gone back to, it begins anew.
  func heard(inTurn turn: Int, isBasmalah: Bool) -> MediaTrack.ID {
    MediaTrack.ID(rawValue: "\(rawValue)/\(isBasmalah ? "basmalah" : "ayah")/t\(turn)")
  }

  func isOf(turn: Int) -> Bool { rawValue.hasSuffix("/t\(turn)") }
}
