// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Quran

/// Names a recording or file to the resolver and the renderer, who alone know what it means.
public struct MediaKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names a reciter to the resolver.
public struct ReciterID: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A stretch of a recording.
public struct AudioClip: Hashable, Sendable {
  public let media: MediaKey
  /// Frames of the recording, half-open.
  public let span: Range<FramePosition>
  /// Of the recording.
  public let format: AudioFormat

  public init(_ media: MediaKey, _ span: Range<FramePosition>, format: AudioFormat) {
    self.media = media
    self.span = span
    self.format = format
  }
}

/// Where one whole ayah is heard.
public struct AyahClip: Hashable, Sendable {
  /// Where the audio came from.
  public enum Origin: Hashable, Sendable {
    case ownRecording, download
  }

  public let ayah: AyahReference
  /// Exactly the ayah, cut at the joins of its segment.
  public let audio: AudioClip
  public let riwayah: Riwayah
  /// Nil when nobody knows who recites.
  public var reciter: ReciterID?
  public var origin = Origin.ownRecording
  /// Whether a person has said that it is this ayah; what is not confirmed is a suggestion.
  public var isConfirmed = true
  /// Whether its segment holds neighbours too, recited in the same breath: a cross-surah pair or a run.
  public var sharesBreath = false
  /// The ayat that are heard in this same sound, nobody knows where in it; nil where it is this ayah alone.
  public var together: AyahRange?
  /// Whether the basmalah of its surah, uncounted, is heard at its start.
  public var beginsWithBasmalah = false
  public var words: WordTimings?

  public init(
    _ ayah: AyahReference, _ audio: AudioClip, riwayah: Riwayah, reciter: ReciterID? = nil
  ) {
    self.ayah = ayah
    self.audio = audio
    self.riwayah = riwayah
    self.reciter = reciter
  }
}
