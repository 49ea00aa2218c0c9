// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// The fixed division of a recording into hops of 10 ms.
///
/// Hop k covers the frames `floor(k x rate / 100) ..< floor((k + 1) x rate / 100)`, so hops never drift
/// from the clock, whatever the rate; the last one may be shorter.
public struct HopGrid: Hashable, Sendable {
  public static let hopsPerSecond = 100

  public let rate: SampleRate

  public init(rate: SampleRate) { self.rate = rate }

  /// The first frame of a hop.
  public func start(ofHop hop: Int) -> FramePosition {
    FramePosition(Int64(hop) * Int64(rate.hertz) / Int64(Self.hopsPerSecond))
  }

  /// How many hops it takes to cover so many frames.
  public func hopCount(covering length: FrameCount) -> Int {
    guard length.frames > 0 else { return 0 }
    return hop(containing: FramePosition(length.frames - 1)) + 1
  }

  /// The hop that a frame lies in.
  public func hop(containing position: FramePosition) -> Int {
    // The inverse of `start` by estimate and correction, since the floor there is not invertible.
    let hops = Int64(Self.hopsPerSecond)
    var hop = Int(position.frames * hops / Int64(rate.hertz))
    while start(ofHop: hop + 1) <= position { hop += 1 }
    return hop
  }

  /// The most frames that any hop has.
  var longestHop: Int { rate.hertz / Self.hopsPerSecond + 1 }
}
