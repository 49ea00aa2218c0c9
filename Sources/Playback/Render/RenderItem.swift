// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Decoding
import Synchronization

/// One entry of the schedule: a sound, its repetitions, and its transition from the previous entry.
///
/// Lengths without a source are frames at the session's rate.
public struct RenderItem: Identifiable, Sendable {
  /// A unique identifier.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    private static let last = Atomic<Int>(0)
    private let number: Int

    public init() {
      number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
    }

    public var description: String { "item \(number)" }
  }

  public enum Content: Sendable {
    /// Frames of a recording, half open, at its own rate; what lies past its end ends the item early.
    case audio(MediaSource, Range<FramePosition>)
    /// As it is heard: the same at any speed.
    case silence(FrameCount)
  }

  public let id: ID
  public var content: Content
  /// How often it plays, at least once; nil for ever.
  public var repetitions: Int? = 1
  /// Silence between two repetitions, as it is heard: the same at any speed.
  public var gap: FrameCount = .zero
  /// Overlap with the item before, which ends as this one begins; shortened to what both have.
  public var crossfade: Fade = .none
  /// At the start of the first repetition, in place of a crossfade.
  public var fadeIn: Fade = .none
  /// At the end of the last repetition, unless the next item's crossfade does that.
  public var fadeOut: Fade = .none
  public var gainDecibels = 0.0
  /// Positions in the recording, ascending; `.reached` reports each when it is heard.
  public var cues: [FramePosition] = []

  public init(_ content: Content, id: ID = ID()) {
    self.content = content
    self.id = id
  }

  /// The same at another session rate.
  func scaled(from old: SampleRate, to new: SampleRate) -> RenderItem {
    guard old != new else { return self }
    func scaled(_ count: FrameCount) -> FrameCount {
      FrameCount(seconds: count.seconds(at: old), at: new)
    }
    var item = self
    if case .silence(let count) = content { item.content = .silence(scaled(count)) }
    item.gap = scaled(gap)
    item.crossfade.length = scaled(crossfade.length)
    item.fadeIn.length = scaled(fadeIn.length)
    item.fadeOut.length = scaled(fadeOut.length)
    return item
  }
}
