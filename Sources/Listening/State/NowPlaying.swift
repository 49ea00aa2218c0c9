// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Playback
public import Quran

/// What is heard at one moment, or would be if it were not paused.
public struct NowPlaying: Hashable, Sendable {
  public var state: PlaybackState
  public var occurrence: AyahOccurrence
  public var item: PlaybackItem.ID
  public var isBasmalah = false
  /// Of the ayah among those of its part of the item, counted from 1.
  public var ayahNumber = 1
  public var ayahCount = 1
  public var repetitions = RepeatCount.once
  public var passes = RepeatCount.once
  /// Nil where the ayah is missing or not looked up yet.
  public var clip: AyahClip?
  /// What the recording is called.
  public var title = ""
  /// Of the recording; nil in silence.
  public var frame: FramePosition?
  /// The hearing that comes next, once this one is over.
  public var next: PlaybackStart?
  /// Counted from 0; nil without timings, and before the first.
  public var word: Int?
  public var speed = 1.0
  /// Where it is paused because its device is gone.
  public var deviceWait: DeviceWait?

  public init(_ occurrence: AyahOccurrence, of item: PlaybackItem.ID, _ state: PlaybackState) {
    self.occurrence = occurrence
    self.item = item
    self.state = state
  }

  /// Nil while nothing has been asked for.
  public init?(_ position: PlaybackPosition, title: String) {
    let status = position.status
    guard let place = status.place else { return nil }
    self.init(place.occurrence, of: place.item, status.state)
    isBasmalah = place.isBasmalah
    ayahNumber = place.ayahNumber
    ayahCount = place.ayahCount
    repetitions = place.repetitions
    passes = place.passes
    clip = status.clip
    self.title = title
    frame = position.offset == nil ? nil : position.sourceFrame
    next = position.next
    word = position.word
    speed = status.speed
    deviceWait = status.deviceWait
  }

  public var ayah: AyahReference { occurrence.ayah }

  /// Takes in when the words are said, where nobody had told; nil while that is not known.
  public mutating func hear(_ words: WordTimings?) {
    guard let words, var clip, clip.words == nil else { return }
    clip.words = words
    self.clip = clip
    word = frame.flatMap { words.word(at: $0, of: clip.audio) }
  }

  /// Seconds of the recording since the ayah began, and that it lasts.
  var seconds: (passed: Double, length: Double)? {
    guard let clip else { return nil }
    let audio = clip.audio
    let passed =
      frame.map { $0 - audio.span.lowerBound } ?? (isOver ? audio.span.length : .zero)
    return (passed.seconds(at: audio.format.rate), audio.span.length.seconds(at: audio.format.rate))
  }

  /// Whether the ayah was heard to its end: the silence after it is heard, or it was the last.
  private var isOver: Bool {
    if state == .idle(.finished) { return true }
    return switch state.activity {
    case .awaitingRepeat, .awaitingNextAyah, .rangeComplete: true
    case .loading, .playing, nil: false
    }
  }

  /// How much of the ayah has been heard, 0...1.
  var fraction: Double {
    guard let seconds, seconds.length > 0 else { return 0 }
    return min(max(seconds.passed / seconds.length, 0), 1)
  }

  public var isPlaying: Bool {
    switch state {
    case .active, .pausing, .stopping: true
    case .idle, .paused, .failed: false
    }
  }

  /// Whether silence stands for the ayah, of which there is no recording.
  public var isMissing: Bool {
    clip == nil && !isBasmalah && state.activity == .awaitingNextAyah
  }

  /// Whether nothing is heard and no silence counted: what is being fetched is of more interest than what is missing.
  var isWithoutSound: Bool {
    switch state {
    case .active(let activity), .pausing(let activity): activity == .loading
    case .idle, .paused, .stopping, .failed: clip == nil
    }
  }

  public var isPaused: Bool { if case .paused = state { true } else { false } }
}

extension PlaybackState {
  /// Whether sound goes on, and is to.
  var isHeard: Bool {
    switch self {
    case .active, .pausing: true
    case .idle, .stopping, .paused, .failed: false
    }
  }
}

extension PlaybackRequest {
  /// Whether it may be answered by a clip.
  func admits(_ clip: AyahClip) -> Bool {
    guard clip.riwayah == riwayah else { return false }
    if let only, clip.audio.media != only { return fillsFromOthers }
    switch reciters {
    case .anybody: return true
    case .inOrder(let order): return fillsFromOthers || order.contains(clip.reciter)
    }
  }
}
