// SPDX-License-Identifier: GPL-3.0-or-later

public import Quran

/// What is heard of a recording, as an alignment tells it.
public struct HeardRecitation: Hashable, Sendable {
  public struct Ayah: Hashable, Sendable {
    public var ayah: AyahReference
    /// Seconds at which its first word begins.
    public var start: Double
    /// Seconds from which on a start may be told: that of the pause before the first word.
    public var earliest: Double
    /// Seconds at which the next thing begins.
    public var end: Double
    /// Seconds at which the voice ends: the start of the pause before ``end``.
    public var voiceEnd: Double
    /// The probability that it begins there, 0...1.
    public var confidence: Double

    public init(
      _ ayah: AyahReference, earliest: Double, start: Double, voiceEnd: Double, end: Double,
      confidence: Double
    ) {
      self.ayah = ayah
      self.start = start
      self.earliest = earliest
      self.end = end
      self.voiceEnd = voiceEnd
      self.confidence = confidence
    }
  }

  /// In the order of time; an ayah comes as often as it is begun.
  public var ayat: [Ayah]
  /// Seconds.
  public var duration: Double
  /// Why it can hardly be the recitation that the timings are of, in one sentence; nil where it can.
  public var doubt: String?

  public init(ayat: [Ayah], duration: Double, doubt: String? = nil) {
    self.ayat = ayat
    self.duration = duration
    self.doubt = doubt
  }
}
