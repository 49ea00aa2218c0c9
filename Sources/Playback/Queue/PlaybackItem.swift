// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Quran

/// One entry of a queue of requests.
public struct PlaybackItem: Hashable, Sendable, Identifiable {
  /// Assigned by the caller, unique in the queue.
  public struct ID: Hashable, Sendable {
    public let number: Int
    public init(_ number: Int) { self.number = number }
  }

  public let id: ID
  public var request: PlaybackRequest

  public init(_ id: ID, _ request: PlaybackRequest) {
    self.id = id
    self.request = request
  }
}

/// A place in a queue to begin at.
public struct PlaybackStart: Hashable, Sendable {
  public var item: PlaybackItem.ID
  public var ayah: AyahReference
  /// Which repetition of the ayah and of the range, counted from 1; of the range at least the first that the
  /// request plays.
  public var repetition = 1
  public var pass = 1
  /// The number of ayat played so far of a range that grows ayah by ayah.
  public var stage = 1
  /// Whether the basmalah before the ayah comes first, where play that goes on into its surah has one.
  public var hasBasmalah = false
  /// A frame of the recording, of the basmalah where that comes first; nil or a frame outside of it means its start.
  public var frame: FramePosition?
  /// The recording of that frame; in another recording, play starts at the start of the ayah or the basmalah.
  public var media: MediaKey?

  public init(item: PlaybackItem.ID, ayah: AyahReference) {
    self.item = item
    self.ayah = ayah
  }

  /// The beginning of a hearing.
  public init(item: PlaybackItem.ID, at occurrence: AyahOccurrence) {
    self.init(item: item, ayah: occurrence.ayah)
    repetition = occurrence.repetition
    pass = occurrence.pass
    stage = occurrence.stage
  }

  /// The first frame to play of a clip of the ayah; nil for the start of the clip.
  public func frame(in clip: AudioClip) -> FramePosition? {
    guard let frame, media == nil || media == clip.media, clip.span.contains(frame) else {
      return nil
    }
    return frame
  }
}

extension Itinerary {
  /// The hearing that a start means; nil where there is none.
  func occurrence(at start: PlaybackStart) -> AyahOccurrence? {
    let pass = start.pass == 1 ? request.firstPass : start.pass
    guard request.plays(pass: pass), var occurrence = firstOccurrence(of: start.ayah, pass: pass)
    else { return nil }
    if request.practice == .cumulative, occurrence.part == .range,
      (occurrence.stage...request.range.count).contains(start.stage)
    {
      occurrence = AyahOccurrence(
        ayah: start.ayah, part: .range, repetition: 1, pass: pass, stage: start.stage)
    }
    while occurrence.repetition < start.repetition, let next = following(occurrence),
      next.step == .again
    {
      occurrence = next.occurrence
    }
    return occurrence
  }

  /// Whether a hearing is one of its own.
  func contains(_ occurrence: AyahOccurrence) -> Bool {
    guard let first = firstOccurrence(of: occurrence.ayah, pass: occurrence.pass),
      first.part == occurrence.part, request.plays(pass: occurrence.pass)
    else { return false }
    return repetitions(of: occurrence).allows(occurrence.repetition)
  }
}
