// SPDX-License-Identifier: GPL-3.0-or-later

import Analysis
import AudioCore

/// Where a person puts the edges of ayat: in the middle of the pause, right before the voice, or
/// elsewhere.
///
/// Publishers and annotators differ from each other by more than a tenth of a second, but each is
/// very consistent.
public struct EdgePlacement: Hashable, Sendable {
  /// The place in a pause from which an offset counts.
  public enum Anchor: UInt8, Hashable, Sendable, CaseIterable {
    case start, middle, end
  }

  public struct InPause: Hashable, Sendable {
    public var anchor: Anchor
    /// Seconds after the anchor.
    public var offset: Double

    public init(_ anchor: Anchor, offset: Double) {
      self.anchor = anchor
      self.offset = offset
    }
  }

  /// Nil for the default place.
  public var inPause: InPause?
  /// Seconds after the default place, for an edge without a pause.
  public var joined: Double

  public init(inPause: InPause? = nil, joined: Double = 0) {
    self.inPause = inPause
    self.joined = joined
  }

  /// A found edge and the place where the person put it, in seconds.
  public struct Example: Hashable, Sendable {
    public var found: Double
    public var confirmed: Double
    /// The pause that it was found in.
    public var pause: Range<Double>?

    public init(found: Double, confirmed: Double, pause: Range<Double>?) {
      self.found = found
      self.confirmed = confirmed
      self.pause = pause
    }
  }

  /// Where an edge belongs, in seconds.
  public func place(_ found: Double, in pause: Range<Double>?) -> Double {
    guard let pause else { return found + joined }
    return inPause.map { $0.anchor.seconds(in: pause) + $0.offset } ?? found
  }

  /// The placement that examples show; nil if there are too few of the same kind.
  ///
  /// Uses medians, so a wrongly detected pause does no harm, relative to the anchor with the least
  /// variation.
  public init?(learning examples: [Example]) {
    // What is further away is another mistake than one of placing.
    let near = examples.filter { abs($0.confirmed - $0.found) < Self.farthest }
    let joined = near.filter { $0.pause == nil }.map { $0.confirmed - $0.found }
    self.init(joined: joined.count >= Self.fewest ? joined.median : 0)
    let paused = near.compactMap { example in
      example.pause.map { (pause: $0, confirmed: example.confirmed) }
    }
    if paused.count >= Self.fewest {
      let fits = Anchor.allCases.map { anchor in
        let offsets = paused.map { $0.confirmed - anchor.seconds(in: $0.pause) }
        let offset = offsets.median
        let spread = offsets.reduce(0) { $0 + abs($1 - offset) }
        return (rule: InPause(anchor, offset: offset), spread: spread)
      }
      inPause = fits.min { $0.spread < $1.spread }?.rule
    }
    if inPause == nil, self.joined == 0 { return nil }
  }

  /// This placement, with missing parts taken from another.
  public func completed(by other: EdgePlacement?) -> EdgePlacement {
    EdgePlacement(
      inPause: inPause ?? other?.inPause, joined: joined == 0 ? other?.joined ?? 0 : joined)
  }

  /// Edges of a kind, as the other numbers judged by `Scripts/measure-accuracy.py`: from so many on a median is no longer that of one or two mistakes.
  private static let fewest = 5
  /// Seconds; as far as the pauses lie in which an edge is sought, and as much again.
  static let farthest = 0.8

  /// Whether the numbers are in the range that learning produces.
  public var isPlausible: Bool {
    abs(joined) <= Self.farthest && abs(inPause?.offset ?? 0) <= Self.greatestOffset
  }

  /// Seconds: ``farthest`` beyond the longest pause within which edges are placed.
  private static let greatestOffset = 60.0
}

extension EdgePlacement.Anchor {
  fileprivate func seconds(in pause: Range<Double>) -> Double {
    switch self {
    case .start: pause.lowerBound
    case .middle: (pause.lowerBound + pause.upperBound) / 2
    case .end: pause.upperBound
    }
  }
}

extension [Double] {
  /// Of an even number the lower of the two in the middle.
  fileprivate var median: Double { sorted()[(count - 1) / 2] }
}

extension AcousticAligner {
  /// The pause in which an edge lies, in seconds.
  func pause(at edge: FramePosition) -> Range<Double>? {
    let pause = pauses(near: edge...edge).first { $0.span.contains(edge) }
    return pause.map {
      $0.span.lowerBound.seconds(at: rate)..<$0.span.upperBound.seconds(at: rate)
    }
  }

  /// Where an edge belongs that was found.
  func placed(_ edge: FramePosition) -> FramePosition {
    guard let placement else { return edge }
    let seconds = placement.place(edge.seconds(at: rate), in: pause(at: edge))
    return FramePosition(seconds: max(seconds, 0), at: rate)
  }
}
