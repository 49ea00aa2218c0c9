// SPDX-License-Identifier: GPL-3.0-or-later

public import Annotation
public import TerminalUI

/// What a person sets while working, kept from one session to the next.
public struct Settings: Hashable, Sendable, Codable {
  public var canvas = Canvas.waveform
  public var drawing = Drawing.blocks
  public var amplitude = Amplitude.decibels
  /// Of a video.
  /// Small is beside the list of segments, large in place of it, the waveform being low.
  public var pictureSize = PictureSize.off
  public var pictureAspect = AspectMode.fit
  /// Whether small pictures of a video lie along the overview.
  public var showsThumbnails = true
  /// Whether they are also beside the segments.
  public var listsThumbnails = false
  /// Whether cuts and stillness of a video are marked.
  public var showsSceneMarks = false
  /// Draws the background's level and the threshold that the detector worked with.
  public var showsFloor = false
  public var snaps = true
  /// Whether the segment gone to is heard again and again.
  public var loopsSegments = true
  /// Whether the view turns the page with the playhead.
  public var follows = true
  /// Milliseconds between hearing a boundary and pressing the key, taken off a marker placed while
  /// playing.
  public var reactionTime = 200
  /// Seconds that are heard on either side of an edge.
  public var around = 2.0
  /// Percent that segments have to be sure at least to be confirmed together.
  public var sureEnough = 90
  /// Whether a click selects and moves the playhead, and only a double click adds a marker or opens an
  /// assignment; else a click does the latter.
  public var clicksSelect = false
  /// Whether deleting a marker by its key asks first.
  public var asksBeforeDeleting = false
  public var equaliser = Equaliser()
  /// 0...1.
  public var volume = 1.0
  public var lastUnusedReason = UnusedReason.takbir
  /// Whether the first-run hint has been seen.
  public var hasSeenHint = false

  public init() {}

  public enum Canvas: String, Hashable, Sendable, Codable { case waveform, spectrogram }
  public enum Drawing: String, Hashable, Sendable, Codable, CaseIterable {
    case blocks, sextants, braille
  }

  public enum Amplitude: String, Hashable, Sendable, Codable, CaseIterable {
    /// dB from the recording's background to its loudest.
    case decibels
    /// dB from -60 to 0 dBFS.
    case fullScale
    case linear
  }

  static let reactionTimes = 0...600
  /// To choose from, seconds.
  static let arounds = [0.5, 1, 1.5, 2, 3, 4, 5]
}

extension Settings {
  /// What is missing or cannot be understood, as from another version, is as usual.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    func take<Value: Decodable>(_ key: CodingKeys, _ path: WritableKeyPath<Settings, Value>) {
      guard let value = try? values.decode(Value.self, forKey: key) else { return }
      self[keyPath: path] = value
    }
    take(.canvas, \.canvas)
    take(.drawing, \.drawing)
    take(.amplitude, \.amplitude)
    take(.pictureSize, \.pictureSize)
    take(.pictureAspect, \.pictureAspect)
    take(.showsThumbnails, \.showsThumbnails)
    take(.listsThumbnails, \.listsThumbnails)
    take(.showsSceneMarks, \.showsSceneMarks)
    take(.showsFloor, \.showsFloor)
    take(.snaps, \.snaps)
    take(.loopsSegments, \.loopsSegments)
    take(.follows, \.follows)
    take(.reactionTime, \.reactionTime)
    take(.around, \.around)
    take(.sureEnough, \.sureEnough)
    take(.clicksSelect, \.clicksSelect)
    take(.asksBeforeDeleting, \.asksBeforeDeleting)
    take(.equaliser, \.equaliser)
    take(.volume, \.volume)
    take(.lastUnusedReason, \.lastUnusedReason)
    take(.hasSeenHint, \.hasSeenHint)
    reactionTime = min(
      max(reactionTime, Self.reactionTimes.lowerBound), Self.reactionTimes.upperBound)
    if !Self.arounds.contains(around) { around = Settings().around }
    sureEnough = min(max(sureEnough, 0), 100)
    volume = volume.isFinite ? min(max(volume, 0), 1) : 1
    if equaliser.bands.count != Equaliser.frequencies.count { equaliser = Equaliser() }
  }
}

/// Six bands and a preamplifier, as sliders.
public struct Equaliser: Hashable, Sendable, Codable {
  /// 0...1 each, standing for -12...+12 dB.
  public var bands = [Double](repeating: 0.5, count: 6)
  /// 0...1, standing for -15...+15 dB.
  public var preamp = 0.5
  public var isOn = false

  public init() {}

  /// Centre or corner frequencies, Hz.
  public static let frequencies = [60, 150, 400, 1000, 2400, 15000]
  static let bandRange = 12.0
  static let preampRange = 15.0
}
