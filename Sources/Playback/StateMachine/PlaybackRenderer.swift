// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// The interface to the renderer. Commands go in as values and take effect in order; events report
/// what is heard.
///
/// A renderer holds a schedule of items and plays them one after another, converted to one session
/// format. It is held until told to run, and keeps an item's successor ready before it is due.
public protocol PlaybackRenderer: Sendable {
  /// Everything that is heard or goes wrong, in order, told when it is heard. Read once, by the engine.
  var events: AsyncStream<RendererEvent> { get }

  /// Takes a command and returns at once.
  func send(_ command: RendererCommand)

  /// What is heard now; nil when nothing is scheduled. Returns at once.
  func position() -> RendererPosition?
}

/// One entry of a renderer's schedule.
public struct ScheduledItem: Hashable, Sendable, Identifiable {
  public struct ID: Hashable, Sendable {
    public let number: Int
    public init(_ number: Int) { self.number = number }
  }

  public enum Content: Hashable, Sendable {
    case audio(AudioClip)
    /// Frames at the session's rate as they are heard: the same time at any speed.
    case silence(FrameCount)
  }

  public let id: ID
  public let content: Content
  /// Overlap with the item before in frames at the session's rate, shortened to what both have. Zero
  /// joins the two without a fade of any kind, so that what is continuous stays so.
  public let crossfade: Fade
  /// Positions in the recording inside the clip, ascending; `.reached` reports each when it is
  /// heard.
  public let cues: [FramePosition]

  public init(
    _ id: ID, _ content: Content, crossfade: Fade = .none, cues: [FramePosition] = []
  ) {
    self.id = id
    self.content = content
    self.crossfade = crossfade
    self.cues = cues
  }
}

/// Identifies a fade, so a report of an old fade is not taken for the new one.
public struct FadeID: Hashable, Sendable {
  public let number: Int
  public init(_ number: Int) { self.number = number }
}

/// A command for the renderer. Lengths of fades are frames at the session's rate.
public enum RendererCommand: Hashable, Sendable {
  /// Opens the output with this as the session's format or the nearest to it; empties the schedule and
  /// holds. Answered by `.prepared` or `.broken`.
  case prepare(AudioFormat)
  /// At the end of the schedule.
  case append([ScheduledItem])
  /// What follows does not come yet: the last item is over where it ends.
  case complete
  /// Takes out everything that comes after an item.
  case removeAll(after: ScheduledItem.ID)
  /// Takes out everything; what sounds ends within a period, and nothing of it is told any more.
  case clear
  case run(fadeIn: FrameCount)
  /// Fades out and holds; then tells `.fadedOut`. `.run` before that takes it back.
  case pause(fadeOut: FrameCount, FadeID)
  /// Fades out, takes out everything and holds; then tells `.fadedOut`. `.clear` takes it back.
  case stop(fadeOut: FrameCount, FadeID)
  /// 1 is the recordings' own speed.
  case setSpeed(Double)
}

/// An event from the renderer.
public enum RendererEvent: Hashable, Sendable {
  /// The session's format, once it is known and whenever a change of device changes it.
  case prepared(AudioFormat)
  /// Its first frame is heard. In a crossfade that is before the item before has ended.
  case started(ScheduledItem.ID)
  /// One of its cues is heard, counted from 0.
  case reached(ScheduledItem.ID, cue: Int)
  /// Its last frame has been heard.
  case ended(ScheduledItem.ID)
  /// It cannot be read, for the reason in words. If it had started it ends; else it is left out.
  case failed(ScheduledItem.ID, reason: String)
  case fadedOut(FadeID)
  /// The feeder could not keep up; nothing was left out.
  case ranDry
  /// The device is gone, for the reason in words. Held after the last frame heard; `.run` tries anew.
  case deviceLost(reason: String)
  /// It is back after a loss, and held.
  case deviceReturned
  /// Nothing can be played any more, for the reason in words.
  case broken(reason: String)
}

/// What is heard now.
public struct RendererPosition: Hashable, Sendable {
  public let item: ScheduledItem.ID
  /// A frame of the recording; nil in silence.
  public let sourceFrame: FramePosition?

  public init(item: ScheduledItem.ID, sourceFrame: FramePosition?) {
    self.item = item
    self.sourceFrame = sourceFrame
  }
}
