// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// The position of the sound that is audible now.
public struct RenderPosition: Hashable, Sendable {
  public let item: RenderItem.ID
  /// Counted from 0.
  public let repetition: Int
  /// The frame of the item's recording, counted from the recording's first; nil in silence.
  public let sourceFrame: FramePosition?
  /// Frames since the start of the repetition, at the session's rate.
  public let frame: FrameCount
  /// The item that goes out, during a crossfade, and its frame.
  public let outgoing: Outgoing?

  public struct Outgoing: Hashable, Sendable {
    public let item: RenderItem.ID
    public let sourceFrame: FramePosition?
  }
}

/// An event of playback. It is sent when it is heard, not when it is rendered.
public enum RenderEvent: Hashable, Sendable {
  case itemStarted(RenderItem.ID)
  /// A repetition has begun that is not the first; counted from 0.
  case looped(RenderItem.ID, repetition: Int)
  /// One of the item's cues is heard, counted from 0; in each repetition anew.
  case reached(RenderItem.ID, cue: Int)
  /// The last frame has been heard, or it was broken off.
  case itemEnded(RenderItem.ID, wasBrokenOff: Bool)
  /// The recording cannot be read, or is shorter than the item; the item ends there, and is not told to have
  /// started where it has no frame at all.
  case itemCutShort(RenderItem.ID, PlaybackError?)
  case playing
  case paused(RenderPosition?)
  case stopped
  /// Everything in the schedule has been heard.
  case drained
  /// The feeder could not keep up: there was a gap, and nothing was left out.
  case ranDry
  /// The device failed for a moment; what had not been heard was played again from its first frame.
  case recovered(OutputFault)
  /// The device is gone. The session is paused at the position and can go on with the same device or
  /// another.
  case deviceLost(OutputFault, RenderPosition?)
}
