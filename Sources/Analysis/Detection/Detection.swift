// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// A stretch in which the reciter is silent.
public struct Pause: Hashable, Sendable {
  /// From the first frame after the voice to the first frame of it again.
  public var span: Range<FramePosition>
  /// How far the level falls below that of the voice around, in dB.
  public var depth: Double
  /// How sure it is that this is a silence and no closed consonant, 0...1.
  public var confidence: Double

  public init(span: Range<FramePosition>, depth: Double, confidence: Double) {
    self.span = span
    self.depth = depth
    self.confidence = confidence
  }
}

/// A place where one segment of a recording probably ends and the next begins.
public struct Boundary: Hashable, Sendable {
  public var position: FramePosition
  /// How sure it is, 0...1.
  public var confidence: Double

  public init(position: FramePosition, confidence: Double) {
    self.position = position
    self.confidence = confidence
  }
}

/// What a detector makes of a recording.
public struct Detection: Hashable, Sendable {
  /// Every pause, in order, without overlaps.
  public var pauses: [Pause]
  /// The boundaries that a person should see, in order, inside the recording.
  public var boundaries: [Boundary]

  public init(pauses: [Pause], boundaries: [Boundary]) {
    self.pauses = pauses
    self.boundaries = boundaries
  }
}
