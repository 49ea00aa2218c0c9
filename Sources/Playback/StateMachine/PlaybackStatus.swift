// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Quran

/// The status of playback, for display and for other programs.
public struct PlaybackStatus: Hashable, Sendable {
  public let state: PlaybackState
  /// The current, last or next ayah; nil before the first request.
  public let place: PlaybackPlace?
  /// Of that ayah, or of the basmalah before it; nil where it is missing or not looked up yet.
  public let clip: AyahClip?
  public let speed: Double
  /// Where it is paused because its device is gone.
  public var deviceWait: DeviceWait?

  public static let fresh = PlaybackStatus(
    state: .idle(.fresh), place: nil, clip: nil, speed: 1)
}

/// What playback does once a device that was lost is back.
public enum DeviceWait: Hashable, Sendable {
  case goesOn, staysPaused

  /// The state of playback meanwhile.
  public var text: String {
    switch self {
    case .goesOn: "waiting for the device"
    case .staysPaused: "paused, no device"
    }
  }

  /// What the space bar does meanwhile.
  public var advice: String {
    switch self {
    case .goesOn: "playback continues when it is back; space keeps it paused"
    case .staysPaused: "space tries again"
    }
  }
}

/// Where in a request play is.
public struct PlaybackPlace: Hashable, Sendable {
  public let occurrence: AyahOccurrence
  /// Which item of the queue it belongs to.
  public let item: PlaybackItem.ID
  /// Of the ayah among those of its part of the request, counted from 1.
  public let ayahNumber: Int
  public let ayahCount: Int
  /// Of this ayah; `occurrence.repetition` of them.
  public let repetitions: RepeatCount
  /// Of the range; `occurrence.pass` of them.
  public let passes: RepeatCount
  /// Whether the basmalah before the ayah is heard.
  public let isBasmalah: Bool

  init(
    _ occurrence: AyahOccurrence, of item: PlaybackItem.ID, in itinerary: Itinerary,
    isBasmalah: Bool = false
  ) {
    self.occurrence = occurrence
    self.item = item
    let ayat = itinerary.ayat(of: occurrence.part)
    ayahNumber = occurrence.ayah.absoluteIndex - ayat.first.absoluteIndex + 1
    ayahCount = ayat.count
    repetitions = itinerary.repetitions(of: occurrence)
    passes = itinerary.request.rangeRepeat
    self.isBasmalah = isBasmalah
  }
}

/// The position at one moment.
public struct PlaybackPosition: Hashable, Sendable {
  public let status: PlaybackStatus
  /// The frame of the recording; nil in silence.
  public let sourceFrame: FramePosition?
  /// Since the ayah, or the basmalah before it, began, in frames of its recording; nil in silence.
  public let offset: FrameCount?
  /// The word heard, counted from 0; nil without timings, and before the first word.
  public let word: Int?
  /// The hearing that comes next, once the last one was heard to its end, as in a gap; nil during an ayah, and at the
  /// end of everything.
  public var next: PlaybackStart?
}

/// The complete state of playback at one moment, for code that cannot wait for the engine.
public struct PlaybackMoment: Hashable, Sendable {
  public let position: PlaybackPosition
  /// Of the request that is played or was played last; nil before the first.
  public let itinerary: Itinerary?
  /// The item of the queue whose request that is.
  public var item: PlaybackItem.ID?
  /// The number of starts and jumps so far: after a jump back, an ayah plays in another turn.
  public let turn: Int
  /// The whole queue.
  public var items: [PlaybackItem] = []
}
